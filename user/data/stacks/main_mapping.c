// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/main_mapping.c: the program that a profile is about. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stacks/main_mapping.h"
#include "sys/libraries.h"

struct tally {
	int64_t samples;
	size_t last_sample; /* number + 1, so that recursion counts once */
};

/* A program has neither brackets, as "[kernel]" has, nor the name of a library. */
static bool is_program(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return *name && *path != '[' && !libraries__is_library_name(name);
}

static void count_sample(const Profile__Profile *profile, size_t number, struct tally *tallies)
{
	const Profile__Sample *sample = profile->sample[number];

	for (size_t i = 0; i < sample->n_location_id; i++) {
		uint64_t id = profile->location[sample->location_id[i] - 1]->mapping_id;
		struct tally *tally = &tallies[id];

		if (tally->last_sample != number + 1)
			tally->samples += sample->value[0];
		tally->last_sample = number + 1;
	}
}

static size_t find_main(const Profile__Profile *profile, const struct tally *tallies)
{
	int64_t most = 0;
	size_t found = 0;

	for (size_t i = 0; i < profile->n_mapping; i++) {
		const char *path = profile->string_table[profile->mapping[i]->filename];

		if (tallies[i + 1].samples > most && is_program(path)) {
			most = tallies[i + 1].samples;
			found = i;
		}
	}
	return found;
}

int main_mapping__put_first(Profile__Profile *profile)
{
	struct tally *tallies = calloc(profile->n_mapping + 1, sizeof(*tallies));
	Profile__Mapping *main_program;
	size_t found;

	if (!tallies)
		return -ENOMEM;
	for (size_t i = 0; i < profile->n_sample; i++)
		count_sample(profile, i, tallies);
	found = find_main(profile, tallies);
	free(tallies);
	if (!found)
		return 0;
	main_program = profile->mapping[found];
	memmove(profile->mapping + 1, profile->mapping, found * sizeof(*profile->mapping));
	profile->mapping[0] = main_program;
	return 0;
}
