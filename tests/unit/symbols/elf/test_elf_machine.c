// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_elf_machine.c: machines and the ELF files that they run. */
#include <elf.h>
#include <sys/utsname.h>

#include "support/symbols/made_elf.h"
#include "symbols/elf/elf_machine.h"
#include "unit/suite.h"

START_TEST(test_machines_run_files)
{
	ck_assert(elf_machine__runs("x86_64", EM_X86_64));
	ck_assert(elf_machine__runs("x86_64", EM_386));
	ck_assert(elf_machine__runs("i686", EM_X86_64));
	ck_assert(elf_machine__runs("aarch64", EM_ARM));
	ck_assert(elf_machine__runs("armv7l", EM_ARM));
	ck_assert(elf_machine__runs("s390x", EM_S390));
	ck_assert(elf_machine__runs("ppc64le", EM_PPC64));
	ck_assert(!elf_machine__runs("x86_64", EM_AARCH64));
	ck_assert(!elf_machine__runs("x86_64", EM_S390));
	ck_assert(!elf_machine__runs("x86_64", EM_NONE));
	ck_assert(!elf_machine__runs("s390x", EM_X86_64));
	ck_assert(!elf_machine__runs("s390x", EM_NONE));
}
END_TEST

START_TEST(test_unknown_machines_run_any)
{
	ck_assert(elf_machine__runs("", EM_X86_64));
	ck_assert(elf_machine__runs("vax", EM_X86_64));
}
END_TEST

START_TEST(test_this_machine)
{
	struct utsname own;

	ck_assert_int_eq(uname(&own), 0);
	ck_assert(elf_machine__runs(own.machine, made_elf__own().machine));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_machines_run_files);
	tcase_add_test(tests, test_unknown_machines_run_any);
	tcase_add_test(tests, test_this_machine);
}
