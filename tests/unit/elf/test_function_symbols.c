// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_function_symbols.c: the symbols of functions, of made files and of damaged ones. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "elf/elf_file.h"
#include "elf/function_symbols.h"

#include "support/symbols/made_elf.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define VADDR	     0x400000

static char long_name[FUNCTION_NAME_BYTES + 2], longest_name[FUNCTION_NAME_BYTES + 1];

static const struct made_symbol functions[] = {
	{ "plain", VADDR + 0x1100, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "weak@V_1", VADDR + 0x1110, 8, STB_WEAK, STT_FUNC, 0, 0 },
	{ "indirect", VADDR + 0x1120, 8, STB_GLOBAL, STT_GNU_IFUNC, 0, 0 },
	{ "@start", VADDR + 0x1130, 8, STB_LOCAL, STT_FUNC, 0, 0 },
	{ "", VADDR + 0x1140, 8, STB_LOCAL, STT_FUNC, 0, 0 },
	{ "data", VADDR + 0x1150, 8, STB_GLOBAL, STT_OBJECT, 0, 0 },
	{ "label", VADDR + 0x1160, 8, STB_GLOBAL, STT_NOTYPE, 0, 0 },
	{ "before", VADDR + 0xfff, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "behind", VADDR + 0x2000, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ "last", VADDR + 0x1fff, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ long_name, VADDR + 0x1170, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	{ longest_name, VADDR + 0x1180, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
};

static const struct made_symbol dynamic[] = {
	{ "plain", VADDR + 0x1800, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
};

static struct made_elf made_functions(void)
{
	struct made_elf made = made_elf__own();

	memset(long_name, 'l', FUNCTION_NAME_BYTES + 1);
	memset(longest_name, 'm', FUNCTION_NAME_BYTES);
	made.vaddr = VADDR;
	made.memory_bytes = 0x4000;
	made.symbols = functions;
	made.symbols_count = COUNT(functions);
	made.dynamic = dynamic;
	made.dynamic_count = COUNT(dynamic);
	return made;
}

static struct elf_file *open_made(const struct made_elf *made)
{
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open(&file, made_elf__fd(made), "made"), 0);
	return file;
}

struct visited {
	size_t count, stop_after;
	struct function_symbol at[16];
	char names[16][16];
};

static int visit(void *arg, const struct function_symbol *symbol)
{
	struct visited *visited = arg;

	ck_assert_uint_lt(visited->count, COUNT(visited->at));
	snprintf(visited->names[visited->count], 16, "%.*s",
		 symbol->name_bytes < 15 ? (int)symbol->name_bytes : 15, symbol->name);
	visited->at[visited->count++] = *symbol;
	return visited->count == visited->stop_after ? -ECANCELED : 0;
}

START_TEST(test_visits_functions_with_code)
{
	struct made_elf made = made_functions();
	struct elf_file *file = open_made(&made);
	struct visited visited = { 0 };

	ck_assert_int_eq(function_symbols__visit(file, SHT_SYMTAB, visit, &visited), 0);
	elf_file__free(file);
	ck_assert_uint_eq(visited.count, 6);
	ck_assert_str_eq(visited.names[0], "plain");
	ck_assert_uint_eq(visited.at[0].offset, 0x1100);
	ck_assert(visited.at[0].is_executable && !visited.at[0].is_weak);
	ck_assert_uint_eq(visited.at[0].version_bytes, 0);
	ck_assert_str_eq(visited.names[1], "weak");
	ck_assert_uint_eq(visited.at[1].version_bytes, 4);
	ck_assert(visited.at[1].is_weak && !visited.at[1].is_indirect);
	ck_assert_str_eq(visited.names[2], "indirect");
	ck_assert(visited.at[2].is_indirect);
	ck_assert_str_eq(visited.names[3], "@start");
	ck_assert_str_eq(visited.names[4], "last");
	ck_assert_uint_eq(visited.at[4].offset, 0x1fff);
	ck_assert_uint_eq(visited.at[5].name_bytes, FUNCTION_NAME_BYTES);
}
END_TEST

START_TEST(test_visits_tables_of_the_type)
{
	struct made_elf made = made_functions();
	struct elf_file *file = open_made(&made);
	struct visited visited = { 0 };

	ck_assert_int_eq(function_symbols__visit(file, SHT_DYNSYM, visit, &visited), 0);
	elf_file__free(file);
	ck_assert_uint_eq(visited.count, 1);
	ck_assert_uint_eq(visited.at[0].offset, 0x1800);
}
END_TEST

START_TEST(test_stops_at_the_first_result)
{
	struct made_elf made = made_functions();
	struct elf_file *file = open_made(&made);
	struct visited visited = { .stop_after = 2 };

	ck_assert_int_eq(function_symbols__visit(file, SHT_SYMTAB, visit, &visited), -ECANCELED);
	elf_file__free(file);
	ck_assert_uint_eq(visited.count, 2);
}
END_TEST

/* The file has a hole where the table is said to be. */
START_TEST(test_refuses_huge_tables)
{
	struct made_elf made = made_functions();
	int fd = made_elf__fd(&made);
	struct visited visited = { 0 };
	struct elf_file *file;
	GElf_Ehdr header;
	Elf64_Shdr section;

	ck_assert_int_eq(elf_file__open(&file, dup(fd), "made"), 0);
	ck_assert_ptr_nonnull(gelf_getehdr(file->elf, &header));
	elf_file__free(file);
	for (uint64_t i = 0; i < header.e_shnum; i++) {
		off_t at = (off_t)(header.e_shoff + i * sizeof(section));

		ck_assert_int_eq(pread(fd, &section, sizeof(section), at), sizeof(section));
		section.sh_size =
			section.sh_type == SHT_SYMTAB ? UINT64_C(2) << 30 : section.sh_size;
		ck_assert_int_eq(pwrite(fd, &section, sizeof(section), at), sizeof(section));
	}
	ck_assert_int_eq(ftruncate(fd, INT64_C(3) << 30), 0);
	ck_assert_int_eq(elf_file__open(&file, fd, "made"), 0);
	ck_assert_int_eq(function_symbols__visit(file, SHT_SYMTAB, visit, &visited), -E2BIG);
	elf_file__free(file);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	struct made_elf made = made_functions();
	unsigned failures = 0;

	for (unsigned nth = 1; nth; nth++) {
		struct elf_file *file = open_made(&made);
		struct visited visited = { 0 };
		int err;

		fail_alloc__begin(nth);
		err = function_symbols__visit(file, SHT_SYMTAB, visit, &visited);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_int_eq(err, nth == UINT32_MAX ? 0 : -ENOMEM);
		failures += err != 0;
		elf_file__free(file);
	}
	ck_assert_uint_lt(failures, 30);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_visits_functions_with_code);
	tcase_add_test(tests, test_visits_tables_of_the_type);
	tcase_add_test(tests, test_stops_at_the_first_result);
	tcase_add_test(tests, test_refuses_huge_tables);
	tcase_add_test(tests, test_memory_runs_out);
}
