/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>
#include <sys/types.h>

struct peat_reader;
struct peat_session;

/* signals.h: SIGINT, SIGTERM and SIGHUP stop a run; signals of peat's job reach COMMAND too. */

/* From now on SIGINT, SIGTERM and SIGHUP request a stop, and SIGPIPE is ignored. */
void signals__catch(void);

/* From now on SIGQUIT (Ctrl-\) requests a stop, too: for a screen that has to be restored. */
void signals__catch_quit(void);

/* From now on SIGUSR2 requests a dump and ends a wait of the reader. */
void signals__catch_dump(void);

/* From now on SIGWINCH, a change of the terminal's size, is noted. */
void signals__catch_resize(void);

/* Whether the terminal's size has changed since the last call. */
bool signals__take_resize(void);

/* Whether a dump was requested since the last call. */
bool signals__take_dump_request(void);

/* Keeps signals that have handlers from interrupting calls, such as writes, until the release. */
void signals__hold(void);
void signals__release(void);

/*
 * From now on changes of a child end a wait of the reader.  SIGINT, SIGTERM, SIGHUP, SIGQUIT and
 * SIGTSTP are passed on to `group`, which continues when peat does.
 */
void signals__share_with(pid_t group);

/* Nothing is passed on any more: the group may have ended. */
void signals__share_no_more(void);

/* Whether a child has ended or stopped since the last call. */
bool signals__take_child_change(void);

/*
 * Stops peat's process group by SIGTSTP, SIGTTIN or SIGTTOU, as the terminal does, until a shell
 * continues it.  False: it was not stopped, since no shell controls the group.
 */
bool signals__stop_job(int number);

bool signals__stop_requested(void);

/* Sets the reader whose wait a signal ends.  Set NULL before the reader is freed. */
void signals__set_reader(struct peat_reader *reader);

/* Sets the session whose start a signal cancels, also a signal from before; NULL: none. */
void signals__set_session(struct peat_session *session);

#endif /* CLI_SIGNALS_H */
