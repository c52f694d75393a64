/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* values.h: what the words of options mean.  Each complains of a bad one, and exits, by argp. */
#ifndef VALUES_H
#define VALUES_H

#include <argp.h>
#include <stdint.h>

uint32_t values__pid(const char *arg, struct argp_state *state);

/* A number or a name. */
uint32_t values__user(const char *arg, struct argp_state *state);

/* In milliseconds, up to max_ms; a number without a unit counts as so many of them each. */
uint64_t values__time(const char *arg, uint64_t bare_ms, uint64_t max_ms, struct argp_state *state);

/* Of events. */
uint64_t values__count(const char *arg, struct argp_state *state);

/* In bytes. */
uint64_t values__memory(const char *arg, struct argp_state *state);

/* A list: PEAT_SAMPLE_*, or-ed. */
uint32_t values__sample(const char *list, struct argp_state *state);

/* Of compression; NULL: the default. */
int values__level(const char *arg, struct argp_state *state);

#endif /* VALUES_H */
