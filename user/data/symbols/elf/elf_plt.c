// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/elf_plt.c: names of the entries of procedure linkage tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/elf/budget.h"
#include "symbols/elf/elf_plt.h"

#define SUFFIX "@plt"

#define NAME_BYTES_MAX 65536

/* Each takes a search of all symbols; libc has 40. */
#define CHOOSERS_MAX 1024

/* A relocation of a slot, through which an entry of the table jumps. */
struct plt_slot {
	uint64_t address;
	const char *name; /* in the file, or of a symbol; NULL: none */
};

struct plt_slots {
	struct plt_slot *list; /* .rela.plt first, in its order */
	size_t count, room;
	size_t in_order; /* slots of .rela.plt */
};

/* ---- slots ----------------------------------------------------------------------------------- */

static int add_slot(struct plt_slots *slots, uint64_t address, const char *name)
{
	if (!ARRAY_RESERVE(slots->list, slots->count, slots->room))
		return -ENOMEM;
	slots->list[slots->count++] = (struct plt_slot){ address, name };
	return 0;
}

struct relocations {
	Elf *elf;
	Elf_Data *data, *symbols;
	size_t names; /* index of the string table */
	bool has_addends;
};

static bool open_relocations(struct relocations *relocations, const struct elf_file *file,
			     const char *with_addends, const char *without)
{
	GElf_Shdr header, symbols_header;
	Elf_Scn *section = elf_file__find_section(file, with_addends, &header), *symbols;

	if (!section)
		section = elf_file__find_section(file, without, &header);
	symbols = section ? elf_getscn(file->elf, header.sh_link) : NULL;
	if (!symbols || !gelf_getshdr(symbols, &symbols_header) ||
	    symbols_header.sh_type != SHT_DYNSYM)
		return false;
	*relocations = (struct relocations){
		.elf = file->elf,
		.data = elf_getdata(section, NULL),
		.symbols = elf_getdata(symbols, NULL),
		.names = symbols_header.sh_link,
		.has_addends = header.sh_type == SHT_RELA,
	};
	return relocations->data && relocations->data->d_buf && relocations->symbols &&
	       relocations->symbols->d_buf;
}

/* False: there is no such relocation. */
static bool read_relocation(const struct relocations *relocations, int i, GElf_Rela *rela)
{
	GElf_Rel rel;

	if (relocations->has_addends)
		return gelf_getrela(relocations->data, i, rela);
	if (!gelf_getrel(relocations->data, i, &rel))
		return false;
	*rela = (GElf_Rela){ rel.r_offset, rel.r_info, 0 };
	return true;
}

/* A slot without a symbol has the address of the function that chooses an implementation. */
static const char *name_of_chooser(const struct elf_symbols *symbols, uint64_t address)
{
	for (uint32_t i = 0; i < symbols->count; i++)
		if (symbols->list[i].begin == address &&
		    GELF_ST_TYPE(symbols->list[i].info) == STT_GNU_IFUNC)
			return symbols->list[i].raw_name;
	return NULL;
}

static const char *relocation_name(const struct relocations *relocations, uint64_t info)
{
	const char *name;
	GElf_Sym symbol;

	if (!GELF_R_SYM(info) || GELF_R_SYM(info) > INT32_MAX ||
	    !gelf_getsym(relocations->symbols, (int)GELF_R_SYM(info), &symbol))
		return NULL;
	name = elf_strptr(relocations->elf, relocations->names, symbol.st_name);
	return name && *name ? name : NULL;
}

/* All relocations of the procedure linkage table, also those without a name: each has an entry. */
static int read_jumps(struct plt_slots *slots, const struct relocations *relocations,
		      const struct elf_symbols *symbols)
{
	int err = 0, unnamed = 0;
	GElf_Rela rela;

	for (int i = 0; !err && i < INT32_MAX && read_relocation(relocations, i, &rela); i++) {
		const char *name = relocation_name(relocations, rela.r_info);

		if (!name && rela.r_addend && unnamed++ < CHOOSERS_MAX)
			name = name_of_chooser(symbols, (uint64_t)rela.r_addend);
		err = add_slot(slots, rela.r_offset, name);
	}
	return err;
}

/* Slots of functions whose address is taken, too: .plt.got jumps through them. */
static int read_addresses(struct plt_slots *slots, const struct relocations *relocations)
{
	GElf_Rela rela;
	int err = 0;

	for (int i = 0; !err && i < INT32_MAX && read_relocation(relocations, i, &rela); i++) {
		const char *name = GELF_R_TYPE(rela.r_info) == R_X86_64_GLOB_DAT
					   ? relocation_name(relocations, rela.r_info)
					   : NULL;

		if (name)
			err = add_slot(slots, rela.r_offset, name);
	}
	return err;
}

