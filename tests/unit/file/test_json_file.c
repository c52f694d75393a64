// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_json_file.c: a file that cannot be rotated, and lines of an earlier generation. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "file/json_file.h"
#include "support/agent/file_run.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static struct json_file file;
static struct file_choice choice;
static char path[512];
static uint64_t next;

static void open_file(const char *name, uint64_t max_bytes)
{
	snprintf(path, sizeof(path), "%s/%s", scratch__dir(), name);
	choice = (struct file_choice){ .path = path,
				       .mode = 0600,
				       .max_bytes = max_bytes,
				       .max_ms = UINT64_MAX,
				       .keep = UINT64_MAX,
				       .quota = UINT64_MAX };
	next = 0;
	ck_assert_int_eq(json_file__open(&file, &choice, "out"), 0);
}

static void make_lines(struct strbuf *lines)
{
	struct peat_batch *batch = file_run__batch(next, 30);
	uint64_t refused;

	ck_assert_int_eq(json_file__make_lines(&file, batch, lines, &refused), 0);
	next += 30;
	peat_batch__unref(batch);
}

static void write_lines(void)
{
	struct strbuf lines = { 0 };
	size_t sent = 0;

	ck_assert_int_eq(json_file__prepare(&file), 0);
	make_lines(&lines);
	ck_assert_int_eq(json_file__write(&file, &lines, &sent), 0);
	strbuf__free(&lines);
}

static void check_lines(const char *of)
{
	char command[600];

	snprintf(command, sizeof(command), "cat %s", of);
	ck_assert_uint_eq(file_run__check(0, command), next);
}

/* Its rotated name would be too long: it grows. */
START_TEST(test_cannot_be_rotated)
{
	char name[246];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	open_file(name, 4096);
	for (int i = 0; i < 4; i++)
		write_lines();
	ck_assert_int_eq(file.rotate_err, -ENAMETOOLONG);
	ck_assert_uint_gt(file.rotate_after_ms, 0);
	ck_assert_uint_gt(file.current.bytes, 3 * 4096);
	json_file__close(&file);
	check_lines(path);
}
END_TEST

START_TEST(test_generation_changes_with_the_file)
{
	uint64_t generation;

	open_file("a", 4096);
	generation = file.generation;
	write_lines();
	ck_assert_uint_eq(file.generation, generation);
	write_lines();
	ck_assert_uint_gt(file.generation, generation);
	ck_assert_uint_eq(file.rotated.count, 1);
	generation = file.generation;
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(json_file__prepare(&file), 0);
	ck_assert_uint_gt(file.generation, generation);
	json_file__close(&file);
}
END_TEST

/* A line that was cut is ended, once. */
START_TEST(test_continues_a_cut_file)
{
	close(scratch__file("a", "{\"type\":"));
	open_file("a", UINT64_MAX);
	write_lines();
	json_file__close(&file);
	open_file("a", UINT64_MAX);
	next = 30;
	json_file__close(&file);
	snprintf(path, sizeof(path), "%s | tail -n +2", scratch__path("a"));
	check_lines(path);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_cannot_be_rotated);
	tcase_add_test(tests, test_generation_changes_with_the_file);
	tcase_add_test(tests, test_continues_a_cut_file);
}
