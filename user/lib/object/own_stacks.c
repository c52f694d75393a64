// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/own_stacks.c: inserts instructions into the ELF file of a BPF object. */
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "object/btf_ext.h"
#include "object/elf_image.h"
#include "object/insn.h"
#include "object/own_stacks.h"

#define INSN_BYTES sizeof(struct bpf_insn)

static const struct bpf_insn guard[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
	{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = BPF_REG_0, .off = 1, .imm = 0 },
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_tail_call },
};

/* A section whose programs get the guard. */
struct growth {
	Elf_Scn *section;
	const char *name;
	uint64_t *starts; /* of programs: offsets in the section, in ascending order */
	size_t count;
	uint64_t at; /* place of the new section in the copy */
};

struct image {
	Elf *elf;     /* the copy */
	char *memory; /* the copy, followed by the sections that grow */
	size_t bytes;
	size_t names;	  /* index of the section with the sections' names */
	Elf_Scn *symbols; /* NULL: there are none */
	struct growth *grown;
	size_t grown_count;
};

bool own_stacks__is_uprobe(const char *section)
{
	section += *section == '?'; /* not loaded by default */
	return begins_with(section, "uprobe") || begins_with(section, "uretprobe") ||
	       begins_with(section, "usdt");
}

/* ---- offsets --------------------------------------------------------------------------------- */

/* The bytes that are inserted before the instruction at an offset, and before its program. */
static uint64_t bytes_before(const struct growth *growth, uint64_t offset)
{
	size_t i = 0;

	while (i < growth->count && growth->starts[i] <= offset)
		i++;
	return i * sizeof(guard);
}

/* The new offset of an instruction. */
static uint64_t insn_place(const struct growth *growth, uint64_t offset)
{
	return offset + bytes_before(growth, offset);
}

static bool is_start(const struct growth *growth, uint64_t offset)
{
	for (size_t i = 0; i < growth->count; i++)
		if (growth->starts[i] == offset)
			return true;
	return false;
}

/* The same, but a program begins with its guard. */
static uint64_t program_place(const struct growth *growth, uint64_t offset)
{
	return insn_place(growth, offset) - (is_start(growth, offset) ? sizeof(guard) : 0);
}

static struct growth *find_growth(const struct image *image, size_t section)
{
	for (size_t i = 0; i < image->grown_count; i++)
		if (elf_ndxscn(image->grown[i].section) == section)
			return &image->grown[i];
	return NULL;
}

/* ---- relocations ----------------------------------------------------------------------------- */

typedef void (*relocation_fn)(struct image *image, size_t section, Elf64_Rel *rel, void *arg);

/* Calls the function for each relocation of code, which it may change. */
static void for_each_relocation(struct image *image, relocation_fn function, void *arg)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(image->elf, section))) {
		struct elf_bytes bytes = elf_image__bytes(section);

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_REL ||
		    !elf_image__has_code(elf_getscn(image->elf, header.sh_info)))
			continue;
		for (size_t at = 0; at + sizeof(Elf64_Rel) <= bytes.count;
		     at += sizeof(Elf64_Rel)) {
			Elf64_Rel rel;

			memcpy(&rel, bytes.at + at, sizeof(rel));
			function(image, header.sh_info, &rel, arg);
			memcpy(bytes.at + at, &rel, sizeof(rel));
		}
	}
}

static void move_relocation(struct image *image, size_t section, Elf64_Rel *rel, void *unused)
{
	const struct growth *growth = find_growth(image, section);

	(void)unused;
	if (growth)
		rel->r_offset = insn_place(growth, rel->r_offset);
}

/* ---- sections that can grow ------------------------------------------------------------------ */

/* Whether the instruction at an offset calls another function of the program. */
static bool is_call(struct elf_bytes code, uint64_t offset)
{
	struct insn insn;

	return insn__decode(code.at, code.count / INSN_BYTES, offset / INSN_BYTES, &insn) &&
	       insn.kind == INSN_CALL_FUNCTION;
}

static size_t count_calls(struct elf_bytes code)
{
	size_t count = 0;

	for (size_t at = 0; at < code.count; at += INSN_BYTES)
		count += is_call(code, at);
	return count;
}

static bool get_symbol(const struct image *image, size_t index, GElf_Sym *symbol)
{
	return gelf_getsym(elf_getdata(image->symbols, NULL), (int)index, symbol);
}

struct references {
	size_t section;
	struct elf_bytes code;
	size_t relocated_calls;
	bool has_relative; /* an address relative to the section's start, in an instruction */
};

