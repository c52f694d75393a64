// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/untyped_functions.c: gives symbols of functions a type and a size. */
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "object/elf_image.h"
#include "object/untyped_functions.h"

struct function {
	char *symbol; /* in the file, at any alignment */
	size_t section;
	uint64_t at; /* in the section */
};

struct functions {
	struct function *list;
	size_t count;
};

static bool is_untyped(Elf *elf, const Elf64_Sym *symbol)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE &&
	       ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
	       elf_image__has_code(elf_getscn(elf, symbol->st_shndx));
}

/* None, if a function has a type. */
static int find_functions(Elf *elf, struct elf_bytes table, struct functions *found)
{
	Elf64_Sym symbol;

	for (size_t at = 0; at + sizeof(symbol) <= table.count; at += sizeof(symbol)) {
		memcpy(&symbol, table.at + at, sizeof(symbol));
		if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) {
			found->count = 0;
			return 0;
		}
		if (!is_untyped(elf, &symbol))
			continue;
		if (!ARRAY_RESERVE_NEXT(found->list, found->count))
			return -ENOMEM;
		found->list[found->count++] =
			(struct function){ table.at + at, symbol.st_shndx, symbol.st_value };
	}
	return 0;
}

static int compare_functions(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	if (left->section != right->section)
		return left->section < right->section ? -1 : 1;
	return (left->at > right->at) - (left->at < right->at);
}

static void set_type(const struct function *function, uint64_t end)
{
	Elf64_Sym symbol;

	memcpy(&symbol, function->symbol, sizeof(symbol));
	symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	symbol.st_size = end > function->at ? end - function->at : 0;
	memcpy(function->symbol, &symbol, sizeof(symbol));
}

static uint64_t section_end(Elf *elf, size_t section)
{
	GElf_Shdr header;

	return gelf_getshdr(elf_getscn(elf, section), &header) ? header.sh_size : 0;
}

/* From the last one on.  Functions at one place have the same end. */
static void set_types(Elf *elf, const struct functions *found)
{
	uint64_t end = 0;

	for (size_t i = found->count; i-- > 0;) {
		const struct function *function = &found->list[i], *next = function + 1;

		if (i + 1 == found->count || next->section != function->section)
			end = section_end(elf, function->section);
		else if (next->at != function->at)
			end = next->at;
		set_type(function, end);
	}
}

int untyped_functions__use(Elf *elf, Elf_Scn *symbols)
{
	struct functions found = { 0 };
	int err = find_functions(elf, elf_image__bytes(symbols), &found);

	if (!err && found.count) {
		qsort(found.list, found.count, sizeof(*found.list), compare_functions);
		set_types(elf, &found);
	}
	free(found.list);
	return err;
}
