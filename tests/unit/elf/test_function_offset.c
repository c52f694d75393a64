// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_function_offset.c: functions of made files, and of this test's own program, by name. */
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/function_offset.h"

#include "support/machine/process.h"
#include "support/symbols/made_elf.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define VADDR	     0x400000

static const struct made_symbol functions[] = {
	{ "plain", VADDR + 0x1100, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "plainer", VADDR + 0x1110, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "local", VADDR + 0x1120, 8, STB_LOCAL, STT_FUNC, 0, 0 },
	{ "weak", VADDR + 0x1130, 8, STB_WEAK, STT_FUNC, 0, 0 },
	{ "versioned@@V_2", VADDR + 0x1140, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "strong", VADDR + 0x1150, 8, STB_WEAK, STT_FUNC, 0, 0 },
	{ "strong", VADDR + 0x1160, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "strong", VADDR + 0x1170, 8, STB_WEAK, STT_FUNC, 0, 0 },
	{ "two", VADDR + 0x1180, 8, STB_LOCAL, STT_FUNC, 0, 0 },
	{ "two", VADDR + 0x1190, 8, STB_LOCAL, STT_FUNC, 0, 0 },
	{ "twice", VADDR + 0x11a0, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "twice", VADDR + 0x11a0, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "indirect", VADDR + 0x11a8, 8, STB_GLOBAL, STT_GNU_IFUNC, 0, 0 },
	{ "data", VADDR + 0x11b0, 8, STB_GLOBAL, STT_OBJECT, 0, 0 },
	{ "outside", VADDR + 0x1fff1000, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "at_the_end", VADDR + 0x1fff, 1, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "not_in_the_file", VADDR + 0x2000, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
};

/* In a second table. */
static const struct made_symbol dynamic[] = {
	{ "plain", VADDR + 0x1800, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
};

static const char *path_of(const struct made_elf *made)
{
	static char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", made_elf__fd(made));
	return path;
}

static const char *made_path(uint32_t table, int class, int encoding, uint16_t machine)
{
	struct made_elf made = {
		.class = class,
		.encoding = encoding,
		.machine = machine,
		.vaddr = VADDR,
		.memory_bytes = 0x4000,
		.table = table,
		.symbols = functions,
		.symbols_count = COUNT(functions),
	};

	return path_of(&made);
}

static void check(const char *path, const char *function, uint64_t wanted)
{
	uint64_t offset = 0;

	ck_assert_msg(!function_offset__find(path, function, &offset), "%s", function);
	ck_assert_uint_eq(offset, wanted);
}

static void check_fails(const char *path, const char *function, int err)
{
	uint64_t offset;

	ck_assert_int_eq(function_offset__find(path, function, &offset), err);
}

START_TEST(test_finds_functions_by_name)
{
	const char *path = made_path(SHT_SYMTAB, ELFCLASS64, ELFDATA2LSB, EM_X86_64);

	check(path, "plain", 0x1100);
	check(path, "plainer", 0x1110);
	check(path, "local", 0x1120);
	check(path, "weak", 0x1130);
	check(path, "versioned", 0x1140);
	check(path, "versioned@@V_2", 0x1140);
	check_fails(path, "versioned@@V_3", -ENOENT);
	check(path, "strong", 0x1160);
	check(path, "twice", 0x11a0);
	check_fails(path, "two", -ENOTUNIQ);
	check_fails(path, "indirect", -ENOENT);
	check_fails(path, "data", -ENOENT);
	check_fails(path, "outside", -ENOENT);
	check(path, "at_the_end", 0x1fff);
	check_fails(path, "not_in_the_file", -ENOENT);
	check_fails(path, "plai", -ENOENT);
	check_fails(path, "missing", -ENOENT);
}
END_TEST

START_TEST(test_other_files)
{
	check(made_path(SHT_DYNSYM, ELFCLASS64, ELFDATA2LSB, EM_X86_64), "plain", 0x1100);
	check(made_path(SHT_SYMTAB, ELFCLASS64, ELFDATA2MSB, EM_S390), "plain", 0x1100);
	check(made_path(SHT_SYMTAB, ELFCLASS32, ELFDATA2LSB, EM_386), "plain", 0x1100);
}
END_TEST

/* The dynamic table is first, wherever it is in the file. */
START_TEST(test_two_tables)
{
	struct made_elf made = made_elf__own();
	const char *path;

	made.vaddr = VADDR;
	made.symbols = functions;
	made.symbols_count = COUNT(functions);
	made.dynamic = dynamic;
	made.dynamic_count = COUNT(dynamic);
	path = path_of(&made);
	check(path, "plain", 0x1800);
	check(path, "local", 0x1120);
}
END_TEST

START_TEST(test_file_descriptors)
{
	const char *path = made_path(SHT_SYMTAB, ELFCLASS64, ELFDATA2LSB, EM_X86_64);
	unsigned fds = process__count_fds();
	long blocks = fail_alloc__blocks();

	check(path, "plain", 0x1100);
	check_fails(path, "missing", -ENOENT);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

START_TEST(test_errors_of_files)
{
	char fifo[64];

	snprintf(fifo, sizeof(fifo), "/tmp/test_function_offset.%d", (int)getpid());
	check_fails("/no/such", "plain", -ENOENT);
	check_fails("/", "plain", -ENOEXEC);
	check_fails("/proc/self/stat", "plain", -ENOEXEC);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	check_fails(fifo, "plain", -ENOEXEC);
	ck_assert_int_eq(unlink(fifo), 0);
}
END_TEST

static int find_bias(struct dl_phdr_info *info, size_t bytes, void *bias)
{
	(void)bytes;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1;
}

/* A function of this program: the file has at the offset what memory has. */
__attribute__((noinline, used)) int test_function_offset_own(int number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

START_TEST(test_own_program)
{
	uint64_t bias, offset, address = (uint64_t)(uintptr_t)&test_function_offset_own;
	unsigned char bytes[8];
	FILE *file = fopen("/proc/self/exe", "re");

	dl_iterate_phdr(find_bias, &bias);
	ck_assert_int_eq(
		function_offset__find("/proc/self/exe", "test_function_offset_own", &offset), 0);
	ck_assert_uint_eq(offset & 0xfff, (address - bias) & 0xfff);
	ck_assert_int_eq(fseek(file, (long)offset, SEEK_SET), 0);
	ck_assert_uint_eq(fread(bytes, 1, sizeof(bytes), file), sizeof(bytes));
	ck_assert_mem_eq(bytes, (const void *)(uintptr_t)address, sizeof(bytes));
	fclose(file);
	check_fails("/proc/self/exe", "mkfifo", -ENOENT); /* a function of the C library */
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_functions_by_name);
	tcase_add_test(tests, test_other_files);
	tcase_add_test(tests, test_two_tables);
	tcase_add_test(tests, test_file_descriptors);
	tcase_add_test(tests, test_errors_of_files);
	tcase_add_test(tests, test_own_program);
}