static void add_reference(struct image *image, size_t section, Elf64_Rel *rel, void *arg)
{
	struct references *references = arg;
	GElf_Sym symbol;

	if (get_symbol(image, ELF64_R_SYM(rel->r_info), &symbol) &&
	    GELF_ST_TYPE(symbol.st_info) == STT_SECTION && symbol.st_shndx == references->section)
		references->has_relative = true;
	if (section == references->section)
		references->relocated_calls += is_call(references->code, rel->r_offset);
}

/* False: addresses in instructions would have to be moved, too. */
static bool can_grow(struct image *image, Elf_Scn *section)
{
	struct references references = { .section = elf_ndxscn(section),
					 .code = elf_image__bytes(section) };

	for_each_relocation(image, add_reference, &references);
	return !references.has_relative &&
	       count_calls(references.code) <= references.relocated_calls;
}

static int compare_starts(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static int add_start(struct growth *growth, const GElf_Sym *symbol, size_t section_bytes)
{
	if (symbol->st_value % INSN_BYTES || symbol->st_value >= section_bytes)
		return -EBADMSG;
	if (is_start(growth, symbol->st_value))
		return 0;
	if (!ARRAY_RESERVE_NEXT(growth->starts, growth->count))
		return -ENOMEM;
	growth->starts[growth->count++] = symbol->st_value;
	return 0;
}

/* Finds the programs of a section. */
static int find_starts(const struct image *image, struct growth *growth)
{
	size_t bytes = elf_image__bytes(growth->section).count;
	GElf_Sym symbol;
	int err = 0;

	for (size_t i = 0; !err && get_symbol(image, i, &symbol); i++)
		if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
		    symbol.st_shndx == elf_ndxscn(growth->section))
			err = add_start(growth, &symbol, bytes);
	if (growth->count)
		qsort(growth->starts, growth->count, sizeof(*growth->starts), compare_starts);
	return err;
}

/* A section without programs stays as it is. */
static int add_section(struct image *image, Elf_Scn *section, const char *name)
{
	struct growth *growth;
	int err;

	if (!ARRAY_RESERVE_NEXT(image->grown, image->grown_count))
		return -ENOMEM;
	growth = &image->grown[image->grown_count];
	*growth = (struct growth){ .section = section, .name = name };
	err = find_starts(image, growth);
	image->grown_count += !!growth->count;
	return err;
}

static const char *section_name(const struct image *image, Elf_Scn *section)
{
	GElf_Shdr header;

	return gelf_getshdr(section, &header) ? elf_strptr(image->elf, image->names, header.sh_name)
					      : NULL;
}

static int find_sections(struct image *image)
{
	Elf_Scn *section = NULL;
	int err = 0;

	while (!err && (section = elf_nextscn(image->elf, section))) {
		const char *name = section_name(image, section);

		if (name && own_stacks__is_uprobe(name) && elf_image__has_code(section) &&
		    can_grow(image, section))
			err = add_section(image, section, name);
	}
	return err;
}

/* ---- the copy -------------------------------------------------------------------------------- */

static Elf_Scn *find_symbols(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return section;
	return NULL;
}

static int open_image(struct image *image)
{
	elf_version(EV_CURRENT);
	image->elf = elf_memory(image->memory, image->bytes);
	if (!elf_image__is_bpf(image->elf) || gelf_getclass(image->elf) != ELFCLASS64 ||
	    elf_getshdrstrndx(image->elf, &image->names))
		return -EBADMSG;
	image->symbols = find_symbols(image->elf);
	return 0;
}

/* The new section's content. */
static void write_code(const struct growth *growth, char *to)
{
	struct elf_bytes from = elf_image__bytes(growth->section);
	size_t next = 0;

	for (size_t at = 0; at < from.count; at++) {
		if (next < growth->count && growth->starts[next] == at) {
			memcpy(to, guard, sizeof(guard));
			to += sizeof(guard);
			next++;
		}
		*to++ = from.at[at];
	}
}

static void move_symbols(const struct image *image)
{
	struct elf_bytes table = elf_image__bytes(image->symbols);

	for (size_t at = 0; at + sizeof(Elf64_Sym) <= table.count; at += sizeof(Elf64_Sym)) {
		const struct growth *growth;
		Elf64_Sym symbol;
		uint64_t end;

		memcpy(&symbol, table.at + at, sizeof(symbol));
		growth = find_growth(image, symbol.st_shndx);
		if (!growth)
			continue;
		end = program_place(growth, symbol.st_value + symbol.st_size);
		symbol.st_value = program_place(growth, symbol.st_value);
		symbol.st_size = end - symbol.st_value;
		memcpy(table.at + at, &symbol, sizeof(symbol));
	}
}

/* ---- .BTF.ext -------------------------------------------------------------------------------- */

static struct elf_bytes find_bytes(const struct image *image, const char *wanted)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(image->elf, section))) {
		const char *name = section_name(image, section);

