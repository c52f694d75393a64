// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_elf_file.c: this test's own program as an ELF file, whole and damaged. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <unistd.h>

#include "elf/elf_file.h"

#include "support/machine/process.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "support/symbols/made_elf.h"

#define SELF "/proc/self/exe"

static struct elf_file *open_self(void)
{
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open(&file, open(SELF, O_RDONLY | O_CLOEXEC), SELF), 0);
	return file;
}

static void *read_file(const char *path, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *image;

	ck_assert_int_eq(fstat(fd, &status), 0);
	*bytes = (size_t)status.st_size;
	image = malloc(*bytes);
	for (size_t at = 0; at < *bytes;) {
		ssize_t count = read(fd, image + at, *bytes - at);

		ck_assert_int_gt(count, 0);
		at += (size_t)count;
	}
	close(fd);
	return image;
}

/* The distance of this program's addresses from those in its file. */
static int find_bias(struct dl_phdr_info *info, size_t bytes, void *bias)
{
	(void)bytes;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1;
}

static int find_small(struct dl_phdr_info *info, size_t bytes, void *path)
{
	(void)bytes;
	*(const char **)path = info->dlpi_name;
	return strstr(info->dlpi_name, "libz.so") != NULL;
}

/* A library of 100 KiB. */
static void *read_small(size_t *bytes)
{
	const char *path = NULL;

	ck_assert_int_eq(dl_iterate_phdr(find_small, &path), 1);
	return read_file(path, bytes);
}

START_TEST(test_finds_addresses)
{
	struct elf_file *file = open_self();
	uint64_t bias, vaddr, found;
	const struct elf_load *load;

	dl_iterate_phdr(find_bias, &bias);
	vaddr = (uint64_t)(uintptr_t)find_bias - bias;
	load = elf_file__find_load(file, vaddr);
	ck_assert(load && load->is_executable);
	ck_assert(elf_file__find_vaddr(file, vaddr - load->vaddr + load->offset, &found));
	ck_assert_uint_eq(found, vaddr);
	ck_assert(!elf_file__find_vaddr(file, UINT64_MAX, &found));
	ck_assert_ptr_null(elf_file__find_load(file, UINT64_MAX));
	ck_assert_uint_eq(file->is_64, sizeof(void *) == 8);
	ck_assert(!file->swapped);
	elf_file__free(file);
}
END_TEST

START_TEST(test_finds_sections)
{
	struct elf_file *file = open_self();
	GElf_Shdr header;
	Elf_Scn *text = elf_file__find_section(file, ".text", &header);

	ck_assert_ptr_nonnull(text);
	ck_assert(header.sh_flags & SHF_EXECINSTR);
	ck_assert_uint_eq(elf_file__content(text).bytes, header.sh_size);
	ck_assert_ptr_null(elf_file__find_section(file, ".no such", NULL));
	ck_assert_ptr_null(elf_file__content(NULL).at);
	elf_file__free(file);
}
END_TEST

/* The file in memory is the same; its descriptor may be closed early. */
START_TEST(test_image_equals_file)
{
	struct elf_file *file = open_self(), *same;
	unsigned fds = process__count_fds();
	size_t bytes;
	void *image = read_file(SELF, &bytes);

	ck_assert_int_eq(elf_file__open_image(&same, image, bytes, "[self]"), 0);
	ck_assert_uint_eq(same->loads_count, file->loads_count);
	ck_assert_uint_eq(same->build_id.bytes, file->build_id.bytes);
	ck_assert_mem_eq(same->build_id.id, file->build_id.id, BUILD_ID_BYTES);
	elf_file__free(same);
	elf_file__close_fd(file);
	ck_assert_uint_eq(process__count_fds(), fds - 1);
	ck_assert_ptr_null(elf_file__content(elf_file__find_section(file, ".text", NULL)).at);
	elf_file__free(file);
}
END_TEST

