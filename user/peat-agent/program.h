/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peat-agent/program.h: the parts of peat-agent. */
#ifndef PEAT_AGENT_PROGRAM_H
#define PEAT_AGENT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/agent.h>

/* The command has the same: an error; and wrong options or a wrong configuration. */
enum { EXIT_FAILED = 1, EXIT_USAGE = 64 };

/* ---- messages.c ------------------------------------------------------------------------------ */

/* Prints a line to stderr, with the priority in front that journald takes, if it reads stderr. */
__attribute__((format(printf, 1, 2))) void program__print(const char *format, ...);

/* The library's messages; verbose: also INFO, twice: also DEBUG. */
void program__set_verbosity(int verbose);

/* ---- confine.c ------------------------------------------------------------------------------- */

/*
 * Gives up what the agent never needs, for good: capabilities other than those of sources, new
 * privileges, and system calls that an agent has no use for.  `has_pins`: as
 * peat_agent__has_pins(). 0 or a negative errno.
 */
int confine__self(bool has_pins);

/* ---- notify.c: systemd's protocol ------------------------------------------------------------ */

/* Sends a state, such as "READY=1", if systemd asked for it; otherwise does nothing. */
__attribute__((format(printf, 1, 2))) void notify__send(const char *format, ...);

/* The configuration is being read, from now to the next READY=1. */
void notify__reloading(void);

/* How often systemd wants a sign of life, in milliseconds; 0: never. */
uint64_t notify__watchdog_ms(void);

/* ---- control.c: the socket of --status and --reload ------------------------------------------ */

/* Listens at the path, which is replaced if nobody listens there.  The fd, or a negative errno. */
int control__listen(const char *path);

/* Answers one request; does not wait for a client that sends none. */
void control__serve(int fd, struct peat_agent *agent);

/* Sends a request, prints the answer to stdout.  The exit status. */
int control__ask(const char *path, const char *request);

/* ---- serve.c --------------------------------------------------------------------------------- */

/* Runs the agent until SIGTERM or SIGINT.  The exit status. */
int serve__run(struct peat_agent *agent);

#endif /* PEAT_AGENT_PROGRAM_H */
