// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_many_agents.c: 200 hosts send to one stream at the same time, and one peat recv merges them:
 * each event once, in order, in bounded memory.
 *
 * Agents are processes with a host name of their own and the output jetstream.
 */
#include "live/agent/output_run.h"

#ifdef HAVE_NATS

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "support/agent/encoded_piece.h"
#include "support/agent/nats_server.h"
#include "support/machine/json_event.h"
#include "support/machine/process.h"

#ifdef __SANITIZE_ADDRESS__
#define HOSTS 20
#else
#define HOSTS 200
#endif

#define HOST	     "agent-%03u"
#define BATCHES	     10 /* of an agent */
#define BATCH_EVENTS 50
#define EVENTS	     (HOSTS * BATCHES * BATCH_EVENTS)
#define PAUSE_MS     20

/* Receivers hold 64 MiB of events; the program, its libraries and messages need less than this. */
#define HELD_KIB  (64l << 10)
#define OTHER_KIB (32l << 10)

static struct nats_server server;

/* Beside the peat under test. */
static const char *receiver_program(void)
{
	static char path[4096];
	const char *peat = command__peat(), *slash = strrchr(peat, '/');

	snprintf(path, sizeof(path), "%.*speat-recv", slash ? (int)(slash + 1 - peat) : 0, peat);
	return path;
}

/* ---- agents ---------------------------------------------------------------------------------- */

/* Readable (its end) when the agents may begin. */
static int starting_pipe[2];

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Events of now, with numbers from `first` on. */
static struct peat_batch *new_events(uint64_t first)
{
	const uint64_t time_ns = now_ns(CLOCK_MONOTONIC);
	const struct peat_batch_opts opts = { .sz = sizeof(opts),
					      .source = "test",
					      .wall_clock_ns =
						      (int64_t)(now_ns(CLOCK_REALTIME) - time_ns) };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	for (unsigned i = 0; i < BATCH_EVENTS; i++) {
		struct file_run_event numbered = { .number = first + i };
		const struct peat_event event = { .kind = PEAT_EVENT_DATA,
						  .time_ns = time_ns + i,
						  .pid = 1,
						  .tid = 1,
						  .size = sizeof(numbered),
						  .data = &numbered,
						  .schema = &file_run_schema,
						  .comm = "test" };

		ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	}
	return batch;
}

static void become_host(unsigned number)
{
	char name[32];

	snprintf(name, sizeof(name), HOST, number);
	ck_assert_int_eq(unshare(CLONE_NEWUTS), 0);
	ck_assert_int_eq(sethostname(name, strlen(name)), 0);
}

static int run_agent(void *number)
{
	char byte;

	close(starting_pipe[1]);
	ck_assert_int_eq(read(starting_pipe[0], &byte, 1), 0);
	become_host(*(const unsigned *)number);
	output_run__open_at("jetstream", NATS_SERVER_URL, NULL);
	for (unsigned i = 0; i < BATCHES; i++) {
		output_run__write(new_events(1 + i * BATCH_EVENTS));
		output_run__wait(PAUSE_MS);
	}
	output_run__wait_settled(BATCHES);
	output_run__close();
	return output_run__arrived() == BATCHES * BATCH_EVENTS ? 0 : 1;
}

/* They wait: libnats' threads, which this process has later, are not in its children. */
static void fork_agents(pid_t agents[HOSTS])
{
	ck_assert_int_eq(pipe2(starting_pipe, O_CLOEXEC), 0);
	for (unsigned i = 0; i < HOSTS; i++)
		agents[i] = process__start(run_agent, &i);
	close(starting_pipe[0]);
}

static void run_agents(const pid_t agents[HOSTS])
{
	close(starting_pipe[1]);
	for (unsigned i = 0; i < HOSTS; i++)
		ck_assert_msg(!process__wait(agents[i]), "agent %u failed", i);
}

/* ---- lines of the receiver ------------------------------------------------------------------- */

struct lines {
	unsigned long long events, late;
	unsigned long long last[HOSTS]; /* numbers of the last events of each host */
	char time[64];			/* of the last event that is not late */
};

/* Each host's events follow each other; all of them do by time, unless they are marked as late. */
static void check_line(struct lines *lines, const char *line)
{
	const char *host = json_event__text(line, "host"), *time = json_event__text(line, "time");
	unsigned number = HOSTS;

	ck_assert_msg(sscanf(host, HOST, &number) == 1 && number < HOSTS, "%s", line);
	json_event__check(line, "number", ++lines->last[number]);
	lines->events++;
	if (json_event__is_true(line, "late")) {
		lines->late++;
		return;
	}
	ck_assert_msg(strcmp(lines->time, time) <= 0, "after %s: %s", lines->time, line);
	snprintf(lines->time, sizeof(lines->time), "%s", time);
}

static struct lines check_lines(const char *path)
{
	struct lines lines = { 0 };
	char *line = NULL;
	size_t room = 0;
	FILE *file = fopen(path, "r");

	ck_assert_ptr_nonnull(file);
	while (getline(&line, &room, file) > 0)
		check_line(&lines, line);
	free(line);
	fclose(file);
	return lines;
}

/* ---- receivers ------------------------------------------------------------------------------- */

struct receiver {
	struct command command;
	const char *lines;
	long peak_kib;
};

