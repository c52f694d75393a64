/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct peat_reader;
struct peat_session;
struct peat_symbols;

/*
 * signals.h: SIGINT, SIGTERM and SIGHUP stop a run; signals of peat's job reach COMMAND too.
 *
 * After a stop, or the deadline of -d, everything that is in the rings is printed.  A second signal
 * gives up what blocks, and prints the summary; a third one, or the second one after a second, ends
 * the process.  Output that blocks is given up after 0.8 seconds without progress, unless the stop
 * was Ctrl-C on a terminal: a person may read a pager's first page, and can press it again.
 */

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

/*
 * Lets calls that print to `fd` continue after a signal, until the end of printing: stdio would
 * lose bytes.  If they block after a signal as long as output may, the process ends.
 */
void signals__begin_print(int fd);
void signals__end_print(void);

bool signals__stop_requested(void);

/* Ends the run at this time of peat_clock__now_ns(), as a signal does: -d.  UINT64_MAX: none. */
void signals__set_deadline(uint64_t ns);

/*
 * Whether a signal or the deadline ends the run.  Loops ask between two events: it costs no call.
 * Calls that block are interrupted by EINTR, again and again until signals__begin_end().
 */
bool signals__is_stopping(void);

/* The run has ended: from now on calls that block continue after signals. */
void signals__begin_end(void);
bool signals__is_ending(void);

/* After a stop, names of functions may take half a second from now on. */
void signals__begin_names(void);

/* Whether a second signal wants the end at once: what is left is counted instead of printed. */
bool signals__have_given_up(void);

/* Whether output that has blocked since `since_ns` is given up. */
bool signals__give_up_output(uint64_t since_ns);

/* Sets the reader whose wait a signal ends.  Set NULL before the reader is freed. */
void signals__set_reader(struct peat_reader *reader);

/* Sets the names that may take little time after a stop.  Set NULL before they are freed. */
void signals__set_symbols(struct peat_symbols *symbols);

/* Sets the session whose start a signal cancels, also a signal from before; NULL: none. */
void signals__set_session(struct peat_session *session);

#endif /* CLI_SIGNALS_H */
