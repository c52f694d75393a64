// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_inputs.c: waiting, sleeping and counting with slots in memory, and rings that are opened. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <peat/log.h>

#include "base/monotonic.h"
#include "live/input.h"
#include "ring/samplers.h"
#include "support/machine/process.h"
#include "unit/fail_alloc.h"
#include "unit/fake_grace_period.h"
#include "unit/live/live_maker.h"

#define TICK_MS	    1500u
#define READY_LIMIT 8

static struct inputs *const inputs = &made_inputs;
static char logged[512]; /* the last error */

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void watch(int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	ck_assert_int_eq(epoll_ctl(inputs->epoll_fd, EPOLL_CTL_ADD, fd, &event), 0);
}

/* Slots that may sleep, a timer that does not tick yet, and an empty drain. */
static void begin(void)
{
	peat_set_print(note);
	logged[0] = '\0';
	fake_grace_period__set(NULL, 0);
	make_channel(0);
	inputs->tick_ms = TICK_MS;
	inputs->rings.bells = true;
	inputs->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	inputs->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	inputs->interrupt_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	inputs->ready = calloc(READY_LIMIT, sizeof(*inputs->ready));
	inputs->ready_limit = READY_LIMIT;
	ck_assert_ptr_nonnull(inputs->ready);
	watch(inputs->timer_fd);
	watch(inputs->interrupt_fd);
	stage__start(&inputs->stage);
}

static void end(void)
{
	grace_thread__close(&inputs->grace);
	free(inputs->ready);
	close(inputs->epoll_fd);
	close(inputs->timer_fd);
	close(inputs->interrupt_fd);
	free_made();
}

/* The interval of the timer in ms; 0: it is stopped. */
static uint64_t interval_ms(void)
{
	struct itimerspec spec;

	ck_assert_int_eq(timerfd_gettime(inputs->timer_fd, &spec), 0);
	return (uint64_t)spec.it_interval.tv_sec * 1000 +
	       (uint64_t)spec.it_interval.tv_nsec / 1000000;
}

/* Lets the timer tick once, now. */
static void tick(void)
{
	struct itimerspec soon = { .it_value.tv_nsec = 1 };
	struct epoll_event event;

	ck_assert_int_eq(timerfd_settime(inputs->timer_fd, 0, &soon, NULL), 0);
	ck_assert_int_eq(epoll_wait(inputs->epoll_fd, &event, 1, 5000), 1);
}

/* A program stages an event of this age. */
static void stage(uint32_t index, uint64_t age_ns)
{
	struct peat_slot *slot = made_slot(index);
	uint32_t room[32];
	size_t bytes = make_frame(room, (uint8_t)(index % PEAT_SLOTS), slot->seq, 1, 0);

	slot->len = (uint32_t)(bytes - sizeof(struct peat_frame_head));
	memcpy(slot->data, (unsigned char *)room + sizeof(struct peat_frame_head), slot->len);
	slot->count = 1;
	slot->time_ns = monotonic_ns() - age_ns;
	slot->seq++;
}

/* As the intake of a reader: the events of the frame are consumed. */
static void consume(const struct piece *piece)
{
	struct peat_frame_head head;

	ck_assert_ptr_nonnull(piece->frame);
	memcpy(&head, piece->frame, sizeof(head));
	stage__add_consumed(&inputs->stage, piece->cpu * PEAT_SLOTS + head.flags, head.seq,
			    head.count);
}

/* Drains all, and returns the number of frames. */
static unsigned drain(void)
{
	struct piece piece;
	unsigned frames = 0;

	for (; inputs__next(inputs, &piece); frames++)
		consume(&piece);
	return frames;
}

/* ---- waiting --------------------------------------------------------------------------------- */

