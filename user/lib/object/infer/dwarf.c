// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* debug_info.c: finding types in DWARF, with elfutils' libdw. */
#include "base/internal.h"

#include "object/infer/dwarf.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "object/infer/dwarf_btf.h"

#define DEPTH_MAX 32
#define SEEN_MAX  (1 << 20) /* looked at; siblings may lead in a circle */

struct debug_info {
	Dwarf *dwarf;
	uint32_t seen;
};

/*
 * No relocations are needed: what an object for BPF refers to begins its section, and the offset in
 * there is in place already.
 */
int debug_info__open(struct debug_info **info, Elf *elf)
{
	*info = calloc(1, sizeof(**info));
	if (!*info)
		return -ENOMEM;
	(*info)->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if ((*info)->dwarf)
		return 0;
	debug_info__free(*info);
	*info = NULL;
	return -ENODATA;
}

void debug_info__free(struct debug_info *info)
{
	if (!info)
		return;
	dwarf_end(info->dwarf);
	free(info);
}

struct btf *debug_info__btf(struct debug_info *info, uint64_t place, uint32_t *id)
{
	Dwarf_Die die;

	if (dwarf_offdie(info->dwarf, place, &die))
		return dwarf_types__btf(&die, id);
	return fail_null(-EBADMSG);
}

/* ---- looking ----------------------------------------------------------------------------------*/

struct look {
	struct debug_info *info;
	int (*see)(void *ctx, const struct debug_type *type);
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

static int see_type(const struct look *look, Dwarf_Die *named, Dwarf_Die *whole)
{
	struct debug_type type = {
		.name = dwarf_diename(named),
		.is_union = dwarf_tag(whole) == DW_TAG_union_type,
		.is_typedef = named != whole,
		.is_alias = named != whole && dwarf_hasattr(whole, DW_AT_name),
		.place = dwarf_dieoffset(named),
	};
	Dwarf_Attribute attr;
	Dwarf_Word bytes;

	if (!type.name || !*type.name || dwarf_hasattr(whole, DW_AT_declaration) ||
	    dwarf_formudata(dwarf_attr(whole, DW_AT_byte_size, &attr), &bytes))
		return 0;
	type.bytes = bytes;
	return look->see(look->ctx, &type);
}

static int see_typedef(const struct look *look, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die whole;

	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attr), &whole) || !is_composite(&whole))
		return 0;
	return see_type(look, die, &whole);
}

static int see_children(const struct look *look, Dwarf_Die *parent, int depth);

static int see_one(const struct look *look, Dwarf_Die *die, int depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_typedef:
		return see_typedef(look, die);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return see_type(look, die, die);
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
		return depth < DEPTH_MAX ? see_children(look, die, depth + 1) : -E2BIG;
	default:
		return 0;
	}
}

static int see_children(const struct look *look, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	int answer = 0, more = dwarf_child(parent, &die);

	while (!answer && !more) {
		if (look->info->seen++ == SEEN_MAX)
			return -E2BIG;
		answer = see_one(look, &die, depth);
		more = dwarf_siblingof(&die, &die);
	}
	return answer;
}

int debug_info__each(struct debug_info *info, int (*see)(void *ctx, const struct debug_type *type),
		     void *ctx)
{
	const struct look look = { info, see, ctx };
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	int answer = 0;

	info->seen = 0;
	while (!answer && !dwarf_get_units(info->dwarf, unit, &unit, NULL, NULL, &die, NULL))
		answer = see_children(&look, &die, 0);
	return answer;
}

#else

int debug_info__open(struct debug_info **info, struct Elf *elf)
{
	(void)elf;
	*info = NULL;
	return -ENODATA;
}

void debug_info__free(struct debug_info *info)
{
	(void)info;
}

struct btf *debug_info__btf(struct debug_info *info, uint64_t place, uint32_t *id)
{
	(void)info;
	(void)place;
	(void)id;
	return fail_null(-EBADMSG);
}

int debug_info__each(struct debug_info *info, int (*see)(void *ctx, const struct debug_type *type),
		     void *ctx)
{
	(void)info;
	(void)see;
	(void)ctx;
	return 0;
}

#endif /* HAVE_LIBDW */
