// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_slots.c: slots that are not released, or released twice: programs that end early or forget
 * peat_submit(), and readers that die.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "channel/channel.h"
#include "channel/stage.h"
#include "support/load/staged_load.h"

static uint64_t emitted, arrived;

/* ---- events given up ------------------------------------------------------------------------- */

static void check_misused(const struct peat_event *event)
{
	ck_assert_uint_eq(as_numbered(event)->number, arrived++);
}

/* Each event is submitted once; then the program submits or discards it again. */
START_TEST(test_misuse_is_counted_without_damage)
{
	static const enum misuse submits[] = { SUBMIT_TWICE, DISCARD_AFTER_SUBMIT,
					       SUBMIT_BYTES_TWICE };
	struct peat_ledger ledger;

	open_default();
	for (int i = 0; i < 600; i++)
		call(object, "misused", submits[i % 3], emitted++);
	ledger = finish(check_misused);
	ck_assert_uint_eq(arrived, 600);
	ck_assert_uint_eq(ledger.emitted, 600);
	ck_assert_uint_eq(ledger.misuse, 600);
	ck_assert_uint_eq(ledger.discarded, 0);
}
END_TEST

START_TEST(test_discarded_is_not_emitted)
{
	static const enum misuse discards[] = { JUST_DISCARD, SUBMIT_AFTER_DISCARD, DISCARD_TWICE };
	struct peat_ledger ledger;

	open_default();
	for (int i = 0; i < 600; i++) {
		call(object, "misused", discards[i % 3], 0);
		emit_numbered(1);
	}
	ledger = finish(check_numbered);
	ck_assert_uint_eq(seen[0].events, 600);
	ck_assert_uint_eq(ledger.emitted, 600);
	ck_assert_uint_eq(ledger.delivered, 600);
	ck_assert_uint_eq(ledger.discarded, 600);
	ck_assert_uint_eq(ledger.misuse, 400);
}
END_TEST

START_TEST(test_guard_releases_the_slot)
{
	struct peat_ledger ledger;
	uint64_t number = 0;

	open_default();
	for (uint32_t i = 0; i < 999; i++) {
		uint32_t way = i % 3;

		ck_assert_uint_eq(call(object, "guarded", way, number), way == 2 ? 0 : way + 2);
		number += way == 2;
	}
	ledger = finish(check_misused);
	ck_assert_uint_eq(arrived, 333);
	ck_assert_uint_eq(ledger.emitted, 333);
	ck_assert_uint_eq(ledger.discarded, 666);
	ck_assert_uint_eq(ledger.misuse, 0);
	ck_assert_uint_eq(ledger.lost_nested, 0); /* as there would be, were a slot still locked */
}
END_TEST

/* ---- events leaked --------------------------------------------------------------------------- */

static unsigned occurrences(const char *word)
{
	unsigned count = 0;

	for (const char *at = messages; (at = strstr(at, word)); at++)
		count++;
	return count;
}

/* Four leaks between good events: all slots of the CPU are stuck, later events are lost. */
static void leak_all(void)
{
	emit_numbered(3);
	for (int i = 0; i < PEAT_SLOTS; i++) {
		ck_assert_uint_eq(call(object, "leaky", 0, 0), 0);
		if (i < PEAT_SLOTS - 1)
			emit_numbered(2);
	}
	for (int i = 0; i < 10; i++)
		ck_assert_uint_eq(call(object, "number_one", 0, 0), 1);
}

static void check_leaked(uint64_t good)
{
	struct peat_ledger ledger = finish(check_numbered);

	ck_assert_uint_eq(ledger.lost_abandoned, PEAT_SLOTS);
	ck_assert_uint_eq(ledger.lost_nested, 10);
	ck_assert_uint_eq(ledger.delivered, good);
	ck_assert_uint_eq(ledger.emitted, good + PEAT_SLOTS + 10);
	ck_assert_uint_eq(occurrences("reserved an event 'numbered'"), PEAT_SLOTS);
	ck_assert_uint_eq(occurrences("CPU 0 "), PEAT_SLOTS);
	for (uint32_t i = 0; i < 9; i++)
		ck_assert_uint_eq(seen[0].arrived[i], 1);
}

START_TEST(test_leaked_slots_are_reclaimed)
{
	uint64_t deadline_ns = now_ns() + 60000000000;

	open_staged(NULL);
	open_channel_reader(20, 0);
	leak_all();
	while (ledger_now().lost_abandoned < PEAT_SLOTS && now_ns() < deadline_ns)
		if (peat_reader__wait(reader, 1000) > 0)
			drain(check_numbered);
	emit_numbered(100);
	check_leaked(9 + 100);
}
END_TEST

START_TEST(test_flush_reclaims_leaked_slots)
{
	open_default();
	leak_all();
	check_leaked(9);
}
END_TEST

/* A busy slot is often found locked, but is never reclaimed. */
START_TEST(test_busy_slots_are_not_reclaimed)
{
	struct peat_ledger ledger;
	struct cpus cpus = online_cpus();
	struct bpf_link *link;
	pthread_t thread;

	open_attached(&link);
	ck_assert_int_eq(
		pthread_create(&thread, NULL, call_getpgid, (void *)(uintptr_t)(cpus.limit - 1)),
		0);
	while (!__atomic_load_n(&ended, __ATOMIC_RELAXED))
		drain_all(check_numbered);
	pthread_join(thread, NULL);
	bpf_link__destroy(link);
	ledger = finish(check_numbered);
	ck_assert_uint_eq(ledger.lost_abandoned, 0);
	ck_assert_uint_eq(ledger.misuse, 0);
	ck_assert_uint_eq(ledger.delivered + ledger.lost_ring_full + ledger.lost_nested, calls());
	cpus__free(&cpus);
}
END_TEST