START_TEST(test_waits_for_data)
{
	struct piece piece;
	uint64_t before_ns;

	begin();
	ck_assert_int_eq(inputs__wait(inputs, 0), 0);
	ck_assert_int_eq(inputs__wait(inputs, 20), 0);
	inputs->drain_now = true; /* data may have been reported */
	ck_assert_int_eq(inputs__wait(inputs, -1), 1);
	drain();
	ck_assert(!inputs->drain_now);
	ck_assert_int_eq(inputs__wait(inputs, 0), 0);
	stage(0, 0);
	stage(1, 0);
	inputs->drain_now = true;
	ck_assert(inputs__next(inputs, &piece)); /* the drain is not done */
	consume(&piece);
	ck_assert_int_eq(inputs__wait(inputs, -1), 1);
	ck_assert_uint_eq(drain(), 1);
	before_ns = monotonic_ns();
	inputs__collect_soon(inputs, true);
	ck_assert_int_eq(inputs__wait(inputs, -1), 1); /* a ms at most, and not none */
	ck_assert_int_eq(inputs__wait(inputs, 600000), 1);
	ck_assert_uint_ge(monotonic_ns() - before_ns, 2000000);
	drain();
	ck_assert_int_eq(inputs__wait(inputs, 0), 0);
	end();
}
END_TEST

START_TEST(test_urgent_wait_of_no_time)
{
	uint64_t least_ns = UINT64_MAX;

	begin();
	inputs__collect_soon(inputs, true);
	for (int i = 0; i < 20; i++) {
		uint64_t begin_ns = monotonic_ns(), ns;

		ck_assert_int_eq(inputs__wait(inputs, 0), 1);
		ns = monotonic_ns() - begin_ns;
		least_ns = ns < least_ns ? ns : least_ns;
	}
	ck_assert_uint_lt(least_ns, 1000000);
	end();
}
END_TEST

/* An interrupt ends one wait, and the next one does not block: data may have been reported. */
START_TEST(test_interrupted_wait)
{
	begin();
	errno = 7;
	inputs__interrupt(inputs);
	inputs__interrupt(inputs);
	ck_assert_int_eq(errno, 7);
	tick();
	ck_assert_int_eq(inputs__wait(inputs, -1), -ECANCELED);
	ck_assert_int_eq(inputs__wait(inputs, -1), 1);
	drain();
	ck_assert_int_eq(inputs__wait(inputs, 0), 0);
	end();
}
END_TEST

START_TEST(test_watched_descriptor)
{
	int ends[2];

	begin();
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(inputs__watch(inputs, ends[0]), 0);
	ck_assert_int_eq(inputs__watch(inputs, ends[0]), -EEXIST);
	ck_assert_int_eq(inputs__wait(inputs, 0), 0);
	ck_assert_int_eq(write(ends[1], "x", 1), 1);
	ck_assert_int_eq(inputs__wait(inputs, -1), 1);
	close(inputs->epoll_fd);
	ck_assert_int_eq(inputs__wait(inputs, 0), -EBADF);
	inputs->epoll_fd = dup(STDERR_FILENO);
	close(ends[0]);
	close(ends[1]);
	end();
}
END_TEST

/* The perf event of tasks that have ended hangs up, again and again. */
START_TEST(test_ended_tasks)
{
	struct samplers samplers = { .count = 1 };
	int ends[2];

	begin();
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(inputs__watch(inputs, ends[0]), 0);
	close(ends[1]);
	inputs->rings.events.samplers = &samplers;
	ck_assert_int_eq(inputs__wait(inputs, -1), 1); /* for the last records */
	ck_assert(inputs->drain_now);
	inputs->rings.events.samplers = NULL;
	drain();
	inputs->rings.events.samplers = &samplers;
	ck_assert_int_eq(inputs__wait(inputs, -1), -ENODATA);
	ck_assert(!inputs->drain_now);
	inputs->rings.events.samplers = NULL;
	close(ends[0]);
	end();
}
END_TEST

/* ---- collecting ------------------------------------------------------------------------------ */

#define SECOND_NS 1000000000ULL

/* Returns the pieces that a drain takes of three slots: written now, 10 ms ago, and 100 s ago. */
static unsigned collect(void)
{
	unsigned pieces;

	stage(0, 0);
	stage(PEAT_SLOTS, 10 * 1000000);
	stage(PEAT_SLOTS + 1, 100 * SECOND_NS);
	pieces = drain();
	made_slot(0)->time_ns = 1; /* the rest is collected, too */
	made_slot(PEAT_SLOTS)->time_ns = 1;
	made_slot(PEAT_SLOTS + 1)->time_ns = 1;
	inputs->drain_now = true;
	ck_assert_uint_eq(pieces + drain(), 3);
	return pieces;
}

