/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nats_servers.h: one or several servers of NATS with JetStream, and what they stored.  They
 * run in a network namespace of the test.  A failure here fails the running test.
 */
#ifndef TESTS_LIVE_AGENT_NATS_SERVERS_H
#define TESTS_LIVE_AGENT_NATS_SERVERS_H

#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <nats/nats.h>

#include "base/strbuf.h"
#include "live/agent/output_run.h"
#include "piece/piece.h"
#include "support/machine/command.h"
#include "support/machine/netns.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "unit/otlp/otlp_events.h"

#define NATS_MODULES_DIR "build/npm-nats"
#define NATS_MODULES	 NATS_MODULES_DIR "/node_modules"
#define NATS_SERVERS	 3
#define NATS_ALL	 "nats://127.0.0.1:4221,nats://127.0.0.1:4222,nats://127.0.0.1:4223"
#define NATS_FIRST	 "nats://127.0.0.1:4221"

static struct command nats_servers[NATS_SERVERS];
static const char *nats_listen = "127.0.0.1"; /* the address of the servers for clients */

/* False: npm cannot load them; the test is skipped then. */
static inline bool nats__has_modules(void)
{
	struct command npm;
	int status;

	if (!access(NATS_MODULES "/nats", R_OK))
		return true;
	command__run(&npm, ALL_CAPS,
		     ARGV("tests/support/npm-install", NATS_MODULES_DIR, "nats@2.29.3"));
	status = npm.status;
	command__free(&npm);
	return !status;
}

#define need_nats()                                                                                \
	do {                                                                                       \
		need_output("jetstream");                                                          \
		need_program("node");                                                              \
		need_program("npm");                                                               \
		need_program("nats-server"); /* make tools unpacks it */                           \
		if (!nats__has_modules())                                                          \
			skip("npm cannot load the package nats: no network?");                     \
		netns__enter();                                                                    \
	} while (0)

static inline bool nats__listens(unsigned number)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) },
				       .sin_port = htons((uint16_t)(4221 + number)) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool is = !connect(fd, (struct sockaddr *)&address, sizeof(address));

	close(fd);
	return is;
}

/* Number 0, 1 or 2, with `more` in its configuration; a cluster's, if there are several. */
static inline void nats__start(unsigned number, bool is_cluster, const char *more)
{
	char config[2048], name[32];
	size_t used;

	snprintf(name, sizeof(name), "nats%u.conf", number);
	used = (size_t)snprintf(config, sizeof(config),
				"server_name: s%u\nlisten: \"%s:%u\"\nlogfile: \"%s/log%u\"\n"
				"jetstream { store_dir: \"%s/store%u\" }\n%s\n",
				number, nats_listen, 4221 + number, scratch__dir(), number,
				scratch__dir(), number, more);
	if (is_cluster)
		snprintf(config + used, sizeof(config) - used,
			 "cluster { name: c, listen: \"127.0.0.1:%u\", routes: "
			 "[\"nats://127.0.0.1:6221\",\"nats://127.0.0.1:6222\","
			 "\"nats://127.0.0.1:6223\"] }\n",
			 6221 + number);
	unlink(scratch__path(name));
	close(scratch__file(name, config));
	command__start(&nats_servers[number], ALL_CAPS,
		       ARGV("nats-server", "-c", scratch__path(name)));
	while (!nats__listens(number)) {
		ck_assert_msg(command__is_running(&nats_servers[number]), "nats-server has ended");
		usleep(10000);
	}
}

static inline void nats__stop(unsigned number)
{
	kill(nats_servers[number].pid, SIGKILL);
	command__finish(&nats_servers[number]);
	command__free(&nats_servers[number]);
}

/* It answers nothing until SIGCONT. */
static inline void nats__pause(unsigned number)
{
	int status;

	kill(nats_servers[number].pid, SIGSTOP);
	ck_assert_int_eq(waitpid(nats_servers[number].pid, &status, WUNTRACED),
			 nats_servers[number].pid);
	ck_assert(WIFSTOPPED(status));
}

static inline void nats__continue(unsigned number)
{
	kill(nats_servers[number].pid, SIGCONT);
}

