// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/found_functions.c: the functions that a pattern stands for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "functions/found_functions.h"

static void free_function(struct found_function *function)
{
	free(function->name);
	free(function->module);
	free(function->arguments);
}

int found_functions__add(struct found_functions *found, const char *name, const char *module,
			 uint64_t place)
{
	struct found_function added = { .place = place };

	if (!ARRAY_RESERVE(found->at, found->count, found->room))
		return -ENOMEM;
	added.name = strdup(name);
	added.module = module ? strdup(module) : NULL;
	if (!added.name || (module && !added.module)) {
		free_function(&added);
		return -ENOMEM;
	}
	found->at[found->count++] = added;
	return 0;
}

int found_functions__set_arguments(struct found_functions *found, const char *arguments)
{
	struct found_function *last = &found->at[found->count - 1];

	free(last->arguments);
	last->arguments = strdup(arguments);
	return last->arguments ? 0 : -ENOMEM;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Negative: `a` is the better name of a place. */
static int compare_quality(const char *a, const char *b)
{
	int order = compare_numbers(strspn(a, "_"), strspn(b, "_"));

	if (!order)
		order = compare_numbers(strlen(a), strlen(b));
	return order ? order : strcmp(a, b);
}

static int compare_places(const void *left, const void *right)
{
	const struct found_function *a = left, *b = right;
	int order = compare_numbers(a->place, b->place);

	return order ? order : compare_quality(a->name, b->name);
}

static int compare_modules(const struct found_function *a, const struct found_function *b)
{
	return strcmp(a->module ? a->module : "", b->module ? b->module : "");
}

/* Unknown places are last. */
static int compare_names(const void *left, const void *right)
{
	const struct found_function *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = compare_modules(a, b);
	return order ? order : compare_numbers(a->place - 1, b->place - 1);
}

static bool share_place(const struct found_function *a, const struct found_function *b)
{
	return a->place && a->place == b->place;
}

/* An unknown place may be the known one before. */
static bool share_name(const struct found_function *a, const struct found_function *b)
{
	return !b->place && !strcmp(a->name, b->name) && !compare_modules(a, b);
}

static bool share_name_at_any_place(const struct found_function *a, const struct found_function *b)
{
	return !strcmp(a->name, b->name) && !compare_modules(a, b);
}

static void drop_repeated(struct found_functions *found,
			  bool (*is_same)(const struct found_function *a,
					  const struct found_function *b))
{
	size_t kept = 0;

	for (size_t i = 1; i < found->count; i++) {
		if (is_same(&found->at[kept], &found->at[i]))
			free_function(&found->at[i]);
		else
			found->at[++kept] = found->at[i];
	}
	found->count = found->count ? kept + 1 : 0;
}

void found_functions__sort(struct found_functions *found)
{
	if (!found->count)
		return;
	qsort(found->at, found->count, sizeof(*found->at), compare_places);
	drop_repeated(found, share_place);
	qsort(found->at, found->count, sizeof(*found->at), compare_names);
	drop_repeated(found, share_name);
}

void found_functions__sort_names(struct found_functions *found)
{
	if (!found->count)
		return;
	qsort(found->at, found->count, sizeof(*found->at), compare_names);
	drop_repeated(found, share_name_at_any_place);
}

void found_functions__leave_out(struct found_functions *found, size_t i)
{
	free_function(&found->at[i]);
	memmove(&found->at[i], &found->at[i + 1], (--found->count - i) * sizeof(*found->at));
	found->left_out++;
}

void found_functions__free(struct found_functions *found)
{
	for (size_t i = 0; i < found->count; i++)
		free_function(&found->at[i]);
	free(found->at);
	*found = (struct found_functions){ 0 };
}
