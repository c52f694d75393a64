// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/legacy_maps.c: replaces definitions of maps from before BTF in the ELF file of an object.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "object/elf_image.h"
#include "object/legacy_maps.h"
#include "object/map_btf.h"
#include "object/untyped_functions.h"

#define MAPS_MAX    4096 /* in an object */
#define PADDING_MAX 64	 /* in a copy */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_BYTE_ORDER ELFDATA2LSB
#else
#define OWN_BYTE_ORDER ELFDATA2MSB
#endif

/* A definition. */
struct legacy_map {
	const char *name;
	size_t symbol; /* index */
	size_t section;
	uint64_t at; /* in the section */
	uint64_t bytes;
};

struct image {
	const char *name; /* for messages */
	char *memory;	  /* a copy of the file, to be changed */
	size_t bytes;
	Elf *elf;
	Elf64_Ehdr head;
	size_t names;	  /* index of the section with the sections' names */
	size_t first;	  /* index of the first section with definitions; 0: there are none */
	Elf_Scn *symbols; /* NULL: there are none */
	size_t strings;	  /* index of the section with the symbols' names */
	struct legacy_map *maps;
	struct defined_map *defined; /* as many */
	size_t count;
	const void *btf;
	uint32_t btf_bytes;
};

/* ---- the file -------------------------------------------------------------------------------- */

static int refuse(const struct image *image, const char *map, const char *why)
{
	log__error("%s: cannot use the definition of the map %s: %s", image->name, map, why);
	return -EINVAL;
}

static int refuse_file(const struct image *image, const char *why)
{
	log__error("%s has maps from before libbpf 1.0 (SEC(\"maps\")): %s", image->name, why);
	return -EINVAL;
}

static const char *section_name(const struct image *image, Elf_Scn *section)
{
	GElf_Shdr header;

	return gelf_getshdr(section, &header) ? elf_strptr(image->elf, image->names, header.sh_name)
					      : NULL;
}

static bool is_legacy(const struct image *image, size_t index)
{
	Elf_Scn *section = elf_getscn(image->elf, index);
	const char *name = section ? section_name(image, section) : NULL;
	GElf_Shdr header;

	return name && gelf_getshdr(section, &header) && header.sh_type == SHT_PROGBITS &&
	       !(header.sh_flags & SHF_EXECINSTR) && map_btf__is_legacy(name);
}

static void find_sections(struct image *image)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(image->elf, section))) {
		if (!image->first && is_legacy(image, elf_ndxscn(section)))
			image->first = elf_ndxscn(section);
		if (image->symbols || !gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_SYMTAB)
			continue;
		image->symbols = section;
		image->strings = header.sh_link;
	}
}

/* False: no object of this machine's byte order with definitions. */
static bool open_image(struct image *image)
{
	elf_version(EV_CURRENT);
	image->elf = elf_memory(image->memory, image->bytes);
	if (!elf_image__is_bpf(image->elf) || gelf_getclass(image->elf) != ELFCLASS64 ||
	    elf_getshdrstrndx(image->elf, &image->names))
		return false;
	memcpy(&image->head, image->memory, sizeof(image->head));
	if (image->head.e_ident[EI_DATA] != OWN_BYTE_ORDER)
		return false;
	find_sections(image);
	return image->first;
}

