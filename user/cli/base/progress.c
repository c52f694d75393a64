// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* progress.c: a line of progress on stderr. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/progress.h"

#define QUIET_MS   1000 /* before the first line */
#define REDRAW_MS  200
#define LINE_BYTES 1024

/* Carriage return, then "erase to the end of the line". */
#define ERASE "\r\033[K"

static bool is_on;
static uint64_t begun_ms, drawn_ms;

/* Guards the line on the terminal: the thread of a wait draws it, other threads print messages. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_drawn;

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- the terminal ---------------------------------------------------------------------------- */

static bool can_erase(void)
{
	const char *type = getenv("TERM");

	return isatty(STDERR_FILENO) && !(type && !strcmp(type, "dumb"));
}

/* The last column stays free: some terminals begin a new line after it. */
static uint32_t columns(void)
{
	struct winsize size;

	return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col - 1U : 79;
}

/* A job in the background leaves the terminal to the shell.  -1: it is not peat's terminal. */
static bool is_in_background(void)
{
	pid_t group = tcgetpgrp(STDERR_FILENO);

	return group > 0 && group != getpgrp();
}

static void put(const char *text, size_t bytes)
{
	ssize_t written = write(STDERR_FILENO, text, bytes);

	(void)written; /* a line that is not drawn does no harm */
}

void progress__erase_in_handler(void)
{
	if (atomic_exchange(&is_drawn, false))
		put(ERASE, strlen(ERASE));
}

/* ---- signals --------------------------------------------------------------------------------- */

/* Signals that end a process without handlers. */
static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

#define ENDS (sizeof(ends) / sizeof(*ends))

static void on_end(int number)
{
	progress__erase_in_handler();
	signal(number, SIG_DFL);
	raise(number);
}

/* Signals that the command handles, or ignores, stay as they are. */
static void replace_handlers(void (*from)(int), void (*to)(int))
{
	const struct sigaction wanted = { .sa_handler = to };
	struct sigaction now;

	for (size_t i = 0; i < ENDS; i++)
		if (!sigaction(ends[i], NULL, &now) && !(now.sa_flags & SA_SIGINFO) &&
		    now.sa_handler == from)
			sigaction(ends[i], &wanted, NULL);
}

/* ---- the line -------------------------------------------------------------------------------- */

/* The caller has the lock. */
static void draw(const char *text)
{
	char line[LINE_BYTES + sizeof(ERASE)];
	int bytes = snprintf(line, sizeof(line), ERASE "%s", text);

	replace_handlers(SIG_DFL, on_end);
	atomic_store(&is_drawn, true);
	put(line, bytes < (int)sizeof(line) ? (size_t)bytes : sizeof(line) - 1);
	drawn_ms = now_ms();
}

static void draw_progress(struct progress *progress)
{
	char text[LINE_BYTES];

	progress->elapsed_ms = now_ms() - begun_ms;
	progress_text__format(text, sizeof(text), columns(), progress);
	draw(text);
}

void progress__begin(bool quiet)
{
	is_on = !quiet && can_erase();
	begun_ms = now_ms();
	drawn_ms = 0;
}

bool progress__is_on(void)
{
	return is_on;
}

bool progress__is_due(void)
{
	uint64_t ms = is_on ? now_ms() : 0;

	return is_on && ms - begun_ms >= QUIET_MS && ms - drawn_ms >= REDRAW_MS &&
	       !is_in_background();
}

void progress__report(struct progress *progress)
{
	if (!progress__is_due())
		return;
	pthread_mutex_lock(&lock);
	draw_progress(progress);
	pthread_mutex_unlock(&lock);
}

void progress__show(const char *text)
{
	char line[LINE_BYTES];

	if (!is_on)
		return;
	snprintf(line, sizeof(line), "%s", text);
	progress_text__cut(line, columns());
	pthread_mutex_lock(&lock);
	draw(line);
	pthread_mutex_unlock(&lock);
}

void progress__hold(void)
{
	pthread_mutex_lock(&lock);
	progress__erase_in_handler();
}

void progress__release(void)
{
	pthread_mutex_unlock(&lock);
}

void progress__erase(void)
{
	progress__hold();
	progress__release();
}

void progress__end(void)
{
	progress__erase();
	if (is_on)
		replace_handlers(on_end, SIG_DFL);
	is_on = false;
}

/* ---- waits ----------------------------------------------------------------------------------- */

static struct {
	pthread_t thread;
	pthread_cond_t ended;
	bool has_thread, is_over;
	struct progress progress;
} waiting;

static struct timespec after_ms(uint64_t ms)
{
	uint64_t at = now_ms() + ms;

	return (struct timespec){ .tv_sec = (time_t)(at / 1000),
				  .tv_nsec = (long)(at % 1000 * 1000000) };
}

static void *draw_until_end(void *arg)
{
	struct timespec next = after_ms(QUIET_MS);

	(void)arg;
	pthread_mutex_lock(&lock);
	while (!waiting.is_over) {
		if (progress__is_due())
			draw_progress(&waiting.progress);
		pthread_cond_timedwait(&waiting.ended, &lock, &next);
		next = after_ms(REDRAW_MS);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* The condition waits by the clock of now_ms(). */
static void init_ended(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&waiting.ended, &attributes);
	pthread_condattr_destroy(&attributes);
}

/* Without a thread, nothing is drawn.  Signals are for the thread that waits. */
void progress__begin_wait(bool quiet, const char *verb, const char *name)
{
	sigset_t all, before;

	progress__begin(quiet);
	if (!is_on)
		return;
	waiting.progress = (struct progress){ .verb = verb, .name = name };
	waiting.is_over = false;
	init_ended();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	waiting.has_thread = !pthread_create(&waiting.thread, NULL, draw_until_end, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress__end_wait(void)
{
	if (waiting.has_thread) {
		pthread_mutex_lock(&lock);
		waiting.is_over = true;
		pthread_cond_signal(&waiting.ended);
		pthread_mutex_unlock(&lock);
		pthread_join(waiting.thread, NULL);
		pthread_cond_destroy(&waiting.ended);
		waiting.has_thread = false;
	}
	progress__end();
}
