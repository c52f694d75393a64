// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_open.c: objects on a kernel that loads them as they are.  tests/live/reader/test_channel.c
 * opens objects on kernels before Linux 5.12, too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include <peat/log.h>
#include <peat/object_file.h>

#include "object/kernel_atomics.h"
#include "object/libbpf_log.h"
#include "object/open.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

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
	static char path[128];
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

/* ---- preparing ------------------------------------------------------------------------------- */

START_TEST(test_nothing_to_prepare)
{
	int err = -1;

	if (kernel_atomics__are_missing())
		skip("this kernel has no atomic operations that return a value");
	ck_assert_ptr_null(
		open__prepare("own", own_fetch_object.bytes, *own_fetch_object.count, &err));
	ck_assert_int_eq(err, 0);
	ck_assert_ptr_null(open__prepare("nothing", "", 0, &err));
	ck_assert_int_eq(err, 0);
	ck_assert_str_eq(logged, "");
}
END_TEST

START_TEST(test_prepared_object_is_the_same)
{
	size_t count = *own_fetch_object.count;
	void *copy = malloc(count);

	if (kernel_atomics__are_missing())
		skip("this kernel has no atomic operations that return a value");
	ck_assert_ptr_nonnull(copy);
	memcpy(copy, own_fetch_object.bytes, count);
	ck_assert_int_eq(peat_prepare_object(copy, count), 0);
	ck_assert_int_eq(memcmp(copy, own_fetch_object.bytes, count), 0);
	ck_assert_str_eq(logged, "");
	free(copy);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

START_TEST(test_memory)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "kinds");
	struct bpf_object *object = open__mem("the name", kinds_of_fields_object.bytes,
					      *kinds_of_fields_object.count, &opts);

	ck_assert_msg(object, "%s", logged);
	ck_assert_str_eq(bpf_object__name(object), "kinds");
	bpf_object__close(object);
	ck_assert_str_eq(logged, "");
}
END_TEST

START_TEST(test_memory_is_no_object)
{
	static const uint64_t rubbish[64] = { 0x464c457f };

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

static void check_name(const char *file, const char *name)
{
	const char *path =
		write_file(file, kinds_of_fields_object.bytes, *kinds_of_fields_object.count);
	struct bpf_object *object = open__file(path, NULL);

	ck_assert_msg(object, "%s", logged);
	ck_assert_str_eq(bpf_object__name(object), name);
	bpf_object__close(object);
	ck_assert_int_eq(unlink(path), 0);
}

/* libbpf has room for 15 characters. */
START_TEST(test_file_has_name)
{
	check_name("kinds", "kinds");
	check_name("kinds.bpf.o", "kinds");
	check_name("kinds_of_all_the_fields.bpf.o", "kinds_of_all_th");
	check_name(".hidden.o", "");
}
END_TEST

START_TEST(test_file_with_options)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "given");
	const char *path = write_file("kinds.bpf.o", kinds_of_fields_object.bytes,
				      *kinds_of_fields_object.count);
	struct bpf_object *object = open__file(path, &opts);

	ck_assert_msg(object, "%s", logged);
	ck_assert_str_eq(bpf_object__name(object), "given");
	bpf_object__close(object);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

START_TEST(test_no_file)
{
	ck_assert_ptr_null(open__file("/nonexistent/kinds.bpf.o", NULL));
	ck_assert_int_eq(errno, ENOENT);
	check_logged("/nonexistent/kinds.bpf.o");
	ck_assert_ptr_null(open__file(directory, NULL));
	ck_assert_int_ne(errno, 0);
	check_logged(directory);
}
END_TEST

START_TEST(test_file_is_no_object)
{
	const char *path = write_file("text.bpf.o", "int main;\n", 10);

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

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_nothing_to_prepare);
	tcase_add_test(tests, test_prepared_object_is_the_same);
	tcase_add_test(tests, test_memory);
	tcase_add_test(tests, test_memory_is_no_object);
	tcase_add_test(tests, test_file_has_name);
	tcase_add_test(tests, test_file_with_options);
	tcase_add_test(tests, test_no_file);
	tcase_add_test(tests, test_file_is_no_object);
}
