// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_dwarf.c: the types in any debug information.
 *
 * Input: the length of .debug_abbrev (2 bytes, little endian), that section, and then .debug_info.
 * Each type that is found becomes BTF, and then a schema; each function becomes a prototype.  The
 * seeds are these sections of a BPF object, and of a program linked to TEXT_START, compiled with
 * -g -gdwarf-4.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <elf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include <peat/schema.h>

#include "dwarf_types/read_prototypes.h"
#include "functions/function_field.h"
#include "object/infer/dwarf.h"

#define TEXT_START 0x1000
#define FUNCTIONS  64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static int check(void *ctx, const struct dwarf_type *type)
{
	struct peat_schema *schema;
	struct btf *btf;
	uint32_t id = 0;

	require(type->name && *type->name && strlen(type->name) < SIZE_MAX);
	btf = dwarf__btf(ctx, type->place, &id);
	if (!btf)
		return 0;
	require(id && id < btf__type_cnt(btf));
	schema = peat_schema__new(btf, id);
	peat_schema__free(schema);
	btf__free(btf);
	return 0;
}

/* ---- prototypes ------------------------------------------------------------------------------ */

static void check_field(struct field_types *types, const struct prototype *prototype,
			enum function_moment moment, const char *path)
{
	struct function_field field = { 0 };
	struct strbuf why = { 0 };

	if (!function_field__make(&field, types, prototype, moment, path, &why))
		function_field__free(&field);
	strbuf__free(&why);
}

static void check_fields(const struct prototype *prototype, enum function_moment moment)
{
	static const char *const paths[] = { "arg1",	  "arg9",  "xxxxxxx", "xxxxxxx.xxxxxxx",
					     "r.next.id", "result" };
	struct function_field fields[PLAN_READS];
	struct field_types types;
	struct btf *btf = btf__new_empty();
	int count;

	require(btf && !field_types__init(&types, btf));
	count = function_field__make_all(fields, &types, prototype, moment);
	for (int i = 0; i < count; i++)
		function_field__free(&fields[i]);
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		check_field(&types, prototype, moment, paths[i]);
	btf__free(btf);
}

static void check_prototype(const struct btf *btf, const struct user_function *function)
{
	const struct found_function found = { .prototype = function->id };
	struct prototype prototype;
	struct strbuf text = { 0 };

	require(user_prototypes__find(btf, &found, &prototype));
	prototype__append(&text, &prototype, function->name);
	require(!text.failed);
	strbuf__free(&text);
	check_fields(&prototype, FUNCTION_CALL);
	check_fields(&prototype, FUNCTION_RETURN);
}

/* All types have to be there that others refer to. */
static void check_types(const struct btf *btf)
{
	uint32_t bytes;
	struct btf *copy = btf__new(btf__raw_data(btf, &bytes), bytes);

	require(copy != NULL);
	btf__free(copy);
}

static void check_prototypes(Elf *elf, bool has_members)
{
	const struct prototype_source source = { elf, false, has_members };
	struct user_function functions[FUNCTIONS];
	struct btf *btf;

	for (uint32_t i = 0; i < FUNCTIONS; i++)
		functions[i] = (struct user_function){ "f", TEXT_START + 2 * i, 0 };
	functions[FUNCTIONS - 1].offset = 0;
	if (read_prototypes__of_elf(&btf, &source, functions, FUNCTIONS))
		return;
	check_types(btf);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		if (functions[i].id)
			check_prototype(btf, &functions[i]);
	btf__free(btf);
}

/* ---- the file -------------------------------------------------------------------------------- */

enum { NOTHING, ABBREV, INFO, STRINGS, NAMES, SECTIONS };

static const char names[] = "\0.debug_abbrev\0.debug_info\0.debug_str\0.shstrtab";
static const uint32_t name_at[SECTIONS] = { 0, 1, 15, 27, 38 };

/* Strings that the seeds refer to, at offsets in the middle. */
static char strings[256];

struct image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[SECTIONS];
	char bytes[];
};

static void set_header(Elf64_Ehdr *header)
{
	memcpy(header->e_ident, ELFMAG, SELFMAG);
	header->e_ident[EI_CLASS] = ELFCLASS64;
	header->e_ident[EI_DATA] = ELFDATA2LSB;
	header->e_ident[EI_VERSION] = header->e_version = EV_CURRENT;
	header->e_type = ET_REL;
	header->e_machine = EM_BPF;
	header->e_ehsize = sizeof(*header);
	header->e_shoff = offsetof(struct image, sections);
	header->e_shentsize = sizeof(Elf64_Shdr);
	header->e_shnum = SECTIONS;
	header->e_shstrndx = NAMES;
}

static struct image *make_image(const uint8_t *abbrev, size_t abbrev_bytes, const uint8_t *info,
				size_t info_bytes, size_t *bytes)
{
	const void *const parts[] = { NULL, abbrev, info, strings, names };
	const size_t sizes[] = { 0, abbrev_bytes, info_bytes, sizeof(strings), sizeof(names) };
	struct image *image;
	size_t at = sizeof(*image);

	*bytes = at + abbrev_bytes + info_bytes + sizeof(strings) + sizeof(names);
	image = calloc(1, *bytes);
	require(image != NULL);
	set_header(&image->header);
	for (int i = ABBREV; i < SECTIONS; at += sizes[i++]) {
		image->sections[i] = (Elf64_Shdr){
			.sh_name = name_at[i],
			.sh_type = i < STRINGS ? SHT_PROGBITS : SHT_STRTAB,
			.sh_offset = at,
			.sh_size = sizes[i],
			.sh_addralign = 1,
		};
		memcpy((char *)image + at, parts[i], sizes[i]);
	}
	return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t bytes, abbrev_bytes = size < 2 ? 0 : (size_t)(data[0] | data[1] << 8);
	struct dwarf *info = NULL;
	struct image *image;
	Elf *elf;

	if (size < 2 || abbrev_bytes > size - 2)
		return 0;
	memset(strings, 'x', sizeof(strings) - 1);
	for (size_t i = 7; i < sizeof(strings); i += 8)
		strings[i] = '\0';
	libbpf_set_print(NULL);
	elf_version(EV_CURRENT);
	image = make_image(data + 2, abbrev_bytes, data + 2 + abbrev_bytes, size - 2 - abbrev_bytes,
			   &bytes);
	elf = elf_memory((char *)image, bytes);
	require(elf != NULL);
	if (!dwarf__open(&info, elf))
		require(dwarf__each(info, check, info) <= 0);
	dwarf__free(info);
	check_prototypes(elf, true);
	check_prototypes(elf, false);
	elf_end(elf);
	free(image);
	return 0;
}