/* ---- the stream ------------------------------------------------------------------------------ */

struct nats_client {
	natsConnection *connection;
	jsCtx *stream;
};

static inline struct nats_client nats__client(const char *url)
{
	const uint64_t until = run__now_ms() + 30000;
	struct nats_client client;
	natsStatus status;

	while ((status = natsConnection_ConnectTo(&client.connection, url)) &&
	       run__now_ms() < until)
		usleep(200000);
	ck_assert_int_eq(status, NATS_OK);
	ck_assert_int_eq(natsConnection_JetStream(&client.stream, client.connection, NULL),
			 NATS_OK);
	return client;
}

static inline void nats__close(struct nats_client *client)
{
	jsCtx_Destroy(client->stream);
	natsConnection_Destroy(client->connection);
}

static char nats_line[512];

static inline void nats__keep_line(void *arg, const char *line)
{
	(void)arg;
	snprintf(nats_line, sizeof(nats_line), "%s", line);
}

/*
 * Makes or compares the stream, like `peat agent --stream-setup`: names and values of settings
 * follow, then NULL.  Returns the result; nats_line has the last line.
 */
static inline int nats__set_up(const char *url, ...)
{
	struct peat_setting settings[16] = { { .name = "jetstream", .value = url } };
	struct peat_output_opts opts = {
		.sz = sizeof(opts), .name = "stream", .settings = settings, .setting_count = 1
	};
	const char *setting;
	va_list args;

	va_start(args, url);
	while ((setting = va_arg(args, const char *))) {
		settings[opts.setting_count].name = setting;
		settings[opts.setting_count++].value = va_arg(args, const char *);
	}
	va_end(args);
	return peat_output__find("jetstream")->set_up(&opts, nats__keep_line, NULL);
}

/* ---- a cluster ------------------------------------------------------------------------------- */

static inline void nats__start_cluster(void)
{
	for (unsigned i = 0; i < NATS_SERVERS; i++)
		nats__start(i, true, "");
}

static inline void nats__stop_cluster(void)
{
	for (unsigned i = 0; i < NATS_SERVERS; i++)
		nats__stop(i);
}

/* A stream with three replicas.  The cluster has no leader of its own at first. */
static inline void nats__make_stream(void)
{
	const uint64_t until = run__now_ms() + 30000;

	while (nats__set_up(NATS_ALL, "replicas", "3", NULL) && run__now_ms() < until)
		usleep(200000);
	ck_assert_int_eq(nats__set_up(NATS_ALL, "replicas", "3", NULL), 0);
}

/* Whether all servers have all messages. */
static inline bool nats__are_current(const jsStreamInfo *info)
{
	for (int i = 0; i < info->Cluster->ReplicasLen; i++)
		if (!info->Cluster->Replicas[i]->Current)
			return false;
	return info->Cluster->ReplicasLen == NATS_SERVERS - 1;
}

/* The number of the server that leads the stream; -1: there is none, or others lag behind. */
static inline int nats__find_leader(void)
{
	struct nats_client client = nats__client(NATS_ALL);
	jsStreamInfo *info = NULL;
	int leader = -1;

	if (!js_GetStreamInfo(&info, client.stream, "PEAT", NULL, NULL) && info->Cluster &&
	    info->Cluster->Leader && *info->Cluster->Leader && nats__are_current(info))
		leader = info->Cluster->Leader[1] - '0';
	jsStreamInfo_Destroy(info);
	nats__close(&client);
	return leader;
}

/* The messages that a consumer has not delivered, or that are not acknowledged; UINT64_MAX: none
 * of this name, or no leader. */
static inline uint64_t nats__pending(const char *consumer)
{
	struct nats_client client = nats__client(NATS_ALL);
	jsConsumerInfo *info = NULL;
	uint64_t pending = UINT64_MAX;

	if (!js_GetConsumerInfo(&info, client.stream, "PEAT", consumer, NULL, NULL))
		pending = info->NumPending + (uint64_t)info->NumAckPending;
	jsConsumerInfo_Destroy(info);
	nats__close(&client);
	return pending;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Events with the numbers `first` and so on as their field `offset`. */
static inline struct peat_batch *nats__batch(const char *source, uint64_t first, unsigned events)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts),
					.source = source,
					.wall_clock_ns = OTLP_WALL_CLOCK };
	struct peat_batch *batch = peat_batch__new(&opts);
	struct opened opened = opened_event;

	ck_assert_ptr_nonnull(batch);
	for (unsigned i = 0; i < events; i++) {
		opened.offset = first + i;
		opened.delay = (first + i) * 104729 % 100000000;
		add_opened(batch, &opened);
	}
	return batch;
}

