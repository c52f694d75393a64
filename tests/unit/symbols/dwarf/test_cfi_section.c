// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cfi_section.c: entries of .eh_frame and .debug_frame, whole and damaged. */
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/cfi_row.h"

#include "unit/suite.h"

#define VADDR UINT64_C(0x400000)

static uint8_t bytes[512];
static size_t count;

static void put(const void *from, size_t size)
{
	memcpy(bytes + count, from, size);
	count += size;
}

static void put32(uint64_t value)
{
	const uint32_t word = (uint32_t)value;

	put(&word, sizeof(word));
}

static void put64(uint64_t value)
{
	put(&value, sizeof(value));
}

static size_t begin(void)
{
	put32(0);
	return count;
}

static void end(size_t begun)
{
	const uint32_t size = (uint32_t)(count - begun);

	memcpy(bytes + begun - sizeof(size), &size, sizeof(size));
}

/* Pointers relative to themselves, 4 bytes with sign: as compilers write. */
static size_t put_eh_common(const char *letters, size_t letters_bytes)
{
	const size_t at = count, begun = begin();

	put32(0);
	put("\1", 1);
	put(letters, letters_bytes);
	put("\1\x78\x10", 3);	    /* factors 1 and -8, register 16 */
	put("\1\x1b", 2);	    /* augmentation data */
	put("\x0c\7\x08\x90\1", 5); /* CFA = r7 + 8, r16 at CFA - 8 */
	end(begun);
	return at;
}

static void put_eh_entry(size_t common, uint64_t start, uint32_t size)
{
	const size_t begun = begin();

	put32(count - common);
	put32(start - (VADDR + count));
	put32(size);
	put("\0", 1);		/* augmentation data */
	put("\x41\x0e\x10", 3); /* after 1 byte: the CFA = r7 + 16 */
	end(begun);
}

static struct cfi_section section_of(bool is_eh)
{
	struct cfi_section section = {
		.count = count, .vaddr = VADDR, .is_eh = is_eh, .is_64 = true
	};

	section.bytes = memcpy(malloc(count), bytes, count);
	return section;
}

static struct cfi_section index_of(bool is_eh)
{
	struct cfi_section section = section_of(is_eh);

	ck_assert_int_eq(cfi_section__index(&section), 0);
	return section;
}

/* Entries in any order; functions that the linker removed are left out. */
START_TEST(test_eh_frame)
{
	struct cfi_section section;
	struct cfi_entry entry;
	struct cfi_row row;
	size_t common = put_eh_common("zR", 3);

	put_eh_entry(common, 0x2000, 0x10);
	put_eh_entry(common, 0x1000, 0x20);
	put_eh_entry(common, 0, 0x20);
	put_eh_entry(common, 0x3000, 0);
	put32(0);
	section = index_of(true);
	ck_assert_uint_eq(section.index_count, 2);
	ck_assert(!cfi_section__find(&section, 0xfff, &entry));
	ck_assert(cfi_section__find(&section, 0x1000, &entry));
	ck_assert_uint_eq(entry.start, 0x1000);
	ck_assert_uint_eq(entry.bytes, 0x20);
	ck_assert(!entry.common.is_signal);
	ck_assert(cfi_row__find(&section, &entry, 0x1001, &(uint32_t){ 1000 }, &row) &&
		  row.cfa.number == 16);
	ck_assert(cfi_section__find(&section, 0x101f, &entry));
	ck_assert(!cfi_section__find(&section, 0x1020, &entry));
	ck_assert(cfi_section__find(&section, 0x200f, &entry));
	ck_assert_uint_eq(entry.start, 0x2000);
	ck_assert(!cfi_section__find(&section, 0x2010, &entry));
	ck_assert(!cfi_section__find(&section, UINT64_MAX, &entry));
	cfi_section__free(&section);
}
END_TEST

START_TEST(test_signal_frames_are_marked)
{
	struct cfi_section section;
	struct cfi_entry entry;

	put_eh_entry(put_eh_common("zRS", 4), 0x1000, 0x20);
	put_eh_entry(put_eh_common("xR", 3), 0x2000, 0x20); /* unknown layout */
	section = index_of(true);
	ck_assert_uint_eq(section.index_count, 1);
	ck_assert(cfi_section__find(&section, 0x1000, &entry) && entry.common.is_signal);
	cfi_section__free(&section);
}
END_TEST

/* Absolute addresses, and common entries by their offset, of which the first is 0. */
START_TEST(test_debug_frame)
{
	struct cfi_section section;
	struct cfi_entry entry;
	size_t begun = begin();

	put32(UINT32_MAX);
	put("\4\0\x08\0\1\x78\x10\x0c\7\x08", 10); /* version 4, addresses of 8 bytes */
	end(begun);
	for (uint64_t i = 1; i <= 3; i++) {
		begun = begin();
		put32(0);
		put64(i * 0x1000);
		put64(0x100);
		end(begun);
	}
	section = index_of(false);
	ck_assert_uint_eq(section.index_count, 3);
	ck_assert(cfi_section__find(&section, 0x20ff, &entry));
	ck_assert_uint_eq(entry.start, 0x2000);
	ck_assert_uint_eq(entry.common.return_register, 16);
	ck_assert_int_eq(entry.common.data_factor, -8);
	cfi_section__free(&section);
}
END_TEST

/* Each byte damaged, and the section cut anywhere: reads stay inside. */
START_TEST(test_damaged_section_stays_inside)
{
	size_t common = put_eh_common("zR", 3);

	put_eh_entry(common, 0x1000, 0x20);
	put_eh_entry(common, 0x2000, 0x20);
	for (size_t i = 0; i < 256 * count; i++) {
		struct cfi_section section = section_of(true);
		struct cfi_entry entry;
		struct cfi_row row;

		section.bytes[i / 256] = (uint8_t)i;
		ck_assert_int_eq(cfi_section__index(&section), 0);
		for (size_t at = 0; at < section.index_count; at++)
			if (cfi_section__find(&section, section.index[at].start, &entry))
				cfi_row__find(&section, &entry, entry.start, &(uint32_t){ 1000 },
					      &row);
		cfi_section__free(&section);
	}
	while (--count) {
		struct cfi_section section = index_of(true);

		ck_assert_uint_le(section.index_count, 1);
		cfi_section__free(&section);
	}
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_test(tests, test_eh_frame);
	tcase_add_test(tests, test_signal_frames_are_marked);
	tcase_add_test(tests, test_debug_frame);
	tcase_add_test(tests, test_damaged_section_stays_inside);
}
