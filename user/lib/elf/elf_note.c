// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf/elf_note.c: the build-id in the notes of an ELF file. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/cursor.h"
#include "elf/elf_note.h"

static uint64_t padded(uint64_t bytes, uint64_t align)
{
	return (bytes + align - 1) & ~(align - 1);
}

static bool is_build_id(uint32_t type, const char *name, uint32_t name_bytes, uint32_t id_bytes)
{
	return type == NT_GNU_BUILD_ID && name_bytes == sizeof("GNU") &&
	       !memcmp(name, "GNU", sizeof("GNU")) && id_bytes;
}

/* The last note of a segment may lack its padding. */
static void skip(struct cursor *cur, uint64_t bytes)
{
	cursor__bytes(cur, bytes < cursor__left(cur) ? bytes : cursor__left(cur));
}

bool elf_note__build_id(const void *notes, size_t bytes, uint64_t align, bool swapped,
			struct build_id *id)
{
	const struct peat_layout layout = { .swapped = swapped };
	struct cursor cur;

	align = align == 8 ? 8 : 4;
	cursor__init(&cur, notes, (const uint8_t *)notes + bytes, &layout);
	while (cursor__left(&cur)) {
		uint32_t name_bytes = cursor__u32(&cur), desc_bytes = cursor__u32(&cur);
		uint32_t type = cursor__u32(&cur);
		uint64_t desc_at = padded(sizeof(Elf32_Nhdr) + (uint64_t)name_bytes, align);
		const char *name = cursor__bytes(&cur, desc_at - sizeof(Elf32_Nhdr));
		const void *desc = cursor__bytes(&cur, desc_bytes);

		if (!name || !desc)
			return false;
		if (is_build_id(type, name, name_bytes, desc_bytes)) {
			build_id__set(id, desc, desc_bytes);
			return true;
		}
		skip(&cur, padded(desc_bytes, align) - desc_bytes);
	}
	return false;
}

void build_id__set(struct build_id *id, const void *from, size_t bytes)
{
	*id = (struct build_id){ .bytes = (uint8_t)(bytes < BUILD_ID_BYTES ? bytes
									   : BUILD_ID_BYTES) };
	memcpy(id->id, from, id->bytes);
}

bool build_id__equal(const struct build_id *a, const struct build_id *b)
{
	/* Bytes beyond the end are 0. */
	return a->bytes && b->bytes && !memcmp(a->id, b->id, BUILD_ID_BYTES);
}

const char *build_id__text(const struct build_id *id, char text[BUILD_ID_TEXT])
{
	text[0] = '\0';
	for (size_t i = 0; i < id->bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", id->id[i]);
	return text;
}