START_TEST(test_age_of_events)
{
	begin();
	inputs->min_age_ns = 50 * SECOND_NS;
	ck_assert_uint_eq(collect(), 0);
	tick();
	ck_assert_uint_eq(collect(), 1);
	ck_assert_uint_eq(collect(), 0); /* one tick is one collection */
	inputs__collect_soon(inputs, false);
	ck_assert(!inputs->is_urgent);
	ck_assert_uint_eq(collect(), 2);
	inputs->drain_now = true;
	ck_assert_uint_eq(collect(), 3);
	ck_assert_uint_eq(collect(), 0);
	end();
}
END_TEST

/* A flush waits for the programs that run, and again for those that run then. */
START_TEST(test_flush_waits_for_programs)
{
	begin();
	inputs__collect_all(inputs);
	ck_assert(inputs->drain_now);
	ck_assert_uint_eq(collect(), 3);
	ck_assert_uint_eq(fake_grace_period__waits(), 1);
	ck_assert(!inputs->collect_all);
	ck_assert(!inputs->is_flushing);
	ck_assert(!inputs->only_rings);
	inputs__collect_all(inputs);
	ck_assert_uint_eq(collect(), 3);
	ck_assert_uint_eq(fake_grace_period__waits(), 2);
	end();
}
END_TEST

/* A slot whose program has ended is reclaimed after checks of a second, or by a flush. */
static void lock_slot(uint32_t index)
{
	made_slot(index)->lock = index + 1;
}

START_TEST(test_stuck_slot)
{
	unsigned ticks = 0;

	begin();
	inputs->tick_ms = 100;
	lock_slot(2);
	for (; made_slot(2)->lock && ticks < 100; ticks++) {
		tick();
		drain();
		if (inputs->grace.is_begun)
			usleep(20000);
	}
	ck_assert_uint_ge(ticks, 2 + 1000 / 100);
	ck_assert_uint_lt(ticks, 2 + 1000 / 100 + 20);
	ck_assert_uint_eq(made_slot(2)->lost_abandoned, 1);
	lock_slot(3);
	inputs__collect_all(inputs);
	drain();
	ck_assert_uint_eq(made_slot(3)->lock, 0);
	ck_assert_uint_eq(made_slot(3)->lost_abandoned, 1);
	end();
}
END_TEST

/* ---- sleeping -------------------------------------------------------------------------------- */

/* A round after a tick. */
static void idle_round(bool holds_events)
{
	tick();
	drain();
	inputs__end_round(inputs, holds_events);
}

static void fall_asleep(void)
{
	idle_round(false);
	ck_assert(!inputs->is_asleep);
	idle_round(false);
	ck_assert(inputs->is_asleep);
	ck_assert_uint_eq(interval_ms(), 0);
	for (uint32_t index = 0; index < MADE_SLOTS; index++)
		ck_assert_uint_eq(made_slot(index)->lock, PEAT_LOCK_ARMED);
	ck_assert_int_eq(inputs__wait(inputs, 0), 0);
	inputs__end_round(inputs, false);
	ck_assert(inputs->is_asleep);
}

static void check_awake(void)
{
	ck_assert(!inputs->is_asleep);
	ck_assert_uint_eq(interval_ms(), TICK_MS);
	ck_assert_uint_eq(inputs->idle_ticks, 0);
	for (uint32_t index = 0; index < MADE_SLOTS; index++)
		ck_assert_uint_ne(made_slot(index)->lock, PEAT_LOCK_ARMED);
}

/* The second idle tick in a row; rounds between ticks do not count. */
START_TEST(test_idle_ticks)
{
	begin();
	idle_round(false);
	inputs__end_round(inputs, false);
	inputs__end_round(inputs, false);
	ck_assert(!inputs->is_asleep);
	idle_round(true); /* events wait for a tick */
	idle_round(false);
	ck_assert(!inputs->is_asleep);
	stage(0, 0);
	inputs->min_age_ns = SECOND_NS;
	idle_round(false); /* an event is staged */
	inputs->drain_now = true;
	drain();
	idle_round(false);
	ck_assert(!inputs->is_asleep);
	idle_round(false);
	ck_assert(inputs->is_asleep);
	end();
}
END_TEST

