// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pty.c: a program on a terminal of its own. */
#include <check.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/pty.h"

#define TIMEOUT_MS 300000 /* emulated machines are slow */

static struct winsize size_of(unsigned short columns)
{
	return (struct winsize){ .ws_row = 24, .ws_col = columns };
}

void pty__start(struct pty *pty, unsigned short columns, const char *const *variables,
		const char *const *argv)
{
	const struct winsize size = size_of(columns);

	memset(pty, 0, sizeof(*pty));
	pty->pid = forkpty(&pty->fd, NULL, NULL, &size);
	ck_assert_int_ge(pty->pid, 0);
	if (pty->pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (; *variables; variables++)
		putenv((char *)*variables);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

/* False: the program has ended. */
static bool read_more(struct pty *pty)
{
	struct pollfd fd = { .fd = pty->fd, .events = POLLIN };
	ssize_t bytes;

	ck_assert_uint_lt(pty->count, sizeof(pty->text) - 1);
	ck_assert_msg(poll(&fd, 1, TIMEOUT_MS) == 1, "nothing more after: %s",
		      pty->text + pty->seen);
	bytes = read(pty->fd, pty->text + pty->count, sizeof(pty->text) - 1 - pty->count);
	if (bytes <= 0)
		return false;
	pty->count += (size_t)bytes;
	pty->text[pty->count] = 0;
	return true;
}

void pty__expect(struct pty *pty, const char *text)
{
	const char *at;

	while (!(at = strstr(pty->text + pty->seen, text)))
		ck_assert_msg(read_more(pty), "no '%s' in: %s", text, pty->text + pty->seen);
	pty->seen = (size_t)(at - pty->text) + strlen(text);
}

const char *pty__last(const struct pty *pty, const char *text)
{
	const char *last = NULL, *at = pty->text;

	while ((at = strstr(at, text)))
		last = at++;
	ck_assert_msg(last, "no '%s' in: %.1000s", text, pty->text);
	return last;
}

void pty__type(struct pty *pty, const char *keys)
{
	ck_assert_int_eq(write(pty->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

void pty__resize(struct pty *pty, unsigned short columns)
{
	const struct winsize size = size_of(columns);

	ck_assert_int_eq(ioctl(pty->fd, TIOCSWINSZ, &size), 0);
}

int pty__finish(struct pty *pty)
{
	int status;

	while (read_more(pty))
		;
	ck_assert_int_eq(waitpid(pty->pid, &status, 0), pty->pid);
	close(pty->fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
