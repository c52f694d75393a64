// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_user_functions.c: user_functions__search() in an ELF file of any bytes.
 *
 * Found functions are sorted, and each place is found once.  An exact name of them is found again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_file.h"
#include "functions/user_functions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_sorted(const struct found_functions *found)
{
	for (size_t i = 1; i < found->count; i++) {
		require(strcmp(found->at[i - 1].name, found->at[i].name) <= 0);
		require(!found->at[i].place || found->at[i - 1].place != found->at[i].place);
	}
}

static void find_again(const struct elf_file *file, const struct found_function *function)
{
	struct found_functions found = { 0 };
	bool is_there = false;

	require(!user_functions__search(&found, file, function->name));
	for (size_t i = 0; i < found.count; i++)
		is_there |= found.at[i].place == function->place;
	require(is_there);
	found_functions__free(&found);
}

static void search(const struct elf_file *file, const char *pattern)
{
	struct found_functions found = { 0 };
	int err = user_functions__search(&found, file, pattern);

	require(!err || err == -ENOENT || err == -ENODATA || err == -E2BIG);
	require(!err == (found.count > 0));
	check_sorted(&found);
	if (found.count)
		find_again(file, &found.at[found.count / 2]);
	found_functions__free(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *image = malloc(size + !size);
	struct elf_file *file;

	require(image != NULL);
	memcpy(image, data, size);
	if (elf_file__open_image(&file, image, size, "input"))
		return 0;
	search(file, "*");
	search(file, "main");
	search(file, "*.*");
	elf_file__free(file);
	return 0;
}
