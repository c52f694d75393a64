// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/limit.c: EVENT>N: how often the sum of all events has exceeded N. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/counters.h>

#include "functions/source.h"

/* ---- EVENT>N --------------------------------------------------------------------------------- */

/* The > of EVENT>N; NULL: a source.  Arguments of functions may have ->. */
static const char *find_over(const char *text)
{
	const char *over = strrchr(text, '>');

	return over && (over == text || over[-1] != '-') && !function_source__is(text) ? over
										       : NULL;
}

static bool parse_number(const char *text, uint64_t *number)
{
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || value >= INT64_MAX)
		return false;
	*number = value;
	return true;
}

int peat_counters__parse_limit(const char *text, size_t *event_bytes, uint64_t *over)
{
	const char *at = find_over(text);
	size_t bytes = at ? (size_t)(at - text) : 0;

	if (!at)
		return 0;
	while (bytes && text[bytes - 1] == ' ')
		bytes--;
	at++;
	if (!bytes || !parse_number(at + strspn(at, " "), over))
		return -EINVAL;
	*event_bytes = bytes;
	return 1;
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Overflows of one CPU while N events happen: two, if all CPUs have the same share of them. */
uint64_t peat_counters__limit_period(uint64_t over)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return over / (2 * (uint64_t)(cpus > 0 ? cpus : 1)) + 1;
}

/* A name may stand for several events: they count together. */
static uint64_t sum(const struct peat_counters *counters)
{
	struct peat_counter_value value = { .sz = sizeof(value) };
	uint64_t all = 0;

	for (uint32_t i = 0; i < peat_counters__count(counters); i++)
		if (!peat_counters__value(counters, i, &value))
			all += value.scaled;
	return all;
}

int64_t peat_counters__exceeded(struct peat_counters *counters, uint64_t over, uint64_t *rest)
{
	int err = peat_counters__read(counters);
	uint64_t all;

	if (err)
		return err;
	all = sum(counters) + *rest;
	if (all <= over)
		return 0;
	peat_counters__reset(counters);
	*rest = all % (over + 1);
	return (int64_t)(all / (over + 1) & INT64_MAX);
}
