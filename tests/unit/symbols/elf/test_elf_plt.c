// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_elf_plt.c: entries of the PLT of this program and of libc. */
#include <dlfcn.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/elf/elf_plt.h"
#include "unit/suite.h"

static struct elf_symbols read_plt(const char *path)
{
	struct elf_symbols symbols = { 0 };
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open(&file, open(path, O_RDONLY | O_CLOEXEC), path), 0);
	ck_assert_int_eq(elf_plt__add(&symbols, file), 0);
	elf_file__free(file);
	elf_symbols__finish(&symbols, true);
	return symbols;
}

static int find_bias(struct dl_phdr_info *info, size_t bytes, void *bias)
{
	(void)bytes;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1;
}

/* The slots of this program that have been filled in by the linker lead to the named functions. */
START_TEST(test_slots_of_this_program)
{
	struct elf_symbols symbols = read_plt("/proc/self/exe");
	unsigned found = 0;
	uint64_t bias;

	dl_iterate_phdr(find_bias, &bias);
	for (uint32_t i = 0; i < symbols.count; i++) {
		const char *name = symbols.list[i].raw_name;
		const char *at = strstr(name, "@plt");

		ck_assert(at && !at[4]);
		ck_assert(symbols.list[i].end > symbols.list[i].begin);
		found += !strcmp(name, "getenv@plt") || !strcmp(name, "abort@plt");
	}
	ck_assert_uint_gt(found, 0);
#ifdef __x86_64__
	for (uint32_t i = 0; i < symbols.count; i++) {
		const uint8_t *code = (const uint8_t *)(uintptr_t)(symbols.list[i].begin + bias);
		int32_t distance;
		size_t at = 0;
		void *target;
		Dl_info info;

		if (strcmp(symbols.list[i].raw_name, "getenv@plt") != 0)
			continue;
		while (code[at] != 0xff || code[at + 1] != 0x25)
			at++;
		memcpy(&distance, code + at + 2, sizeof(distance));
		memcpy(&target, code + at + 6 + distance, sizeof(target));
		getenv("PATH");
		if (dladdr(target, &info) && info.dli_sname)
			ck_assert_str_eq(info.dli_sname, "getenv");
	}
#endif
	elf_symbols__free(&symbols);
}
END_TEST

/* Slots of functions that libc chooses at start have the name of the chooser. */
START_TEST(test_slots_chosen_at_start)
{
	struct elf_symbols symbols = { 0 };
	struct elf_file *file;
	unsigned found = 0;
	Dl_info info;

	ck_assert(dladdr((void *)(uintptr_t)gnu_get_libc_version, &info));
	ck_assert_int_eq(elf_file__open(&file, open(info.dli_fname, O_RDONLY | O_CLOEXEC), "libc"),
			 0);
	if (file->machine != EM_X86_64) {
		elf_file__free(file);
		skip("entries are decoded on x86-64 only");
	}
	ck_assert_int_eq(elf_symbols__add(&symbols, file, file), 0);
	elf_file__free(file);
	for (uint32_t i = 0; i < symbols.count; i++)
		found += !strcmp(symbols.list[i].raw_name, "memcpy@plt") ||
			 !strcmp(symbols.list[i].raw_name, "strlen@plt");
	ck_assert_uint_gt(found, 0);
	elf_symbols__free(&symbols);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_slots_of_this_program);
	tcase_add_test(tests, test_slots_chosen_at_start);
}
