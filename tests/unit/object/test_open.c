// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_open.c: objects on this kernel, and on one without atomic operations that return a value: a
 * seccomp filter makes it refuse the program that tries them.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include <peat/log.h>
#include <peat/object_file.h>

#include "object/globals.h"
#include "object/kernel_atomics.h"
#include "object/libbpf_log.h"
#include "object/open.h"
#include "object/plain_locks.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/refuse.h"
#include "unit/suite.h"

EMBED_OBJECT(calls)
EMBED_OBJECT(kinds_of_fields)
EMBED_OBJECT(own_fetch)

static char logged[4096], directory[64];

static void note(enum peat_log_level level, const char *text)
{
	size_t used = strlen(logged);

	if (level == PEAT_LOG_ERROR)
		snprintf(logged + used, sizeof(logged) - used, "%s\n", text);
}

static void setup(void)
{
	peat_set_print(note);
	libbpf_log__forward_all();
	logged[0] = '\0';
	strcpy(directory, "/tmp/peat-open-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void teardown(void)
{
	ck_assert_int_eq(rmdir(directory), 0);
}

/* The test removes it. */
static const char *write_file(const char *name, const void *bytes, size_t count)
{
	static char path[192];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
	return path;
}

static void check_logged(const char *name)
{
	const char *line = strchr(logged, '\n');

	ck_assert_msg(strstr(logged, name) && line && !line[1], "'%s'", logged);
	logged[0] = '\0';
}

/* ---- kernels --------------------------------------------------------------------------------- */

enum { NEW_KERNEL, OLD_KERNEL, KERNELS };

#define use_kernel(kernel)                                                                         \
	do {                                                                                       \
		if ((kernel) == OLD_KERNEL && !refuse__bpf(BPF_PROG_LOAD))                         \
			skip("no seccomp filters here");                                           \
		if ((kernel) == NEW_KERNEL && kernel_atomics__are_missing())                       \
			skip("this kernel has no atomic operations that return a value");          \
		ck_assert_int_eq(kernel_atomics__are_missing(), (kernel) == OLD_KERNEL);           \
	} while (0)

/* ---- preparing ------------------------------------------------------------------------------- */

START_TEST(test_nothing_to_prepare)
{
	size_t count = *own_fetch_object.count;
	int err = -1;

	use_kernel(NEW_KERNEL);
	ck_assert_ptr_null(open__prepare("own", own_fetch_object.bytes, &count, &err));
	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(count, *own_fetch_object.count);
	count = 0;
	ck_assert_ptr_null(open__prepare("nothing", "", &count, &err));
	ck_assert_int_eq(err, 0);
	ck_assert_str_eq(logged, "");
}
END_TEST

static void *copy_object(const struct object_file *file)
{
	void *copy = malloc(*file->count);

	ck_assert_ptr_nonnull(copy);
	return memcpy(copy, file->bytes, *file->count);
}

/* Both ways make the same object. */
START_TEST(test_prepared_objects_are_equal)
{
	size_t count = *kinds_of_fields_object.count;
	void *expected = copy_object(&kinds_of_fields_object), *in_place, *copy;
	struct source_line refused;
	int err = -1;

	use_kernel(OLD_KERNEL);
	ck_assert_int_gt(plain_locks__use(expected, count, &refused), 0);
	copy = open__prepare("kinds", kinds_of_fields_object.bytes, &count, &err);
	ck_assert_msg(copy, "%s", logged);
	ck_assert_int_eq(err, 0);
	ck_assert_int_eq(memcmp(copy, expected, count), 0);
	in_place = copy_object(&kinds_of_fields_object);
	ck_assert_int_eq(peat_object__prepare(in_place, count), 0);
	ck_assert_int_eq(memcmp(in_place, expected, count), 0);
	ck_assert_int_eq(peat_object__prepare(in_place, count), 0);
	ck_assert_int_eq(memcmp(in_place, expected, count), 0);
	ck_assert_str_eq(logged, "");
	free(in_place);
	free(copy);
	free(expected);
}
END_TEST

/* On new kernels any object, on old ones those without peat.bpf.h. */
START_TEST(test_prepared_object_is_the_same)
{
	const struct object_file *file = _i == OLD_KERNEL ? &calls_object : &own_fetch_object;
	void *copy = copy_object(file);

	use_kernel(_i);
	ck_assert_int_eq(peat_object__prepare(copy, *file->count), 0);
	ck_assert_int_eq(memcmp(copy, file->bytes, *file->count), 0);
	ck_assert_str_eq(logged, "");
	free(copy);
}
END_TEST

static void check_refused(const char *name, const void *bytes, size_t count, int error,
			  const char *word)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = name);
	int err = 0;

	ck_assert_ptr_null(open__prepare(name, bytes, &count, &err));
	ck_assert_int_eq(err, -error);
	ck_assert_msg(strstr(logged, word), "'%s' does not say '%s'", logged, word);
	check_logged(name);
	ck_assert_ptr_null(open__mem(name, bytes, count, &opts));
	ck_assert_int_eq(errno, error);
	check_logged(name);
}

static void replace_text(void *bytes, size_t count, const char *from, const char *to)
{
	char *at = bytes, *end = at + count;

	while ((at = memmem(at, (size_t)(end - at), from, strlen(from))))
		memcpy(at, to, strlen(to));
}

