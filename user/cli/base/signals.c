// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* signals.c: signals stop a run in an orderly way. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/base/progress.h"
#include "cli/base/signals.h"

#define MS_NS UINT64_C(1000000)

#define TICK_MS	       100
#define SAME_SIGNAL_NS (250 * MS_NS)  /* between the signals of one stop: see is_apart() */
#define BLOCKED_NS     (800 * MS_NS)  /* until output that blocks is given up */
#define GIVEN_UP_NS    (1000 * MS_NS) /* from a second signal to the end without a summary */

/* Names of functions at the end: for all files of users other than root. */
#define NAMES_MS 500

static volatile sig_atomic_t stop_requested, child_changed, continued, dump_requested, resized;
static volatile sig_atomic_t shared_group;		      /* 0: none */
static volatile sig_atomic_t time_is_up;		      /* of signals__set_deadline() */
static volatile sig_atomic_t is_typed;			      /* the first stop, by Ctrl-C */
static volatile sig_atomic_t given_up;			      /* by a second stop */
static volatile sig_atomic_t last_stop;			      /* the signal */
static volatile sig_atomic_t is_ending;			      /* since signals__begin_end() */
static volatile sig_atomic_t printing_fd = -1, blocked_ticks; /* of signals__begin_print() */
static struct timespec printed_at;
static uint64_t stop_ns; /* time of the last stop; of the deadline, if there was no signal */
static uint64_t deadline_ns = UINT64_MAX;
static struct peat_reader *volatile reader_to_break;
static struct peat_session *volatile session_to_cancel;
static struct peat_symbols *volatile symbols_to_hurry;

/* ---- in handlers ----------------------------------------------------------------------------- */

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

static void hurry(uint32_t ms)
{
	if (symbols_to_hurry)
		peat_symbols__hurry(symbols_to_hurry, ms);
}

/*
 * Interrupts calls that block, from `after_ms` on and again and again: a signal that arrives just
 * before a call would not end it.
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
static bool is_apart(uint64_t now_ns)
{
	return now_ns - stop_ns > SAME_SIGNAL_NS;
}

static bool can_write(int fd)
{
	struct pollfd wanted = { .fd = fd, .events = POLLOUT };

	return poll(&wanted, 1, 0) > 0;
}

/* As without a handler.  The first process of a pid namespace has to exit instead. */
static void end_by(int number)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigaction(number, &plain, NULL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	_exit(128 + number);
}

/* Programs, perf events and most attachments end with the process. */
static void end_now(int number)
{
	static const char text[] = "\npeat: ended at once: the rest of the output and the summary "
				   "are left out\n";
	ssize_t written = 0;

	if (can_write(STDERR_FILENO)) {
		progress__erase_in_handler();
		written = write(STDERR_FILENO, text, strlen(text));
	}
	(void)written; /* nothing is left to be done */
	pass_on(number);
	end_by(number);
}

static void note_stop(int number, int code, uint64_t now_ns)
{
	last_stop = number;
	if (!stop_requested) {
		stop_requested = 1;
		is_typed = number == SIGINT && code == SI_KERNEL;
	} else if (is_apart(now_ns)) {
		given_up = 1;
	} else {
		return;
	}
	stop_ns = now_ns;
	hurry(given_up ? 0 : NAMES_MS);
}

static void on_stop(int number, siginfo_t *info, void *context)
{
	const uint64_t now_ns = peat_clock__now_ns();
	int saved_errno = errno;

	(void)context;
	if (given_up && is_apart(now_ns)) {
		end_now(number);
		return;
	}
	note_stop(number, info->si_code, now_ns);
	start_ticks(TICK_MS);
	if (session_to_cancel)
		peat_session__cancel(session_to_cancel);
	pass_on(number);
	break_reader();
	errno = saved_errno;
}

/* Whether the output has got bytes since the last call: the kernel notes when a pipe is written. */
static bool has_progress(void)
{
	struct timespec before = printed_at;
	struct stat status;

	if (fstat(printing_fd, &status))
		return true;
	printed_at = status.st_mtim;
	return before.tv_sec != printed_at.tv_sec || before.tv_nsec != printed_at.tv_nsec;
}

