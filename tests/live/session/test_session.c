// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_session.c: a session from its start to its end: programs, events, losses, descriptors. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(zero)

#define CALLS 500

static struct peat_session *session;
static char info[256], error[256];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_INFO && strstr(text, "attached"))
		snprintf(info, sizeof(info), "%s", text);
	else if (level == PEAT_LOG_ERROR)
		snprintf(error, sizeof(error), "%s", text);
}

/* Adds an object, without the programs that are left out. */
static void new_session(const char *const *left_out)
{
	struct peat_session_opts opts = { .sz = sizeof(opts), .measure = true };

	peat_set_print(note);
	session = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, "zero", zero_object.bytes, *zero_object.count),
			 0);
	for (; *left_out; left_out++)
		ck_assert_int_eq(peat_session__leave_out(session, *left_out), 0);
}

static const char *const two_left[] = { "on_uprobe", "on_kprobe", NULL };
static const char *const one_left[] = { "on_uprobe", "on_kprobe", "by_function", NULL };

static void call(void)
{
	for (int i = 0; i < CALLS; i++)
		ck_assert(syscall(SYS_getpgid, 0) >= 0 && syscall(SYS_getsid, 0) >= 0);
}

/* ---- programs -------------------------------------------------------------------------------- */

static void check_program(uint32_t i, const char *name)
{
	struct peat_program_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_session__program(session, i, &stats), 1);
	ck_assert_str_eq(stats.name, name);
	ck_assert_uint_ge(stats.runs, CALLS);
	ck_assert_uint_gt(stats.run_ns, 0);
}

START_TEST(test_programs_have_counts)
{
	struct peat_program_stats invalid = { .sz = 1 }, stats = { .sz = sizeof(stats) };

	new_session(two_left);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	ck_assert_str_eq(info, "2 programs attached");
	call();
	check_program(0, "on_tracepoint");
	check_program(1, "by_function");
	ck_assert_int_eq(peat_session__program(session, 2, &stats), 0);
	errno = 0;
	ck_assert_int_eq(peat_session__program(session, 0, &invalid), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	peat_session__free(session);
	new_session(one_left);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	ck_assert_str_eq(info, "1 program attached");
	peat_session__free(session);
}
END_TEST

/* ---- the end --------------------------------------------------------------------------------- */

static int events_written;

static int count_own(struct peat_sink *sink, const struct peat_event *event)
{
	(void)sink;
	events_written += event->kind == PEAT_EVENT_DATA && event->pid == (uint32_t)getpid();
	return 0;
}

static int drain(void)
{
	struct peat_sink sink = { .sz = sizeof(sink), .write = count_own };

	return peat_session__drain(session, &sink);
}

/* A stopped session has all events before its end, and none after it. */
START_TEST(test_stop_keeps_events)
{
	new_session(one_left);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	ck_assert_ptr_nonnull(peat_session__reader(session));
	ck_assert_ptr_null(peat_session__channel(session));
	call();
	peat_session__stop(session);
	peat_session__stop(session);
	call();
	for (int i = 0; i < 3; i++) {
		ck_assert_int_ge(peat_session__wait(session, 0), 0);
		ck_assert_int_ge(drain(), 0);
	}
	ck_assert_int_eq(events_written, CALLS);
	peat_session__free(session);
}
END_TEST

/* Reads one event, so that a round has begun. */
static void begin_round(void)
{
	const struct peat_event *event;
	struct peat_sink sink = { .sz = sizeof(sink), .write = count_own };

	while (!events_written) {
		ck_assert_int_ge(peat_session__wait(session, 1000), 0);
		if (peat_reader__next(peat_session__reader(session), &event) > 0)
			count_own(&sink, event);
	}
}

/* The round that the end interrupts returns the events from after its beginning as well. */
START_TEST(test_stop_in_a_round)
{
	events_written = 0;
	new_session(one_left);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	call();
	begin_round();
	call();
	peat_session__stop(session);
	ck_assert_int_ge(drain(), 0);
	ck_assert_int_eq(events_written, 2 * CALLS);
	peat_session__free(session);
}
END_TEST

/* All descriptors of a session are closed with it. */
START_TEST(test_descriptors_are_closed)
{
	unsigned fds;

	for (int round = 0; round < 2; round++) { /* libraries keep some of the first round */
		fds = process__count_fds();
		new_session(one_left);
		ck_assert_int_eq(peat_session__start(session, NULL), 0);
		ck_assert_int_eq(peat_session__start(session, NULL), -EBUSY);
		peat_session__free(session);
	}
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

/* ---- without objects ------------------------------------------------------------------------- */

START_TEST(test_kinds_alone)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	const struct peat_event *event;
	bool found = false;
	pid_t child;

	opts.side_band = PEAT_SIDE_BAND_TASK;
	peat_set_print(note);
	session = peat_session__new(NULL);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__start(session, &opts), 0);
	ck_assert_str_eq(info, "0 programs attached");
	child = fork();
	if (!child)
		_exit(0);
	ck_assert_int_gt(child, 0);
	while (!found) {
		ck_assert_int_ge(peat_session__wait(session, 100), 0);
		while (peat_reader__next(peat_session__reader(session), &event) > 0)
			found |= event->kind == PEAT_EVENT_RECORD && event->record &&
				 event->record->type == PEAT_RECORD_FORK &&
				 event->record->task.pid == (uint32_t)child;
	}
	peat_session__free(session);
}
END_TEST

static Suite *session_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("session", 60, &tests);

	tcase_add_test(tests, test_programs_have_counts);
	tcase_add_test(tests, test_stop_keeps_events);
	tcase_add_test(tests, test_stop_in_a_round);
	tcase_add_test(tests, test_descriptors_are_closed);
	tcase_add_test(tests, test_kinds_alone);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { session_suite };

	return harness__main(argc, argv, suites, 1);
}