START_TEST(test_refused_objects_name_reason)
{
	size_t count = *own_fetch_object.count;
	char *copy = copy_object(&own_fetch_object);

	use_kernel(OLD_KERNEL);
	check_refused("own", copy, count, EOPNOTSUPP, "/own_fetch.bpf.c:");
	check_refused("own", copy, count, EOPNOTSUPP, "Linux 5.12");
	ck_assert_int_eq(peat_object__prepare(copy, count), -EOPNOTSUPP);
	ck_assert_int_eq(errno, EOPNOTSUPP);
	check_logged("/own_fetch.bpf.c:");
	replace_text(copy, count, ".BTF.ext", ".BTF.EXT");
	check_refused("unlined", copy, count, EINVAL, "compile it with clang -g");
	replace_text(copy, count, "peat_plain_locks", "peat_other_locks");
	check_refused("older", copy, count, EINVAL, "compile it with the present one");
	free(copy);
}
END_TEST

START_TEST(test_prepare_no_object)
{
	uint64_t rubbish[64] = { 0x464c457f };

	use_kernel(OLD_KERNEL);
	ck_assert_int_eq(peat_object__prepare(rubbish, sizeof(rubbish)), -EBADMSG);
	ck_assert_int_eq(errno, EBADMSG);
	check_logged("no ELF file");
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

/* Its locks are plain on old kernels only. */
static void check_opened(struct bpf_object *object, const char *name, int kernel)
{
	const uint32_t *is_plain;
	size_t bytes;

	ck_assert_msg(object, "%s", logged);
	ck_assert_str_eq(bpf_object__name(object), name);
	is_plain = globals__find(object, "peat_plain_locks", &bytes);
	ck_assert_ptr_nonnull(is_plain);
	ck_assert_uint_eq(*is_plain, kernel == OLD_KERNEL);
	bpf_object__close(object);
	ck_assert_str_eq(logged, "");
}

START_TEST(test_memory_object_keeps_name)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "kinds");

	use_kernel(_i);
	check_opened(open__mem("the name", kinds_of_fields_object.bytes,
			       *kinds_of_fields_object.count, &opts),
		     "kinds", _i);
}
END_TEST

START_TEST(test_memory_is_no_object)
{
	static const uint64_t rubbish[64] = { 0x464c457f };

	use_kernel(_i);
	ck_assert_ptr_null(open__mem("rubbish", rubbish, sizeof(rubbish), NULL));
	ck_assert_int_eq(errno, EINVAL);
	check_logged("rubbish");
	ck_assert_ptr_null(open__mem("half", kinds_of_fields_object.bytes,
				     *kinds_of_fields_object.count / 2, NULL));
	ck_assert_int_eq(errno, EINVAL);
	check_logged("half");
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

static void check_file(const char *file, const struct bpf_object_open_opts *opts, const char *name,
		       int kernel)
{
	const char *path =
		write_file(file, kinds_of_fields_object.bytes, *kinds_of_fields_object.count);

	check_opened(open__file(path, opts), name, kernel);
	ck_assert_int_eq(unlink(path), 0);
}

/* libbpf has room for 15 characters. */
START_TEST(test_file_has_name)
{
	use_kernel(_i);
	check_file("kinds", NULL, "kinds", _i);
	check_file("kinds.bpf.o", NULL, "kinds", _i);
	check_file("kinds_of_all_the_fields.bpf.o", NULL, "kinds_of_all_th", _i);
	check_file("kinds_of_all_the_fields_that_there_are_in_any_of_the_objects_here.bpf.o", NULL,
		   "kinds_of_all_th", _i);
	check_file(".hidden.o", NULL, "", _i);
}
END_TEST

START_TEST(test_file_with_options)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "given");

	use_kernel(_i);
	check_file("kinds.bpf.o", &opts, "given", _i);
	/* A caller with an older libbpf has fewer options. */
	opts.sz = offsetof(struct bpf_object_open_opts, relaxed_maps);
	check_file("kinds.bpf.o", &opts, "given", _i);
}
END_TEST

START_TEST(test_no_file)
{
	use_kernel(_i);
	ck_assert_ptr_null(open__file("/no/such/kinds.bpf.o", NULL));
	ck_assert_int_eq(errno, ENOENT);
	check_logged("/no/such/kinds.bpf.o");
	ck_assert_ptr_null(open__file(directory, NULL));
	ck_assert_int_ne(errno, 0);
	check_logged(directory);
}
END_TEST

START_TEST(test_file_is_no_object)
{
	const char *path = write_file("text.bpf.o", "int main;\n", 10);

	use_kernel(_i);
	ck_assert_ptr_null(open__file(path, NULL));
	ck_assert_int_eq(errno, EINVAL);
	check_logged(path);
	path = write_file("text.bpf.o", "", 0);
	ck_assert_ptr_null(open__file(path, NULL));
	ck_assert_int_eq(errno, EINVAL);
	check_logged(path);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_nothing_to_prepare);
	tcase_add_test(tests, test_prepared_objects_are_equal);
	tcase_add_loop_test(tests, test_prepared_object_is_the_same, 0, KERNELS);
	tcase_add_test(tests, test_refused_objects_name_reason);
	tcase_add_test(tests, test_prepare_no_object);
	tcase_add_loop_test(tests, test_memory_object_keeps_name, 0, KERNELS);
	tcase_add_loop_test(tests, test_memory_is_no_object, 0, KERNELS);
	tcase_add_loop_test(tests, test_file_has_name, 0, KERNELS);
	tcase_add_loop_test(tests, test_file_with_options, 0, KERNELS);
	tcase_add_loop_test(tests, test_no_file, 0, KERNELS);
	tcase_add_loop_test(tests, test_file_is_no_object, 0, KERNELS);
}
