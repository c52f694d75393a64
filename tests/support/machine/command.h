/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* command.h: runs programs and reads their output. */
#ifndef TESTS_SUPPORT_MACHINE_COMMAND_H
#define TESTS_SUPPORT_MACHINE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <linux/capability.h>

#define CAP(name) (UINT64_C(1) << CAP_##name)
#define ALL_CAPS  UINT64_MAX

struct command {
	pid_t pid;
	FILE *out, *err; /* of the program */
	/* After command__finish(): everything printed, and the exit status, or 128 + a signal. */
	char *out_text, *err_text;
	int status;
};

/* The peat under test: $PEAT, or build/peat. */
const char *command__peat(void);

/* Leaves this process with these capabilities and no others, also after an exec. */
void command__limit_caps(uint64_t caps);

/* Starts argv[0]; with caps other than ALL_CAPS, limited to those.  Aborts when it cannot. */
void command__start(struct command *command, uint64_t caps, const char *const *argv);

/* Waits until stderr or stdout (`stream`) has a line with `text`, and drops what came before. */
void command__expect(FILE *stream, const char *text);

/* Whether it has not ended yet. */
bool command__is_running(const struct command *command);

/* Reads the rest and waits for the end. */
void command__finish(struct command *command);
void command__free(struct command *command);

/*
 * The runs that the kernel skipped, as peat -v printed them.  If programs can be preempted
 * (Linux 7.2), the kernel skips a run while another task is inside the program.  Call it after
 * command__finish().
 */
unsigned long command__missed(const struct command *command);

/* All at once. */
void command__run(struct command *command, uint64_t caps, const char *const *argv);

/* All at once, as this user and group, with these capabilities alone. */
void command__run_as(struct command *command, uid_t user, uint64_t caps, const char *const *argv);

/* Whether there is a program of this name, also one for administrators. */
bool command__exists(const char *name);

/* Skips the test without it. */
#define need_program(name)                                                                         \
	do {                                                                                       \
		if (!command__exists(name))                                                        \
			skip("no %s on this machine", name);                                       \
	} while (0)

#endif /* TESTS_SUPPORT_MACHINE_COMMAND_H */
