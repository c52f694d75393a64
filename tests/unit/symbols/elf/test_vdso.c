// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_vdso.c: the vdso of this process. */
#include <string.h>
#include <sys/auxv.h>

#include "symbols/elf/elf_symbols.h"
#include "symbols/elf/vdso.h"
#include "unit/suite.h"

START_TEST(test_functions_of_the_vdso)
{
	struct elf_symbols symbols = { 0 };
	bool has_clock = false;
	struct elf_file *file;

	if (!getauxval(AT_SYSINFO_EHDR))
		skip("this process has no vdso");
	ck_assert_int_eq(vdso__open(&file), 0);
	ck_assert_str_eq(file->path, "[vdso]");
	ck_assert_int_eq(elf_symbols__add(&symbols, file, file), 0);
	elf_symbols__finish(&symbols, false);
	for (uint32_t i = 0; i < symbols.count; i++)
		has_clock = has_clock || strstr(symbols.list[i].raw_name, "clock_gettime");
	ck_assert(has_clock);
	elf_symbols__free(&symbols);
	elf_file__free(file);
}
END_TEST

START_TEST(test_other_class)
{
	ck_assert(vdso__is_ours(getauxval(AT_SYSINFO_EHDR)));
	if (sizeof(void *) == 8)
		ck_assert(!vdso__is_ours(0xf7fc0000));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_functions_of_the_vdso);
	tcase_add_test(tests, test_other_class);
}
