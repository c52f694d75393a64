// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* parse_value.c: parses the values of options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/base/users.h"
#include "cli/options/parse_unit.h"
#include "cli/options/parse_value.h"

uint32_t parse_value__pid(const char *arg, bool may_be_idle, struct argp_state *state)
{
	uint64_t pid;

	if (!parse_unit__count(arg, INT32_MAX, &pid) || (!pid && !may_be_idle))
		argp_error(state, "'%s' is not a process id", arg);
	return (uint32_t)pid;
}

uint32_t parse_value__user(const char *arg, struct argp_state *state)
{
	uint64_t number;
	uint32_t uid = 0;
	int err;

	if (parse_unit__count(arg, UINT32_MAX - 1, &number))
		return (uint32_t)number;
	err = users__find(arg, &uid);
	if (err == -ESRCH)
		argp_error(state, "unknown user '%s'", arg);
	else if (err)
		argp_error(state,
			   "unknown user '%s': cannot read /etc/passwd: %s: give the user's number",
			   arg, strerror(-err));
	return uid;
}

uint64_t parse_value__time(const char *arg, uint64_t bare_ms, uint64_t max_ms,
			   struct argp_state *state)
{
	uint64_t ms;

	if (!parse_unit__time_ms(arg, bare_ms, &ms) || ms > max_ms)
		argp_error(state, "'%s' is not a time such as 10s, 500ms or 2m%s", arg,
			   max_ms == UINT64_MAX ? "" : ", or too long");
	return ms;
}

void parse_value__span(const char *arg, uint64_t *from_ns, uint64_t *to_ns,
		       struct argp_state *state)
{
	const char *comma = strchr(arg, ',');
	char *from = strndup(arg, comma ? (size_t)(comma - arg) : 0);

	*from_ns = 0;
	*to_ns = UINT64_MAX;
	if (!from || !comma || (*from && !parse_unit__seconds_ns(from, from_ns)) ||
	    (comma[1] && !parse_unit__seconds_ns(comma + 1, to_ns)) || *from_ns > *to_ns)
		argp_error(state, "'%s' is not a span of seconds such as 3202.9,3203.5", arg);
	free(from);
}

uint64_t parse_value__count(const char *arg, struct argp_state *state)
{
	uint64_t count;

	if (!parse_unit__count(arg, UINT64_MAX - 1, &count) || !count)
		argp_error(state, "'%s' is not a number of events", arg);
	return count;
}

uint32_t parse_value__rate(const char *arg, struct argp_state *state)
{
	uint64_t rate;

	if (!strcmp(arg, "max"))
		return UINT32_MAX;
	if (!parse_unit__count(arg, UINT32_MAX - 1, &rate) || !rate)
		argp_error(state, "'%s' is not a number of samples per second, or max", arg);
	return (uint32_t)rate;
}

uint64_t parse_value__rows(const char *arg, struct argp_state *state)
{
	uint64_t rows;

	if (!parse_unit__count(arg, UINT64_MAX - 1, &rows) || !rows)
		argp_error(state, "'%s' is not a number of rows", arg);
	return rows;
}

void parse_value__slots(const char *arg, int64_t *first, uint64_t *width, struct argp_state *state)
{
	const char *colon = arg ? strchr(arg, ':') : NULL;
	char *text = colon ? strndup(arg, (size_t)(colon - arg)) : NULL;
	int64_t wide = 0;

	*first = 0;
	*width = 1;
	if (!arg)
		return;
	if (!text || !parse_unit__value(text, first) || !parse_unit__value(colon + 1, &wide) ||
	    wide <= 0)
		argp_error(state, "--linear '%s': expected FIRST:WIDTH such as 0:10, 0:1ms or 0:4K",
			   arg);
	*width = (uint64_t)wide;
	free(text);
}

uint64_t parse_value__memory(const char *arg, struct argp_state *state)
{
	uint64_t bytes;

	if (!parse_unit__bytes(arg, &bytes) || !bytes)
		argp_error(state, "'%s' is not an amount of memory such as 512K or 8M", arg);
	return bytes;
}

static uint32_t sample_of(const char *word, size_t bytes)
{
	static const struct {
		const char *name;
		uint32_t sample;
	} samples[] = {
		{ "ip", PEAT_SAMPLE_IP },
		{ "callchain", PEAT_SAMPLE_CALLCHAIN },
		{ "cgroup", PEAT_SAMPLE_CGROUP },
		{ "regs_user", PEAT_SAMPLE_REGS_USER },
		{ "stack_user", PEAT_SAMPLE_STACK_USER },
	};

	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
		if (strlen(samples[i].name) == bytes && !strncmp(samples[i].name, word, bytes))
			return samples[i].sample;
	return 0;
}

uint32_t parse_value__sample(const char *list, struct argp_state *state)
{
	uint32_t sample = 0, one;

	for (const char *word = list;; word++) {
		size_t bytes = strcspn(word, ",");

		one = sample_of(word, bytes);
		if (!one)
			argp_error(state,
				   "cannot sample '%.*s': use ip, callchain, cgroup, regs_user or "
				   "stack_user",
				   (int)bytes, word);
		sample |= one;
		word += bytes;
		if (!*word)
			return sample;
	}
}

int parse_value__level(const char *arg, struct argp_state *state)
{
	uint64_t level = 1;

	if (arg && (!parse_unit__count(arg, 22, &level) || !level))
		argp_error(state, "'%s' is not a compression level: use 1 to 22", arg);
	return (int)level;
}