/* Each of these keeps a reader from sleeping, and wakes it. */
static void check_restless(bool *cause, bool value)
{
	bool before = *cause;

	*cause = value;
	for (int i = 0; i < 4; i++)
		idle_round(false);
	ck_assert(!inputs->is_asleep);
	*cause = before;
	fall_asleep();
	*cause = value;
	ck_assert_int_eq(inputs__wait(inputs, -1), 1);
	drain();
	check_awake();
	*cause = before;
}

START_TEST(test_readers_that_do_not_sleep)
{
	bool has_bells;

	begin();
	check_restless(&made_channel.has_silent, true);
	check_restless(&inputs->rings.lacks_a_bell, true);
	check_restless(&inputs->never_sleeps, true);
	has_bells = inputs->rings.bells;
	ck_assert(has_bells);
	inputs->rings.bells = 0;
	for (int i = 0; i < 4; i++)
		idle_round(false);
	ck_assert(!inputs->is_asleep);
	inputs->rings.bells = has_bells;
	end();
}
END_TEST

/* A program has locked a slot, and staged its event. */
START_TEST(test_program_wakes_the_reader)
{
	begin();
	fall_asleep();
	made_slot(5)->lock = 0;
	stage(5, 0);
	ck_assert_int_eq(inputs__wait(inputs, -1), 1);
	ck_assert_uint_eq(drain(), 0); /* it is collected at a tick */
	check_awake();
	inputs->drain_now = true;
	ck_assert_uint_eq(drain(), 1);
	fall_asleep();
	inputs__stay_awake(inputs);
	check_awake();
	idle_round(false);
	idle_round(false);
	idle_round(false);
	ck_assert(!inputs->is_asleep);
	end();
}
END_TEST

/* Slots stay armed, so that further programs wake the reader. */
START_TEST(test_timer_that_cannot_be_started)
{
	int timer_fd;

	begin();
	fall_asleep();
	timer_fd = inputs->timer_fd;
	inputs->timer_fd = -1;
	inputs__stay_awake(inputs);
	ck_assert_str_eq(logged, "cannot start the timer: Bad file descriptor: staged events may "
				 "be late");
	ck_assert(inputs->is_asleep);
	ck_assert_uint_eq(made_slot(0)->lock, PEAT_LOCK_ARMED);
	inputs->timer_fd = timer_fd;
	inputs__stay_awake(inputs);
	check_awake();
	end();
}
END_TEST

START_TEST(test_following_processors)
{
	begin();
	inputs->drain_now = true;
	tick();
	ck_assert(!inputs__follow_cpus(inputs));
	ck_assert(!inputs->drain_now);
	ck_assert_int_eq(inputs__wait(inputs, 0), 0); /* the tick was read */
	end();
}
END_TEST

/* ---- counts ---------------------------------------------------------------------------------- */

static void check_lost(const uint64_t *lost, int err, uint64_t wanted)
{
	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(*lost, wanted);
}

/* Two maps and the records of the kernel, on two CPUs. */
START_TEST(test_lost_records)
{
	static struct ring_event events[MADE_CPUS][3];
	struct samplers samplers = { .count = 2 };
	uint64_t lost = 7;

	make_raw(2, false, 1);
	for (uint32_t cpu = 0; cpu < MADE_CPUS; cpu++) {
		for (uint32_t i = 0; i < 3; i++)
			events[cpu][i] = (struct ring_event){ -1, 100 * cpu + 10 * i + 1 };
		made_rings[cpu].events = events[cpu];
		made_rings[cpu].event_count = 3;
		made_rings[cpu].corrupt = 3 + cpu;
	}
	check_lost(&lost, inputs__lost(inputs, 0, &lost), 1 + 11);
	check_lost(&lost, inputs__lost(inputs, 1, &lost), 101 + 111);
	check_lost(&lost, inputs__lost(inputs, MADE_CPUS, &lost), 0);
	check_lost(&lost, inputs__map_lost(inputs, 0, &lost), 1 + 101);
	check_lost(&lost, inputs__map_lost(inputs, 1, &lost), 11 + 111);
	check_lost(&lost, inputs__side_lost(inputs, &lost), 21 + 121);
	ck_assert_uint_eq(inputs__corrupt(inputs), 7);
	inputs->rings.events.samplers = &samplers;
	inputs->rings.events.outputs = 3; /* of the first sampler, two tasks */
	check_lost(&lost, inputs__sampler_lost(inputs, 0, &lost), 1 + 101 + 21 + 121);
	check_lost(&lost, inputs__sampler_lost(inputs, 1, &lost), 11 + 111);
	free_made();
}
END_TEST

