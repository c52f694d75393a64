// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* signals.c: signals stop a run in an orderly way. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

#include <peat/peat.h>

#include "signals.h"

#define TICK_MS	       100
#define SAME_SIGNAL_NS 250000000u
#define BLOCKED_NS     800000000u
#define END_NS	       10000000000u /* names of functions may be read from many files */

static volatile sig_atomic_t stop_requested, child_changed, continued, dump_requested, resized;
static volatile sig_atomic_t shared_group; /* 0: none */
static volatile sig_atomic_t time_is_up;   /* of signals__set_deadline() */
static uint64_t stop_ns;		   /* time of the first stop; handlers store it only once */
static struct peat_reader *volatile reader_to_break;
static struct peat_session *volatile session_to_cancel;

static void break_reader(void)
{
	if (reader_to_break)
		peat_reader__break(reader_to_break);
}

static void pass_on(int number)
{
	int saved_errno = errno;

	if (shared_group)
		kill(-shared_group, number);
	errno = saved_errno;
}

/*
 * Interrupts calls that block, from `after_ms` on and again and again, until the run notices the
 * stop: a signal that arrives just before a call would not end it.
 */
static void start_ticks(uint64_t after_ms)
{
	const struct itimerval timer = {
		.it_value = { .tv_sec = (time_t)(after_ms / 1000),
			      .tv_usec = (suseconds_t)(after_ms % 1000 * 1000 + !after_ms) },
		.it_interval = { .tv_usec = TICK_MS * 1000 },
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void stop_ticks(void)
{
	const struct itimerval none = { 0 };

	setitimer(ITIMER_REAL, &none, NULL);
}

/* timeout(1) sends each signal twice, within microseconds: to peat, and to its process group. */
static bool is_second_stop(void)
{
	return stop_requested && peat_clock__now_ns() - stop_ns > SAME_SIGNAL_NS;
}

/* Programs, perf events and most attachments end with the process. */
static void end_now(int number)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };

	pass_on(number);
	sigaction(number, &plain, NULL);
	raise(number); /* delivered when the handler returns */
}

static void on_stop(int number)
{
	int saved_errno = errno;

	if (is_second_stop()) {
		end_now(number);
		return;
	}
	if (!stop_requested && !time_is_up)
		stop_ns = peat_clock__now_ns();
	stop_requested = 1;
	start_ticks(TICK_MS);
	errno = saved_errno;
	if (session_to_cancel)
		peat_session__cancel(session_to_cancel);
	pass_on(number);
	break_reader();
}

/* A tick after a signal only interrupts. */
static void on_tick(int number)
{
	(void)number;
	if (stop_requested)
		return;
	if (!time_is_up)
		stop_ns = peat_clock__now_ns();
	time_is_up = 1;
	break_reader();
}

static void on_dump(int number)
{
	(void)number;
	dump_requested = 1;
	break_reader();
}

static void on_child(int number)
{
	(void)number;
	child_changed = 1;
	break_reader();
}

static void on_continue(int number)
{
	(void)number;
	continued = 1;
}

/* Does what the signal does without a handler: SIGTSTP stops peat here, SIGQUIT ends it. */
static void on_job_signal(int number)
{
	struct sigaction plain = { .sa_handler = SIG_DFL }, ours;
	int saved_errno = errno;

	pass_on(number);
	sigaction(number, &plain, &ours);
	raise(number);
	sigaction(number, &ours, NULL);
	pass_on(SIGCONT);
	errno = saved_errno;
}

/* nohup and shells ignore signals for the programs that they start. */
static void catch_unless_ignored(int number, const struct sigaction *action)
{
	struct sigaction before;

	if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(number, action, NULL);
}

void signals__catch(void)
{
	struct sigaction stop = { .sa_handler = on_stop }, ignore = { .sa_handler = SIG_IGN };
	struct sigaction tick = { .sa_handler = on_tick };

	sigaction(SIGALRM, &tick, NULL);
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	catch_unless_ignored(SIGHUP, &stop);
	sigaction(SIGPIPE, &ignore, NULL);
}

void signals__catch_quit(void)
{
	struct sigaction stop = { .sa_handler = on_stop };

	catch_unless_ignored(SIGQUIT, &stop);
}

/* Writes of a dump that is being made go on. */
void signals__catch_dump(void)
{
	struct sigaction dump = { .sa_handler = on_dump, .sa_flags = SA_RESTART };

	sigaction(SIGUSR2, &dump, NULL);
}

static void on_resize(int number)
{
	(void)number;
	resized = 1;
}

/* The reader's wait may return early; writes go on. */
void signals__catch_resize(void)
{
	struct sigaction resize = { .sa_handler = on_resize, .sa_flags = SA_RESTART };

	sigaction(SIGWINCH, &resize, NULL);
}

bool signals__take_resize(void)
{
	bool was_resized = resized;

	if (was_resized)
		resized = 0;
	return was_resized;
}

bool signals__take_dump_request(void)
{
	bool requested = dump_requested;

	dump_requested = 0;
	return requested;
}

static void mask(int how)
{
	static const int numbers[] = { SIGINT,	SIGTERM, SIGHUP,  SIGQUIT,
				       SIGTSTP, SIGCHLD, SIGCONT, SIGALRM };
	struct sigaction action;
	sigset_t handled;

	sigemptyset(&handled);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler != SIG_DFL)
			sigaddset(&handled, numbers[i]);
	sigprocmask(how, &handled, NULL);
}

void signals__hold(void)
{
	mask(SIG_BLOCK);
}

void signals__release(void)
{
	mask(SIG_UNBLOCK);
}

void signals__share_with(pid_t group)
{
	struct sigaction child = { .sa_handler = on_child },
			 job = { .sa_handler = on_job_signal, .sa_flags = SA_NODEFER },
			 proceed = { .sa_handler = on_continue };

	shared_group = group;
	sigaction(SIGCHLD, &child, NULL);
	sigaction(SIGCONT, &proceed, NULL);
	catch_unless_ignored(SIGQUIT, &job);
	catch_unless_ignored(SIGTSTP, &job);
}

void signals__share_no_more(void)
{
	shared_group = 0;
}

bool signals__take_child_change(void)
{
	bool changed = child_changed;

	child_changed = 0;
	return changed;
}

bool signals__stop_job(int number)
{
	continued = 0;
	kill(0, number);
	return continued;
}

bool signals__stop_requested(void)
{
	return stop_requested;
}

/* A longer time than the timer has room for is unlimited. */
void signals__set_deadline(uint64_t ms)
{
	if (ms < INT32_MAX && !stop_requested)
		start_ticks(ms);
}

bool signals__is_stopping(void)
{
	return stop_requested || time_is_up;
}

void signals__begin_end(void)
{
	stop_ticks();
}

void signals__restart_end(void)
{
	stop_ns = peat_clock__now_ns();
}

static bool is_after_stop(uint64_t ns)
{
	return signals__is_stopping() && peat_clock__now_ns() - stop_ns > ns;
}

bool signals__is_late(void)
{
	return is_after_stop(BLOCKED_NS);
}

bool signals__is_over(void)
{
	return is_after_stop(END_NS);
}

void signals__set_reader(struct peat_reader *reader)
{
	reader_to_break = reader;
}

void signals__set_session(struct peat_session *session)
{
	session_to_cancel = session;
	if (session && stop_requested)
		peat_session__cancel(session);
}
