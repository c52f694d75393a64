// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_elf_note.c: build-ids in notes, whole and cut. */
#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_note.h"

#include "unit/suite.h"

struct note {
	uint32_t name_bytes, desc_bytes, type;
	char name[4];
	uint8_t desc[20];
};

#define NOTE(name, type, desc)                                                                     \
	{                                                                                          \
		sizeof(name), 20, type, name, desc                                                 \
	}

/* Parses a copy of so many bytes, so that the sanitizer detects reads beyond it. */
static bool parse(const void *notes, size_t bytes, uint64_t align, bool swapped,
		  struct build_id *id)
{
	void *copy = memcpy(malloc(bytes + !bytes), notes, bytes);
	bool found = elf_note__build_id(copy, bytes, align, swapped, id);

	free(copy);
	return found;
}

START_TEST(test_finds_build_id)
{
	const struct note notes[] = { NOTE("Xen", 3, "xxx"), NOTE("GNU", 1, "abi"),
				      NOTE("GNU", 3, "build id"), NOTE("GNU", 3, "another") };
	struct build_id id;

	ck_assert(parse(notes, sizeof(notes), 4, false, &id));
	ck_assert_uint_eq(id.bytes, 20);
	ck_assert_mem_eq(id.id, notes[2].desc, 20);
	ck_assert(!parse(notes, 2 * sizeof(*notes), 4, false, &id));
	for (size_t bytes = 2 * sizeof(*notes); bytes < 3 * sizeof(*notes); bytes++)
		ck_assert(!parse(notes, bytes, 4, false, &id));
}
END_TEST

/* The other byte order, and a last note without its padding. */
START_TEST(test_swapped_and_short)
{
	struct note note = NOTE("GNU", 3, "short i");
	struct build_id id;

	note.desc_bytes = 7;
	ck_assert(parse(&note, 16 + 7, 4, false, &id));
	ck_assert_uint_eq(id.bytes, 7);
	ck_assert_mem_eq(id.id, "short i\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	note.name_bytes = bswap_32(note.name_bytes);
	note.desc_bytes = bswap_32(note.desc_bytes);
	note.type = bswap_32(note.type);
	ck_assert(!parse(&note, sizeof(note), 4, false, &id));
	ck_assert(parse(&note, sizeof(note), 4, true, &id));
	ck_assert_uint_eq(id.bytes, 7);
}
END_TEST

/* With alignment 8, also the name is padded to it, counted from the note's start. */
START_TEST(test_alignment_of_8)
{
	struct {
		uint32_t head[3];
		char name[4];
		uint8_t desc[24];
		struct note next;
	} notes = { { 4, 20, 5 }, "GNU", "property", NOTE("GNU", 3, "build id") };
	struct build_id id;

	ck_assert(parse(&notes, sizeof(notes), 8, false, &id));
	ck_assert_mem_eq(id.id, notes.next.desc, 20);
	ck_assert(!parse(&notes, sizeof(notes), 4, false, &id));
}
END_TEST

/* Lengths that overflow 32 bits when they are padded. */
START_TEST(test_huge_lengths_do_not_overflow)
{
	struct note note = NOTE("GNU", 3, "build id");
	struct build_id id;

	note.desc_bytes = UINT32_MAX;
	ck_assert(!parse(&note, sizeof(note), 4, false, &id));
	note.name_bytes = UINT32_MAX;
	ck_assert(!parse(&note, sizeof(note), 8, false, &id));
	note.desc_bytes = 0;
	note.name_bytes = 4;
	ck_assert(!parse(&note, 16, 4, false, &id));
}
END_TEST

START_TEST(test_equal_build_ids)
{
	struct build_id a, b = { 0 };
	char text[BUILD_ID_TEXT];

	build_id__set(&a, "\x01\xab\xff", 3);
	ck_assert(!build_id__equal(&a, &b));
	ck_assert(!build_id__equal(&b, &b));
	ck_assert_str_eq(build_id__text(&a, text), "01abff");
	ck_assert_str_eq(build_id__text(&b, text), "");
	build_id__set(&b, "\x01\xab\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	ck_assert(build_id__equal(&a, &b));
	b.id[19] = 1;
	ck_assert(!build_id__equal(&a, &b));
	build_id__set(&a, "0123456789012345678901", 22);
	ck_assert_uint_eq(a.bytes, 20);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_finds_build_id);
	tcase_add_test(tests, test_swapped_and_short);
	tcase_add_test(tests, test_alignment_of_8);
	tcase_add_test(tests, test_huge_lengths_do_not_overflow);
	tcase_add_test(tests, test_equal_build_ids);
}
