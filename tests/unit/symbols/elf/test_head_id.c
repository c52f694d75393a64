// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_head_id.c: build-ids of files, read from their first bytes: as libelf reads them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/process.h"
#include "elf/elf_file.h"
#include "symbols/elf/head_id.h"
#include "unit/suite.h"

#define OTHER_ORDER (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)

static void check_file(const char *path)
{
	struct build_id id = { 0 };
	struct elf_file *file;
	uint16_t machine;

	ck_assert_int_eq(elf_file__open(&file, open(path, O_RDONLY | O_CLOEXEC), path), 0);
	ck_assert(head_id__read(file->fd, &id));
	ck_assert(build_id__equal(&id, &file->build_id));
	ck_assert(head_id__machine(file->fd, &machine));
	ck_assert_uint_eq(machine, file->machine);
	elf_file__free(file);
}

START_TEST(test_ids_of_programs)
{
	check_file("/proc/self/exe");
	check_file("/bin/sh");
}
END_TEST

static uint64_t swap(uint64_t value, unsigned bytes, bool swapped)
{
	return !swapped ? value : __builtin_bswap64(value) >> (64 - 8 * bytes);
}

/* The header of a file with two segments, the second of notes. */
static size_t make_head(uint8_t *head, int class, bool swapped)
{
	const unsigned char encoding = swapped			    ? OTHER_ORDER
				       : OTHER_ORDER == ELFDATA2MSB ? ELFDATA2LSB
								    : ELFDATA2MSB;
	Elf64_Ehdr *large = (Elf64_Ehdr *)head;
	Elf32_Ehdr *small = (Elf32_Ehdr *)head;
	Elf64_Phdr *notes64 = (Elf64_Phdr *)(head + 64) + 1;
	Elf32_Phdr *notes32 = (Elf32_Phdr *)(head + 64) + 1;

	memset(head, 0, HEAD_BYTES);
	memcpy(head, ELFMAG, SELFMAG);
	head[EI_CLASS] = (uint8_t) class;
	head[EI_DATA] = encoding;
	if (class == ELFCLASS64) {
		large->e_phoff = swap(64, 8, swapped);
		large->e_phentsize = (uint16_t)swap(sizeof(Elf64_Phdr), 2, swapped);
		large->e_phnum = (uint16_t)swap(2, 2, swapped);
		notes64->p_type = (uint32_t)swap(PT_NOTE, 4, swapped);
		notes64->p_offset = swap(0x123456789, 8, swapped);
		notes64->p_filesz = swap(36, 8, swapped);
		notes64->p_align = swap(8, 8, swapped);
		return 64 + 2 * sizeof(Elf64_Phdr);
	}
	small->e_phoff = (uint32_t)swap(64, 4, swapped);
	small->e_phentsize = (uint16_t)swap(sizeof(Elf32_Phdr), 2, swapped);
	small->e_phnum = (uint16_t)swap(2, 2, swapped);
	notes32->p_type = (uint32_t)swap(PT_NOTE, 4, swapped);
	notes32->p_offset = (uint32_t)swap(0x12345678, 4, swapped);
	notes32->p_filesz = (uint32_t)swap(36, 4, swapped);
	notes32->p_align = (uint32_t)swap(4, 4, swapped);
	return 64 + 2 * sizeof(Elf32_Phdr);
}

START_TEST(test_classes_and_byte_orders)
{
	const int class = _i & 1 ? ELFCLASS64 : ELFCLASS32;
	_Alignas(uint64_t) uint8_t head[HEAD_BYTES];
	struct head_notes notes[HEAD_NOTES];
	bool swapped;
	const size_t bytes = make_head(head, class, _i & 2);

	ck_assert_uint_eq(head_id__find_notes(head, bytes, notes, &swapped), 1);
	ck_assert_int_eq(swapped, !!(_i & 2));
	ck_assert_uint_eq(notes[0].offset, class == ELFCLASS64 ? 0x123456789 : 0x12345678);
	ck_assert_uint_eq(notes[0].bytes, 36);
	ck_assert_uint_eq(notes[0].align, class == ELFCLASS64 ? 8 : 4);
	for (size_t cut = 0; cut < bytes; cut++)
		ck_assert_uint_eq(head_id__find_notes(head, cut, notes, &swapped), 0);
}
END_TEST

/* Segments anywhere, of any size, and many of them: little is read. */
START_TEST(test_hostile_headers_read_little)
{
	_Alignas(uint64_t) uint8_t head[HEAD_BYTES];
	Elf64_Ehdr *header = (Elf64_Ehdr *)head;
	struct head_notes notes[HEAD_NOTES];
	struct build_id id;
	uint16_t machine;
	bool swapped;
	int fd = memfd_create("head", MFD_CLOEXEC);

	make_head(head, ELFCLASS64, false);
	header->e_phentsize = 8;
	ck_assert_uint_eq(head_id__find_notes(head, HEAD_BYTES, notes, &swapped), 0);
	header->e_phentsize = sizeof(Elf64_Phdr);
	header->e_phnum = 0xffff;
	header->e_phoff = UINT64_MAX - 10;
	ck_assert_uint_eq(head_id__find_notes(head, HEAD_BYTES, notes, &swapped), 0);
	header->e_phoff = 64;
	for (unsigned i = 0; i < (HEAD_BYTES - 64) / sizeof(Elf64_Phdr); i++)
		((Elf64_Phdr *)(head + 64))[i] =
			(Elf64_Phdr){ .p_type = PT_NOTE, .p_offset = 8192, .p_filesz = 2ULL << 30 };
	ck_assert_uint_eq(head_id__find_notes(head, HEAD_BYTES, notes, &swapped), HEAD_NOTES);
	ck_assert_int_eq(pwrite(fd, head, sizeof(head), 0), sizeof(head));
	ck_assert_int_eq(ftruncate(fd, 4LL << 30), 0);
	ck_assert(!head_id__read(fd, &id));
	ck_assert(!head_id__read(-1, &id));
	ck_assert(!head_id__machine(-1, &machine));
	ck_assert_int_eq(pwrite(fd, "none", 4, 0), 4);
	ck_assert(!head_id__machine(fd, &machine));
	close(fd);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_ids_of_programs);
	tcase_add_loop_test(tests, test_classes_and_byte_orders, 0, 4);
	tcase_add_test(tests, test_hostile_headers_read_little);
}
