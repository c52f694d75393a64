// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_unwind_table.c: call frame information of this program, found in different ways. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/dwarf/unwind_table.h"

#include "unit/fail_alloc.h"
#include "unit/object/elf_image.h"
#include "unit/suite.h"

/* This file's functions are in both sections. */
__asm__(".cfi_sections .eh_frame, .debug_frame");

static char *image;
static size_t image_bytes;
static uint64_t vaddr; /* of a function here */

static int find_vaddr(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	(void)bytes;
	(void)arg;
	vaddr = (uint64_t)(uintptr_t)find_vaddr - info->dlpi_addr;
	return 1;
}

static void setup(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat status;

	ck_assert_int_eq(fstat(fd, &status), 0);
	image_bytes = (size_t)status.st_size;
	image = malloc(image_bytes);
	for (size_t at = 0; at < image_bytes;) {
		ssize_t got = read(fd, image + at, image_bytes - at);

		ck_assert_int_gt(got, 0);
		at += (size_t)got;
	}
	close(fd);
	dl_iterate_phdr(find_vaddr, NULL);
}

static void teardown(void)
{
	free(image);
}

static struct elf_file *open_image(void)
{
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open_image(&file,
					      memcpy(malloc(image_bytes), image, image_bytes),
					      image_bytes, "[self]"),
			 0);
	return file;
}

static int open_table(struct unwind_table **table)
{
	struct elf_file *file = open_image();
	struct call_frames frames;
	int err = call_frames__read(&frames, file);

	if (!err)
		err = unwind_table__new(table, &frames);
	ck_assert_uint_eq(file->machine, err ? file->machine : unwind_table__machine(*table));
	elf_file__free(file);
	return err;
}

static const struct cfi_row *find_row(struct unwind_table *table, uint64_t at,
				      const struct cfi_section **section)
{
	uint32_t instructions = BUDGET_STACK_INSTRUCTIONS;

	return unwind_table__find(table, at, &instructions, section);
}

/* The function's row, from the section .eh_frame or .debug_frame. */
static void check_found(bool is_eh)
{
	const struct cfi_section *section;
	const struct cfi_row *row;
	struct unwind_table *table;

	ck_assert_int_eq(open_table(&table), 0);
	row = find_row(table, vaddr, &section);
	ck_assert(row && row->cfa.kind == CFI_REGISTER);
	ck_assert_int_eq(section->is_eh, is_eh);
	ck_assert_ptr_eq(row, find_row(table, vaddr, &section));
	ck_assert_ptr_null(find_row(table, 0, &section));
	ck_assert_ptr_null(find_row(table, UINT64_MAX, &section));
	ck_assert_uint_gt(unwind_table__bytes(table), 1000);
	unwind_table__free(table);
}

START_TEST(test_eh_frame)
{
	check_found(true);
}
END_TEST

static void hide_section(const char *name)
{
	*elf_image__name(image, elf_image__section(image, name)) = '?';
}

static void hide_segment(void)
{
	Elf64_Ehdr *head = (Elf64_Ehdr *)image;
	Elf64_Phdr *segments = (Elf64_Phdr *)(image + head->e_phoff);

	for (int i = 0; i < head->e_phnum; i++)
		if (segments[i].p_type == PT_GNU_EH_FRAME)
			segments[i].p_type = PT_NULL;
}

START_TEST(test_debug_frame)
{
	hide_section(".eh_frame");
	hide_segment();
	check_found(false);
	hide_section(".debug_frame");
	struct unwind_table *table;

	ck_assert_int_eq(open_table(&table), -ENODATA);
}
END_TEST

static int open_itself(const struct debug_finder *finder, const struct elf_file *program,
		       struct elf_file **debug)
{
	(void)finder;
	(void)program;
	*debug = open_image();
	return 0;
}

