// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_preload.c: programs with PEAT_PRELOAD, by their marks and sections. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>

#include "object/preload.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(preload)
EMBED_OBJECT(preload_wrong)

static char logged[512]; /* the last error */

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static struct bpf_object *open_object(const struct object_file *file)
{
	struct bpf_object *object = object__open(file);

	peat_set_print(note);
	logged[0] = '\0';
	return object;
}

static void check_program(const struct bpf_object *object, const char *name, bool is_sleepable,
			  bool is_accepted)
{
	const struct bpf_program *program = bpf_object__find_program_by_name(object, name);

	ck_assert_msg(program, "%s", name);
	ck_assert_int_eq(preload__is_sleepable(program), is_sleepable);
	ck_assert_int_eq(preload__accepts(object, program), is_accepted);
}

START_TEST(test_marked_programs)
{
	struct bpf_object *object = open_object(&preload_object);

	check_program(object, "on_call", true, true);
	check_program(object, "on_return", true, true);
	check_program(object, "on_unloaded", true, true);
	check_program(object, "on_unmarked", true, false);
	check_program(object, "on_plain", false, false);
	ck_assert(preload__any(object));
	ck_assert_int_eq(preload__check(object), 0);
	ck_assert_str_eq(logged, "");
	bpf_object__close(object);
}
END_TEST

START_TEST(test_mark_needs_sleepable_section)
{
	struct bpf_object *object = open_object(&preload_wrong_object);

	check_program(object, "on_call", false, false);
	ck_assert_int_eq(preload__check(object), -EINVAL);
	ck_assert_str_eq(logged,
			 "preload_wrong: the program on_call has PEAT_PRELOAD, and the section "
			 "uprobe/libother.so:function: only programs of uprobe.s and uretprobe.s "
			 "touch memory for others");
	bpf_object__close(object);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_marked_programs);
	tcase_add_test(tests, test_mark_needs_sleepable_section);
}
