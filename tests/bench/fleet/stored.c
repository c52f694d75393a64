// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stored.c: a server of NATS, and the messages that a run has stored in its stream. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "piece/piece.h"
#include "stored.h"

#define STREAM	   "PEAT"
#define START_MS   10000
#define QUIET_MS   500
#define LONGEST_MS 60000
#define SAMPLES	   400
#define TIME_NS	   "\"time_ns\":" /* of a line of JSON */

/* Latencies of events. */
struct latencies {
	double *ms;
	size_t count, room;
	int64_t wall_clock_ns; /* since 1970, at 0 of the clock of events */
};

/* ---- the server ------------------------------------------------------------------------------ */

static int fail(const char *what, natsStatus status)
{
	fprintf(stderr, "bench-fleet: cannot %s: %s\n", what, natsStatus_GetText(status));
	return -1;
}

static natsStatus connect_to(struct server *server)
{
	natsStatus status = NATS_ERR;

	for (int ms = 0; status && ms < START_MS && peer_process__is_running(&server->process);
	     ms += 10) {
		peer_process__sleep_ms(10);
		status = natsConnection_ConnectTo(&server->nats, STORED_URL);
	}
	return status ?: natsConnection_JetStream(&server->context, server->nats, NULL);
}

static natsStatus add_stream(struct server *server)
{
	const char *subjects[] = { "peat.>" };
	jsStreamConfig config;

	jsStreamConfig_Init(&config);
	config.Name = STREAM;
	config.Subjects = subjects;
	config.SubjectsLen = 1;
	return js_AddStream(NULL, server->context, &config, NULL, NULL);
}

int server__start(struct server *server, const char *program, const char *directory)
{
	char store[PATH_MAX], errors[PATH_MAX];
	const char *const argv[] = { program, "-a",  "127.0.0.1", "-p", "4222",
				     "-js",   "-sd", store,	  NULL };
	const struct peer_start how = { .argv = argv,
					.output = "/dev/null",
					.errors = errors,
					.kept_fd = -1,
					.cpu = PEER_ANY_CPU };
	natsStatus status;

	*server = (struct server){ .process = PEER_NOT_STARTED };
	snprintf(store, sizeof(store), "%s/jetstream", directory);
	snprintf(errors, sizeof(errors), "%s/server.log", directory);
	if (peer_process__start(&server->process, &how))
		return fail("start the server", NATS_ERR);
	status = connect_to(server);
	if (status)
		return fail("connect to the server: is another one on its port?", status);
	status = add_stream(server);
	return status ? fail("add a stream", status) : 0;
}

void server__end(struct server *server)
{
	jsCtx_Destroy(server->context);
	natsConnection_Destroy(server->nats);
	peer_process__end(&server->process);
	server->context = NULL;
	server->nats = NULL;
}

static int read_state(const struct server *server, jsStreamState *state)
{
	jsStreamInfo *info = NULL;
	natsStatus status = js_GetStreamInfo(&info, server->context, STREAM, NULL, NULL);

	if (status)
		return fail("read the stream's numbers", status);
	*state = info->State; /* its lists are not used */
	jsStreamInfo_Destroy(info);
	return 0;
}

void server__wait_until_quiet(const struct server *server)
{
	uint64_t last = UINT64_MAX;
	jsStreamState state;

	for (int ms = 0; ms < LONGEST_MS && !read_state(server, &state); ms += QUIET_MS) {
		if (state.LastSeq == last)
			return;
		last = state.LastSeq;
		peer_process__sleep_ms(QUIET_MS);
	}
}

/* ---- messages -------------------------------------------------------------------------------- */

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void add_latency(struct latencies *latencies, uint64_t event_ns, int64_t stored_ns)
{
	if (latencies->count == latencies->room) {
		latencies->room = latencies->room ? 2 * latencies->room : 4096;
		latencies->ms = realloc(latencies->ms, latencies->room * sizeof(*latencies->ms));
		if (!latencies->ms)
			abort();
	}
	latencies->ms[latencies->count++] =
		(double)(stored_ns - latencies->wall_clock_ns - (int64_t)event_ns) / 1e6;
}

