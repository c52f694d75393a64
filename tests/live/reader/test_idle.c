// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_idle.c: a reader sleeps without a tick while nothing is staged, and programs wake it. */
#include <sys/epoll.h>
#include <sys/wait.h>

#include "channel/channel.h"
#include "channel/stage.h"
#include "session/foreign/adopt.h"
#include "support/load/staged_load.h"

EMBED_OBJECT(staged_silent)

#define LONG_MS 20000

static void setup_bells(void)
{
	harness__need_new_atomics();
	setup();
}

/*
 * Reads until one wait finds nothing, not even a tick, and returns 0.  Each tick ends a wait, so a
 * reader that ticks never gets there.  CPUs that others switch end waits as well.
 */
static int wait_for_sleep(int wait_ms)
{
	uint64_t deadline_ns = now_ns() + 3 * LONG_MS * 1000000ull;
	int ready;

	while ((ready = peat_reader__wait(reader, wait_ms)) > 0 && now_ns() < deadline_ns)
		drain(check_numbered);
	return ready;
}

#define fall_asleep() ck_assert_int_eq(wait_for_sleep(500), 0)

static bool is_any_armed(void)
{
	struct stage stage;
	bool is_armed = false;

	ck_assert_int_eq(stage__map(&stage, channel->stage_fd, channel->cpus * PEAT_SLOTS,
				    channel->slot_bytes),
			 0);
	for (uint32_t index = 0; index < stage.slots; index++)
		is_armed |= ((struct peat_slot *)(stage.memory + index * stage.slot_bytes))->lock ==
			    PEAT_LOCK_ARMED;
	stage__unmap(&stage);
	return is_armed;
}

/* ---- falling asleep -------------------------------------------------------------------------- */

START_TEST(test_sleeps_while_nothing_is_staged)
{
	open_default();
	ck_assert_int_eq(wait_for_sleep(3000), 0);
	emit_numbered(1);
	ck_assert_uint_eq(await(1, check_numbered), 1);
	fall_asleep();
	emit_numbered(1000); /* several batches, and some staged */
	ck_assert_uint_eq(await(1000, check_numbered), 1000);
	finish_whole(1001, check_numbered);
}
END_TEST

START_TEST(test_reading_while_asleep_does_not_wake)
{
	open_default();
	fall_asleep();
	for (int i = 0; i < 5; i++)
		ck_assert_uint_eq(drain(check_numbered), 0);
	ledger_now();
	ck_assert(is_any_armed());
	fall_asleep();
	emit_numbered(1);
	finish_whole(1, check_numbered);
}
END_TEST

START_TEST(test_every_cpu_wakes)
{
	struct cpus cpus = online_cpus();
	uint64_t emitted = 0;

	open_default();
	for_each_cpu (cpu, &cpus) {
		if (cpu >= STAGED_CPUS)
			break;
		fall_asleep();
		pin_to(cpu);
		emit_numbered(1);
		emitted++;
		ck_assert_uint_eq(await(1, check_numbered), 1);
	}
	finish_whole(emitted, check_numbered);
	cpus__free(&cpus);
}
END_TEST

START_TEST(test_ordered_reader_sleeps_once_nothing_is_held)
{
	open_staged(NULL);
	open_ordered_reader(100);
	fall_asleep();
	emit_numbered(3);
	ck_assert_uint_eq(await(3, check_numbered), 3);
	fall_asleep();
	finish_whole(3, check_numbered);
}
END_TEST

START_TEST(test_unstaged_channel_wakes)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	opts.unstaged = true;
	open_staged(&opts);
	open_channel_reader(0, 0);
	fall_asleep();
	emit_numbered(2);
	ck_assert_uint_eq(await(2, check_numbered), 2);
	finish_whole(2, check_numbered);
}
END_TEST

/* The outer epoll_wait() consumes the wakeup of the ring's fd. */
START_TEST(test_callers_epoll_is_woken)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);

	ck_assert_int_ge(epoll_fd, 0);
	open_default();
	ck_assert_int_eq(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, peat_reader__fd(reader), &event), 0);
	fall_asleep();
	emit_numbered(1);
	ck_assert_int_eq(epoll_wait(epoll_fd, &event, 1, LONG_MS), 1);
	ck_assert_int_eq(peat_reader__wait(reader, -1), 1);
	ck_assert_uint_eq(await(1, check_numbered), 1);
	finish_whole(1, check_numbered);
	close(epoll_fd);
}
END_TEST

