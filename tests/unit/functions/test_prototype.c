// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_prototype.c: prototypes of functions, in made BTF and in the running kernel's. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "function_btf.h"
#include "object/kernel_btf.h"
#include "unit/fail_alloc.h"

static struct prototypes *opened;

static int add_function(const char *name, uint32_t prototype)
{
	return known(btf__add_func(btf, name, BTF_FUNC_STATIC, (int)prototype));
}

static void open_btf(bool is_user)
{
	ck_assert_int_eq(prototypes__open_btf(&opened, btf, is_user), 0);
}

static bool finds(const char *function, struct prototype *found)
{
	return prototypes__find(opened, function, NULL, found);
}

START_TEST(test_functions_are_found)
{
	struct prototype one = PROTOTYPE(0, { "a", u32 }), other = PROTOTYPE(s32, { "b", u32 });
	struct prototype found;

	add_function("one", one.id);
	add_function("other", other.id);
	begin("no_function", 4);
	open_btf(false);
	ck_assert(finds("other", &found));
	ck_assert_ptr_eq(found.btf, btf);
	ck_assert_uint_eq(found.id, other.id);
	ck_assert(!found.is_user);
	ck_assert(finds("one", &found));
	ck_assert_uint_eq(found.id, one.id);
	ck_assert(!finds("no_function", &found));
	ck_assert_ptr_null(found.btf);
	ck_assert(!finds("oth", &found));
	ck_assert(!finds("", &found));
	ck_assert(!prototypes__find(opened, "one", "some_module", &found));
	prototypes__free(opened);
	open_btf(true);
	ck_assert(finds("one", &found));
	ck_assert(found.is_user);
	ck_assert(!finds("none", &found));
	ck_assert(found.is_user);
	prototypes__free(opened);
}
END_TEST

START_TEST(test_changed_functions_are_unknown)
{
	struct prototype one = PROTOTYPE(0, { "a", u32 }), found;
	static const char *const changed[] = {
		"one.isra.0", "one.constprop.0", "one.part.0",	     "one.cold",
		"one.",	      ".llvm.1",	 "one.isra.0.llvm.1"
	};

	add_function("one", one.id);
	open_btf(false);
	for (size_t i = 0; i < sizeof(changed) / sizeof(*changed); i++)
		ck_assert_msg(!finds(changed[i], &found), "%s", changed[i]);
	ck_assert(finds("one.llvm.8437192", &found));
	ck_assert_uint_eq(found.id, one.id);
	prototypes__free(opened);
}
END_TEST

/* Static functions of two files may have one name. */
START_TEST(test_ambiguous_names_are_unknown)
{
	struct prototype one = PROTOTYPE(0, { "a", u32 }), other = PROTOTYPE(s32, { "b", u32 });
	struct prototype found;

	add_function("same", one.id);
	add_function("same", one.id);
	add_function("differs", one.id);
	add_function("differs", other.id);
	open_btf(false);
	ck_assert(finds("same", &found));
	ck_assert(!finds("differs", &found));
	prototypes__free(opened);
}
END_TEST

START_TEST(test_invalid_functions_are_unknown)
{
	struct prototype found;
	struct btf_type *type;
	int nameless;

	add_function("of_number", (uint32_t)u32);
	add_function("of_nothing", 100000);
	nameless = add_function("nameless", PROTOTYPE(0, { "a", u32 }).id);
	type = (struct btf_type *)(uintptr_t)btf__type_by_id(btf, (uint32_t)nameless);
	type->name_off = 1 << 20;
	open_btf(false);
	ck_assert(!finds("of_number", &found));
	ck_assert(!finds("of_nothing", &found));
	ck_assert(!finds("nameless", &found));
	prototypes__free(opened);
	prototypes__free(NULL);
}
END_TEST

