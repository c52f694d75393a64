// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_ext.c: the parts of a section .BTF.ext, and invalid sections. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/btf_ext.h"
#include "elf_image.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(kinds_of_fields)
EMBED_OBJECT(calls)

enum { LINES_AT = 4, LINES_BYTES, RELOS_AT, RELOS_BYTES, HEAD_WORDS };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MAGIC (0xeb9f | 1 << 16)
#else
#define MAGIC 0xeb9f0100
#endif

/* No functions, two words of lines, three words of relocations. */
static const uint32_t sound[] = { MAGIC, HEAD_WORDS * 4, 0, 0, 0, 8, 8, 12, 1, 2, 3, 4, 5 };

/* Finds a part in memory of the section's size, so that sanitizers detect reads beyond it. */
static bool find(const uint32_t *section, size_t bytes, enum btf_ext_part which, size_t *at,
		 size_t *count)
{
	uint8_t *copy = malloc(bytes ? bytes : 1);
	struct cursor part;
	bool is_found;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, section, bytes);
	is_found = btf_ext__find(copy, bytes, which, &part);
	if (is_found) {
		*at = (size_t)(part.at - copy);
		*count = cursor__left(&part);
		ck_assert_uint_le(*at + *count, bytes);
		ck_assert(!part.bad);
	}
	free(copy);
	return is_found;
}

static void check_part(const uint32_t *section, size_t bytes, enum btf_ext_part which,
		       size_t expected_at, size_t expected_count)
{
	size_t at, count;

	ck_assert(find(section, bytes, which, &at, &count));
	ck_assert_uint_eq(at, expected_at);
	ck_assert_uint_eq(count, expected_count);
}

static bool is_valid(const uint32_t *section, size_t bytes, enum btf_ext_part which)
{
	size_t at, count;

	return find(section, bytes, which, &at, &count);
}

START_TEST(test_finds_parts)
{
	uint32_t section[16];

	check_part(sound, sizeof(sound), BTF_EXT_LINES, HEAD_WORDS * 4, 8);
	check_part(sound, sizeof(sound), BTF_EXT_RELOS, HEAD_WORDS * 4 + 8, 12);
	/* A longer header of the future. */
	memcpy(section, sound, sizeof(sound));
	section[1] += 4;
	section[RELOS_BYTES] = 4;
	check_part(section, sizeof(sound), BTF_EXT_LINES, HEAD_WORDS * 4 + 4, 8);
	check_part(section, sizeof(sound), BTF_EXT_RELOS, HEAD_WORDS * 4 + 12, 4);
	/* Parts that are not there. */
	memset(section + LINES_AT, 0, 4 * 4);
	check_part(section, HEAD_WORDS * 4 + 4, BTF_EXT_LINES, HEAD_WORDS * 4 + 4, 0);
	check_part(section, HEAD_WORDS * 4 + 4, BTF_EXT_RELOS, HEAD_WORDS * 4 + 4, 0);
}
END_TEST

/* The compiler's sizes of records: 16 bytes each. */
static void check_record_bytes(const struct object_file *file, enum btf_ext_part which)
{
	void *image = malloc(*file->count);
	const Elf64_Shdr *section;
	struct cursor part;

	ck_assert_ptr_nonnull(image);
	memcpy(image, file->bytes, *file->count);
	section = elf_image__section(image, ".BTF.ext");
	ck_assert(btf_ext__find(elf_image__data(image, section), section->sh_size, which, &part));
	ck_assert_uint_eq(cursor__u32(&part), 16);
	ck_assert_uint_gt(cursor__left(&part), 16);
	free(image);
}

START_TEST(test_compiled_sections)
{
	check_record_bytes(&calls_object, BTF_EXT_LINES);
	check_record_bytes(&kinds_of_fields_object, BTF_EXT_LINES);
	check_record_bytes(&kinds_of_fields_object, BTF_EXT_RELOS);
}
END_TEST

START_TEST(test_truncated_section_is_invalid)
{
	for (size_t bytes = 0; bytes < sizeof(sound); bytes++) {
		ck_assert_msg(!is_valid(sound, bytes, BTF_EXT_RELOS), "%zu bytes", bytes);
		ck_assert_msg(is_valid(sound, bytes, BTF_EXT_LINES) ==
				      (bytes >= HEAD_WORDS * 4 + 8),
			      "%zu bytes", bytes);
	}
}
END_TEST

static void check_damaged(uint32_t word, uint32_t value, enum btf_ext_part which)
{
	uint32_t section[sizeof(sound) / sizeof(*sound)];

	memcpy(section, sound, sizeof(sound));
	section[word] = value;
	ck_assert_msg(!is_valid(section, sizeof(section), which), "word %u: %#x", word, value);
}

START_TEST(test_damaged_section_is_invalid)
{
	check_damaged(0, 0, BTF_EXT_LINES);
	check_damaged(0, __builtin_bswap32(MAGIC), BTF_EXT_LINES); /* of the other byte order */
	check_damaged(1, HEAD_WORDS * 4 - 8, BTF_EXT_RELOS);	   /* before Linux 5.4 */
	check_damaged(1, HEAD_WORDS * 4 + 4, BTF_EXT_RELOS);
	check_damaged(1, UINT32_MAX, BTF_EXT_LINES);
	check_damaged(LINES_AT, sizeof(sound) - HEAD_WORDS * 4 - 7, BTF_EXT_LINES);
	check_damaged(LINES_AT, UINT32_MAX, BTF_EXT_LINES);
	check_damaged(LINES_AT, UINT32_MAX - HEAD_WORDS * 4 + 1, BTF_EXT_LINES); /* 0 in 32 bits */
	check_damaged(LINES_BYTES, sizeof(sound) - HEAD_WORDS * 4 + 1, BTF_EXT_LINES);
	check_damaged(LINES_BYTES, UINT32_MAX, BTF_EXT_LINES);
	check_damaged(RELOS_AT, 9, BTF_EXT_RELOS);
	check_damaged(RELOS_AT, UINT32_MAX, BTF_EXT_RELOS);
	check_damaged(RELOS_BYTES, 13, BTF_EXT_RELOS);
	check_damaged(RELOS_BYTES, UINT32_MAX, BTF_EXT_RELOS);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_parts);
	tcase_add_test(tests, test_compiled_sections);
	tcase_add_test(tests, test_truncated_section_is_invalid);
	tcase_add_test(tests, test_damaged_section_is_invalid);
}
