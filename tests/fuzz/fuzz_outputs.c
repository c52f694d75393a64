// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_outputs.c: outputs__read() on any object.
 *
 * Input: an ELF object.  What is found has to hold what outputs.h promises, and to be the same
 * twice. The seeds are objects for BPF without debug information (llvm-strip -g).
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

static void check(Elf *elf, const char *map)
{
	struct outputs outputs, again;
	int err = outputs__read(elf, map, &outputs);

	require(err <= 0 && outputs__read(elf, map, &again) == err);
	if (err)
		return;
	require(outputs.calls == again.calls && outputs.is_computed == again.is_computed);
	require(outputs.least == again.least && outputs.most == again.most);
	require(outputs.least <= outputs.most && !outputs.least == !outputs.most);
	require(outputs.calls || (!outputs.is_computed && !outputs.most));
	require(!outputs.calls || outputs.is_computed || outputs.least);
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
