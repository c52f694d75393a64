// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sink_tasks.c: names and ends of threads in a recording. */
#include "perf_data/read/file.h"
#include "unit/suite.h"
#include "recording_sink.h"

/* The next record that is a sample or a task's start or end. */
static struct peat_record next_of_file(struct perf_file *file)
{
	struct peat_record record = { .sz = sizeof(record) };
	struct perf_entry entry;

	while (perf_file__next(file, &entry) > 0) {
		if (!entry.layout ||
		    peat_record__decode(entry.layout, entry.bytes, entry.size, &record) != 1)
			continue;
		if (record.type == PEAT_RECORD_COMM && !record.time_ns)
			continue; /* tasks that were running before */
		if (record.type == PEAT_RECORD_SAMPLE || record.type == PEAT_RECORD_EXIT ||
		    record.type == PEAT_RECORD_FORK || record.type == PEAT_RECORD_COMM)
			return record;
	}
	record.type = 0;
	return record;
}

struct expected {
	uint32_t type, tid;
	uint64_t time_ns, true_ns;
};

static void check_order(const struct expected *expected)
{
	struct perf_file *file;
	struct peat_record record = { .sz = sizeof(record) };
	const char *why;

	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	for (; expected->type; expected++) {
		record = next_of_file(file);
		ck_assert_uint_eq(record.type, expected->type);
		ck_assert_uint_eq(record.time_ns, expected->time_ns);
		if (record.type != PEAT_RECORD_EXIT)
			continue;
		ck_assert_uint_eq(record.task.tid, expected->tid);
		ck_assert_uint_eq(record.task.time_ns, expected->true_ns);
		ck_assert(record.pid == 5 && record.tid == 6 && record.cpu == 1);
	}
	ck_assert_uint_eq(next_of_file(file).type, 0);
	perf_file__close(file);
}

static int put_named(uint32_t tid, uint64_t time_ns, const char *comm)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .time_ns = time_ns,
				    .pid = tid,
				    .tid = tid,
				    .comm = comm,
				    .type = RAW,
				    .data = payload,
				    .size = sizeof(payload) };

	return peat_sink__write(sink, &event);
}

/* A thread is named before its first event, unless the kernel's COMM has named it, and again
 * before an event with another name. */
START_TEST(test_thread_named_once)
{
	static const struct expected expected[] = {
		{ PEAT_RECORD_COMM, 0, 10, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 10, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 20, 0 },
		{ PEAT_RECORD_COMM, 0, 25, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 25, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 30, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 40, 0 },
		{ PEAT_RECORD_FORK, 0, 50, 0 },
		{ PEAT_RECORD_COMM, 0, 60, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 60, 0 },
		{ PEAT_RECORD_COMM, 0, 70, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 70, 0 },
		{ PEAT_RECORD_FORK, 0, 80, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 90, 0 },
		{ PEAT_RECORD_COMM, 0, 95, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 96, 0 },
		{ 0 },
	};
	const struct peat_record comm = { .type = PEAT_RECORD_COMM,
					  .comm = { .pid = 9, .tid = 9, .comm = "told" } };

	open_sink(new_file(), 0, 0);
	ck_assert_int_eq(put_named(7, 10, "seven"), 0);
	ck_assert_int_eq(put_named(7, 20, "seven"), 0);
	ck_assert_int_eq(put_named(7, 25, "eight"), 0);
	ck_assert_int_eq(put_named(0, 30, "swapper/1"), 0);
	ck_assert_int_eq(put_named(8, 40, NULL), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_FORK, 7, 50), 0); /* parent 1 has no name */
	ck_assert_int_eq(put_named(7, 60, "another"), 0);
	ck_assert_int_eq(put_named(1, 70, "init"), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_FORK, 8, 80), 0); /* parent 1 has a name now */
	ck_assert_int_eq(put_named(8, 90, "init"), 0);
	ck_assert_int_eq(put_record(&comm, 95), 0);
	ck_assert_int_eq(put_named(9, 96, "told"), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert(stats().records == 3 && stats().events == 9);
	check_order(expected);
	close_sink();
}
END_TEST

START_TEST(test_exits_are_delayed)
{
	static const struct expected expected[] = {
		{ PEAT_RECORD_SAMPLE, 0, 10, 0 }, { PEAT_RECORD_SAMPLE, 0, 30, 0 },
		{ PEAT_RECORD_SAMPLE, 0, 40, 0 }, { PEAT_RECORD_EXIT, 7, 40, 20 },
		{ PEAT_RECORD_SAMPLE, 0, 50, 0 }, { PEAT_RECORD_EXIT, 8, 50, 35 },
		{ PEAT_RECORD_SAMPLE, 0, 60, 0 }, { PEAT_RECORD_EXIT, 9, 60, 55 },
		{ PEAT_RECORD_EXIT, 10, 65, 65 }, { 0 },
	};

	open_sink(new_file(), 0, 0);
	ck_assert_int_eq(put_raw(10), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, 7, 20), 0);
	ck_assert_int_eq(put_raw(30), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, 8, 35), 0);
	ck_assert_int_eq(put_raw(40), 0);
	ck_assert_uint_eq(stats().records, 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_uint_eq(stats().records, 1);
	ck_assert_int_eq(put_raw(50), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, 9, 55), 0);
	ck_assert_int_eq(put_raw(60), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, 10, 65), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_eq(stats().records, 4);
	check_order(expected);
	close_sink();
}
END_TEST