/* A descriptor that is no perf event: nothing is counted in its place. */
START_TEST(test_unreadable_counts)
{
	uint64_t lost;

	make_raw(2, false, 1);
	made_events[0][0] = (struct ring_event){ 1000000, 5 };
	made_events[1][1] = (struct ring_event){ -1, 6 };
	ck_assert_int_lt(inputs__lost(inputs, 0, &lost), 0);
	ck_assert_int_lt(inputs__map_lost(inputs, 0, &lost), 0);
	check_lost(&lost, inputs__map_lost(inputs, 1, &lost), 6);
	free_made();
}
END_TEST

/* ---- opening --------------------------------------------------------------------------------- */

static struct peat_reader_opts opts;
static struct inputs opened;

/* The names of tasks alone, on CPU 0; false: without privileges. */
static bool open_names(void)
{
	const struct inputs_config nothing = { .input = &side_band_input };
	int err = inputs__open(&opened, &nothing, &opts);

	ck_assert_msg(!err || err == -EACCES || err == -EPERM, "%s: %s", strerror(-err), logged);
	return !err;
}

static void setup_opts(void)
{
	peat_set_print(note);
	logged[0] = '\0';
	opts = (struct peat_reader_opts)PEAT_READER_OPTS_INIT;
	opts.names = true;
	opts.cpus = "0";
	opts.memory_bytes = 65536;
	opts.latency_ms = 3000;
}

static void check_flags(int fd)
{
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert(fcntl(fd, F_GETFL) & O_NONBLOCK);
}

