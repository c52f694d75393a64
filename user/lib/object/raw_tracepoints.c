// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/raw_tracepoints.c: renames sections in the ELF file of a BPF object. */
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/btf_ext.h"
#include "object/elf_image.h"
#include "object/raw_tracepoints.h"

#define TYPED	     "tp_btf/"
#define RAW	     "raw_tp/" /* as long */
#define PREFIX_BYTES (sizeof(TYPED) - 1)

struct image {
	Elf *elf;
	struct elf_bytes names;	   /* of sections, each with a NUL */
	struct elf_bytes original; /* a copy, which is not changed */
};

/* ---- sections -------------------------------------------------------------------------------- */

static Elf_Scn *find_section(const struct image *image, const char *name)
{
	const struct elf_bytes *names = &image->original;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(image->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_name < names->count &&
		    strlen(name) < names->count - header.sh_name &&
		    !strcmp(names->at + header.sh_name, name))
			return section;
	return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

/*
 * The prefix `wanted` in the name at an offset; NULL: it has another one.  Relocations are in
 * sections named ".rel" and the section's name, and libbpf does not load programs whose section
 * begins with "?".
 */
static char *find_prefix(const struct elf_bytes *strings, size_t offset, const char *wanted)
{
	static const char *const before[] = { "", "?", ".rel", ".rel?" };
	char *name;

	if (offset >= strings->count)
		return NULL;
	name = strings->at + offset;
	if (!memchr(name, '\0', strings->count - offset))
		return NULL;
	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		size_t skipped = strlen(before[i]);

		if (!strncmp(name, before[i], skipped) &&
		    !strncmp(name + skipped, wanted, PREFIX_BYTES))
			return name + skipped;
	}
	return NULL;
}

/* Whether the object has a program of raw_tp for the same tracepoint. */
static bool is_taken(const struct image *image, const char *tracepoint)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *raw;

	while ((section = elf_nextscn(image->elf, section))) {
		if (!elf_image__has_code(section) || !gelf_getshdr(section, &header))
			continue;
		raw = find_prefix(&image->original, header.sh_name, RAW);
		if (raw && !strcmp(raw + PREFIX_BYTES, tracepoint))
			return true;
	}
	return false;
}

/*
 * The prefix to be changed.  A second section of the same name is not possible: libbpf would use
 * the relocations of one for both.
 */
static char *find_typed(const struct image *image, const struct elf_bytes *strings, size_t offset)
{
	char *prefix = find_prefix(strings, offset, TYPED);

	return prefix && !is_taken(image, prefix + PREFIX_BYTES) ? prefix : NULL;
}

/* Names may share memory: ".reltp_btf/x" contains "tp_btf/x". */
static void rename_at(const struct image *image, const struct elf_bytes *strings, size_t offset)
{
	char *prefix = find_typed(image, strings, offset);

	if (prefix)
		memcpy(prefix, RAW, PREFIX_BYTES);
}

/* Returns the number of renamed sections with programs. */
static int rename_sections(const struct image *image)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int count = 0;

	while ((section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		count += elf_image__has_code(section) &&
			 find_typed(image, &image->original, header.sh_name);
		rename_at(image, &image->names, header.sh_name);
	}
	return count;
}

/* ---- names in .BTF --------------------------------------------------------------------------- */

static struct elf_bytes btf_strings(const struct elf_bytes *btf)
{
	size_t offset, count;

	if (!btf_ext__find_strings(btf->at, btf->count, &offset, &count))
		return (struct elf_bytes){ 0 };
	return (struct elf_bytes){ btf->at + offset, count };
}

/* Each part has records by section. */
static void rename_in_part(const struct image *image, struct cursor part,
			   const struct elf_bytes *names)
{
	uint64_t record_bytes = cursor__left(&part) ? cursor__u32(&part) : 0;

	while (cursor__left(&part) && !part.bad) {
		uint32_t name = cursor__u32(&part), count = cursor__u32(&part);

		if (!part.bad)
			rename_at(image, names, name);
		cursor__bytes(&part, record_bytes * count);
	}
}

static void rename_in_btf(const struct image *image)
{
	static const enum btf_ext_part parts[] = { BTF_EXT_FUNCS, BTF_EXT_LINES, BTF_EXT_RELOS };
	struct elf_bytes btf = elf_image__bytes(find_section(image, ".BTF"));
	struct elf_bytes ext = elf_image__bytes(find_section(image, ".BTF.ext"));
	struct elf_bytes names = btf_strings(&btf);
	struct cursor part;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (btf_ext__find(ext.at, ext.count, parts[i], &part))
			rename_in_part(image, part, &names);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int read_names(struct image *image)
{
	size_t index;

	if (elf_getshdrstrndx(image->elf, &index))
		return -EBADMSG;
	image->names = elf_image__bytes(elf_getscn(image->elf, index));
	image->original = (struct elf_bytes){ malloc(image->names.count + 1), image->names.count };
	if (!image->original.at)
		return -ENOMEM;
	if (image->names.count)
		memcpy(image->original.at, image->names.at, image->names.count);
	return 0;
}

static void set_constant(Elf *elf)
{
	char *constant = elf_image__find_word(elf, "peat_no_btf");
	const uint32_t yes = 1;

	if (constant)
		memcpy(constant, &yes, sizeof(yes));
}

int raw_tracepoints__use(void *elf, size_t bytes)
{
	struct image image = { 0 };
	int ret;

	elf_version(EV_CURRENT);
	image.elf = elf_memory(elf, bytes);
	ret = elf_image__is_bpf(image.elf) ? read_names(&image) : -EBADMSG;
	if (!ret) {
		set_constant(image.elf);
		rename_in_btf(&image);
		ret = rename_sections(&image);
	}
	free(image.original.at);
	elf_end(image.elf);
	return ret;
}