/* ---- readers come and go --------------------------------------------------------------------- */

/* Starts a process that calls `until_ready` and then waits. */
static pid_t start(void (*until_ready)(void), bool has_namespace)
{
	int ready[2];
	pid_t child;
	char byte;

	ck_assert_int_eq(pipe(ready), 0);
	child = has_namespace ? (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0)
			      : fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		until_ready();
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return child;
}

static void end_by_kill(pid_t child)
{
	int status;

	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void run_and_kill(void (*until_ready)(void))
{
	end_by_kill(start(until_ready, false));
}

static void open_stage(struct stage *stage)
{
	if (stage__map(stage, channel->stage_fd, channel->cpus * PEAT_SLOTS, channel->slot_bytes))
		_exit(1);
}

/* Locks a slot, as a reader that is about to collect. */
static void lock_first_slot(void)
{
	struct stage stage;

	open_stage(&stage);
	if (!stage__lock(&stage, 0))
		_exit(1);
}

START_TEST(test_reader_killed_with_a_locked_slot)
{
	open_staged(NULL);
	emit_numbered(5);
	run_and_kill(lock_first_slot);
	emit_numbered(3); /* to the next slot */
	open_channel_reader(100, 0);
	ck_assert_msg(strstr(messages, "recovered"), "%s", messages);
	emit_numbered(4); /* to the first again */
	ck_assert_uint_eq(ledger_now().staged, 12);
	finish_whole(12, check_numbered);
	ck_assert_uint_eq(seen[0].events, 12);
	ck_assert_uint_eq(seen[0].next[0], 12);
	ck_assert_uint_eq(seen[0].next[1], 8);
}
END_TEST

static void check_first_slot(bool is_locked, uint32_t recovered)
{
	struct peat_slot slot;
	struct stage stage;

	open_stage(&stage);
	stage__read(&stage, 0, &slot);
	if (!!slot.lock != is_locked || stage__recover(&stage) != recovered)
		_exit(1);
}

static void recover_nothing(void)
{
	check_first_slot(true, 0);
}

static void recover_first_slot(void)
{
	check_first_slot(true, 1);
}

/* In containers, readers have the same pid: only the slot of the one that died is recovered. */
START_TEST(test_readers_with_one_pid)
{
	pid_t first;

	open_staged(NULL);
	first = start(lock_first_slot, true);
	end_by_kill(start(recover_nothing, true));
	end_by_kill(start(recover_nothing, false));
	end_by_kill(first);
	end_by_kill(start(recover_first_slot, true));
}
END_TEST

static void read_some(void)
{
	open_channel_reader(100, 0);
	emit_numbered(1000);
	if (drain(NULL) == 0)
		_exit(1);
	emit_numbered(1000);
}

/* Events in the rings of a dead reader are lost with it, staged events are not. */
START_TEST(test_reader_killed_while_reading)
{
	uint64_t staged;

	open_staged(NULL);
	run_and_kill(read_some);
	open_channel_reader(100, 0);
	staged = ledger_now().staged;
	ck_assert_uint_gt(staged, 0);
	ck_assert_uint_lt(staged, 1000);
	emit_numbered(1000);
	finish_whole(staged + 1000, check_numbered);
	ck_assert_uint_eq(seen[0].next[0], 3000);
}
END_TEST

/* Each reader counts from its own start: earlier losses are not its own. */
START_TEST(test_consecutive_readers)
{
	const struct peat_event *event;
	struct peat_ledger ledger;

	open_default();
	for (int i = 0; i < 5; i++) {
		emit_numbered(1005);
		call(object, "trimmed", 1000, 0);
		call(object, "misused", DISCARD_TWICE, 0);
		ledger = finish(check_numbered);
		ck_assert_uint_eq(ledger.emitted, 1006);
		ck_assert_uint_eq(ledger.delivered, 1005);
		ck_assert_uint_eq(ledger.lost_too_big, 1);
		ck_assert_uint_eq(ledger.discarded, 1);
		ck_assert_uint_eq(ledger.misuse, 1);
		close_reader();
		emit_numbered(1000);
		open_channel_reader(100, 0);
		ck_assert_uint_gt(ledger_now().staged, 0);
		ck_assert_uint_eq(ledger_now().emitted, ledger_now().staged);
		while (peat_reader__next(reader, &event) > 0)
			ck_assert_int_eq(event->kind, PEAT_EVENT_DATA); /* no LOST event */
		drain_all(NULL);
		close_reader();
		open_channel_reader(100, 0);
		ck_assert_uint_eq(ledger_now().emitted, 0);
		ck_assert_uint_eq(ledger_now().frames, 0);
	}
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *slots_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("slots", 120, &tests);

	tcase_add_checked_fixture(tests, setup, close_all);
	tcase_add_test(tests, test_misuse_is_counted_without_damage);
	tcase_add_test(tests, test_discarded_is_not_emitted);
	tcase_add_test(tests, test_guard_releases_the_slot);
	tcase_add_test(tests, test_leaked_slots_are_reclaimed);
	tcase_add_test(tests, test_flush_reclaims_leaked_slots);
	tcase_add_test(tests, test_busy_slots_are_not_reclaimed);
	tcase_add_test(tests, test_reader_killed_with_a_locked_slot);
	tcase_add_test(tests, test_readers_with_one_pid);
	tcase_add_test(tests, test_reader_killed_while_reading);
	tcase_add_test(tests, test_consecutive_readers);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { slots_suite };

	return harness__main(argc, argv, suites, 1);
}