/* ---- losses ---------------------------------------------------------------------------------- */

static uint64_t await_loss(enum peat_lost_cause cause)
{
	uint64_t deadline_ns = now_ns() + LONG_MS * 1000000ull;
	const struct peat_event *event;

	while (now_ns() < deadline_ns) {
		if (peat_reader__wait(reader, 1000) <= 0)
			continue;
		while (peat_reader__next(reader, &event) > 0)
			if (event->kind == PEAT_EVENT_LOST && event->cause == cause)
				return event->lost;
	}
	return 0;
}

START_TEST(test_oversized_event_wakes)
{
	open_default();
	fall_asleep();
	ck_assert_uint_eq(call(object, "oversized", 0, 0), 1);
	ck_assert_uint_eq(await_loss(PEAT_LOST_TOO_BIG), 1);
	ck_assert_uint_eq(finish(NULL).lost_too_big, 1);
}
END_TEST

/* The program ends with the slot locked: it is reclaimed as if the reader had been awake. */
START_TEST(test_leaked_slot_wakes)
{
	open_default();
	fall_asleep();
	ck_assert_uint_eq(call(object, "leaky", 0, 0), 0);
	ck_assert_uint_eq(await_loss(PEAT_LOST_ABANDONED), 1);
	fall_asleep();
	ck_assert_uint_eq(finish(NULL).lost_abandoned, 1);
}
END_TEST

/*
 * The reader falls asleep within the second in which one event is allowed: so some calls find it
 * asleep and are throttled.
 */
START_TEST(test_throttled_event_wakes)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	uint64_t reported = 0;

	opts.max_rate = 1;
	open_staged(&opts);
	open_channel_reader(10, 0);
	for (int i = 0; i < 50 && !reported; i++) {
		while (!is_any_armed() && peat_reader__wait(reader, 1000) > 0)
			drain(NULL);
		if (call(object, "number_one", 0, 0))
			reported = await_loss(PEAT_LOST_THROTTLED);
	}
	ck_assert_uint_eq(reported, 1);
	ck_assert_uint_eq(finish(NULL).lost_throttled, 1);
}
END_TEST

/* ---- programs that cannot wake it ------------------------------------------------------------ */

static void check_ticks(void)
{
	for (int i = 0; i < 20; i++) {
		ck_assert_int_eq(peat_reader__wait(reader, LONG_MS), 1);
		ck_assert_uint_eq(drain(check_numbered), 0);
	}
	ck_assert(!is_any_armed());
	emit_numbered(1);
	ck_assert_uint_eq(await(1, check_numbered), 1);
	finish_whole(1, check_numbered);
}

START_TEST(test_objects_without_bells_keep_the_tick)
{
	open_channel(NULL);
	object = add_object(&staged_silent_object);
	open_channel_reader(100, 0);
	check_ticks();
}
END_TEST

START_TEST(test_one_object_without_bells_keeps_the_tick)
{
	open_staged(NULL);
	add_object(&staged_silent_object);
	open_channel_reader(100, 0);
	check_ticks();
}
END_TEST

START_TEST(test_object_without_bells_wakes_when_bound)
{
	open_default();
	fall_asleep();
	object = add_object(&staged_silent_object);
	check_ticks();
}
END_TEST

START_TEST(test_paused_reader_keeps_the_tick)
{
	open_default();
	fall_asleep();
	peat_reader__pause(reader);
	check_ticks();
}
END_TEST

/* ---- channels that another process reads ----------------------------------------------------- */

static struct peat_channel *adopt(void)
{
	struct peat_channel *adopted;

	ck_assert_int_eq(adopt__channel(channel->ring_fd, &adopted), 1);
	ck_assert_uint_eq(adopted->cpus, channel->cpus);
	return adopted;
}

START_TEST(test_reader_of_an_adopted_channel_sleeps)
{
	struct peat_channel *adopted;

	open_staged(NULL);
	adopted = adopt();
	reader = peat_reader__new(adopted, NULL);
	ck_assert_ptr_nonnull(reader);
	fall_asleep();
	emit_numbered(1);
	ck_assert_uint_eq(await(1, check_numbered), 1);
	finish_whole(1, check_numbered);
	close_reader();
	peat_channel__free(adopted);
}
END_TEST

