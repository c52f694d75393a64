/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * logged_agent.h: an agent in a process of its own, by the file LOGGED_AGENT_CONFIG in the scratch
 * directory.  Its messages are in a file.  A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_AGENT_LOGGED_AGENT_H
#define TESTS_SUPPORT_AGENT_LOGGED_AGENT_H

#include <stdint.h>
#include <sys/types.h>

/* Names of files in the scratch directory. */
#define LOGGED_AGENT_CONFIG "agent.yaml"
#define LOGGED_AGENT_SOCKET "socket"

/* Starts it, also again, and waits until it answers. */
void logged_agent__start(void);
pid_t logged_agent__pid(void);

/* Fails the test unless the agent runs. */
void logged_agent__check_alive(void);

/* The exit status of `peat agent --reload`. */
int logged_agent__reload(void);

/* The ledger as JSON, valid until the next call of a function here. */
const char *logged_agent__status(void);

/* A number of a row whose `key` is `name`: of "sources", "flows" or "outputs". */
uint64_t logged_agent__number(const char *status, const char *rows, const char *name,
			      const char *output, const char *number);

/* SIGTERM; fails the test unless the agent ends well. */
void logged_agent__stop(void);

/* SIGKILL. */
void logged_agent__kill(void);

/* The last messages. */
const char *logged_agent__log(void);

#endif /* TESTS_SUPPORT_AGENT_LOGGED_AGENT_H */