/* Notes of 2 GiB, of a hole, are not read: the build-id is one of a segment that is small. */
START_TEST(test_large_notes)
{
	static const char id[] = "0123456789abcdefghij";
	const struct made_elf made = {
		.class = ELFCLASS64, .encoding = ELFDATA2LSB, .machine = EM_X86_64, .build_id = id
	};
	int fd = made_elf__fd(&made);
	Elf64_Phdr segments[100] = { { 0 } };
	struct elf_file *file;
	struct rusage usage;
	Elf64_Ehdr head;
	off_t at;

	ck_assert_int_eq(pread(fd, &head, sizeof(head), 0), sizeof(head));
	for (int i = 0; i < 100; i++)
		segments[i] = (Elf64_Phdr){ .p_type = PT_NOTE,
					    .p_offset = 1 << 20,
					    .p_filesz = 2ULL << 30 };
	at = lseek(fd, 0, SEEK_END) + 4096;
	ck_assert_int_eq(pwrite(fd, segments, sizeof(segments), at), sizeof(segments));
	ck_assert_int_eq(ftruncate(fd, 3LL << 30), 0);
	head.e_phoff = (uint64_t)at;
	head.e_phnum = 100;
	ck_assert_int_eq(pwrite(fd, &head, sizeof(head), 0), sizeof(head));
	ck_assert_int_eq(elf_file__open(&file, fd, "notes"), 0);
	ck_assert_uint_eq(file->build_id.bytes, 20); /* of the section */
	ck_assert_mem_eq(file->build_id.id, id, 20);
	getrusage(RUSAGE_SELF, &usage);
	ck_assert_int_lt(usage.ru_maxrss, 1 << 20); /* in KiB */
	elf_file__free(file);
}
END_TEST

START_TEST(test_no_elf)
{
	unsigned fds = process__count_fds();
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open(&file, open("/dev/null", O_RDONLY), "null"), -ENOEXEC);
	ck_assert_int_eq(elf_file__open(&file, open("/proc/self/maps", O_RDONLY), "maps"),
			 -ENOEXEC);
	ck_assert_int_eq(elf_file__open(&file, -1, "none"), -ENOEXEC);
	ck_assert_int_eq(elf_file__open_image(&file, calloc(1, 4), 4, "zero"), -ENOEXEC);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

/* Each field of the header and the first segments with each byte damaged. */
START_TEST(test_damaged_headers_do_no_harm)
{
	size_t bytes;
	uint8_t *whole = read_small(&bytes);
	const size_t damaged = sizeof(Elf64_Ehdr) + 13 * sizeof(Elf64_Phdr);

	for (size_t i = 0; i < damaged; i++) {
		uint8_t *image = memcpy(malloc(bytes), whole, bytes);
		struct elf_file *file;

		image[i] ^= i % 2 ? 0xff : 0x80;
		if (elf_file__open_image(&file, image, bytes, "damaged"))
			continue;
		for (size_t load = 0; load < file->loads_count; load++)
			ck_assert_uint_ge(file->loads[load].offset + file->loads[load].bytes,
					  file->loads[load].offset);
		elf_file__content(elf_file__find_section(file, ".text", NULL));
		elf_file__free(file);
	}
	free(whole);
}
END_TEST

/* A file cut anywhere in its headers, and in half. */
START_TEST(test_cut_file_does_no_harm)
{
	size_t bytes;
	uint8_t *whole = read_small(&bytes);

	for (size_t cut = 0; cut < 1024; cut++) {
		size_t left = cut == 1023 ? bytes / 2 : cut;
		void *image = memcpy(malloc(left + !left), whole, left);
		struct elf_file *file;

		if (!elf_file__open_image(&file, image, left, "cut"))
			elf_file__free(file);
	}
	free(whole);
}
END_TEST

START_TEST(test_no_memory)
{
	for (unsigned nth = 1; nth; nth++) {
		long blocks = fail_alloc__blocks();
		struct elf_file *file = NULL;
		int err, fd = open(SELF, O_RDONLY | O_CLOEXEC);

		fail_alloc__begin(nth);
		err = elf_file__open(&file, fd, SELF);
		if (!err)
			elf_file__free(file);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
		ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	}
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_finds_addresses);
	tcase_add_test(tests, test_finds_sections);
	tcase_add_test(tests, test_image_equals_file);
	tcase_add_test(tests, test_large_notes);
	tcase_add_test(tests, test_no_elf);
	tcase_add_test(tests, test_damaged_headers_do_no_harm);
	tcase_add_test(tests, test_cut_file_does_no_harm);
	tcase_add_test(tests, test_no_memory);
}
