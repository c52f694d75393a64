// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* signals.c: signals stop a run in an orderly way. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include <peat/peat.h>

#include "signals.h"

static volatile sig_atomic_t stop_requested, child_changed, continued, dump_requested, resized;
static volatile sig_atomic_t shared_group; /* 0: none */
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

static void on_stop(int number)
{
	stop_requested = 1;
	if (session_to_cancel)
		peat_session__cancel(session_to_cancel);
	pass_on(number);
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
	static const int numbers[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCHLD, SIGCONT
	};
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