static int find_slots(struct plt_slots *slots, const struct elf_file *file,
		      const struct elf_symbols *symbols)
{
	struct relocations relocations;
	int err = 0;

	if (open_relocations(&relocations, file, ".rela.plt", ".rel.plt"))
		err = read_jumps(slots, &relocations, symbols);
	slots->in_order = slots->count;
	if (!err && file->machine == EM_X86_64 &&
	    open_relocations(&relocations, file, ".rela.dyn", ".rel.dyn"))
		err = read_addresses(slots, &relocations);
	return err;
}

/* ---- entries --------------------------------------------------------------------------------- */

static int add_entry(struct elf_symbols *symbols, uint64_t begin, uint64_t bytes, const char *name)
{
	struct elf_symbol added = { .begin = begin, .end = begin + bytes };
	size_t count = strcspn(name, "@"); /* without a version */
	char *copy;

	if (added.end < begin || count > NAME_BYTES_MAX || symbols->names.bytes > BUDGET_PLT_BYTES)
		return 0;
	copy = arena__text(&symbols->names, count + sizeof(SUFFIX));
	if (!copy)
		return -ENOMEM;
	memcpy(copy, name, count);
	memcpy(copy + count, SUFFIX, sizeof(SUFFIX));
	added.raw_name = copy;
	added.info = GELF_ST_INFO(STB_GLOBAL, STT_FUNC);
	return elf_symbols__append(symbols, &added);
}

static int compare_slots(const void *left, const void *right)
{
	const struct plt_slot *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* The slot through which the code of an entry jumps: jmp *disp32(%rip). */
static bool decode_jump(const uint8_t *code, size_t bytes, uint64_t vaddr, uint64_t *slot)
{
	int32_t distance;

	for (size_t i = 0; i + 6 <= bytes; i++) {
		if (code[i] != 0xff || code[i + 1] != 0x25)
			continue;
		memcpy(&distance, code + i + 2, sizeof(distance));
		*slot = vaddr + i + 6 + (uint64_t)(int64_t)distance;
		return true;
	}
	return false;
}

static int add_decoded(struct elf_symbols *symbols, const struct elf_file *file,
		       const struct plt_slots *slots, const char *name)
{
	GElf_Shdr header;
	struct elf_content code = elf_file__content(elf_file__find_section(file, name, &header));
	uint64_t step = code.at && header.sh_entsize == 8 ? 8 : 16;
	int err = 0;

	for (size_t at = 0; !err && code.bytes >= step && at <= code.bytes - step; at += step) {
		struct plt_slot wanted, *slot;

		if (!decode_jump(code.at + at, step, header.sh_addr + at, &wanted.address))
			continue;
		slot = bsearch(&wanted, slots->list, slots->count, sizeof(wanted), compare_slots);
		if (slot && slot->name)
			err = add_entry(symbols, header.sh_addr + at, step, slot->name);
	}
	return err;
}

static int add_x86_64(struct elf_symbols *symbols, const struct elf_file *file,
		      struct plt_slots *slots)
{
	static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got" };
	int err = 0;

	if (slots->count)
		qsort(slots->list, slots->count, sizeof(*slots->list), compare_slots);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections) && !err && slots->count; i++)
		err = add_decoded(symbols, file, slots, sections[i]);
	return err;
}

struct plt_shape {
	uint16_t machine;
	uint8_t head_bytes, entry_bytes;
};

static const struct plt_shape shapes[] = {
	{ EM_386, 16, 16 }, { EM_AARCH64, 32, 16 }, { EM_S390, 32, 32 },
	{ EM_ARM, 20, 12 }, { EM_RISCV, 32, 16 },
};

/* The linker's usual shape has exactly the bytes of the section. */
static int add_in_order(struct elf_symbols *symbols, const struct elf_file *file,
			const struct plt_slots *slots)
{
	GElf_Shdr header;
	int err = 0;

	if (!elf_file__find_section(file, ".plt", &header))
		return 0;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		const struct plt_shape *shape = &shapes[i];

		if (shape->machine != file->machine ||
		    header.sh_size != shape->head_bytes + slots->in_order * shape->entry_bytes)
			continue;
		for (size_t k = 0; k < slots->in_order && !err; k++)
			if (slots->list[k].name)
				err = add_entry(symbols,
						header.sh_addr + shape->head_bytes +
							k * shape->entry_bytes,
						shape->entry_bytes, slots->list[k].name);
	}
	return err;
}

int elf_plt__add(struct elf_symbols *symbols, const struct elf_file *file)
{
	struct plt_slots slots = { 0 };
	int err = find_slots(&slots, file, symbols);

	if (!err)
		err = file->machine == EM_X86_64 ? add_x86_64(symbols, file, &slots)
						 : add_in_order(symbols, file, &slots);
	free(slots.list);
	return err;
}
