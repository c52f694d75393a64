// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_kernel_functions.c: kernel_functions__select() on any lists.
 *
 * Input: the pattern and the four lists, each ended by a NUL; an empty one is missing.  Found names
 * match and are sorted, and no place is found twice.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "functions/kernel_functions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TEXTS 5

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct found_functions *found, size_t i, const char *pattern)
{
	const struct found_function *function = &found->at[i];

	require(glob__match(pattern, function->name, strlen(function->name)));
	require(!i || strcmp(function[-1].name, function->name) <= 0);
	require(!function->module || *function->module);
	for (size_t j = 0; j < i && function->place; j++)
		require(found->at[j].place != function->place);
}

/* A copy at the end of its allocation; NULL: no bytes. */
static char *cut_text(const uint8_t **data, size_t *size)
{
	size_t bytes = strnlen((const char *)*data, *size);
	char *text = bytes ? strndup((const char *)*data, bytes) : NULL;

	*data += bytes + (bytes < *size);
	*size -= bytes + (bytes < *size);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kernel_function_lists lists;
	struct found_functions found = { 0 };
	char *texts[TEXTS];
	int err;

	for (int i = 0; i < TEXTS; i++)
		texts[i] = cut_text(&data, &size);
	lists = (struct kernel_function_lists){ texts[1], texts[2], texts[3], texts[4] };
	if (texts[0]) {
		err = kernel_functions__select(&found, texts[0], &lists);
		require(err == 0 || err == -ENOENT);
		require(!err == (found.count > 0));
		for (size_t i = 0; lists.kallsyms && i < found.count; i++)
			check(&found, i, texts[0]);
		found_functions__free(&found);
	}
	for (int i = 0; i < TEXTS; i++)
		free(texts[i]);
	return 0;
}
