// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_mapped_file.c: mapped files, each once, with counted references. */
#include <stdio.h>
#include <string.h>

#include "symbols/processes/mapped_file.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct mapped_file *get(struct mapped_files *files, const char *path, uint64_t inode)
{
	const struct mapped_key key = { .path = path, .inode = inode, .major = 8 };

	return mapped_files__get(files, &key);
}

START_TEST(test_same_key_is_one_file)
{
	struct mapped_files files = { 0 };
	struct mapped_file *a = get(&files, "/bin/a", 1);

	ck_assert_str_eq(a->key.path, "/bin/a");
	ck_assert_int_eq(a->kind, MAPPED_FILE);
	ck_assert_ptr_eq(get(&files, "/bin/a", 1), a);
	ck_assert_uint_eq(a->uses, 2);
	ck_assert_uint_eq(files.by_key.count, 1);
	mapped_files__put(&files, a);
	mapped_files__put(&files, a);
	ck_assert_uint_eq(files.by_key.count, 0);
	mapped_files__free(&files);
}
END_TEST

/* A path with another inode, device or build-id is another file. */
START_TEST(test_different_keys_are_files)
{
	struct mapped_files files = { 0 };
	struct mapped_key key = { .path = "/bin/a", .inode = 1, .major = 8 };
	struct mapped_file *made[5];

	made[0] = mapped_files__get(&files, &key);
	made[1] = get(&files, "/bin/a", 2);
	made[2] = get(&files, "/bin/b", 1);
	key.minor = 1;
	made[3] = mapped_files__get(&files, &key);
	build_id__set(&key.build_id, "0123456789abcdefghij", 20);
	made[4] = mapped_files__get(&files, &key);
	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert_ptr_ne(made[i], made[k]);
	ck_assert_uint_eq(files.by_key.count, 5);
	for (size_t i = 0; i < 5; i++)
		mapped_files__put(&files, made[i]);
	mapped_files__free(&files);
}
END_TEST

START_TEST(test_kinds_by_path)
{
	static const struct {
		const char *path;
		enum mapped_kind kind;
	} cases[] = {
		{ "/usr/lib/libc.so.6", MAPPED_FILE },
		{ "/memfd:program (deleted)", MAPPED_FILE },
		{ "/dev/shm/code", MAPPED_FILE },
		{ "", MAPPED_ANON },
		{ "//anon", MAPPED_ANON },
		{ "[heap]", MAPPED_ANON },
		{ "[stack:12]", MAPPED_ANON },
		{ "[anon:v8]", MAPPED_ANON },
		{ "/dev/zero (deleted)", MAPPED_ANON },
		{ "[vdso]", MAPPED_VDSO },
		{ "[vsyscall]", MAPPED_NOTHING },
		{ "[uprobes]", MAPPED_NOTHING },
		{ "/dev/dri/card0", MAPPED_NOTHING },
		{ "anon_inode:[perf_event]", MAPPED_NOTHING },
	};
	struct mapped_files files = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct mapped_file *file = get(&files, cases[i].path, i + 1);

		ck_assert_msg(file->kind == cases[i].kind, "%s", cases[i].path);
		ck_assert_str_eq(file->key.path,
				 file->kind == MAPPED_ANON ? "[anon]" : cases[i].path);
		mapped_files__put(&files, file);
	}
	mapped_files__free(&files);
}
END_TEST

static void count_release(struct mapped_file *file, void *arg)
{
	ck_assert_uint_eq(file->uses, 0);
	++*(unsigned *)arg;
}

START_TEST(test_many_files_are_found)
{
	unsigned released = 0;
	struct mapped_files files = { .release = count_release, .arg = &released };
	struct mapped_file *made[1000];
	char path[32];

	for (unsigned i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "/bin/%u", i);
		made[i] = get(&files, path, i);
	}
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "/bin/%u", i);
		ck_assert_ptr_eq(get(&files, path, i), made[i]);
		mapped_files__put(&files, made[i]);
	}
	for (unsigned i = 0; i < 1000; i++)
		mapped_files__put(&files, made[i]);
	ck_assert_uint_eq(released, 1000);
	mapped_files__free(&files);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_same_key_is_one_file);
	tcase_add_test(tests, test_different_keys_are_files);
	tcase_add_test(tests, test_kinds_by_path);
	tcase_add_test(tests, test_many_files_are_found);
}
