/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers as people type them.  False when the text is anything else, or too large. */

/* "90", "1.5s", "250ms", "2m", "1h", and a bare number means `bare_ms` milliseconds each. */
bool units__time_ms(const char *text, uint64_t bare_ms, uint64_t *ms);

/* "1.5ms", "20us", "100ns", "2s": a unit is needed, except for 0. */
bool units__time_ns(const char *text, uint64_t *ns);

/* "4096", "64K", "1.5M", "2GiB": by 1024. */
bool units__bytes(const char *text, uint64_t *bytes);

/* A whole decimal number, at most `max`. */
bool units__count(const char *text, uint64_t max, uint64_t *count);

#endif /* UNITS_H */
