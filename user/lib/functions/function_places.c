// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/function_places.c: finds the functions of a probe in another file. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <bpf/btf.h>

#include "functions/find_functions.h"
#include "functions/function_places.h"
#include "functions/function_probe.h"
#include "functions/user_prototypes.h"

static int allocate(struct function_places *places, size_t count)
{
	*places = (struct function_places){ .at = calloc(count + 1, sizeof(*places->at)),
					    .numbers = calloc(count + 1, sizeof(*places->numbers)),
					    .count = count };
	if (places->at && places->numbers)
		return 0;
	function_places__free(places);
	return -ENOMEM;
}

void function_places__free(struct function_places *places)
{
	free(places->at);
	free(places->numbers);
	*places = (struct function_places){ 0 };
}

int function_places__of_probe(struct function_places *places, const struct function_probe *probe)
{
	int err = allocate(places, probe->found.count);

	for (size_t i = 0; !err && i < places->count; i++) {
		places->at[i] = probe->found.at[i].place + probe->source.offset;
		places->numbers[i] = i + 1;
	}
	return err;
}

/* Keeps the functions that have a plan. */
static void keep_matched(struct function_places *places, const struct found_functions *found)
{
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++) {
		places->at[kept] = found->at[i].place;
		places->numbers[kept] = places->numbers[i];
		kept += places->numbers[kept] != 0;
	}
	places->count = kept;
}

/* Plans that were made without prototypes need none. */
static bool has_prototypes(const struct function_probe *probe)
{
	for (size_t i = 0; i < probe->found.count; i++)
		if (probe->found.at[i].prototype)
			return true;
	return false;
}

static int match(struct function_places *places, const struct function_probe *probe,
		 struct found_functions *found, const char *path)
{
	struct btf *btf = NULL;
	int err = allocate(places, found->count);

	if (!err && has_prototypes(probe))
		err = user_prototypes__read(&btf, path, found, probe->has_members);
	if (!err)
		err = function_probe__match(probe, found, btf, places->numbers, &places->differing);
	btf__free(btf);
	if (err)
		function_places__free(places);
	else
		keep_matched(places, found);
	return err;
}

int function_places__of_file(struct function_places *places, const struct function_probe *probe,
			     const char *path)
{
	struct found_functions found = { 0 };
	int err = find_functions__search(&found, &probe->source, path);

	*places = (struct function_places){ 0 };
	if (!err)
		err = match(places, probe, &found, path);
	found_functions__free(&found);
	return err;
}
