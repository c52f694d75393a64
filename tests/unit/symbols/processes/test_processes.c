// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_processes.c: address spaces of processes, record by record. */
#include <errno.h>
#include <string.h>

#include "symbols/processes/processes.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static void apply(struct processes *processes, const struct peat_record *record, uint64_t time_ns)
{
	ck_assert_int_eq(processes__apply(processes, record, time_ns), 0);
}

static void map(struct processes *processes, uint32_t pid, const char *path, uint64_t begin,
		uint64_t time_ns)
{
	const struct peat_record record = {
		.type = PEAT_RECORD_MMAP2,
		.mmap = { .pid = pid, .tid = pid, .addr = begin, .len = 100, .filename = path },
	};

	apply(processes, &record, time_ns);
}

static void fork_process(struct processes *processes, uint32_t parent, uint32_t child,
			 uint64_t time_ns)
{
	const struct peat_record record = {
		.type = PEAT_RECORD_FORK,
		.task = { .pid = child, .ppid = parent, .tid = child, .ptid = parent },
	};

	apply(processes, &record, time_ns);
}

static void exec_process(struct processes *processes, uint32_t pid, uint64_t time_ns)
{
	const struct peat_record record = {
		.type = PEAT_RECORD_COMM,
		.comm = { .pid = pid, .tid = pid, .comm = "new", .exec = true },
	};

	apply(processes, &record, time_ns);
}

static void end_task(struct processes *processes, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	const struct peat_record record = {
		.type = PEAT_RECORD_EXIT,
		.task = { .pid = pid, .ppid = 1, .tid = tid, .ptid = 1 },
	};

	apply(processes, &record, time_ns);
}

static void check(struct processes *processes, uint32_t pid, uint64_t time_ns, uint64_t address,
		  const char *path)
{
	struct process *process = processes__find(processes, pid);
	const struct mapping *mapping =
		process ? address_space__find(process__space(process, time_ns), time_ns, address)
			: NULL;

	ck_assert_str_eq(mapping ? mapping->file->key.path : "", path);
}

START_TEST(test_child_has_parents_mappings)
{
	struct processes processes = { 0 };

	map(&processes, 1, "/a", 100, 10);
	fork_process(&processes, 1, 2, 20);
	map(&processes, 1, "/b", 100, 30);
	check(&processes, 2, 40, 150, "/a");
	check(&processes, 1, 40, 150, "/b");
	check(&processes, 1, 25, 150, "/a");
	check(&processes, 3, 40, 150, "");
	processes__free(&processes);
}
END_TEST

/* Threads share the mappings; perf's own FORK is followed by all mappings. */
START_TEST(test_fork_without_copy)
{
	struct processes processes = { 0 };
	struct peat_record record = {
		.type = PEAT_RECORD_FORK,
		.task = { .pid = 1, .ppid = 1, .tid = 2, .ptid = 1 },
	};

	map(&processes, 1, "/a", 100, 10);
	apply(&processes, &record, 20);
	ck_assert_uint_eq(processes.by_pid.count, 1);
	record.task.pid = 2;
	record.misc = PEAT_MISC_FORK_EXEC;
	apply(&processes, &record, 0);
	check(&processes, 2, 30, 150, "");
	processes__free(&processes);
}
END_TEST

START_TEST(test_exec_begins_new_mappings)
{
	struct processes processes = { 0 };

	map(&processes, 1, "/old", 100, 10);
	exec_process(&processes, 1, 20);
	map(&processes, 1, "/new", 300, 21);
	check(&processes, 1, 30, 150, "");
	check(&processes, 1, 30, 350, "/new");
	check(&processes, 1, 15, 150, "/old");
	check(&processes, 1, 15, 350, "");
	processes__free(&processes);
}
END_TEST

/* The records of a process that changes its CPU are perhaps read in another order. */
START_TEST(test_late_exec)
{
	struct processes processes = { 0 };

	map(&processes, 1, "/old", 100, 10);
	map(&processes, 1, "/new", 300, 21);
	exec_process(&processes, 1, 20);
	check(&processes, 1, 30, 150, "");
	check(&processes, 1, 30, 350, "/new");
	check(&processes, 1, 15, 150, "/old");
	processes__free(&processes);
}
END_TEST

START_TEST(test_late_fork)
{
	struct processes processes = { 0 };

	map(&processes, 1, "/parent", 100, 10);
	map(&processes, 2, "/own", 150, 30);
	fork_process(&processes, 1, 2, 20);
	check(&processes, 2, 40, 120, "/parent");
	check(&processes, 2, 40, 180, "/own");
	check(&processes, 2, 25, 180, "/parent");
	processes__free(&processes);
}
END_TEST

