// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_switches.c: context switches of tracepoints and records. */
#include <errno.h>

#include "perfetto/switches.h"
#include "unit/fail_alloc.h"
#include "unit/perfetto/written_timeline.h"
#include "unit/suite.h"

struct sched_switch {
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid, next_prio;
};

static struct peat_field switch_members[] = {
	FIELD(struct sched_switch, prev_comm, PEAT_FIELD_STRING),
	FIELD(struct sched_switch, prev_pid, PEAT_FIELD_SIGNED, .is_signed = true),
	FIELD(struct sched_switch, prev_prio, PEAT_FIELD_SIGNED, .is_signed = true),
	FIELD(struct sched_switch, prev_state, PEAT_FIELD_SIGNED, .is_signed = true),
	FIELD(struct sched_switch, next_comm, PEAT_FIELD_STRING),
	FIELD(struct sched_switch, next_pid, PEAT_FIELD_SIGNED, .is_signed = true),
	FIELD(struct sched_switch, next_prio, PEAT_FIELD_SIGNED, .is_signed = true),
};
static const struct peat_schema switch_type = SCHEMA("sched:sched_switch", switch_members);

struct sched_waking {
	char comm[16];
	int32_t pid, prio, target_cpu;
};

static struct peat_field waking_members[] = {
	FIELD(struct sched_waking, comm, PEAT_FIELD_STRING),
	FIELD(struct sched_waking, pid, PEAT_FIELD_SIGNED, .is_signed = true),
	FIELD(struct sched_waking, prio, PEAT_FIELD_SIGNED, .is_signed = true),
	FIELD(struct sched_waking, target_cpu, PEAT_FIELD_SIGNED, .is_signed = true),
};
static const struct peat_schema waking_type = SCHEMA("sched:sched_waking", waking_members);

static struct switches switches;

/* The sched_switch or sched_waking of a packet. */
static struct protobuf_message body(size_t i, uint32_t field)
{
	return timeline_inner(timeline_inner(packet_part(i, 1), 2, 0), field, 0);
}

START_TEST(test_tracepoints_are_found)
{
	static const struct peat_schema other = SCHEMA("sched:sched_wakeup", waking_members);
	static const struct peat_schema short_type = {
		.name = "sched_switch", .fields = switch_members, .count = 4, .stacks_fd = -1
	};

	ck_assert_int_eq(switch_fields__find(&switch_type).kind, SWITCH_OF_TASKS);
	ck_assert_int_eq(switch_fields__find(&waking_type).kind, SWITCH_WAKING);
	ck_assert_int_eq(switch_fields__find(&other).kind, SWITCH_NONE);
	ck_assert_int_eq(switch_fields__find(&short_type).kind, SWITCH_NONE);
}
END_TEST

START_TEST(test_switch_is_written)
{
	const struct sched_switch data = { "a", 41, 120, 256, "0123456789abcdef", 42, 100 };
	const struct peat_event event = an_event(&switch_type, &data, sizeof(data));
	const struct switch_fields fields = switch_fields__find(&switch_type);

	switches__append(&fields, &out, &event);
	read_packets(1);
	ck_assert_uint_eq(timeline_number(packet_part(0, 1), 1), 3);
	ck_assert_str_eq(timeline_text(body(0, 4), 1), "a");
	ck_assert_uint_eq(timeline_number(body(0, 4), 2), 41);
	ck_assert_uint_eq(timeline_number(body(0, 4), 4), 256);
	ck_assert_str_eq(timeline_text(body(0, 4), 5), "0123456789abcdef");
	ck_assert_uint_eq(timeline_number(body(0, 4), 6), 42);
	ck_assert_uint_eq(timeline_number(body(0, 4), 7), 100);
}
END_TEST

START_TEST(test_waking_is_written)
{
	const struct sched_waking data = { "b", 42, 120, 1 };
	const struct peat_event event = an_event(&waking_type, &data, sizeof(data));
	const struct switch_fields fields = switch_fields__find(&waking_type);

	switches__append(&fields, &out, &event);
	read_packets(1);
	ck_assert_str_eq(timeline_text(body(0, 20), 1), "b");
	ck_assert_uint_eq(timeline_number(body(0, 20), 2), 42);
	ck_assert_uint_eq(timeline_number(body(0, 20), 5), 1);
}
END_TEST