		if (name && !strcmp(name, wanted))
			break;
	}
	return elf_image__bytes(section);
}

/* The section of code that a part's records belong to. */
static const struct growth *named_growth(const struct image *image, struct elf_bytes btf,
					 uint32_t name)
{
	size_t at, count;

	if (!btf_ext__find_strings(btf.at, btf.count, &at, &count) || name >= count)
		return NULL;
	for (size_t i = 0; i < image->grown_count; i++)
		if (!strncmp(image->grown[i].name, btf.at + at + name, count - name))
			return &image->grown[i];
	return NULL;
}

/* A record begins with the offset of its instruction. */
static void move_record(const struct growth *growth, enum btf_ext_part part, char *record)
{
	uint32_t offset = load_u32(record, false);

	offset = (uint32_t)(part == BTF_EXT_RELOS ? insn_place(growth, offset)
						  : program_place(growth, offset));
	memcpy(record, &offset, sizeof(offset));
}

static void move_part(const struct image *image, struct elf_bytes btf, struct elf_bytes ext,
		      enum btf_ext_part which)
{
	struct cursor part;
	uint32_t record_bytes;

	if (!btf_ext__find(ext.at, ext.count, which, &part))
		return;
	record_bytes = cursor__u32(&part);
	while (record_bytes >= sizeof(uint32_t) && cursor__left(&part)) {
		uint32_t name = cursor__u32(&part), count = cursor__u32(&part);
		const struct growth *growth = named_growth(image, btf, name);

		for (uint32_t i = 0; i < count && !part.bad; i++) {
			const uint8_t *record = cursor__bytes(&part, record_bytes);

			if (record && growth)
				move_record(growth, which,
					    ext.at + ((const char *)record - ext.at));
		}
	}
}

static void move_btf(const struct image *image)
{
	struct elf_bytes btf = find_bytes(image, ".BTF"), ext = find_bytes(image, ".BTF.ext");

	move_part(image, btf, ext, BTF_EXT_FUNCS);
	move_part(image, btf, ext, BTF_EXT_LINES);
	move_part(image, btf, ext, BTF_EXT_RELOS);
}

/* ---- growing --------------------------------------------------------------------------------- */

static uint64_t grown_bytes(const struct growth *growth)
{
	return elf_image__bytes(growth->section).count + growth->count * sizeof(guard);
}

/* Returns the bytes of the copy, with room for the new sections at its end. */
static size_t place_sections(struct image *image)
{
	size_t end = image->bytes;

	for (size_t i = 0; i < image->grown_count; i++) {
		image->grown[i].at = (end + 7) & ~(size_t)7;
		end = image->grown[i].at + grown_bytes(&image->grown[i]);
	}
	return end;
}

/* libelf finds no sections if the headers of some are not in the file. */
static void set_section(char *memory, const struct growth *growth)
{
	Elf64_Ehdr head;
	Elf64_Shdr header;
	char *place;

	memcpy(&head, memory, sizeof(head));
	place = memory + head.e_shoff + elf_ndxscn(growth->section) * sizeof(header);
	memcpy(&header, place, sizeof(header));
	header.sh_offset = growth->at;
	header.sh_size = grown_bytes(growth);
	memcpy(place, &header, sizeof(header));
}

/* Returns the number of programs. */
static int grow_image(struct image *image, void **copy, size_t *copy_bytes)
{
	size_t bytes = place_sections(image);
	char *memory = calloc(1, bytes);
	int programs = 0;

	if (!memory)
		return -ENOMEM;
	for_each_relocation(image, move_relocation, NULL);
	move_symbols(image);
	move_btf(image);
	memcpy(memory, image->memory, image->bytes);
	for (size_t i = 0; i < image->grown_count; i++) {
		write_code(&image->grown[i], memory + image->grown[i].at);
		set_section(memory, &image->grown[i]);
		programs += (int)image->grown[i].count;
	}
	*copy = memory;
	*copy_bytes = bytes;
	return programs;
}

static void free_image(struct image *image)
{
	for (size_t i = 0; i < image->grown_count; i++)
		free(image->grown[i].starts);
	free(image->grown);
	elf_end(image->elf);
	free(image->memory);
}

int own_stacks__use(const void *elf, size_t bytes, void **copy, size_t *copy_bytes)
{
	struct image image = { .memory = malloc(bytes), .bytes = bytes };
	int ret;

	*copy = NULL;
	if (!image.memory)
		return -ENOMEM;
	memcpy(image.memory, elf, bytes);
	ret = open_image(&image) ?: find_sections(&image);
	if (!ret && image.grown_count)
		ret = grow_image(&image, copy, copy_bytes);
	free_image(&image);
	return ret;
}
