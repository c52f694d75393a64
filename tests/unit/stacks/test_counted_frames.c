// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_counted_frames.c: frames and tasks have one number each. */
#include <stdio.h>

#include "unit/stacks/stack_maker.h"
#include "unit/suite.h"

static uint32_t add(struct counted_frames *frames, const struct peat_stack_frame *frame)
{
	return counted_frames__add(frames, frame, true);
}

/* A frame that differs in one member from the first is another frame. */
static void check_differs(struct counted_frames *frames, const struct peat_stack_frame *frame)
{
	uint32_t number = add(frames, frame);

	ck_assert_uint_eq(number, frames->count - 1);
	ck_assert_uint_ne(number, 0);
	ck_assert_uint_eq(add(frames, frame), number);
}

START_TEST(test_each_member_counts)
{
	const struct peat_stack_frame first = made_frame("u read");
	struct counted_frames frames = { 0 };
	struct peat_stack_frame other;

	ck_assert_uint_eq(add(&frames, &first), 0);
#define DIFFERS(member, value)                                                                     \
	other = first;                                                                             \
	other.member = value;                                                                      \
	check_differs(&frames, &other)
	DIFFERS(symbol, "write");
	DIFFERS(symbol, NULL);
	DIFFERS(raw_symbol, "_read");
	DIFFERS(module, "/usr/lib/other.so");
	DIFFERS(module_offset, 0x3000);
	DIFFERS(file, "read.c");
	DIFFERS(line, 17);
	DIFFERS(inlined, true);
	DIFFERS(space, PEAT_SPACE_KERNEL);
	DIFFERS(build_id_bytes, 8);
	other = first;
	other.address += 0x1000; /* the file is mapped elsewhere */
	ck_assert_uint_eq(add(&frames, &other), 0);
	ck_assert_str_eq(frames.frames[0].build_id, MADE_BUILD_ID);
	ck_assert_uint_eq(frames.frames[0].address, 0x2000);
	counted_frames__free(&frames);
}
END_TEST

/* Memory that is no file has addresses, which differ between processes. */
START_TEST(test_anonymous_memory_has_addresses)
{
	struct peat_stack_frame frame = made_frame("u jitted");
	struct counted_frames frames = { 0 };

	frame.module = "[anon]";
	add(&frames, &frame);
	ck_assert(frames.frames[0].address == frame.address && !frames.frames[0].in_file);
	frame.module = NULL;
	add(&frames, &frame);
	ck_assert(frames.frames[1].address == frame.address && !frames.frames[1].in_file);
	counted_frames__free(&frames);
}
END_TEST

/* Without names, functions that are inlined at an address are the address. */
START_TEST(test_no_names)
{
	const struct peat_stack_frame one = made_frame("u read"), two = made_frame("i inner");
	struct counted_frames frames = { 0 };

	ck_assert_uint_eq(counted_frames__add(&frames, &one, false), 0);
	ck_assert_uint_eq(counted_frames__add(&frames, &two, false), 0);
	ck_assert_ptr_null(frames.frames[0].symbol);
	ck_assert_str_eq(frames.frames[0].module, MADE_FILE);
	counted_frames__free(&frames);
}
END_TEST

START_TEST(test_many_frames_keep_numbers)
{
	struct peat_stack_frame frame = made_frame("u read");
	struct counted_frames frames = { 0 };
	char name[20];

	for (int twice = 0; twice < 2; twice++)
		for (uint32_t i = 0; i < 5000; i++) {
			snprintf(name, sizeof(name), "f%u", i);
			frame.symbol = name; /* the caller's memory changes */
			frame.module_offset = i / 10;
			ck_assert_uint_eq(add(&frames, &frame), i);
		}
	ck_assert_str_eq(frames.frames[4321].symbol, "f4321");
	counted_frames__free(&frames);
}
END_TEST

START_TEST(test_tasks_have_numbers)
{
	struct counted_frames frames = { 0 };
	char comm[20];

	ck_assert_uint_eq(counted_frames__add_task(&frames, NULL, 1, 1), 0);
	ck_assert_uint_eq(counted_frames__add_task(&frames, "sh", 1, 1), 1);
	ck_assert_uint_eq(counted_frames__add_task(&frames, "sh", 1, 2), 2);
	ck_assert_uint_eq(counted_frames__add_task(&frames, "sh", 2, 2), 3);
	ck_assert_uint_eq(counted_frames__add_task(&frames, "sh", 1, 1), 1);
	ck_assert_uint_eq(counted_frames__add_task(&frames, NULL, 1, 1), 0);
	for (uint32_t i = 0; i < 1000; i++) {
		snprintf(comm, sizeof(comm), "task %u", i);
		ck_assert_uint_eq(counted_frames__add_task(&frames, comm, 3, i), 4 + i);
	}
	ck_assert_str_eq(frames.tasks[4].comm, "task 0");
	ck_assert_uint_eq(frames.tasks[3].pid, 2);
	ck_assert_uint_eq(frames.tasks[3].tid, 2);
	counted_frames__free(&frames);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_each_member_counts);
	tcase_add_test(tests, test_anonymous_memory_has_addresses);
	tcase_add_test(tests, test_no_names);
	tcase_add_test(tests, test_many_frames_keep_numbers);
	tcase_add_test(tests, test_tasks_have_numbers);
}