START_TEST(test_many_execs)
{
	struct processes processes = { 0 };

	for (uint64_t i = 0; i < 100; i++) {
		exec_process(&processes, 1, 10 * i + 1);
		map(&processes, 1, i % 2 ? "/odd" : "/even", 100, 10 * i + 2);
	}
	ck_assert_uint_eq(processes__find(&processes, 1)->spaces_count, PROCESS_SPACES_MAX);
	check(&processes, 1, 1000, 150, "/odd");
	check(&processes, 1, 985, 150, "/even");
	processes__free(&processes);
}
END_TEST

/* A process that ended keeps its names until many others have ended. */
START_TEST(test_ended_process_keeps_names)
{
	struct processes processes = { 0 };

	map(&processes, 1, "/a", 100, 10);
	end_task(&processes, 1, 2, 15);
	ck_assert(!processes__find(&processes, 1)->has_ended);
	end_task(&processes, 1, 1, 20);
	ck_assert(processes__find(&processes, 1)->has_ended);
	check(&processes, 1, 15, 150, "/a");
	for (uint32_t pid = 2; pid < PROCESSES_ENDED_MAX + 1; pid++) {
		fork_process(&processes, 9999999, pid, 30);
		end_task(&processes, pid, pid, 40);
	}
	check(&processes, 1, 15, 150, "/a");
	fork_process(&processes, 9999999, 5000, 30);
	end_task(&processes, 5000, 5000, 40);
	check(&processes, 1, 15, 150, "");
	ck_assert_uint_eq(processes.by_pid.count, PROCESSES_ENDED_MAX);
	ck_assert_uint_eq(processes.ended_count, PROCESSES_ENDED_MAX);
	processes__free(&processes);
}
END_TEST

/* The records of their ends are lost. */
START_TEST(test_processes_are_bounded)
{
	struct processes processes = { 0 };

	for (uint32_t pid = 1; pid <= PROCESSES_MAX + 1000; pid++)
		map(&processes, pid, "/a", 100, pid);
	ck_assert_uint_eq(processes.by_pid.count, PROCESSES_MAX);
	check(&processes, PROCESSES_MAX + 1000, 0, 150, "/a");
	processes__free(&processes);
}
END_TEST

/* A pid is given to another process; an EXIT read late is that of the former one. */
START_TEST(test_reused_pid)
{
	struct processes processes = { 0 };

	map(&processes, 1, "/parent", 100, 1);
	map(&processes, 2, "/former", 300, 10);
	end_task(&processes, 2, 2, 20);
	fork_process(&processes, 1, 2, 30);
	ck_assert(!processes__find(&processes, 2)->has_ended);
	check(&processes, 2, 40, 350, "");
	check(&processes, 2, 40, 150, "/parent");
	check(&processes, 2, 15, 350, "/former");
	end_task(&processes, 2, 2, 20);
	ck_assert(!processes__find(&processes, 2)->has_ended);
	processes__free(&processes);
}
END_TEST

/* The kernel's own mapping, and memory that is not executable. */
START_TEST(test_other_records_are_ignored)
{
	struct processes processes = { 0 };
	struct peat_record record = {
		.type = PEAT_RECORD_MMAP,
		.mmap = { .pid = 1, .addr = 100, .len = 100, .filename = "/data", .data = true },
	};

	apply(&processes, &record, 1);
	record.mmap.data = false;
	record.mmap.pid = UINT32_MAX;
	apply(&processes, &record, 1);
	record.mmap.pid = 1;
	record.mmap.addr = UINT64_MAX - 10;
	apply(&processes, &record, 1);
	record.type = PEAT_RECORD_SWITCH;
	apply(&processes, &record, 1);
	ck_assert_uint_eq(processes.by_pid.count, 0);
	processes__free(&processes);
}
END_TEST

/* Recordings without times: each record follows the one before. */
START_TEST(test_no_time)
{
	struct processes processes = { 0 };

	map(&processes, 1, "/old", 100, 0);
	exec_process(&processes, 1, 0);
	check(&processes, 1, 0, 150, "");
	map(&processes, 1, "/new", 100, 0);
	check(&processes, 1, 0, 150, "/new");
	processes__free(&processes);
}
END_TEST

/* A record that has no memory is not applied; nothing is leaked. */
static int apply_many(struct processes *processes)
{
	struct peat_record map_record = {
		.type = PEAT_RECORD_MMAP2,
		.mmap = { .pid = 1, .tid = 1, .addr = 100, .len = 100, .filename = "/a" },
	};
	const struct peat_record fork_record = {
		.type = PEAT_RECORD_FORK,
		.task = { .pid = 2, .ppid = 1, .tid = 2, .ptid = 1 },
	};
	const struct peat_record exec_record = {
		.type = PEAT_RECORD_COMM,
		.comm = { .pid = 1, .tid = 1, .comm = "new", .exec = true },
	};
	int err = 0;

	for (uint64_t i = 0; i < 300 && !err; i++) {
		map_record.mmap.addr = 100 + i % 7 * 50;
		err = processes__apply(processes, &map_record, 1000 - i);
	}
	if (!err)
		err = processes__apply(processes, &fork_record, 900);
	return err ? err : processes__apply(processes, &exec_record, 950);
}

