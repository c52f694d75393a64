// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/infer/dwarf.c: asks for types in DWARF what knows it. */
#include <errno.h>
#include <stddef.h>

#include "object/infer/dwarf.h"

static const struct dwarf_functions *reader;

void dwarf__use(const struct dwarf_functions *functions)
{
	reader = functions;
}

int dwarf__open(struct dwarf **info, struct Elf *elf)
{
	*info = NULL;
	return reader ? reader->open(info, elf) : -ENODATA;
}

void dwarf__free(struct dwarf *info)
{
	if (info)
		reader->free(info);
}

int dwarf__each(struct dwarf *info, int (*visit)(void *ctx, const struct dwarf_type *type),
		void *ctx)
{
	return reader->each(info, visit, ctx);
}

struct btf *dwarf__btf(struct dwarf *info, uint64_t place, uint32_t *id)
{
	return reader->btf(info, place, id);
}