START_TEST(test_named_parameters)
{
	struct prototype fixed = PROTOTYPE(0, { "a", u32 }, { "b", u32 });
	struct prototype more = PROTOTYPE(0, { "a", u32 }, { NULL, 0 });
	struct prototype none = { .btf = btf, .id = add_prototype(0, NULL, 0) };
	struct prototype unknown = { 0 };
	bool is_variadic = true;

	ck_assert_uint_eq(prototype__named(&fixed, &is_variadic), 2);
	ck_assert(!is_variadic);
	ck_assert_uint_eq(prototype__named(&more, &is_variadic), 1);
	ck_assert(is_variadic);
	ck_assert_uint_eq(prototype__named(&none, &is_variadic), 0);
	ck_assert(!is_variadic);
	ck_assert_uint_eq(prototype__named(&unknown, NULL), 0);
}
END_TEST

static void write_file(const char *path, const void *bytes, size_t count)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(test_files_of_btf)
{
	char path[] = "/tmp/peat-prototype-XXXXXX";
	int fd = mkstemp(path);
	struct prototype found;
	const void *raw;
	uint32_t bytes;

	libbpf_set_print(NULL);
	ck_assert_int_ge(fd, 0);
	close(fd);
	add_function("in_file", PROTOTYPE(0, { "a", u32 }).id);
	raw = btf__raw_data(btf, &bytes);
	write_file(path, raw, bytes);
	ck_assert_int_eq(prototypes__open(&opened, path), 0);
	ck_assert(finds("in_file", &found));
	prototypes__free(opened);
	write_file(path, "no BTF", 6);
	ck_assert_int_eq(prototypes__open(&opened, path), -EBADMSG);
	ck_assert_ptr_null(opened);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(prototypes__open(&opened, path), -ENOENT);
}
END_TEST

/* A search without memory may find nothing; the next one does. */
START_TEST(test_memory_runs_out)
{
	struct prototype found, one = PROTOTYPE(0, { "a", u32 });
	long blocks;

	add_function("one", one.id);
	for (int i = 0; i < 40; i++) {
		char name[16];

		snprintf(name, sizeof(name), "more_%d", i);
		add_function(name, one.id);
	}
	blocks = fail_alloc__blocks();
	for (unsigned nth = 1; nth; nth++) {
		bool is_found = false;
		int err;

		fail_alloc__begin(nth);
		err = prototypes__open_btf(&opened, btf, false);
		if (!err)
			is_found = finds("one", &found);
		if (!fail_alloc__end())
			break;
		ck_assert(!err || err == -ENOMEM);
		ck_assert(err || is_found || finds("one", &found));
		prototypes__free(opened);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
	prototypes__free(opened);
}
END_TEST

START_TEST(test_running_kernel)
{
	struct prototype found;
	struct strbuf text = { 0 };

	if (kernel_btf__is_missing()) {
		ck_assert_int_eq(prototypes__open(&opened, NULL), -ENOENT);
		skip("this kernel has no BTF");
	}
	ck_assert_int_eq(prototypes__open(&opened, NULL), 0);
	ck_assert(finds("vfs_read", &found));
	prototype__append(&text, &found, "vfs_read");
	strbuf__char(&text, '\0');
	ck_assert_str_eq(
		text.bytes,
		"ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)");
	strbuf__free(&text);
	ck_assert(!finds("no_such_function_of_linux", &found));
	ck_assert(!prototypes__find(opened, "vfs_read", "no_such_module", &found));
	ck_assert(!prototypes__find(opened, "vfs_read", "no_such_module", &found));
	ck_assert(!prototypes__find(opened, "vfs_read", "../btf/vmlinux", &found));
	prototypes__free(opened);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_functions_are_found);
	tcase_add_test(tests, test_changed_functions_are_unknown);
	tcase_add_test(tests, test_ambiguous_names_are_unknown);
	tcase_add_test(tests, test_invalid_functions_are_unknown);
	tcase_add_test(tests, test_named_parameters);
	tcase_add_test(tests, test_files_of_btf);
	tcase_add_test(tests, test_memory_runs_out);
	tcase_add_test(tests, test_running_kernel);
}