/* Whether output blocks that only the end of the process can give up. */
static bool is_blocked(void)
{
	if (printing_fd < 0 || !stop_requested || is_typed || can_write(printing_fd) ||
	    has_progress())
		blocked_ticks = 0;
	else
		blocked_ticks++;
	return blocked_ticks >= (int)(BLOCKED_NS / MS_NS / TICK_MS);
}

static void on_tick(int number)
{
	const uint64_t now_ns = peat_clock__now_ns();
	int saved_errno = errno;

	(void)number;
	if (is_blocked() || (given_up && now_ns - stop_ns > GIVEN_UP_NS))
		end_now(last_stop);
	if (!time_is_up && now_ns >= deadline_ns) {
		time_is_up = 1;
		if (!stop_requested)
			stop_ns = now_ns;
		hurry(given_up ? 0 : NAMES_MS);
	}
	if (!is_ending)
		break_reader();
	errno = saved_errno;
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
	struct sigaction stop = { .sa_sigaction = on_stop, .sa_flags = SA_SIGINFO };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, tick = { .sa_handler = on_tick };

	sigaction(SIGALRM, &tick, NULL);
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	catch_unless_ignored(SIGHUP, &stop);
	sigaction(SIGPIPE, &ignore, NULL);
}

void signals__catch_quit(void)
{
	struct sigaction stop = { .sa_sigaction = on_stop, .sa_flags = SA_SIGINFO };

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

/* Signals that may have handlers, and interrupt calls. */
static const int interrupts[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
				  SIGTSTP, SIGCHLD, SIGCONT, SIGALRM };

#define INTERRUPTS (sizeof(interrupts) / sizeof(*interrupts))

static void mask(int how)
{
	struct sigaction action;
	sigset_t handled;

	sigemptyset(&handled);
	for (size_t i = 0; i < INTERRUPTS; i++)
		if (!sigaction(interrupts[i], NULL, &action) && action.sa_handler != SIG_DFL)
			sigaddset(&handled, interrupts[i]);
	sigprocmask(how, &handled, NULL);
}

/* Whether write(2) and read(2) go on after a handler.  Waits are interrupted in any case. */
static void set_restart(bool restarts)
{
	struct sigaction action;

	for (size_t i = 0; i < INTERRUPTS; i++) {
		if (sigaction(interrupts[i], NULL, &action) || action.sa_handler == SIG_DFL ||
		    action.sa_handler == SIG_IGN)
			continue;
		action.sa_flags &= ~SA_RESTART;
		action.sa_flags |= restarts ? SA_RESTART : 0;
		sigaction(interrupts[i], &action, NULL);
	}
}

void signals__begin_print(int fd)
{
	blocked_ticks = 0;
	printing_fd = fd;
	set_restart(true);
}

void signals__end_print(void)
{
	printing_fd = -1;
	set_restart(is_ending);
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
	child_changed = 1; /* it may have ended before */
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
void signals__set_deadline(uint64_t ns)
{
	const uint64_t now_ns = peat_clock__now_ns();
	const uint64_t ms = ns > now_ns ? (ns - now_ns) / MS_NS + 1 : 0;

	if (ns == UINT64_MAX || ms >= INT32_MAX)
		return;
	deadline_ns = ns;
	if (!stop_requested)
		start_ticks(ms);
}

bool signals__is_stopping(void)
{
	return stop_requested || time_is_up;
}

void signals__begin_end(void)
{
	is_ending = 1;
	set_restart(true);
	deadline_ns = UINT64_MAX;
	stop_ticks();
	if (stop_requested)
		start_ticks(TICK_MS);
}

bool signals__is_ending(void)
{
	return is_ending;
}

void signals__begin_names(void)
{
	if (signals__is_stopping())
		hurry(given_up ? 0 : NAMES_MS);
}

bool signals__have_given_up(void)
{
	return given_up;
}

bool signals__give_up_output(uint64_t since_ns)
{
	if (given_up || !stop_requested || is_typed)
		return given_up;
	if (since_ns < stop_ns)
		since_ns = stop_ns;
	return peat_clock__now_ns() - since_ns > BLOCKED_NS;
}

void signals__set_symbols(struct peat_symbols *symbols)
{
	symbols_to_hurry = symbols;
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
