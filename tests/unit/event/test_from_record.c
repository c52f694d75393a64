// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_from_record.c: decoded records become events. */
#include <string.h>

#include "event/from_record.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define HAS_ALL (PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU)

static struct from_record from;
static struct peat_event event;

static void setup(void)
{
	from = (struct from_record){ 0 };
	ck_assert_int_eq(from_record__init(&from), 0);
}

static void teardown(void)
{
	tasks__free(from.tasks);
	from_record__free(&from);
}

START_TEST(test_begins_with_sampled_ids)
{
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE, .has = HAS_ALL };

	record.cpu = 3;
	record.pid = 4;
	record.tid = 5;
	record.time_ns = 6;
	from_record__begin(&event, &record);
	ck_assert_int_eq(event.kind, PEAT_EVENT_RECORD);
	ck_assert_uint_eq(event.cpu, 3);
	ck_assert_uint_eq(event.pid, 4);
	ck_assert_uint_eq(event.tid, 5);
	ck_assert_uint_eq(event.time_ns, 6);
	ck_assert_ptr_eq(event.record, &record);
	record.has = 0;
	from_record__begin(&event, &record);
	ck_assert_uint_eq(event.cpu, PEAT_NO_CPU);
	ck_assert_uint_eq(event.pid, PEAT_NO_TASK);
	ck_assert_uint_eq(event.tid, PEAT_NO_TASK);
	ck_assert_uint_eq(event.time_ns, 0);
}
END_TEST

/* A sampled time counts; one in the body is reported alone; all ones is none. */
START_TEST(test_times_of_records)
{
	struct peat_record record = { .type = PEAT_RECORD_EXIT };

	record.task.time_ns = 7;
	from_record__begin(&event, &record);
	ck_assert_uint_eq(event.time_ns, 7);
	ck_assert_uint_eq(from_record__time_ns(&record), 0);
	record.has = PEAT_SAMPLE_TIME;
	record.time_ns = 8;
	from_record__begin(&event, &record);
	ck_assert_uint_eq(event.time_ns, 8);
	ck_assert_uint_eq(from_record__time_ns(&record), 8);
	record.time_ns = UINT64_MAX;
	from_record__begin(&event, &record);
	ck_assert_uint_eq(event.time_ns, 0);
	ck_assert_uint_eq(from_record__time_ns(&record), 0);
	record = (struct peat_record){ .type = PEAT_RECORD_THROTTLE };
	record.throttle.time_ns = 9;
	from_record__begin(&event, &record);
	ck_assert_uint_eq(event.time_ns, 9);
}
END_TEST

START_TEST(test_sample_lends_payload)
{
	_Alignas(8) unsigned char bytes[] = "0123payload";
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE, .has = HAS_ALL };

	record.sample.raw = bytes + 4;
	record.sample.raw_bytes = 7;
	from_record__begin(&event, &record);
	from_record__sample(&from, &event, &record.sample);
	ck_assert_int_eq(event.kind, PEAT_EVENT_DATA);
	ck_assert_uint_eq(event.size, 7);
	ck_assert_uint_eq((uintptr_t)event.data % 8, 0);
	ck_assert_int_eq(memcmp(event.data, "payload", 7), 0);
	record.sample.raw = NULL;
	from_record__sample(&from, &event, &record.sample);
	ck_assert_uint_eq(event.size, 0);
}
END_TEST

START_TEST(test_lost_records_are_counted)
{
	struct peat_reader_stats stats = { 0 };
	struct peat_record record = { .type = PEAT_RECORD_LOST };

	record.lost.lost = 11;
	from_record__begin(&event, &record);
	ck_assert(from_record__fill(&from, &event));
	ck_assert_int_eq(event.kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(event.lost, 11);
	ck_assert_ptr_null(event.schema);
	from_record__count_lost(&record, &stats);
	record = (struct peat_record){ .type = PEAT_RECORD_LOST_SAMPLES };
	record.lost_samples.lost = 5;
	from_record__begin(&event, &record);
	ck_assert(from_record__fill(&from, &event));
	ck_assert_int_eq(event.kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(event.lost, 5);
	from_record__count_lost(&record, &stats);
	ck_assert_uint_eq(stats.lost_records, 11);
	ck_assert_uint_eq(stats.lost_samples, 5);
}
END_TEST

START_TEST(test_kinds_choose_records)
{
	struct peat_record record = { .type = PEAT_RECORD_FORK };
	uint32_t child;

	record.task.pid = 12;
	from.side_band = PEAT_SIDE_BAND_COMM;
	from_record__begin(&event, &record);
	ck_assert(!from_record__fill(&from, &event));
	from.side_band = PEAT_SIDE_BAND_TASK;
	ck_assert(from_record__fill(&from, &event));
	ck_assert_int_eq(event.kind, PEAT_EVENT_RECORD);
	ck_assert_ptr_eq(event.schema, peat_side_band__schema(PEAT_SIDE_BAND_TASK, 0));
	memcpy(&child, event.data, sizeof(child));
	ck_assert_uint_eq(child, 12);
}
END_TEST

START_TEST(test_names_tasks_by_time)
{
	from.tasks = tasks__new(16);
	ck_assert_ptr_nonnull(from.tasks);
	tasks__comm(from.tasks, 9, 10, "first");
	tasks__comm(from.tasks, 9, 20, "second");
	event = (struct peat_event){ .tid = 9, .cpu = 2 };
	from_record__name_task(&from, &event, 15);
	ck_assert_str_eq(event.comm, "first");
	from_record__name_task(&from, &event, UINT64_MAX);
	ck_assert_str_eq(event.comm, "second");
	event.tid = 8;
	from_record__name_task(&from, &event, 15);
	ck_assert_ptr_null(event.comm);
	event.tid = 0;
	from_record__name_task(&from, &event, 15);
	ck_assert_str_eq(event.comm, "swapper/2");
	event.cpu = PEAT_NO_CPU;
	from_record__name_task(&from, &event, 15);
	ck_assert_str_eq(event.comm, "swapper");
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_begins_with_sampled_ids);
	tcase_add_test(tests, test_times_of_records);
	tcase_add_test(tests, test_sample_lends_payload);
	tcase_add_test(tests, test_lost_records_are_counted);
	tcase_add_test(tests, test_kinds_choose_records);
	tcase_add_test(tests, test_names_tasks_by_time);
}
