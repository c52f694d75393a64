// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_untyped_functions.c: types and sizes of functions whose symbols have none. */
#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf_image.h"
#include "object/untyped_functions.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(legacy_maps)

static void *image;
static unsigned failing; /* the number of the allocation that fails; 0: none */
static bool has_failed;

static Elf64_Sym *symbol(const char *name)
{
	return elf_image__symbol(image, name);
}

static void remove_type(const char *name)
{
	symbol(name)->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
	symbol(name)->st_size = 0;
}

static void setup(void)
{
	image = malloc(*legacy_maps_object.count);
	ck_assert_ptr_nonnull(image);
	memcpy(image, legacy_maps_object.bytes, *legacy_maps_object.count);
	remove_type("use_maps");
	remove_type("use_none");
	remove_type("counts");
}

static void teardown(void)
{
	free(image);
	failing = 0;
}

static int use(void)
{
	Elf *elf = elf_memory(image, *legacy_maps_object.count);
	Elf_Scn *section = NULL;
	int err;

	elf_version(EV_CURRENT);
	ck_assert_ptr_nonnull(elf);
	while ((section = elf_nextscn(elf, section)))
		if (elf64_getshdr(section)->sh_type == SHT_SYMTAB)
			break;
	fail_alloc__begin(failing);
	err = untyped_functions__use(elf, section);
	has_failed = fail_alloc__end();
	elf_end(elf);
	return err;
}

static void check_function(const char *name, uint64_t size)
{
	ck_assert_uint_eq(ELF64_ST_TYPE(symbol(name)->st_info), STT_FUNC);
	ck_assert_uint_eq(symbol(name)->st_size, size);
}

/* Both are in one section. */
START_TEST(test_functions_get_types)
{
	uint64_t start = symbol("use_none")->st_value;
	uint64_t end = elf_image__section(image, "raw_tp/task_rename")->sh_size;

	ck_assert_uint_gt(start, 0);
	ck_assert_int_eq(use(), 0);
	check_function("use_maps", start);
	check_function("use_none", end - start);
	ck_assert_uint_eq(ELF64_ST_TYPE(symbol("counts")->st_info), STT_NOTYPE);
}
END_TEST

START_TEST(test_names_of_one_function)
{
	symbol("use_none")->st_value = 0;
	ck_assert_int_eq(use(), 0);
	check_function("use_maps", elf_image__section(image, "raw_tp/task_rename")->sh_size);
	check_function("use_none", symbol("use_maps")->st_size);
}
END_TEST

/* The labels of such an object can be of assembly. */
START_TEST(test_object_with_types)
{
	symbol("use_maps")->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	ck_assert_int_eq(use(), 0);
	ck_assert_uint_eq(ELF64_ST_TYPE(symbol("use_none")->st_info), STT_NOTYPE);
	ck_assert_uint_eq(symbol("use_maps")->st_size, 0);
}
END_TEST

START_TEST(test_function_past_the_section)
{
	symbol("use_none")->st_value = 1 << 20;
	ck_assert_int_eq(use(), 0);
	check_function("use_none", 0);
}
END_TEST

START_TEST(test_no_memory)
{
	int err;

	failing = 1;
	err = use();
	ck_assert_int_eq(err, has_failed ? -ENOMEM : 0);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_functions_get_types);
	tcase_add_test(tests, test_names_of_one_function);
	tcase_add_test(tests, test_object_with_types);
	tcase_add_test(tests, test_function_past_the_section);
	tcase_add_test(tests, test_no_memory);
}
