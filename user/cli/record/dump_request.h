/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_DUMP_REQUEST_H
#define CLI_DUMP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * dump_request.h: requests of peat record --dump PID to a flight recorder.
 *
 * A flight recorder listens on a Unix socket in a directory of its user: see dump_place.h.  To
 * connect is to ask for a dump.  Its answer is one message, "=PATH" of the dump or "!MESSAGE"; the
 * end of the connection without one means that the recorder ended.  Only root and the recorder's
 * own user may ask.
 */

/* Requests that a round handles: the others wait in the queue of the socket. */
#define DUMP_REQUESTS_MAX 32

struct dump_requests {
	int fd;		/* readable when there is a request; -1: requests are not accepted */
	char path[108]; /* of the socket; "": none */
	int clients[DUMP_REQUESTS_MAX];
	size_t count; /* clients that wait for an answer */
};

/* Begins to listen.  A failure is printed; signals still work. */
void dump_requests__open(struct dump_requests *requests);
void dump_requests__close(struct dump_requests *requests);

/* Accepts clients, DUMP_REQUESTS_MAX at most, refused ones too; whether any waits for an answer. */
bool dump_requests__receive(struct dump_requests *requests);

/* Answers all clients that wait.  `path` may be relative; NULL: the dump failed. */
void dump_requests__answer(struct dump_requests *requests, const char *path);

/*
 * Asks the flight recorder `pid` for a dump, waits for it at most limit_ms, and prints its path on
 * stdout.  Returns the exit status; errors have been printed.
 */
int dump_request__send(pid_t pid, uint64_t limit_ms);

/* Without -d. */
#define DUMP_REQUEST_LIMIT_MS 60000

#endif /* CLI_DUMP_REQUEST_H */