static uint64_t add_piece(struct latencies *latencies, const char *bytes, size_t count,
			  int64_t stored_ns)
{
	struct peat_batch *batch = piece__decode(bytes, count, PIECE_DECODED_MOST, NULL);
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;
	uint64_t events;

	if (!batch)
		return 0;
	while (peat_batch__next(batch, &at, &event))
		if (event.kind == PEAT_EVENT_DATA)
			add_latency(latencies, event.time_ns, stored_ns);
	events = peat_batch__events(batch);
	peat_batch__unref(batch);
	return events;
}

static uint64_t add_line(struct latencies *latencies, const char *bytes, size_t count,
			 int64_t stored_ns)
{
	char line[4096];
	const char *at;

	snprintf(line, sizeof(line), "%.*s", (int)count, bytes);
	at = strstr(line, TIME_NS);
	if (at)
		add_latency(latencies, strtoull(at + strlen(TIME_NS), NULL, 10), stored_ns);
	return 1;
}

/* The number of its events. */
static uint64_t add_message(struct latencies *latencies, const natsMsg *message)
{
	const char *bytes = natsMsg_GetData(message);
	size_t left = (size_t)natsMsg_GetDataLength(message);
	int64_t stored_ns = natsMsg_GetTime((natsMsg *)message);
	uint64_t events = 0;
	ssize_t count;

	if (left && *bytes == '{')
		return add_line(latencies, bytes, left, stored_ns);
	for (; left && (count = piece__measure(bytes, left, NULL)) > 0; left -= (size_t)count) {
		events += add_piece(latencies, bytes, (size_t)count, stored_ns);
		bytes += count;
	}
	return events;
}

/* The time of its storage; 0: it cannot be read. */
static int64_t read_message(const struct server *server, uint64_t number,
			    struct latencies *latencies, uint64_t *events)
{
	natsMsg *message = NULL;
	natsStatus status = js_GetMsg(&message, server->context, STREAM, number, NULL, NULL);
	int64_t stored_ns;

	if (status) {
		fail("read a message", status);
		return 0;
	}
	stored_ns = natsMsg_GetTime(message);
	*events = add_message(latencies, message);
	natsMsg_Destroy(message);
	return stored_ns;
}

static int read_messages(const struct server *server, struct latencies *latencies,
			 struct stored *stored)
{
	const uint64_t most = stored->messages, step = most > SAMPLES ? most / SAMPLES : 1;
	uint64_t first, last, events;
	int64_t first_ns, end_ns;

	if (most < 3)
		return 0;
	first_ns = read_message(server, 1, latencies, &first);
	end_ns = read_message(server, most - 1, latencies, &events);
	if (!first_ns || !end_ns || !read_message(server, most, latencies, &last))
		return -1;
	stored->seconds = (double)(end_ns - first_ns) / 1e9;
	stored->other_events = first + last;
	for (uint64_t number = 1 + step; number < most - 1; number += step)
		if (!read_message(server, number, latencies, &events))
			return -1;
	return 0;
}

static int compare(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

static double quantile(const struct latencies *latencies, double part)
{
	return latencies->ms[(size_t)((double)(latencies->count - 1) * part)];
}

int server__read(const struct server *server, struct stored *stored)
{
	struct latencies latencies = { .wall_clock_ns = clock_ns(CLOCK_REALTIME) -
							clock_ns(CLOCK_MONOTONIC) };
	jsStreamState state;
	int err = read_state(server, &state);

	if (err)
		return err;
	*stored = (struct stored){ .messages = state.Msgs, .bytes = state.Bytes };
	err = read_messages(server, &latencies, stored);
	if (!err && latencies.count) {
		qsort(latencies.ms, latencies.count, sizeof(*latencies.ms), compare);
		stored->p50_ms = quantile(&latencies, 0.5);
		stored->p99_ms = quantile(&latencies, 0.99);
	}
	free(latencies.ms);
	return err;
}