START_TEST(test_cut_event_is_written)
{
	const struct sched_switch data = { .prev_pid = 41 };
	const struct peat_event event =
		an_event(&switch_type, &data, offsetof(struct sched_switch, prev_state));
	const struct switch_fields fields = switch_fields__find(&switch_type);

	switches__append(&fields, &out, &event);
	read_packets(1);
	ck_assert_uint_eq(timeline_number(body(0, 4), 2), 41);
	ck_assert_uint_eq(timeline_number(body(0, 4), 6), 0);
}
END_TEST

/* A record of the task `tid`, on or off a CPU. */
static int write_record(enum peat_record_type type, uint32_t cpu, uint32_t tid, bool is_out,
			uint32_t other)
{
	const struct peat_record record = {
		.type = type,
		.context_switch = { .out = is_out, .preempted = is_out, .next_prev_tid = other }
	};
	const struct peat_event event = { .kind = PEAT_EVENT_RECORD,
					  .cpu = cpu,
					  .time_ns = 5,
					  .pid = tid,
					  .tid = tid,
					  .record = &record,
					  .comm = "task" };

	return switches__append_record(&switches, &out, &event);
}

static void check_switch(size_t i, uint64_t previous, uint64_t next)
{
	ck_assert_uint_eq(timeline_number(body(i, 4), 2), previous);
	ck_assert_uint_eq(timeline_number(body(i, 4), 6), next);
}

START_TEST(test_pairs_of_records_are_one_switch)
{
	const enum peat_record_type wide = PEAT_RECORD_SWITCH_CPU_WIDE;

	ck_assert_int_eq(write_record(wide, 1, 41, true, 42), 1);
	ck_assert_int_eq(write_record(wide, 1, 42, false, 41), 0);
	ck_assert_int_eq(write_record(wide, 1, 42, true, 0), 1);
	/* Records between these were lost, or left out. */
	ck_assert_int_eq(write_record(wide, 1, 43, false, 44), 1);
	ck_assert_int_eq(write_record(wide, 0, 43, false, 44), 1);
	read_packets(4);
	check_switch(0, 41, 42);
	ck_assert_uint_eq(timeline_number(body(0, 4), 4), 256);
	ck_assert_str_eq(timeline_text(body(0, 4), 1), "task");
	check_switch(1, 42, 0);
	check_switch(2, 44, 43);
	ck_assert_str_eq(timeline_text(body(2, 4), 5), "task");
	check_switch(3, 44, 43);
	switches__free(&switches);
}
END_TEST

START_TEST(test_records_of_a_task)
{
	ck_assert_int_eq(write_record(PEAT_RECORD_SWITCH, 1, 41, false, 0), 1);
	ck_assert_int_eq(write_record(PEAT_RECORD_SWITCH, 1, 41, true, 0), 1);
	ck_assert_int_eq(write_record(PEAT_RECORD_SWITCH, PEAT_NO_CPU, 41, true, 0), 0);
	ck_assert_int_eq(write_record(PEAT_RECORD_SWITCH, 1, PEAT_NO_TASK, false, 0), 0);
	read_packets(2);
	check_switch(0, 0, 41);
	check_switch(1, 41, 0);
	switches__free(&switches);
}
END_TEST

START_TEST(test_task_that_ends_was_running)
{
	const enum peat_record_type wide = PEAT_RECORD_SWITCH_CPU_WIDE;

	ck_assert_int_eq(write_record(wide, 1, PEAT_NO_TASK, true, 41), 1);
	ck_assert_int_eq(write_record(wide, 1, 41, false, 0), 0);
	ck_assert_int_eq(write_record(wide, 1, PEAT_NO_TASK, true, 42), 1);
	read_packets(2);
	check_switch(0, 0, 41);
	check_switch(1, 41, 42);
	switches__free(&switches);
}
END_TEST

START_TEST(test_no_memory)
{
	int err;

	fail_alloc__begin(1);
	err = write_record(PEAT_RECORD_SWITCH, 7, 41, false, 0);
	if (fail_alloc__end())
		ck_assert_int_eq(err, -ENOMEM);
	strbuf__free(&out);
	out = (struct strbuf){ 0 };
	switches__free(&switches);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_tracepoints_are_found);
	tcase_add_test(tests, test_switch_is_written);
	tcase_add_test(tests, test_waking_is_written);
	tcase_add_test(tests, test_cut_event_is_written);
	tcase_add_test(tests, test_pairs_of_records_are_one_switch);
	tcase_add_test(tests, test_records_of_a_task);
	tcase_add_test(tests, test_task_that_ends_was_running);
	tcase_add_test(tests, test_no_memory);
}
