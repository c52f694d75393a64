// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_type_files.c: objects that are opened and closed, and their types as BTF again. */
#include <errno.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <peat/log.h>
#include <peat/schema.h>

#include "foreign_objects.h"
#include "object/infer/event_type.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#ifdef HAVE_LIBDW
#define need_libdw()
#else
#define need_libdw() skip("built without libdw")
#endif

static struct bpf_object *object;
static struct infer *guesser;

static void ignore(enum peat_log_level level, const char *text)
{
	(void)level;
	(void)text;
}

static void setup(void)
{
	peat_set_print(ignore);
	object = object__open(foreign);
}

static void teardown(void)
{
	bpf_object__close(object);
}

static void open_file(void)
{
	guesser = infer__open_mem(object, foreign->bytes, *foreign->count);
	ck_assert_msg(guesser, "%s", strerror(errno));
}

static void check_type(const char *map, const char *name, const char *wanted)
{
	struct inferred_type type;

	ck_assert_int_eq(infer__map_type(guesser, map, name, &type), 0);
	ck_assert_msg(type.schema, "%s: %s", map, type.why);
	ck_assert_str_eq(peat_schema__name(type.schema), wanted);
	inferred_type__free(&type);
	ck_assert_ptr_null(type.schema);
	ck_assert_ptr_null(type.why);
}

/* ---- opening --------------------------------------------------------------------------------- */

START_TEST(test_object_twice)
{
	for (int i = 0; i < 2; i++) {
		open_file();
		check_type("mapped", NULL, "kept");
		check_type("valued", NULL, "twin_two");
		infer__free(guesser);
	}
}
END_TEST

START_TEST(test_other_bytes)
{
	static const char text[] = "nothing that is an object";
	long blocks = fail_alloc__blocks();

	for (size_t bytes = 0; bytes < sizeof(text); bytes++) {
		errno = 0;
		ck_assert_ptr_null(infer__open_mem(object, text, bytes));
		ck_assert_int_eq(errno, EBADMSG);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

/* Types of all origins, found and missing. */
static void use_all(void)
{
	struct inferred_type type;
	struct btf *btf;
	uint32_t id;

	open_file();
	check_type("mapped", NULL, "kept");
	check_type("mapped", NULL, "kept");
	check_type("valued", NULL, "twin_two");
	check_type("untouched", "inner_t", "inner_t");
	ck_assert_int_eq(infer__map_type(guesser, "plain", "none", &type), -ENOENT);
	ck_assert_int_eq(infer__map_type(guesser, "odd", NULL, &type), 0);
	ck_assert_ptr_null(type.schema);
	inferred_type__free(&type);
	ck_assert_int_eq(infer__export(guesser, "kept", 224, &btf, &id), 0);
	btf__free(btf);
	infer__free(guesser);
}

START_TEST(test_nothing_is_left)
{
	long blocks;

	use_all(); /* libraries keep some memory */
	blocks = fail_alloc__blocks();
	use_all();
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

/* Types of an object that has BTF alone; the kernel's types are read before. */
static void try_type(const char *map, const char *name)
{
	struct inferred_type type;
	long blocks;

	guesser = infer__open_mem(object, foreign->bytes, *foreign->count);
	ck_assert_ptr_nonnull(guesser);
	infer__map_type(guesser, "mapped", NULL, &type);
	inferred_type__free(&type);
	blocks = fail_alloc__blocks();
	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = infer__map_type(guesser, map, name, &type);
		if (!fail_alloc__end()) {
			inferred_type__free(&type);
			break;
		}
		if (!err) { /* a library has done without */
			ck_assert_ptr_nonnull(type.why);
			inferred_type__free(&type);
			continue;
		}
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_ptr_null(type.schema);
		ck_assert_ptr_null(type.why);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
	infer__free(guesser);
}

START_TEST(test_no_memory)
{
	try_type("valued", NULL);
	try_type("mapped", NULL);
	try_type("mapped", "kept");
}
END_TEST

START_TEST(test_no_memory_to_open)
{
	fail_alloc__begin(1);
	guesser = infer__open_mem(object, foreign->bytes, *foreign->count);
	if (fail_alloc__end())
		ck_assert_ptr_null(guesser);
	else
		infer__free(guesser);
}
END_TEST

/* ---- as BTF again ---------------------------------------------------------------------------- */

/* The type of this name and size has `fields` members. */
static void check_export(const char *name, uint32_t bytes, uint32_t fields)
{
	const struct btf_type *type;
	struct btf *btf = NULL;
	uint32_t id;

	ck_assert_int_eq(infer__export(guesser, name, bytes, &btf, &id), 0);
	type = btf__type_by_id(btf, id);
	ck_assert_ptr_nonnull(type);
	ck_assert_str_eq(btf__name_by_offset(btf, type->name_off), name);
	ck_assert_uint_eq(type->size, bytes);
	ck_assert_uint_eq(btf_vlen(type), fields);
	btf__free(btf);
}

START_TEST(test_type_in_the_btf)
{
	open_file();
	check_export("kept", 224, 28);
	check_export("twin_two", 40, 1);
	infer__free(guesser);
}
END_TEST

START_TEST(test_type_in_the_dwarf)
{
	need_libdw();
	open_file();
	check_export("local", 24, 3);
	check_export("wrapped", 56, 7);
	infer__free(guesser);
}
END_TEST

START_TEST(test_missing_type)
{
	struct btf *btf;
	uint32_t id = 7;

	open_file();
	ck_assert_int_eq(infer__export(guesser, "none", 24, &btf, &id), -ENOENT);
	ck_assert_uint_eq(id, 0);
	ck_assert_int_eq(infer__export(guesser, "kept", 223, &btf, &id), -ENOENT);
	infer__free(guesser);
}
END_TEST

START_TEST(test_all_types)
{
	struct btf *btf = NULL;
	uint32_t id = 7;

	open_file();
	ck_assert_int_eq(infer__export(guesser, NULL, 0, &btf, &id), 0);
	ck_assert_uint_eq(id, 0);
	ck_assert_uint_eq(btf__type_cnt(btf), btf__type_cnt(bpf_object__btf(object)));
	ck_assert_int_gt(btf__find_by_name_kind(btf, "kept", BTF_KIND_STRUCT), 0);
	btf__free(btf);
	infer__free(guesser);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_object_twice);
	tcase_add_test(tests, test_other_bytes);
	tcase_add_test(tests, test_nothing_is_left);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_no_memory_to_open);
	tcase_add_test(tests, test_type_in_the_btf);
	tcase_add_test(tests, test_type_in_the_dwarf);
	tcase_add_test(tests, test_missing_type);
	tcase_add_test(tests, test_all_types);
}
