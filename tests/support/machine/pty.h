/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pty.h: a program on a terminal of its own.  A failure here fails the running test. */
#ifndef TESTS_SUPPORT_MACHINE_PTY_H
#define TESTS_SUPPORT_MACHINE_PTY_H

#include <stddef.h>
#include <sys/types.h>

struct pty {
	pid_t pid;
	int fd;
	char text[1 << 18]; /* all that it has printed */
	size_t count, seen; /* seen: up to the last text that was expected */
};

/* Starts argv[0], found in PATH, with lines of `columns` characters and these variables, which end
 * in NULL: "NAME=value".  The program is killed when this process ends. */
void pty__start(struct pty *pty, unsigned short columns, const char *const *variables,
		const char *const *argv);

/* Reads until the program prints `text` after the last expected text. */
void pty__expect(struct pty *pty, const char *text);

/* The last place of `text` in all that was read. */
const char *pty__last(const struct pty *pty, const char *text);

void pty__type(struct pty *pty, const char *keys);
void pty__resize(struct pty *pty, unsigned short columns);

/* Reads to the program's end.  Returns its exit status. */
int pty__finish(struct pty *pty);

#endif /* TESTS_SUPPORT_MACHINE_PTY_H */