/* The debug file's .debug_frame takes the place of the file's own. */
START_TEST(test_add_debug)
{
	const struct debug_finder finder = { open_itself };
	const struct cfi_section *section;
	struct call_frames debug_frames, none = { 0 };
	struct unwind_table *table;
	struct elf_file *file = open_image();
	size_t bytes;

	ck_assert_int_eq(call_frames__read_debug(&debug_frames, file, &finder), 0);
	ck_assert_uint_eq(debug_frames.machine, file->machine);
	ck_assert_ptr_null(debug_frames.eh_frame.bytes);
	hide_section(".debug_frame");
	hide_section(".eh_frame");
	hide_segment();
	ck_assert_int_eq(unwind_table__new(&table, &none), 0);
	ck_assert(!unwind_table__has_debug(table));
	bytes = unwind_table__bytes(table);
	ck_assert_ptr_null(find_row(table, vaddr, &section));
	unwind_table__add_debug(table, &debug_frames);
	ck_assert(unwind_table__has_debug(table));
	ck_assert_uint_gt(unwind_table__bytes(table), bytes);
	ck_assert_ptr_nonnull(find_row(table, vaddr, &section));
	unwind_table__free(table);
	elf_file__free(file);
	file = open_image();
	ck_assert_int_eq(call_frames__read_debug(&debug_frames, file, &finder), -ENODATA);
	elf_file__free(file);
}
END_TEST

/* Files without sections: the header for the dynamic linker leads to .eh_frame. */
START_TEST(test_segment_leads_to_table)
{
	Elf64_Ehdr *head = (Elf64_Ehdr *)image;

	head->e_shoff = head->e_shnum = head->e_shstrndx = 0;
	check_found(true);
}
END_TEST

/* More addresses than the cache has room for: each row stays the same. */
START_TEST(test_cache_keeps_rows)
{
	const struct cfi_section *section;
	const struct cfi_row *row;
	struct unwind_table *table;
	uint64_t found[2] = { 0 };

	ck_assert_int_eq(open_table(&table), 0);
	for (int round = 0; round < 2; round++)
		for (uint64_t at = vaddr - 20000; at < vaddr + 20000; at++) {
			row = find_row(table, at, &section);
			found[round] += row ? 1 + row->changed + (uint64_t)row->cfa.number : 0;
		}
	ck_assert_uint_gt(found[0], 10000);
	ck_assert_uint_eq(found[0], found[1]);
	unwind_table__free(table);
}
END_TEST

/* A row that this stack has no instructions left for is found for another stack. */
START_TEST(test_no_instructions)
{
	const struct cfi_section *section;
	struct unwind_table *table;
	uint32_t instructions = 1;

	ck_assert_int_eq(open_table(&table), 0);
	ck_assert_ptr_null(unwind_table__find(table, vaddr, &instructions, &section));
	ck_assert_uint_eq(instructions, 0);
	ck_assert_ptr_nonnull(find_row(table, vaddr, &section));
	ck_assert_ptr_nonnull(unwind_table__find(table, vaddr, &instructions, &section));
	unwind_table__free(table);
}
END_TEST

START_TEST(test_no_memory)
{
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open(&file, open("/proc/self/exe", O_RDONLY), "self"), 0);
	for (unsigned nth = 1; nth; nth++) {
		struct unwind_table *table = NULL;
		const struct cfi_section *section;
		struct call_frames frames;
		int err;

		fail_alloc__begin(nth);
		err = call_frames__read(&frames, file);
		if (!err)
			err = unwind_table__new(&table, &frames);
		if (!err)
			find_row(table, vaddr, &section);
		if (!fail_alloc__end()) {
			unwind_table__free(table);
			break;
		}
		/* Allocations of libelf fail, too: it has no such section then. */
		ck_assert(!err || err == -ENOMEM || err == -ENODATA);
		unwind_table__free(err ? NULL : table);
	}
	elf_file__free(file);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_eh_frame);
	tcase_add_test(tests, test_debug_frame);
	tcase_add_test(tests, test_add_debug);
	tcase_add_test(tests, test_segment_leads_to_table);
	tcase_add_test(tests, test_cache_keeps_rows);
	tcase_add_test(tests, test_no_instructions);
	tcase_add_test(tests, test_no_memory);
}
