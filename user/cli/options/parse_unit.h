/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_PARSE_UNIT_H
#define CLI_PARSE_UNIT_H

#include <stdbool.h>
#include <stdint.h>

/* parse_unit.h: numbers with units.  Functions return false if the text is invalid or too large. */

/* "90", "1.5s", "250ms", "2m", "1h".  A number without a unit is multiplied by bare_ms. */
bool parse_unit__time_ms(const char *text, uint64_t bare_ms, uint64_t *ms);

/* Seconds with up to nine digits of fraction, "3202.964349", exactly. */
bool parse_unit__seconds_ns(const char *text, uint64_t *ns);

/* "4096", "64K", "1.5M", "2GiB": multiples of 1024. */
bool parse_unit__bytes(const char *text, uint64_t *bytes);

/* "10", "-5", "1.5ms", "2s", "64K": a number, a time in nanoseconds, or a size in bytes. */
bool parse_unit__value(const char *text, int64_t *value);

/* A decimal integer, at most `max`. */
bool parse_unit__count(const char *text, uint64_t max, uint64_t *count);

#endif /* CLI_PARSE_UNIT_H */