START_TEST(test_adopted_objects_without_bells_keep_the_tick)
{
	struct peat_channel *adopted;

	open_staged(NULL);
	add_object(&staged_silent_object);
	adopted = adopt();
	reader = peat_reader__new(adopted, NULL);
	ck_assert_ptr_nonnull(reader);
	check_ticks();
	close_reader();
	peat_channel__free(adopted);
}
END_TEST

/* ---- before Linux 5.12 ------------------------------------------------------------------------
 */

/* Slots with plain locks can be armed by no other CPU. */
START_TEST(test_plain_locks_keep_the_tick)
{
	open_default();
	if (!channel->collector)
		skip("this kernel has atomic operations that return a value");
	check_ticks();
}
END_TEST

START_TEST(test_adopted_plain_locks_keep_the_tick)
{
	struct peat_channel *adopted;

	open_staged(NULL);
	if (!channel->collector)
		skip("this kernel has atomic operations that return a value");
	adopted = adopt();
	ck_assert_ptr_nonnull(adopted->collector);
	reader = peat_reader__new(adopted, NULL);
	ck_assert_ptr_nonnull(reader);
	check_ticks();
	close_reader();
	peat_channel__free(adopted);
}
END_TEST

/* ---- readers that end ------------------------------------------------------------------------ */

START_TEST(test_freed_reader_disarms)
{
	open_default();
	fall_asleep();
	ck_assert(is_any_armed());
	close_reader();
	ck_assert(!is_any_armed());
}
END_TEST

START_TEST(test_child_does_not_disarm)
{
	int status;
	pid_t child;

	open_default();
	fall_asleep();
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		peat_reader__free(reader);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert(is_any_armed());
	emit_numbered(1);
	ck_assert_uint_eq(await(1, check_numbered), 1);
	finish_whole(1, check_numbered);
}
END_TEST

/* Arms all slots, as a reader that is killed in its sleep leaves them. */
static void arm_all(void)
{
	struct stage stage;

	ck_assert_int_eq(stage__map(&stage, channel->stage_fd, channel->cpus * PEAT_SLOTS,
				    channel->slot_bytes),
			 0);
	stage__start(&stage);
	ck_assert(stage__arm(&stage, NULL));
	stage__unmap(&stage);
}

START_TEST(test_reader_killed_asleep)
{
	open_staged(NULL);
	arm_all();
	emit_numbered(5);
	open_channel_reader(100, 0);
	ck_assert(!is_any_armed());
	ck_assert_uint_eq(ledger_now().staged, 5);
	ck_assert_uint_eq(await(5, check_numbered), 5);
	fall_asleep();
	finish_whole(5, check_numbered);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *idle_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("idle", 120, &tests);

	tcase_add_checked_fixture(tests, setup_bells, close_all);
	tcase_add_test(tests, test_sleeps_while_nothing_is_staged);
	tcase_add_test(tests, test_reading_while_asleep_does_not_wake);
	tcase_add_test(tests, test_every_cpu_wakes);
	tcase_add_test(tests, test_ordered_reader_sleeps_once_nothing_is_held);
	tcase_add_test(tests, test_unstaged_channel_wakes);
	tcase_add_test(tests, test_callers_epoll_is_woken);
	tcase_add_test(tests, test_oversized_event_wakes);
	tcase_add_test(tests, test_leaked_slot_wakes);
	tcase_add_test(tests, test_throttled_event_wakes);
	tcase_add_test(tests, test_objects_without_bells_keep_the_tick);
	tcase_add_test(tests, test_one_object_without_bells_keeps_the_tick);
	tcase_add_test(tests, test_object_without_bells_wakes_when_bound);
	tcase_add_test(tests, test_paused_reader_keeps_the_tick);
	tcase_add_test(tests, test_reader_of_an_adopted_channel_sleeps);
	tcase_add_test(tests, test_adopted_objects_without_bells_keep_the_tick);
	tcase_add_test(tests, test_freed_reader_disarms);
	tcase_add_test(tests, test_child_does_not_disarm);
	tcase_add_test(tests, test_reader_killed_asleep);
	tests = tcase_create("plain_locks");
	tcase_set_timeout(tests, 120);
	tcase_add_checked_fixture(tests, setup, close_all);
	tcase_add_test(tests, test_plain_locks_keep_the_tick);
	tcase_add_test(tests, test_adopted_plain_locks_keep_the_tick);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { idle_suite };

	return harness__main(argc, argv, suites, 1);
}
