// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dwarf_types/dwarf_types.c: finds types in DWARF, with libdw of elfutils. */
#include "base/errors.h"
#include "base/text.h"
#include "dwarf_types/dwarf_types.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_types/dwarf_btf.h"
#include "dwarf_types/read_prototypes.h"

#define DEPTH_MAX   32
#define VISITED_MAX (1 << 20) /* entries visited: the list of siblings may be a circle */

struct dwarf {
	Dwarf *dwarf;
	uint32_t visited;
};

static void free_dwarf(struct dwarf *info)
{
	dwarf_end(info->dwarf);
	free(info);
}

static Elf_Scn *find_strings(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;

		if (name && !strcmp(name, ".debug_str"))
			return section;
	}
	return NULL;
}

/*
 * Old versions of clang, such as 6, wrote offsets of strings to symbols, and 0 to the place: all
 * names would be the first string.
 */
static bool has_strings_in_symbols(Elf *elf)
{
	Elf_Scn *strings = find_strings(elf), *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while (strings && (section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);

		if (!data || !gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(data, i, &symbol); i++)
			if (symbol.st_shndx == elf_ndxscn(strings) && symbol.st_value)
				return true;
	}
	return false;
}

/*
 * No relocations are needed: references in a BPF object are to the start of a section, and the
 * offset in it is stored in place.
 */
static int open_dwarf(struct dwarf **info, Elf *elf)
{
	if (has_strings_in_symbols(elf))
		return -ENODATA;
	*info = calloc(1, sizeof(**info));
	if (!*info)
		return -ENOMEM;
	(*info)->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if ((*info)->dwarf)
		return 0;
	free_dwarf(*info);
	*info = NULL;
	return -ENODATA;
}

static struct btf *make_btf(struct dwarf *info, uint64_t place, uint32_t *id)
{
	Dwarf_Die die;

	if (dwarf_offdie(info->dwarf, place, &die))
		return dwarf_btf__new(&die, id);
	return fail_null(-EBADMSG);
}

/* ---- visiting types -------------------------------------------------------------------------- */

struct visitor {
	struct dwarf *info;
	int (*visit)(void *ctx, const struct dwarf_type *type);
	void *ctx;
};

static bool is_composite(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* Objects of other kernels have types that the running kernel lacks. */
static bool is_in_vmlinux_h(Dwarf_Die *die)
{
	const char *path = dwarf_decl_file(die);
	const char *slash = path ? strrchr(path, '/') : NULL;

	return path && begins_with(slash ? slash + 1 : path, "vmlinux");
}

static int visit_type(const struct visitor *visitor, Dwarf_Die *named, Dwarf_Die *whole)
{
	struct dwarf_type type = {
		.name = dwarf_diename(named),
		.is_union = dwarf_tag(whole) == DW_TAG_union_type,
		.is_typedef = named != whole,
		.is_alias = named != whole && dwarf_hasattr(whole, DW_AT_name),
		.is_kernels = is_in_vmlinux_h(named),
		.place = dwarf_dieoffset(named),
	};
	Dwarf_Attribute attr;
	Dwarf_Word bytes;

	if (!type.name || !*type.name || dwarf_hasattr(whole, DW_AT_declaration) ||
	    dwarf_formudata(dwarf_attr(whole, DW_AT_byte_size, &attr), &bytes))
		return 0;
	type.bytes = bytes;
	return visitor->visit(visitor->ctx, &type);
}

static int visit_typedef(const struct visitor *visitor, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die whole;

	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attr), &whole) || !is_composite(&whole))
		return 0;
	return visit_type(visitor, die, &whole);
}

static int visit_children(const struct visitor *visitor, Dwarf_Die *parent, int depth);

static int visit_die(const struct visitor *visitor, Dwarf_Die *die, int depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_typedef:
		return visit_typedef(visitor, die);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return visit_type(visitor, die, die);
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
		return depth < DEPTH_MAX ? visit_children(visitor, die, depth + 1) : -E2BIG;
	default:
		return 0;
	}
}

static int visit_children(const struct visitor *visitor, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	int ret = 0, more = dwarf_child(parent, &die);

	while (!ret && !more) {
		if (visitor->info->visited++ == VISITED_MAX)
			return -E2BIG;
		ret = visit_die(visitor, &die, depth);
		more = dwarf_siblingof(&die, &die);
	}
	return ret;
}

static int each_type(struct dwarf *info, int (*visit)(void *ctx, const struct dwarf_type *type),
		     void *ctx)
{
	const struct visitor visitor = { info, visit, ctx };
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	int ret = 0;

	info->visited = 0;
	while (!ret && !dwarf_get_units(info->dwarf, unit, &unit, NULL, NULL, &die, NULL))
		ret = visit_children(&visitor, &die, 0);
	return ret;
}

const struct dwarf_functions peat_dwarf_types = {
	.open = open_dwarf,
	.free = free_dwarf,
	.each = each_type,
	.btf = make_btf,
};

/* Linking this is enough. */
__attribute__((constructor)) static void offer(void)
{
	dwarf__use(&peat_dwarf_types);
	user_prototypes__use(read_prototypes);
}

#endif /* HAVE_LIBDW */