START_TEST(test_opened_rings)
{
	struct itimerspec spec;
	unsigned fds = process__count_fds();
	long blocks;

	setup_opts();
	if (!open_names())
		return;
	inputs__close(&opened);
	blocks = fail_alloc__blocks();
	ck_assert(open_names());
	ck_assert_uint_eq(opened.rings.count, 1);
	ck_assert_uint_le(opened.rings.ring_bytes, 65536);
	ck_assert_uint_gt(opened.rings.ring_bytes, 65536 / 2);
	ck_assert_uint_eq(opened.drain.quantum, opened.rings.ring_bytes / 8);
	ck_assert_ptr_eq(opened.drain.cpus, &opened.cpus);
	check_flags(opened.timer_fd);
	check_flags(opened.interrupt_fd);
	ck_assert_int_eq(fcntl(opened.epoll_fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(timerfd_gettime(opened.timer_fd, &spec), 0);
	ck_assert_uint_eq((uint64_t)spec.it_interval.tv_sec * 1000 +
				  (uint64_t)spec.it_interval.tv_nsec / 1000000,
			  opened.tick_ms);
	ck_assert_uint_gt(opened.min_age_ns, 0);
	ck_assert_ptr_nonnull(tasks__name(opened.tasks, (uint32_t)getpid(), monotonic_ns()));
	ck_assert_int_eq(inputs__wait(&opened, -1), 1); /* the first round */
	inputs__close(&opened);
	ck_assert_int_eq(opened.epoll_fd, -1);
	ck_assert_ptr_null(opened.tasks);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

START_TEST(test_close_ends_the_grace_period)
{
	setup_opts();
	if (!open_names())
		return;
	grace_thread__begin(&opened.grace);
	inputs__close(&opened);
	ck_assert(!opened.grace.is_begun);
}
END_TEST

/* Ordered events wait for two ticks. */
START_TEST(test_ordered_latency_is_two_ticks)
{
	uint32_t tick_ms;

	setup_opts();
	if (!open_names())
		return;
	tick_ms = opened.tick_ms;
	inputs__close(&opened);
	opts.ordered = true;
	opts.latency_ms = 5999;
	ck_assert(open_names());
	ck_assert_uint_eq(opened.tick_ms, tick_ms);
	inputs__close(&opened);
}
END_TEST

/* Less memory than a page is a page. */
START_TEST(test_least_memory)
{
	setup_opts();
	opts.memory_bytes = 1;
	if (!open_names())
		return;
	ck_assert_uint_eq(opened.rings.ring_bytes, sysconf(_SC_PAGESIZE));
	inputs__close(&opened);
	opts.cpus = NULL;
	opts.memory_bytes = 0;
	ck_assert(open_names());
	ck_assert_uint_gt(opened.rings.ring_bytes, sysconf(_SC_PAGESIZE));
	ck_assert_ptr_null(opened.drain.cpus);
	inputs__close(&opened);
}
END_TEST

/* Rings that overwrite have room for four records of the largest size. */
START_TEST(test_least_memory_of_rings_that_overwrite)
{
	setup_opts();
	opts.overwrite = 1;
	if (!open_names())
		return;
	ck_assert(opened.rings.events.overwrites);
	ck_assert_uint_eq(opened.rings.ring_bytes, 4 * 65536);
	inputs__close(&opened);
}
END_TEST

START_TEST(test_unknown_processors)
{
	const struct inputs_config nothing = { .input = &side_band_input };

	setup_opts();
	opts.cpus = "x";
	ck_assert_int_lt(inputs__open(&opened, &nothing, &opts), 0);
	ck_assert_str_ne(logged, "");
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
}
END_TEST

/* Whatever cannot be opened, all before it is closed. */
START_TEST(test_no_file_descriptors)
{
	const struct inputs_config nothing = { .input = &side_band_input };
	unsigned fds = process__count_fds();
	int free_fd = dup(STDERR_FILENO), err = -EMFILE;
	struct rlimit all, few;

	ck_assert_int_eq(close(free_fd), 0);
	setup_opts();
	opts.cpus = NULL;
	if (!open_names())
		return;
	inputs__close(&opened);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	for (rlim_t more = 0; err; more++) {
		few = (struct rlimit){ (rlim_t)free_fd + more, all.rlim_max };
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
		logged[0] = '\0';
		err = inputs__open(&opened, &nothing, &opts);
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
		if (!err)
			inputs__close(&opened);
		else
			ck_assert_msg(err == -EMFILE && strstr(logged, "RLIMIT_NOFILE"),
				      "%u more: %s", (unsigned)more, logged);
		ck_assert_uint_eq(process__count_fds(), fds);
	}
}
END_TEST

START_TEST(test_no_memory)
{
	const struct inputs_config nothing = { .input = &side_band_input };
	unsigned fds = process__count_fds();
	bool has_failed = true;
	long blocks;

	setup_opts();
	if (!open_names())
		return;
	inputs__close(&opened);
	blocks = fail_alloc__blocks();
	for (unsigned nth = 1; has_failed && nth < 200; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = inputs__open(&opened, &nothing, &opts);
		has_failed = fail_alloc__end();
		if (!err)
			inputs__close(&opened);
		ck_assert_uint_eq(process__count_fds(), fds);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_waits_for_data);
	tcase_add_test(tests, test_urgent_wait_of_no_time);
	tcase_add_test(tests, test_interrupted_wait);
	tcase_add_test(tests, test_watched_descriptor);
	tcase_add_test(tests, test_ended_tasks);
	tcase_add_test(tests, test_age_of_events);
	tcase_add_test(tests, test_flush_waits_for_programs);
	tcase_add_test(tests, test_stuck_slot);
	tcase_add_test(tests, test_idle_ticks);
	tcase_add_test(tests, test_readers_that_do_not_sleep);
	tcase_add_test(tests, test_program_wakes_the_reader);
	tcase_add_test(tests, test_timer_that_cannot_be_started);
	tcase_add_test(tests, test_following_processors);
	tcase_add_test(tests, test_lost_records);
	tcase_add_test(tests, test_unreadable_counts);
	tcase_add_test(tests, test_opened_rings);
	tcase_add_test(tests, test_close_ends_the_grace_period);
	tcase_add_test(tests, test_ordered_latency_is_two_ticks);
	tcase_add_test(tests, test_least_memory);
	tcase_add_test(tests, test_least_memory_of_rings_that_overwrite);
	tcase_add_test(tests, test_unknown_processors);
	tcase_add_test(tests, test_no_file_descriptors);
	tcase_add_test(tests, test_no_memory);
}