/* ---- what is stored -------------------------------------------------------------------------- */

#define NATS_RUNS 128

/* A source of a run of an agent. */
struct nats_run {
	char source[64];
	uint64_t run, pieces, events, points;
};

static struct {
	char *lines;
	unsigned messages, pieces;
	struct nats_run runs[NATS_RUNS];
} nats_stored;

static inline void nats__check_events(const void *piece, size_t count, uint64_t first)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = piece__decode(piece, count, PIECE_DECODED_MOST, NULL);
	struct peat_event event;

	ck_assert_ptr_nonnull(batch);
	while (peat_batch__next(batch, &at, &event)) {
		const struct opened *opened = event.data;

		ck_assert_uint_eq(event.size, sizeof(*opened));
		ck_assert_uint_eq(opened->offset, first++);
	}
	peat_batch__unref(batch);
}

/* Zeroes if the stream has no piece of this source and run. */
static inline struct nats_run *nats__run(const char *source, uint64_t run)
{
	struct nats_run *found = nats_stored.runs;

	while (*found->source && (found->run != run || strcmp(found->source, source) != 0))
		found++;
	ck_assert_int_lt(found - nats_stored.runs, NATS_RUNS - 1);
	return found;
}

/* Each piece follows the one before it of its source and run, and begins with the next event. */
static inline void nats__count_piece(const struct piece_info *info)
{
	struct nats_run *run = nats__run(info->source, info->run);

	snprintf(run->source, sizeof(run->source), "%s", info->source);
	run->run = info->run;
	ck_assert_uint_eq(info->number, ++run->pieces);
	ck_assert_uint_eq(info->first, run->events + 1);
	run->events += info->events;
	run->points += info->points;
	nats_stored.pieces++;
}

static inline void nats__read_pieces(const char *path, bool are_numbered)
{
	FILE *file = fopen(path, "r");
	size_t count, at = 0, room = 512 << 20;
	char *bytes = malloc(room);

	ck_assert_ptr_nonnull(file);
	count = fread(bytes, 1, room, file);
	fclose(file);
	while (at < count) {
		struct piece_info info;
		ssize_t piece = piece__measure(bytes + at, count - at, &info);

		ck_assert_int_gt(piece, 0);
		nats__count_piece(&info);
		if (are_numbered)
			if (getenv("DECODE"))
				nats__check_events(bytes + at, (size_t)piece, info.first);
		at += (size_t)piece;
	}
	free(bytes);
}

/*
 * Reads the stream PEAT by node, and checks that the pieces of each source follow each other;
 * are_numbered: also that their events do, as nats__batch() made them.
 */
static inline void nats__read(const char *url, bool are_numbered)
{
	struct command node;

	memset(&nats_stored, 0, sizeof(nats_stored));
	command__run(&node, ALL_CAPS,
		     ARGV("node", "tests/live/agent/nats_reader.js", NATS_MODULES, url, "PEAT",
			  scratch__path("stored.perf")));
	ck_assert_msg(!node.status, "%s", node.err_text);
	nats_stored.lines = strdup(node.out_text);
	for (const char *at = nats_stored.lines; (at = strchr(at, '\n')); at++)
		nats_stored.messages++;
	command__free(&node);
	nats__read_pieces(scratch__path("stored.perf"), are_numbered);
}

static inline uint64_t nats__stored_events(const char *source)
{
	uint64_t events = 0;

	for (const struct nats_run *run = nats_stored.runs; *run->source; run++)
		events += strcmp(run->source, source) ? 0 : run->events;
	return events;
}

#endif /* TESTS_LIVE_AGENT_NATS_SERVERS_H */
