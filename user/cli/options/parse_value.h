/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* parse_value.h: parses the values of options.  An invalid value prints an error and exits, by
 * argp.
 */
#ifndef CLI_PARSE_VALUE_H
#define CLI_PARSE_VALUE_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* may_be_idle: 0, the id of the idle tasks, is valid. */
uint32_t parse_value__pid(const char *arg, bool may_be_idle, struct argp_state *state);

/* A number or a name. */
uint32_t parse_value__user(const char *arg, struct argp_state *state);

/* Milliseconds, at most max_ms.  A number without a unit is multiplied by bare_ms. */
uint64_t parse_value__time(const char *arg, uint64_t bare_ms, uint64_t max_ms,
			   struct argp_state *state);

/* "FROM,TO" in seconds, either may be missing: 0 and UINT64_MAX. */
void parse_value__span(const char *arg, uint64_t *from_ns, uint64_t *to_ns,
		       struct argp_state *state);

/* Number of events. */
uint64_t parse_value__count(const char *arg, struct argp_state *state);

/* Samples per second; UINT32_MAX: "max". */
uint32_t parse_value__rate(const char *arg, struct argp_state *state);

/* Number of rows. */
uint64_t parse_value__rows(const char *arg, struct argp_state *state);

/*
 * "FIRST:WIDTH" of the slots of a histogram: numbers, times with a unit, or sizes.  NULL: 0 and 1.
 */
void parse_value__slots(const char *arg, int64_t *first, uint64_t *width, struct argp_state *state);

/* Bytes. */
uint64_t parse_value__memory(const char *arg, struct argp_state *state);

/* Parses a list to PEAT_SAMPLE_* bits. */
uint32_t parse_value__sample(const char *list, struct argp_state *state);

/* Compression level; NULL: the default. */
int parse_value__level(const char *arg, struct argp_state *state);

#endif /* CLI_PARSE_VALUE_H */
