// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_elf_symbols.c: the functions of an ELF file of any bytes.
 *
 * Symbols are sorted and lie in a segment, have a name, and are found at their address.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_symbol(struct elf_symbols *symbols, uint32_t i)
{
	struct elf_symbol *symbol = &symbols->list[i], *found;

	require(symbol->raw_name && *symbol->raw_name && symbol->end >= symbol->begin);
	require(!i || symbol[-1].begin < symbol->begin);
	require(symbol->encloser == UINT32_MAX || symbol->encloser < i);
	require(*elf_symbols__name(symbols, symbol, false));
	if (symbol->end == symbol->begin)
		return;
	found = elf_symbols__find(symbols, symbol->begin);
	require(found == symbol);
	found = elf_symbols__find(symbols, symbol->end - 1);
	require(found && symbol->end - 1 >= found->begin && symbol->end - 1 < found->end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_symbols symbols = { 0 };
	void *image = malloc(size + !size);
	struct elf_file *file;

	require(image != NULL);
	memcpy(image, data, size);
	if (elf_file__open_image(&file, image, size, "input"))
		return 0;
	require(!elf_symbols__add(&symbols, file, file));
	elf_file__free(file);
	elf_symbols__finish(&symbols, false);
	for (uint32_t i = 0; i < symbols.count; i++)
		check_symbol(&symbols, i);
	elf_symbols__find(&symbols, 0);
	elf_symbols__find(&symbols, UINT64_MAX);
	elf_symbols__free(&symbols);
	return 0;
}