/* The lines go to a file: the test reads no pipe meanwhile. */
static void start_receiver(struct receiver *receiver, const char *name, const char *options)
{
	char command[256];

	snprintf(command, sizeof(command), "exec \"$0\" -j %s > \"$1\"", options);
	*receiver = (struct receiver){ .lines = scratch__path(name) };
	command__start(&receiver->command, ALL_CAPS,
		       ARGV("sh", "-c", command, receiver_program(), receiver->lines));
}

static void read_peak(struct receiver *receiver)
{
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)receiver->command.pid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmHWM: %ld", &receiver->peak_kib);
	if (file)
		fclose(file);
}

/* Until it has written and acknowledged all messages of the stream. */
static void wait_until_written(struct receiver *receiver)
{
	bool is_done = false;

	while (!is_done) {
		jsConsumerInfo *info = NULL;

		ck_assert(command__is_running(&receiver->command));
		usleep(50000);
		read_peak(receiver);
		if (js_GetConsumerInfo(&info, server.context, "PEAT", "peat-recv", NULL, NULL))
			continue;
		is_done = !info->NumPending && !info->NumAckPending;
		jsConsumerInfo_Destroy(info);
	}
}

static void wait_until_ended(struct receiver *receiver)
{
	while (command__is_running(&receiver->command)) {
		read_peak(receiver);
		usleep(10000);
	}
}

/* The caller frees the command. */
static struct lines finish_receiver(struct receiver *receiver)
{
	command__finish(&receiver->command);
	ck_assert_msg(!receiver->command.status, "%s", receiver->command.err_text);
#ifndef __SANITIZE_ADDRESS__ /* which keeps freed memory */
	ck_assert_msg(receiver->peak_kib < HELD_KIB + OTHER_KIB, "%ld KiB", receiver->peak_kib);
#endif
	return check_lines(receiver->lines);
}

/* Receives all events that are stored. */
static struct lines receive_stored(const char *name, const char *options)
{
	struct receiver receiver;
	struct lines lines;

	start_receiver(&receiver, name, options);
	wait_until_ended(&receiver);
	lines = finish_receiver(&receiver);
	command__free(&receiver.command);
	return lines;
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_events_of_all_hosts_are_merged)
{
	pid_t agents[HOSTS];
	struct receiver receiver;
	struct lines lines;

	if (!peat_output__find("jetstream"))
		skip("built without the output jetstream");
	need_nats_server();
	fork_agents(agents);
	nats_server__begin(&server);
	start_receiver(&receiver, "live", "");
	run_agents(agents);
	wait_until_written(&receiver);
	kill(receiver.command.pid, SIGTERM);
	lines = finish_receiver(&receiver);
	ck_assert_uint_eq(lines.events, EVENTS);
	command__free(&receiver.command);
	lines = receive_stored("stored", "--all --end --delay 20000"); /* nothing is late */
	ck_assert_uint_eq(lines.events, EVENTS);
	ck_assert_uint_eq(lines.late, 0);
	nats_server__end(&server);
}
END_TEST

static void publish(unsigned host, uint64_t first, unsigned events)
{
	char name[32], subject[64];
	struct strbuf piece;

	snprintf(name, sizeof(name), HOST, host);
	snprintf(subject, sizeof(subject), "peat.%s.test", name);
	piece = encoded_numbers(name, first, events);
	nats_server__publish(&server, subject, piece.bytes, piece.count);
	strbuf__free(&piece);
}

#define STORED_BATCHES 4
#define STORED_EVENTS  1000 /* of a batch: 0.2 MiB */

/* More than a receiver may hold. */
START_TEST(test_memory_is_bounded)
{
	struct lines lines;

	need_nats_server();
	nats_server__begin(&server);
	for (unsigned i = 0; i < STORED_BATCHES; i++)
		for (unsigned host = 0; host < HOSTS; host++)
			publish(host, 1 + i * STORED_EVENTS, STORED_EVENTS);
	lines = receive_stored("lines", "--all --end --delay 20000");
	ck_assert_uint_eq(lines.events, HOSTS * STORED_BATCHES * STORED_EVENTS);
	nats_server__end(&server);
}
END_TEST

#define HELD_MESSAGES 3000 /* a consumer of JetStream lets 1000 wait by default */

/* The newest messages arrive first, so that all have to be held. */
START_TEST(test_many_messages_are_held)
{
	struct lines lines;

	need_nats_server();
	nats_server__begin(&server);
	for (unsigned number = HELD_MESSAGES / HOSTS; number; number--)
		for (unsigned host = 0; host < HOSTS; host++)
			publish(host, number, 1);
	lines = receive_stored("held", "--end --delay 20000");
	ck_assert_uint_eq(lines.events, HELD_MESSAGES);
	ck_assert_uint_eq(lines.late, 0);
	nats_server__end(&server);
}
END_TEST

static Suite *many_agents_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("many_agents", 120, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_events_of_all_hosts_are_merged);
	tcase_add_test(tests, test_memory_is_bounded);
	tcase_add_test(tests, test_many_messages_are_held);
	return suite;
}

#else

START_TEST(test_events_of_all_hosts_are_merged)
{
	skip("built without libnats");
}
END_TEST

static Suite *many_agents_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("many_agents", 60, &tests);

	tcase_add_loop_test(tests, test_events_of_all_hosts_are_merged, 0, 1);
	return suite;
}

#endif /* HAVE_NATS */

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { many_agents_suite };

	return harness__main(argc, argv, suites, 1);
}
