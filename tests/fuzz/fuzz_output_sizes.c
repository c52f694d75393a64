// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_output_sizes.c: output_sizes__read() on any object.
 *
 * Input: an ELF object.  The result has to be as output_sizes.h promises, and the same twice.  The
 * seeds are BPF objects without debug information (llvm-strip -g).
 */
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "object/infer/output_sizes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_calls(const struct output_calls *calls, const struct output_calls *again)
{
	require(calls->count == again->count && calls->is_computed == again->is_computed);
	require(calls->least == again->least && calls->most == again->most);
	require(calls->least <= calls->most && !calls->least == !calls->most);
	require(calls->count || (!calls->is_computed && !calls->most));
	require(!calls->count || calls->is_computed || calls->least);
}

static void check(Elf *elf, const char *map)
{
	struct output_sizes outputs, again;
	int err = output_sizes__read(elf, map, &outputs);

	require(err <= 0 && output_sizes__read(elf, map, &again) == err);
	if (err)
		return;
	check_calls(&outputs.to_map, &again.to_map);
	check_calls(&outputs.to_unknown, &again.to_unknown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size ? size : 1);
	Elf *elf;

	require(copy != NULL);
	memcpy(copy, data, size);
	elf_version(EV_CURRENT);
	elf = elf_memory(copy, size);
	if (elf) {
		check(elf, "events");
		check(elf, "others");
	}
	elf_end(elf);
	free(copy);
	return 0;
}