/* Before the record of the next thread with this id. */
START_TEST(test_exits_of_reused_tids)
{
	static const struct expected expected[] = {
		{ PEAT_RECORD_EXIT, 7, 30, 20 }, { PEAT_RECORD_FORK, 7, 30, 30 },
		{ PEAT_RECORD_EXIT, 8, 50, 40 }, { PEAT_RECORD_COMM, 0, 50, 0 },
		{ PEAT_RECORD_FORK, 0, 70, 0 },	 { PEAT_RECORD_FORK, 0, 55, 0 },
		{ PEAT_RECORD_EXIT, 9, 70, 60 }, { 0 },
	};
	struct peat_record comm = { .type = PEAT_RECORD_COMM,
				    .comm = { .pid = 8, .tid = 8, .comm = "new" } };

	open_sink(new_file(), 0, 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, 7, 20), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_FORK, 7, 30), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, 8, 40), 0);
	ck_assert_int_eq(put_record(&comm, 50), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, 9, 60), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_FORK, 10, 70), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_FORK, 9, 55),
			 0); /* late: of this thread, not of the next */
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	check_order(expected);
	close_sink();
}
END_TEST

static int put_comm(uint32_t tid, uint64_t time_ns, const char *name)
{
	const struct peat_record record = { .type = PEAT_RECORD_COMM,
					    .comm = { .pid = tid, .tid = tid, .comm = name } };

	return put_record(&record, time_ns);
}

static int put_sample_of(uint32_t tid, uint64_t time_ns)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .time_ns = time_ns,
				    .pid = tid,
				    .tid = tid,
				    .type = RAW,
				    .data = payload,
				    .size = sizeof(payload) };

	return peat_sink__write(sink, &event);
}

/* A reader uses the ended thread's name until the id is reused. */
START_TEST(test_names_of_reused_tids)
{
	static const char *const names[] = { "first", "first", "second", "parent", "last" };
	const uint32_t parent = 3999990, child = 3999991; /* not used on this machine */
	const struct peat_event *event;
	struct peat_reader *again;
	int found = 0;

	open_sink(new_file(), 0, 0);
	ck_assert_int_eq(put_comm(1, 10, "parent"), 0);
	ck_assert_int_eq(put_comm(child, 20, "first"), 0);
	ck_assert_int_eq(put_sample_of(child, 30), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, child, 40), 0);
	ck_assert_int_eq(put_sample_of(child, 50), 0);
	ck_assert_int_eq(put_comm(child, 60, "second"), 0);
	ck_assert_int_eq(put_sample_of(child, 70), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, child, 80), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_FORK, child, 90), 0);
	ck_assert_int_eq(put_sample_of(child, 100), 0);
	ck_assert_int_eq(put_comm(parent, 110, "last"), 0);
	ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, parent, 120), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_int_eq(put_sample_of(parent, 130), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	again = open_reader(fd);
	while ((event = next(again)))
		if (event->kind == PEAT_EVENT_DATA)
			ck_assert_str_eq(event->comm, names[found++]);
	ck_assert_int_eq(found, 5);
	peat_reader__free(again);
	close_sink();
}
END_TEST

/* All EXITs are written, though not all can be delayed. */
START_TEST(test_many_exits)
{
	const struct peat_event *event;
	struct peat_reader *again;
	uint64_t newest = 0;
	uint32_t exits = 0;

	open_sink(new_file(), 0, 0);
	for (uint32_t tid = 1; tid <= 20000; tid++)
		ck_assert_int_eq(put_task(PEAT_RECORD_EXIT, tid, 1000 + tid), 0);
	ck_assert_uint_ge(stats().records, 10000);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_eq(stats().records, 20000);
	again = open_reader(fd);
	while ((event = next(again))) {
		ck_assert_uint_eq(event->record->type, PEAT_RECORD_EXIT);
		ck_assert_uint_eq(event->record->task.tid, ++exits);
		ck_assert_uint_ge(event->time_ns, 1000 + exits);
		ck_assert_uint_ge(event->time_ns, newest);
		newest = event->time_ns;
	}
	ck_assert_uint_eq(exits, 20000);
	peat_reader__free(again);
	close_sink();
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_thread_named_once);
	tcase_add_test(tests, test_exits_are_delayed);
	tcase_add_test(tests, test_exits_of_reused_tids);
	tcase_add_test(tests, test_names_of_reused_tids);
	tcase_add_test(tests, test_many_exits);
}