/* The headers of sections are copied as they are, so they have to be where they say. */
static int check_file(const struct image *image)
{
	const Elf64_Ehdr *head = &image->head;

	if (head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > image->bytes ||
	    head->e_shnum >= SHN_LORESERVE - 1 ||
	    head->e_shnum > (image->bytes - head->e_shoff) / sizeof(Elf64_Shdr) ||
	    image->names >= head->e_shnum || image->first >= head->e_shnum)
		return refuse_file(image, "the headers of its sections are invalid");
	if (elf_image__find_section(image->elf, ".maps"))
		return refuse_file(image, "it has a section .maps, too, and only one kind of maps "
					  "can be used");
	if (!image->symbols)
		return refuse_file(image, "it has no symbols, which name them: it was stripped");
	return 0;
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* A symbol of a section itself, or without a name, defines no map. */
static int add_symbol(struct image *image, const GElf_Sym *symbol, size_t index)
{
	const char *name = elf_strptr(image->elf, image->strings, symbol->st_name);
	unsigned type = GELF_ST_TYPE(symbol->st_info);

	if ((type != STT_OBJECT && type != STT_NOTYPE) || !name || !*name ||
	    !is_legacy(image, symbol->st_shndx))
		return 0;
	if (image->count == MAPS_MAX)
		return refuse_file(image, "they are too many");
	if (!ARRAY_RESERVE_NEXT(image->maps, image->count))
		return -ENOMEM;
	image->maps[image->count++] = (struct legacy_map){
		.name = name,
		.symbol = index,
		.section = symbol->st_shndx,
		.at = symbol->st_value,
		.bytes = symbol->st_size,
	};
	return 0;
}

static int compare_maps(const void *a, const void *b)
{
	const struct legacy_map *one = a, *other = b;

	if (one->section != other->section)
		return one->section < other->section ? -1 : 1;
	return (one->at > other->at) - (one->at < other->at);
}

static int find_maps(struct image *image)
{
	Elf_Data *data = elf_getdata(image->symbols, NULL);
	GElf_Sym symbol;
	int err = 0;

	for (int i = 0; !err && data && gelf_getsym(data, i, &symbol); i++)
		err = add_symbol(image, &symbol, (size_t)i);
	if (!err && !image->count)
		return refuse_file(image, "no symbol names one");
	if (!err)
		qsort(image->maps, image->count, sizeof(*image->maps), compare_maps);
	return err;
}

/* The end of a definition's place: the next one's start, or the section's end. */
static uint64_t find_end(const struct image *image, size_t i, uint64_t section_bytes)
{
	const struct legacy_map *map = &image->maps[i];
	bool has_next = i + 1 < image->count && map[1].section == map->section;

	return has_next && map[1].at < section_bytes ? map[1].at : section_bytes;
}

static int read_definition(struct image *image, size_t i)
{
	struct legacy_map *map = &image->maps[i];
	struct defined_map *defined = &image->defined[i];
	struct elf_bytes bytes = elf_image__bytes(elf_getscn(image->elf, map->section));
	uint64_t end = find_end(image, i, bytes.count);
	const char *why;

	if (!bytes.at || map->at > end)
		return refuse(image, map->name, "it is outside of its section");
	if (map->bytes > end - map->at)
		return refuse(image, map->name, "it is longer than its place in the section");
	if (!map->bytes)
		map->bytes = end - map->at;
	defined->name = map->name;
	why = map_definition__read(&defined->definition, bytes.at + map->at, map->bytes);
	return why ? refuse(image, map->name, why) : 0;
}

static int read_definitions(struct image *image)
{
	int err = 0;

	image->defined = calloc(image->count, sizeof(*image->defined));
	if (!image->defined)
		return -ENOMEM;
	for (size_t i = 0; !err && i < image->count; i++)
		err = read_definition(image, i);
	for (size_t i = 0; !err && i < image->count; i++)
		if (image->defined[i].definition.wants_pin)
			log__warn("%s: the map %s is not pinned: only libbpf's pinning in .maps is "
				  "supported",
				  image->name, image->maps[i].name);
	return err;
}

/* ---- relocations and symbols ----------------------------------------------------------------- */

static const struct legacy_map *find_map(const struct image *image, size_t section, uint64_t at)
{
	const struct legacy_map wanted = { .section = section, .at = at };

	return bsearch(&wanted, image->maps, image->count, sizeof(wanted), compare_maps);
}

/* The instruction has the place in the section, in a file of this machine's byte order. */
static int replace_section_symbol(const struct image *image, struct elf_bytes code,
				  const GElf_Sym *symbol, Elf64_Rel *rel)
{
	const struct legacy_map *map;
	struct bpf_insn insn;

	if (code.count < sizeof(insn) || rel->r_offset > code.count - sizeof(insn))
		return refuse_file(image, "a relocation is outside of its section");
	memcpy(&insn, code.at + rel->r_offset, sizeof(insn));
	map = find_map(image, symbol->st_shndx, symbol->st_value + (uint32_t)insn.imm);
	if (!map)
		return refuse_file(image, "code uses something else in their section");
	insn.imm = 0;
	memcpy(code.at + rel->r_offset, &insn, sizeof(insn));
	rel->r_info = ELF64_R_INFO(map->symbol, ELF64_R_TYPE(rel->r_info));
	return 0;
}

/* Replaces relocations to sections of definitions, in a section of relocations of code. */
static int replace_relocations(const struct image *image, struct elf_bytes table,
			       struct elf_bytes code)
{
	Elf_Data *symbols = elf_getdata(image->symbols, NULL);
	int err = 0;

	for (size_t at = 0; !err && at + sizeof(Elf64_Rel) <= table.count;
	     at += sizeof(Elf64_Rel)) {
		GElf_Sym symbol;
		Elf64_Rel rel;

		memcpy(&rel, table.at + at, sizeof(rel));
		if (!gelf_getsym(symbols, (int)ELF64_R_SYM(rel.r_info), &symbol) ||
		    GELF_ST_TYPE(symbol.st_info) != STT_SECTION ||
		    !is_legacy(image, symbol.st_shndx))
			continue;
		err = replace_section_symbol(image, code, &symbol, &rel);
		memcpy(table.at + at, &rel, sizeof(rel));
	}
	return err;
}

static int replace_all_relocations(const struct image *image)
{
	Elf_Scn *section = NULL, *code;
	GElf_Shdr header;
	int err = 0;

	while (!err && (section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_REL)
			continue;
		code = elf_getscn(image->elf, header.sh_info);
		if (code && elf_image__has_code(code))
			err = replace_relocations(image, elf_image__bytes(section),
						  elf_image__bytes(code));
	}
	return err;
}

/* libbpf finds maps by global symbols. */
static int replace_symbols(const struct image *image)
{
	struct elf_bytes table = elf_image__bytes(image->symbols);

	for (size_t i = 0; i < image->count; i++) {
		size_t at = image->maps[i].symbol * sizeof(Elf64_Sym);
		Elf64_Sym symbol;

		if (table.count < sizeof(symbol) || at > table.count - sizeof(symbol))
			return refuse_file(image, "the table of symbols is invalid");
		memcpy(&symbol, table.at + at, sizeof(symbol));
		symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
		symbol.st_other = STV_DEFAULT;
		symbol.st_shndx = (Elf64_Section)image->first;
		symbol.st_value = i * MAP_BTF_VARIABLE_BYTES;
		symbol.st_size = MAP_BTF_VARIABLE_BYTES;
		memcpy(table.at + at, &symbol, sizeof(symbol));
	}
	return 0;
}

/* ---- the copy -------------------------------------------------------------------------------- */

/* The copy is the file, followed by contents of sections and by the headers of all sections. */
struct made {
	char *memory;
	size_t bytes;
	Elf64_Shdr *headers; /* with room for one more */
	size_t header_count;
};

/* After the names of the file, which may lack the NUL at their end. */
static const char new_names[] = "\0.maps\0.BTF\0.old_maps";
enum { NAME_MAPS = 1, NAME_BTF = 7, NAME_OLD_MAPS = 12 };

static size_t align(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

/* Appends bytes, or zeros if `from` is NULL, and makes them the content of a section. */
static void append(struct made *made, size_t section, const void *from, size_t bytes)
{
	made->bytes = align(made->bytes);
	made->headers[section].sh_offset = made->bytes;
	made->headers[section].sh_size = bytes;
	if (from)
		memcpy(made->memory + made->bytes, from, bytes);
	made->bytes += bytes;
}

/* Returns the place of the new names in the section of names. */
static uint32_t append_names(const struct image *image, struct made *made)
{
	struct elf_bytes names = elf_image__bytes(elf_getscn(image->elf, image->names));

	append(made, image->names, names.at, names.count);
	memcpy(made->memory + made->bytes, new_names, sizeof(new_names));
	made->bytes += sizeof(new_names);
	made->headers[image->names].sh_size += sizeof(new_names);
	return (uint32_t)names.count;
}

static size_t find_btf(const struct image *image)
{
	Elf_Scn *section = elf_image__find_section(image->elf, ".BTF");

	return section ? elf_ndxscn(section) : 0;
}

static void append_btf(const struct image *image, struct made *made, uint32_t names)
{
	size_t section = find_btf(image);

	if (!section) {
		section = made->header_count++;
		made->headers[section] = (Elf64_Shdr){ .sh_name = names + NAME_BTF,
						       .sh_type = SHT_PROGBITS,
						       .sh_addralign = 8 };
	}
	append(made, section, image->btf, image->btf_bytes);
}

static void append_maps(const struct image *image, struct made *made, uint32_t names)
{
	for (size_t i = 1; i < image->head.e_shnum; i++)
		if (is_legacy(image, i))
			made->headers[i].sh_name = names + NAME_OLD_MAPS;
	made->headers[image->first].sh_name = names + NAME_MAPS;
	made->headers[image->first].sh_addralign = 8;
	append(made, image->first, NULL, image->count * MAP_BTF_VARIABLE_BYTES);
}

static void append_headers(const struct image *image, struct made *made)
{
	Elf64_Ehdr head = image->head;

	made->bytes = align(made->bytes);
	head.e_shoff = made->bytes;
	head.e_shnum = (Elf64_Half)made->header_count;
	memcpy(made->memory, &head, sizeof(head));
	memcpy(made->memory + made->bytes, made->headers, made->header_count * sizeof(Elf64_Shdr));
	made->bytes += made->header_count * sizeof(Elf64_Shdr);
}

static int make_copy(const struct image *image, struct made *made)
{
	size_t headers = image->head.e_shnum + (size_t)1;
	size_t names = elf_image__bytes(elf_getscn(image->elf, image->names)).count;
	size_t added = image->count * MAP_BTF_VARIABLE_BYTES + image->btf_bytes + names +
		       sizeof(new_names) + headers * sizeof(Elf64_Shdr);
	uint32_t new_names_at;

	made->memory = calloc(1, image->bytes + added + PADDING_MAX);
	made->headers = calloc(headers, sizeof(Elf64_Shdr));
	if (!made->memory || !made->headers)
		return -ENOMEM;
	memcpy(made->memory, image->memory, image->bytes);
	memcpy(made->headers, image->memory + image->head.e_shoff,
	       image->head.e_shnum * sizeof(Elf64_Shdr));
	made->header_count = image->head.e_shnum;
	made->bytes = image->bytes;
	new_names_at = append_names(image, made);
	append_btf(image, made, new_names_at);
	append_maps(image, made, new_names_at);
	append_headers(image, made);
	return 0;
}

/* ---- BTF ------------------------------------------------------------------------------------- */

/* NULL and errno. */
static struct btf *open_btf(const struct image *image)
{
	struct elf_bytes bytes = elf_image__bytes(elf_getscn(image->elf, find_btf(image)));

	return find_btf(image) ? btf__new(bytes.at, (uint32_t)bytes.count) : btf__new_empty();
}

static int explain_btf_error(const struct image *image, int err)
{
	return err == -ENOMEM ? err : refuse_file(image, "its BTF is invalid, or a map's name is");
}

static int use_btf(struct image *image, struct btf *btf, struct made *made)
{
	int err = map_btf__add(btf, image->defined, image->count);

	if (err)
		return explain_btf_error(image, err);
	image->btf = btf__raw_data(btf, &image->btf_bytes);
	return image->btf ? make_copy(image, made) : -ENOMEM;
}

static int replace(struct image *image, struct made *made)
{
	struct btf *btf;
	int err = check_file(image) ?: find_maps(image) ?: read_definitions(image);

	if (!err)
		err = replace_all_relocations(image) ?: replace_symbols(image)
			      ?: untyped_functions__use(image->elf, image->symbols);
	if (err)
		return err;
	btf = open_btf(image);
	if (!btf)
		return explain_btf_error(image, -errno);
	err = use_btf(image, btf, made);
	btf__free(btf);
	return err;
}

int legacy_maps__use(const char *name, const void *elf, size_t bytes, void **copy,
		     size_t *copy_bytes)
{
	struct image image = { .name = name, .memory = malloc(bytes + 1), .bytes = bytes };
	struct made made = { 0 };
	int err = image.memory ? 0 : -ENOMEM;

	if (!err)
		memcpy(image.memory, elf, bytes);
	if (!err && open_image(&image))
		err = replace(&image, &made);
	if (err) {
		free(made.memory);
		made.memory = NULL;
	}
	free(made.headers);
	free(image.maps);
	free(image.defined);
	elf_end(image.elf);
	free(image.memory);
	*copy = made.memory;
	*copy_bytes = made.bytes;
	return err ? err : (int)image.count;
}
