// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* option_take.c: takes the values of options that are stored as they are. */
#include "cli/options/option_take.h"
#include "cli/options/parse_value.h"

void option_take__flag(void *member, const char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	*(bool *)member = true;
}

void option_take__text(void *member, const char *arg, struct argp_state *state)
{
	(void)state;
	*(const char **)member = arg;
}

void option_take__word(void *member, const char *arg, struct argp_state *state)
{
	struct option_words *words = member;

	if (words->count == OPTIONS_NAMES)
		argp_error(state, "too many values: '%s': at most %d", arg, OPTIONS_NAMES);
	words->at[words->count++] = arg;
}

void option_take__count(void *member, const char *arg, struct argp_state *state)
{
	*(uint64_t *)member = parse_value__count(arg, state);
}

void option_take__memory(void *member, const char *arg, struct argp_state *state)
{
	*(uint64_t *)member = parse_value__memory(arg, state);
}
