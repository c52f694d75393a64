// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* values.c: the words of options as numbers. */
#include <pwd.h>
#include <string.h>

#include <peat/peat.h>

#include "units.h"
#include "values.h"

uint32_t values__pid(const char *arg, struct argp_state *state)
{
	uint64_t pid;

	if (!units__count(arg, INT32_MAX, &pid) || !pid)
		argp_error(state, "'%s' is not a process id", arg);
	return (uint32_t)pid;
}

uint32_t values__user(const char *arg, struct argp_state *state)
{
	const struct passwd *user;
	uint64_t uid;

	if (units__count(arg, UINT32_MAX - 1, &uid))
		return (uint32_t)uid;
	user = getpwnam(arg);
	if (!user)
		argp_error(state, "there is no user '%s'", arg);
	return user->pw_uid;
}

uint64_t values__time(const char *arg, uint64_t bare_ms, uint64_t max_ms, struct argp_state *state)
{
	uint64_t ms;

	if (!units__time_ms(arg, bare_ms, &ms) || ms > max_ms)
		argp_error(state, "'%s' is not a time such as 10s, 500ms or 2m%s", arg,
			   max_ms == UINT64_MAX ? "" : ", or too long");
	return ms;
}

uint64_t values__count(const char *arg, struct argp_state *state)
{
	uint64_t count;

	if (!units__count(arg, UINT64_MAX - 1, &count) || !count)
		argp_error(state, "'%s' is not a number of events", arg);
	return count;
}

uint64_t values__memory(const char *arg, struct argp_state *state)
{
	uint64_t bytes;

	if (!units__bytes(arg, &bytes) || !bytes)
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

uint32_t values__sample(const char *list, struct argp_state *state)
{
	uint32_t sample = 0, one;

	for (const char *word = list;; word++) {
		size_t bytes = strcspn(word, ",");

		one = sample_of(word, bytes);
		if (!one)
			argp_error(state,
				   "'%.*s' cannot be sampled: there are ip, callchain, cgroup, "
				   "regs_user and stack_user",
				   (int)bytes, word);
		sample |= one;
		word += bytes;
		if (!*word)
			return sample;
	}
}

int values__level(const char *arg, struct argp_state *state)
{
	uint64_t level = 1;

	if (arg && (!units__count(arg, 22, &level) || !level))
		argp_error(state, "'%s' is no level of compression: 1 to 22", arg);
	return (int)level;
}
