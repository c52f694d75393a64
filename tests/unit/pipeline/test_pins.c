// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pins.c: directories of pins, with files in the place of pins. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>

#include "pipeline/pins.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static unsigned warnings;

static void count_warnings(enum peat_log_level level, const char *text)
{
	(void)text;
	warnings += level <= PEAT_LOG_WARN;
}

static void begin(void)
{
	scratch__make();
	warnings = 0;
	peat_set_print(count_warnings);
}

static bool is_there(const char *name)
{
	return !access(scratch__path(name), F_OK);
}

/* As peat_session__pin() does. */
static void pin(const struct pins *pins)
{
	static const char *const names[] = { "map-peat_ring", "link-0", "link-1" };
	char path[512];
	FILE *file;

	ck_assert_int_eq(mkdir(pins->directory, 0700), 0);
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", pins->directory, names[i]);
		file = fopen(path, "we");
		ck_assert_ptr_nonnull(file);
		fclose(file);
	}
}

static void open_pins(struct pins *pins, uint64_t hash, bool is_complete)
{
	ck_assert_int_eq(pins__open(pins, scratch__path("pin"), hash), 0);
	ck_assert_int_eq(pins->is_complete, is_complete);
}

/* Programs whose agent was killed before all were pinned are removed. */
START_TEST(test_complete_programs_are_found)
{
	struct pins pins;

	begin();
	open_pins(&pins, 1, false);
	ck_assert(is_there("pin") && !is_there("pin/programs-0000000000000001"));
	ck_assert_uint_eq(pins__made_ns(pins.directory), 0);
	pin(&pins);
	pins__free(&pins);
	open_pins(&pins, 1, false);
	ck_assert(!is_there("pin/programs-0000000000000001"));
	pin(&pins);
	ck_assert_int_eq(pins__complete(&pins), 0);
	ck_assert_uint_ne(pins__made_ns(pins.directory), 0);
	pins__free(&pins);
	open_pins(&pins, 1, true);
	pins__remove(&pins);
	ck_assert(!is_there("pin"));
	pins__remove(&pins);
	pins__free(&pins);
	pins__remove(&pins);
	ck_assert_uint_eq(warnings, 0);
	scratch__remove();
}
END_TEST

/* The new programs are complete before the old ones are removed. */
START_TEST(test_programs_change_places)
{
	struct pins old, new;

	begin();
	open_pins(&old, 1, false);
	pin(&old);
	ck_assert_int_eq(pins__complete(&old), 0);
	open_pins(&new, 2, false);
	pin(&new);
	ck_assert_int_eq(pins__complete(&new), 0);
	pins__remove(&old);
	ck_assert(is_there("pin/current/link-1"));
	ck_assert(!is_there("pin/programs-0000000000000001"));
	pins__remove(&new);
	ck_assert(!is_there("pin"));
	pins__free(&old);
	pins__free(&new);
	scratch__remove();
}
END_TEST

static bool may_remove(void *arg, const char *directory)
{
	(void)directory;
	return ++*(unsigned *)arg != 2;
}

START_TEST(test_others_are_removed)
{
	char *directory = NULL;
	unsigned count = 0;
	struct pins pins;

	begin();
	for (uint64_t hash = 1; hash <= 4; hash++) {
		open_pins(&pins, hash, false);
		pin(&pins);
		ck_assert_int_eq(pins__complete(&pins), 0);
		pins__free(&pins);
	}
	directory = pins__directory(scratch__path("pin"), 3);
	pins__remove_others(scratch__path("pin"), directory, may_remove, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert(!is_there("pin/programs-0000000000000001"));
	ck_assert(is_there("pin/programs-0000000000000002"));
	ck_assert(is_there("pin/programs-0000000000000003"));
	ck_assert(!is_there("pin/programs-0000000000000004") && !is_there("pin/current"));
	pins__remove_others(scratch__path("pin"), NULL, may_remove, &count);
	ck_assert(!is_there("pin"));
	pins__remove_others(scratch__path("pin"), NULL, may_remove, &count);
	free(directory);
	ck_assert_uint_eq(warnings, 0);
	scratch__remove();
}
END_TEST

/* The path is another directory by mistake. */
START_TEST(test_other_files_stay)
{
	struct pins pins;

	begin();
	ck_assert_int_eq(mkdir(scratch__path("pin"), 0700), 0);
	close(scratch__file("pin/file", ""));
	open_pins(&pins, 1, false);
	pin(&pins);
	close(scratch__file("pin/programs-0000000000000001/file", ""));
	pins__remove(&pins);
	ck_assert(is_there("pin/file") && is_there("pin/programs-0000000000000001/file"));
	ck_assert(!is_there("pin/programs-0000000000000001/link-0"));
	ck_assert_uint_eq(warnings, 1);
	pins__free(&pins);
	ck_assert_int_eq(pins__open(&pins, scratch__path("none/pin"), 1), -ENOENT);
	pins__free(&pins);
	scratch__remove();
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_complete_programs_are_found);
	tcase_add_test(tests, test_programs_change_places);
	tcase_add_test(tests, test_others_are_removed);
	tcase_add_test(tests, test_other_files_stay);
}
