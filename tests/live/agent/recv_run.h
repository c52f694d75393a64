/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recv_run.h: messages of hosts in a stream, and peat-recv, which receives them.  A failure here
 * fails the running test.
 */
#ifndef TESTS_LIVE_AGENT_RECV_RUN_H
#define TESTS_LIVE_AGENT_RECV_RUN_H

#include "jetstream/subject.h"
#include "support/agent/encoded_piece.h"
#include "support/agent/nats_server.h"
#include "support/machine/json_event.h"
#include "support/machine/process.h"

static struct nats_server server;
static struct command receiver;

/* Beside the peat under test. */
static inline const char *program(void)
{
	static char path[4096];
	const char *peat = command__peat(), *slash = strrchr(peat, '/');

	snprintf(path, sizeof(path), "%.*speat-recv", slash ? (int)(slash + 1 - peat) : 0, peat);
	return path;
}

static inline void setup(void)
{
	scratch__make();
}

/* A server with an empty stream.  Without nats-server, ends the test as skipped. */
#define need_stream()                                                                              \
	do {                                                                                       \
		need_nats_server();                                                                \
		nats_server__begin(&server);                                                       \
	} while (0)

static inline void finish(void)
{
	command__free(&receiver);
	nats_server__end(&server);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static inline void publish_batch(const char *host, const struct peat_batch *batch, uint64_t first)
{
	struct strbuf piece = encoded_piece(host, batch, first), subject = { 0 };

	subject__append(&subject, "peat.%h.%s", host, peat_batch__source(batch));
	nats_server__publish(&server, subject.bytes, piece.bytes, piece.count);
	strbuf__free(&subject);
	strbuf__free(&piece);
}

/* Events with these numbers, which are their times, too. */
static inline void publish(const char *host, uint64_t first, unsigned events)
{
	struct peat_batch *batch = file_run__batch(first, events);

	publish_batch(host, batch, first);
	peat_batch__unref(batch);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static char *lines_at;

/* The next line that was printed; NULL: no more. */
static inline const char *next_line(void)
{
	return lines_at ? strsep(&lines_at, "\n") : NULL;
}

static inline void check_ended(int status)
{
	ck_assert_msg(receiver.status == status, "status %d: %s", receiver.status,
		      receiver.err_text);
	lines_at = receiver.out_text;
}

/* Runs a program that has to end with this status. */
static inline void receive(int status, const char *const *argv)
{
	command__free(&receiver);
	command__run(&receiver, ALL_CAPS, argv);
	check_ended(status);
}

#define RECV(status, ...) receive(status, ARGV(program(), "--delay", "0", __VA_ARGS__))

/* The next line is the event of this number and host. */
static inline void expect_event(const char *host, unsigned long long number)
{
	const char *line = next_line();

	ck_assert_ptr_nonnull(line);
	ck_assert_msg(!strncmp(line, "{\"host\":", 8), "%s", line);
	ck_assert_str_eq(json_event__text(line, "host"), host);
	json_event__check(line, "number", number);
}

static inline void expect_end(void)
{
	const char *line = next_line();

	ck_assert_msg(!line || !*line, "%s", line);
}

static inline unsigned count_lines(void)
{
	unsigned count = 0;
	const char *line;

	while ((line = next_line()))
		count += *line != '\0';
	return count;
}

#endif /* TESTS_LIVE_AGENT_RECV_RUN_H */
