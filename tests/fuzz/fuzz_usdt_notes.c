// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_usdt_notes.c: usdt_notes__select() and usdt_notes__count_arguments() on anything.
 *
 * Input: a byte of flags (1: 64-bit, 2: the other byte order), then notes.  Found probes are
 * sorted, each once, and each is found again by its name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functions/usdt_notes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static int find(struct found_functions *found, const char *provider, const char *name,
		const uint8_t *data, size_t size)
{
	int err;

	*found = (struct found_functions){ 0 };
	err = usdt_notes__select(found, provider, name, data + 1, size - 1, *data & 1, *data & 2);
	require(!err || err == -ENOENT);
	require(!err == (found->count > 0));
	return err;
}

static void check(const struct found_function *probe, const uint8_t *data, size_t size)
{
	struct found_functions found;
	bool is_there = false;

	if (strpbrk(probe->name, "*?[\\") || strpbrk(probe->module, "*?[\\"))
		return;
	require(!find(&found, probe->module, probe->name, data, size));
	for (size_t i = 0; i < found.count; i++)
		is_there |= found.at[i].place == probe->place;
	require(is_there);
	found_functions__free(&found);
}

static void check_order(const struct found_functions *found, size_t i)
{
	int order = strcmp(found->at[i - 1].name, found->at[i].name);

	require(order < 0 || (!order && strcmp(found->at[i - 1].module, found->at[i].module) < 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct found_functions found;

	if (!size)
		return 0;
	find(&found, "*", "*", data, size);
	for (size_t i = 0; i < found.count; i++) {
		const char *arguments = found.at[i].arguments;

		require(!arguments ||
			usdt_notes__count_arguments(arguments) <= strlen(arguments) / 3 + 1);
		if (i)
			check_order(&found, i);
	}
	if (found.count)
		check(&found.at[found.count / 2], data, size);
	found_functions__free(&found);
	return 0;
}