START_TEST(test_no_memory)
{
	bool failed = true;

	for (unsigned nth = 1; failed; nth++) {
		struct processes processes = { 0 };
		long blocks = fail_alloc__blocks();
		int err;

		fail_alloc__begin(nth);
		err = apply_many(&processes);
		failed = fail_alloc__end();
		ck_assert_int_eq(err, failed ? -ENOMEM : 0);
		processes__free(&processes);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
}
END_TEST

/* ---- many mappings --------------------------------------------------------------------------- */

static void map_many(struct processes *processes, uint32_t pid, uint32_t count, uint64_t time_ns)
{
	for (uint32_t i = 0; i < count; i++)
		map(processes, pid, "/a", 1000 * (uint64_t)i, time_ns + i);
}

/* Children share the mappings of their parent; only their own ones need memory. */
START_TEST(test_many_children)
{
	struct processes processes = { 0 };
	uint64_t before;

	map_many(&processes, 1, 50000, 10);
	before = processes.files.uses;
	for (uint32_t pid = 2; pid <= 603; pid++) {
		fork_process(&processes, pid - 1, pid, 100000 + pid);
		map(&processes, pid, "/own", 1000 * (uint64_t)pid + 50, 100000 + pid);
		check(&processes, pid, 200000, 1000 * 40000 + 50, "/a");
		check(&processes, pid, 200000, 1000 * (uint64_t)pid + 100, "/own");
	}
	check(&processes, 1, 200000, 2100, "");
	ck_assert_uint_lt(processes.files.uses - before, 602 * 160);
	processes__free(&processes);
}
END_TEST

/* Other processes are forgotten before all mappings need too much memory. */
START_TEST(test_mappings_max)
{
	struct processes processes = { .mappings_max = 1000 };

	for (uint32_t pid = 1; pid <= 100; pid++) {
		map_many(&processes, pid, 100, 10);
		ck_assert_uint_le(processes.files.uses, 1001);
	}
	check(&processes, 100, 0, 99 * 1000 + 50, "/a");
	/* Each has 100, but those that were forgotten while their files were mapped. */
	ck_assert_uint_le(processes.by_pid.count, 20);
	map_many(&processes, 101, 2000, 10);
	check(&processes, 101, 0, 1999 * 1000 + 50, "/a");
	ck_assert_uint_le(processes.files.uses, 2001);
	processes__free(&processes);
}
END_TEST

/* FORK and COMM records that are all read late do not move the same mappings each time. */
START_TEST(test_late_again)
{
	struct processes processes = { 0 };

	map_many(&processes, 1, 20000, 10);
	map_many(&processes, 2, 20000, 1000000);
	for (uint32_t i = 0; i < 20000; i++) {
		fork_process(&processes, 1, 2, 100000 + 2 * i);
		exec_process(&processes, 2, 100001 + 2 * i);
	}
	check(&processes, 2, 2000000, 50, "/a");
	processes__free(&processes);
}
END_TEST

/* The first spaces are forgotten; an exec that is older than the rest is the first one then. */
START_TEST(test_very_late_exec)
{
	struct processes processes = { 0 };
	struct process *process;

	for (uint64_t i = 0; i < 20; i++) {
		exec_process(&processes, 1, 100 * i + 101);
		map(&processes, 1, "/a", 100 * i, 100 * i + 102);
	}
	exec_process(&processes, 1, 50);
	process = processes__find(&processes, 1);
	for (uint32_t i = 1; i < process->spaces_count; i++)
		ck_assert_uint_lt(process->spaces[i - 1].since_ns, process->spaces[i].since_ns);
	check(&processes, 1, 5000, 1950, "/a");
	check(&processes, 1, 5000, 1850, "");
	check(&processes, 1, 1950, 1850, "/a");
	processes__free(&processes);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_child_has_parents_mappings);
	tcase_add_test(tests, test_fork_without_copy);
	tcase_add_test(tests, test_exec_begins_new_mappings);
	tcase_add_test(tests, test_late_exec);
	tcase_add_test(tests, test_late_fork);
	tcase_add_test(tests, test_many_execs);
	tcase_add_test(tests, test_ended_process_keeps_names);
	tcase_add_test(tests, test_processes_are_bounded);
	tcase_add_test(tests, test_reused_pid);
	tcase_add_test(tests, test_other_records_are_ignored);
	tcase_add_test(tests, test_no_time);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_many_children);
	tcase_add_test(tests, test_mappings_max);
	tcase_add_test(tests, test_late_again);
	tcase_add_test(tests, test_very_late_exec);
}
