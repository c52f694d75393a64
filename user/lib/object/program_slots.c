// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/program_slots.c: reads initialized program arrays from the relocations of .maps. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "object/elf_image.h"
#include "object/program_slots.h"

#define POINTER_BYTES 8 /* in BPF objects */

struct symbols {
	Elf *elf;
	Elf_Data *data;
	size_t names; /* index of the section with their names */
	int count;
	size_t maps; /* index of the section .maps */
};

/* ---- symbols --------------------------------------------------------------------------------- */

static const char *symbol_name(const struct symbols *symbols, const GElf_Sym *symbol)
{
	const char *name = elf_strptr(symbols->elf, symbols->names, symbol->st_name);

	return name ? name : "";
}

/* The map whose definition contains this offset in .maps. */
static struct bpf_map *find_map(const struct symbols *symbols, const struct bpf_object *object,
				uint64_t offset, uint64_t *start)
{
	GElf_Sym symbol;

	for (int i = 0; i < symbols->count && gelf_getsym(symbols->data, i, &symbol); i++) {
		if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
		    symbol.st_shndx != symbols->maps || offset < symbol.st_value ||
		    offset - symbol.st_value >= symbol.st_size)
			continue;
		*start = symbol.st_value;
		return bpf_object__find_map_by_name(object, symbol_name(symbols, &symbol));
	}
	return NULL;
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* The offset of the member `values` in the definition of a map.  -EBADMSG: there is none. */
static int64_t values_offset(const struct btf *btf, const char *map)
{
	int id = btf ? btf__find_by_name_kind(btf, map, BTF_KIND_VAR) : -ENOENT;
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, (uint32_t)id) : NULL;
	const struct btf_member *member;

	id = type ? btf__resolve_type(btf, type->type) : -ENOENT;
	type = id > 0 ? btf__type_by_id(btf, (uint32_t)id) : NULL;
	if (!type || !btf_is_struct(type) || !btf_vlen(type))
		return -EBADMSG;
	member = btf_members(type) + btf_vlen(type) - 1;
	if (strcmp(btf__name_by_offset(btf, member->name_off), "values") != 0)
		return -EBADMSG;
	return btf_member_bit_offset(type, btf_vlen(type) - 1) / 8;
}

static int append_slot(struct program_slots *slots, const struct program_slot *slot)
{
	if (!ARRAY_RESERVE_NEXT(slots->at, slots->count))
		return -ENOMEM;
	slots->at[slots->count++] = *slot;
	return 0;
}

/* A relocation in .maps to a function is a slot of a program array. */
static int read_slot(const struct symbols *symbols, const struct bpf_object *object,
		     const GElf_Rel *rel, struct program_slots *slots)
{
	struct program_slot slot;
	uint64_t start = 0, offset;
	GElf_Sym symbol;
	int64_t values;

	if (!gelf_getsym(symbols->data, (int)GELF_R_SYM(rel->r_info), &symbol))
		return -EBADMSG;
	if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
		return 0;
	slot.map = find_map(symbols, object, rel->r_offset, &start);
	slot.program = bpf_object__find_program_by_name(object, symbol_name(symbols, &symbol));
	if (!slot.map || !slot.program)
		return -EBADMSG;
	values = values_offset(bpf_object__btf(object), bpf_map__name(slot.map));
	offset = rel->r_offset - start;
	if (values < 0 || offset < (uint64_t)values)
		return -EBADMSG;
	slot.index = (uint32_t)((offset - (uint64_t)values) / POINTER_BYTES);
	return append_slot(slots, &slot);
}

/* ---- sections -------------------------------------------------------------------------------- */

static int read_relocations(struct symbols *symbols, const struct bpf_object *object,
			    Elf_Scn *section, const GElf_Shdr *header, struct program_slots *slots)
{
	Elf_Scn *table = elf_getscn(symbols->elf, header->sh_link);
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr table_header;
	GElf_Rel rel;
	int err = 0;

	symbols->data = table ? elf_getdata(table, NULL) : NULL;
	if (!data || !symbols->data || !gelf_getshdr(table, &table_header) ||
	    !table_header.sh_entsize)
		return -EBADMSG;
	symbols->names = table_header.sh_link;
	symbols->count = (int)(table_header.sh_size / table_header.sh_entsize);
	for (int i = 0; !err && gelf_getrel(data, i, &rel); i++)
		err = read_slot(symbols, object, &rel, slots);
	return err;
}

static int read_elf(Elf *elf, const struct bpf_object *object, struct program_slots *slots)
{
	struct symbols symbols = { .elf = elf };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int err = 0;

	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return -EBADMSG;
	symbols.maps = elf_ndxscn(elf_image__find_section(elf, ".maps")); /* 0: none */
	while (!err && symbols.maps && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_REL &&
		    header.sh_info == symbols.maps)
			err = read_relocations(&symbols, object, section, &header, slots);
	return err;
}

static bool has_program_array(const struct bpf_object *object)
{
	const struct bpf_map *map;

	bpf_object__for_each_map(map, object)
	{
		if (bpf_map__type(map) == BPF_MAP_TYPE_PROG_ARRAY)
			return true;
	}
	return false;
}

/* libelf does not write to memory that it reads. */
int program_slots__read(struct program_slots *slots, const struct bpf_object *object,
			const void *bytes, size_t count)
{
	Elf *elf;
	int err;

	*slots = (struct program_slots){ 0 };
	if (!has_program_array(object))
		return 0;
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)(uintptr_t)bytes, count);
	err = read_elf(elf, object, slots);
	elf_end(elf);
	if (err)
		program_slots__free(slots);
	return err;
}

void program_slots__free(struct program_slots *slots)
{
	free(slots->at);
	*slots = (struct program_slots){ 0 };
}
