// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_spool.c: agents that are killed while their output is away leave all events in the spool,
 * and the next agent sends each of them once.
 *
 * Agents run in children, which call traced_number(), their source.  The output `test` counts the
 * calls in memory that all processes share.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/agent.h>
#include <peat/log.h>
#include <peat/schema.h>

#include "live/agent/scripted_server.h"
#include "support/agent/test_output.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

#define CALLS  3000 /* of an agent */
#define AGENTS 4
#define CALLED (AGENTS * CALLS)
#define WAIT_S 60

static struct shared {
	atomic_bool is_away; /* the output takes no batch */
	atomic_uint_fast64_t emitted, lost, offered, waiting, spooled, acknowledged, dropped;
	atomic_uint statuses;	   /* the number of times that these counts were written */
	atomic_uint_fast64_t last; /* the greatest number that the agent gave an event */
	atomic_bool is_failing;
	atomic_uint port;		  /* of the server */
	uint8_t seen[AGENTS * CALLS + 1]; /* the times that a call arrived */
} * shared;

__attribute__((noinline, noclone, used, visibility("default"))) long traced_number(long number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

/* ---- an output ------------------------------------------------------------------------------- */

static void take_call(const struct peat_event *event)
{
	const struct peat_field *field = peat_schema__find(event->schema, "arg1", NULL);
	uint64_t number;

	ck_assert_ptr_nonnull(field);
	ck_assert(peat_field__number(field, event->data, event->size, &number));
	if (number <= CALLED)
		shared->seen[number]++;
}

static void note_numbers(struct peat_output *output, const struct peat_batch *batch)
{
	struct peat_origin origin = { .sz = sizeof(origin) };
	uint64_t last;

	((struct test_output *)output)->origin(output->arg, batch, &origin);
	last = origin.first + peat_batch__events(batch) - 1;
	ck_assert_uint_gt(origin.first, 0);
	if (last > shared->last)
		shared->last = last;
}

static int write_test(struct peat_output *output, struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;

	if (shared->is_away)
		return -EAGAIN;
	note_numbers(output, batch);
	while (peat_batch__next(batch, &at, &event))
		if (event.kind == PEAT_EVENT_DATA)
			take_call(&event);
	peat_output__settle(output, batch, 0, NULL);
	return 0;
}

static bool is_away(void)
{
	return shared->is_away;
}

/* ---- agents ---------------------------------------------------------------------------------- */

static void begin(void)
{
	scratch__make();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
}

/* The output is the part of the configuration before its spool. */
__attribute__((format(printf, 1, 2))) static void configure(const char *output, ...)
{
	FILE *file = fopen(scratch__path("agent.yaml"), "w");
	char exe[256] = "";
	va_list args;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_gt(readlink("/proc/self/exe", exe, sizeof(exe) - 1), 0);
	fputs("outputs:\n  one:\n", file);
	va_start(args, output);
	vfprintf(file, output, args);
	va_end(args);
	fprintf(file,
		"    spool: %s\npipelines:\n  calls:\n    source: \"uprobe:%s:traced_number\"\n"
		"    where: arg1 > 0\n    outputs: one\n",
		scratch__path("spool"), exe);
	ck_assert_int_eq(fclose(file), 0);
}

static void share_status(struct peat_agent *agent)
{
	char *status = peat_agent__status(agent, true), why[256];

	if (!status)
		return;
	shared->emitted = json_event__number(status, "sources[0].emitted");
	shared->lost = json_event__number(status, "sources[0].lost");
	shared->offered = json_event__number(status, "sources[0].offered");
	shared->waiting = json_event__number(status, "flows[0].waiting");
	shared->spooled = json_event__number(status, "flows[0].spooled");
	shared->acknowledged = json_event__number(status, "flows[0].acknowledged");
	shared->dropped = json_event__number(status, "flows[0].dropped");
	shared->is_failing = !peat_agent__is_healthy(agent, why, sizeof(why));
	shared->statuses++;
	free(status);
}

struct agent_run {
	unsigned calls, first;
	unsigned pause_us; /* after 50 calls; 0: 1 ms */
	bool is_last;	   /* it ends when all has arrived */
	uint64_t wanted;
};

static int run_agent(void *arg)
{
	const struct agent_run *run = arg;
	struct peat_agent *agent = new_test_agent(strdup(scratch__path("agent.yaml")));

	signal(SIGPIPE, SIG_IGN);
	if (!agent || peat_agent__start(agent))
		return 1;
	for (unsigned i = 0; i < run->calls; i++) {
		traced_number((long)(run->first + i));
		if (i % 50 == 0)
			usleep(run->pause_us ?: 1000);
	}
	do {
		share_status(agent);
		usleep(10000);
	} while (!run->is_last || shared->acknowledged + shared->dropped < run->wanted);
	peat_agent__stop(agent);
	share_status(agent);
	peat_agent__free(agent);
	return 0;
}

static pid_t start(struct agent_run *run)
{
	shared->emitted = 0;
	return process__start(run_agent, run);
}

static void kill_child(pid_t pid)
{
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	process__wait(pid);
}

static bool is_all_offered(unsigned calls)
{
	return shared->emitted == calls && shared->offered + shared->lost == calls;
}

/* Waits for counts that were read and written after this call, not partly before. */
static void await_status(void)
{
	const unsigned before = shared->statuses;

	for (int i = 0; i < WAIT_S * 1000 && shared->statuses < before + 2; i++)
		usleep(1000);
	ck_assert_uint_ge(shared->statuses, before + 2);
}

/* Runs an agent until all of its events are in the spool, and kills it.  Returns their number. */
static uint64_t fill_spool(unsigned number)
{
	struct agent_run run = { .calls = CALLS, .first = 1 + number * CALLS };
	pid_t pid = start(&run);

	for (int i = 0; i < WAIT_S * 100 && !is_all_offered(CALLS); i++)
		usleep(10000);
	do
		await_status();
	while (shared->waiting);
	ck_assert_uint_eq(shared->emitted, CALLS);
	ck_assert_uint_eq(shared->waiting, 0);
	ck_assert_uint_ge(shared->spooled, shared->offered);
	ck_assert_uint_eq(shared->acknowledged, 0);
	kill_child(pid);
	return shared->offered;
}

/* The last agent sends so many events. */
static void empty_spool(uint64_t wanted)
{
	struct agent_run run = { .is_last = true, .wanted = wanted };

	ck_assert_int_eq(process__wait(start(&run)), 0);
	ck_assert_uint_eq(shared->spooled, 0);
	ck_assert_uint_eq(shared->waiting, 0);
	ck_assert_uint_eq(shared->acknowledged, wanted);
	ck_assert_uint_eq(shared->dropped, 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The number of events that `peat replay` prints from the segment of an agent. */
static uint64_t count_replayed(unsigned agent)
{
	struct command replay;
	char name[64];
	uint64_t lines = 0;

	snprintf(name, sizeof(name), "spool/%020u.perf", agent + 1);
	command__run(&replay, ALL_CAPS, ARGV(command__peat(), "replay", "-j", scratch__path(name)));
	ck_assert_msg(replay.status == 0, "%s", replay.err_text);
	for (const char *at = replay.out_text; (at = strstr(at, "\"traced_number\"")); at++)
		lines++;
	command__free(&replay);
	return lines;
}

START_TEST(test_killed_agents_lose_nothing)
{
	uint64_t spooled = 0, arrived = 0;

	NEED_YAML;
	configure("    test: yes\n");
	shared->is_away = true;
	for (unsigned i = 0; i < AGENTS; i++) {
		uint64_t events = fill_spool(i);

		ck_assert_uint_eq(count_replayed(i), events);
		spooled += events;
	}
	shared->is_away = false;
	empty_spool(spooled);
	for (unsigned i = 1; i <= AGENTS * CALLS; i++) {
		ck_assert_msg(shared->seen[i] <= 1, "call %u: %u events", i, shared->seen[i]);
		arrived += shared->seen[i];
	}
	ck_assert_uint_eq(arrived, spooled);
}
END_TEST

/* Killed at any time: whatever was spooled arrives once. */
START_TEST(test_agents_killed_while_writing)
{
	struct agent_run run = { .calls = CALLS }, last = { .is_last = true };

	NEED_YAML;
	configure("    test: yes\n    spool-size: 1M\n");
	shared->is_away = true;
	for (unsigned i = 0; i < AGENTS; i++) {
		pid_t pid;

		run.first = 1 + i * CALLS;
		pid = start(&run);
		usleep(700000 + i * 70000);
		kill_child(pid);
	}
	shared->is_away = false;
	last.wanted = 1;
	ck_assert_int_eq(process__wait(start(&last)), 0);
	ck_assert_uint_eq(shared->spooled, 0);
	ck_assert_uint_eq(shared->waiting, 0);
	for (unsigned i = 1; i <= AGENTS * CALLS; i++)
		ck_assert_msg(shared->seen[i] <= 1, "call %u: %u events", i, shared->seen[i]);
}
END_TEST

static int serve(void *arg)
{
	(void)arg;
	scripted_server__start(SCRIPTED_OK);
	shared->port = scripted.port;
	pause();
	return 0;
}

/* The server is another process: a fork while its thread allocates hangs in AddressSanitizer. */
START_TEST(test_collector_comes_back)
{
	uint64_t spooled = 0;
	uint16_t port;
	pid_t server;

	NEED_YAML;
	if (!peat_output__find("otlp"))
		skip("built without the output otlp");
	close(tcp_pair__listen(AF_INET, &port));
	configure("    otlp: http://127.0.0.1:%u\n", port);
	for (unsigned i = 0; i < 3; i++)
		spooled += fill_spool(i);
	server = process__start(serve, NULL);
	while (!shared->port)
		usleep(1000);
	configure("    otlp: http://127.0.0.1:%u\n", shared->port);
	empty_spool(spooled);
	kill_child(server);
}
END_TEST

/* The disk is full: events wait in the queue, and arrive once the output takes them. */
START_TEST(test_full_disk)
{
	struct agent_run run = {
		.calls = CALLS, .first = 1, .pause_us = 30000, .is_last = true, .wanted = CALLS
	};
	pid_t pid;

	NEED_YAML;
	ck_assert_int_eq(mkdir(scratch__path("spool"), 0700), 0);
	if (mount("tmpfs", scratch__path("spool"), "tmpfs", 0, "size=24k,mode=0700"))
		skip("cannot mount a tmpfs: %s", strerror(errno));
	configure("    test: yes\n");
	shared->is_away = true;
	pid = start(&run);
	for (int i = 0; i < WAIT_S * 100 && !(is_all_offered(CALLS) && shared->is_failing); i++)
		usleep(10000);
	ck_assert_msg(shared->is_failing,
		      "emitted %llu offered %llu lost %llu waiting %llu spooled %llu",
		      (unsigned long long)shared->emitted, (unsigned long long)shared->offered,
		      (unsigned long long)shared->lost, (unsigned long long)shared->waiting,
		      (unsigned long long)shared->spooled);
	ck_assert_uint_gt(shared->waiting, 0);
	shared->is_away = false;
	ck_assert_int_eq(process__wait(pid), 0);
	umount(scratch__path("spool"));
	ck_assert_uint_eq(shared->acknowledged, CALLS - shared->lost);
	for (unsigned i = 1; i <= CALLS; i++)
		ck_assert_msg(shared->seen[i] <= 1, "call %u: %u events", i, shared->seen[i]);
}
END_TEST

static void keep_state(void)
{
	FILE *file = fopen(scratch__path("agent.yaml"), "a");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "agent:\n  state: %s\n", scratch__path("state"));
	ck_assert_int_eq(fclose(file), 0);
}

/* Calls on, until its spool drops the oldest events, and after that. */
static int run_dropping_agent(void *arg)
{
	struct peat_agent *agent = new_test_agent(strdup(scratch__path("agent.yaml")));

	(void)arg;
	if (!agent || peat_agent__start(agent))
		return 1;
	for (long i = 1;; i++) {
		traced_number(CALLED + i);
		if (i % 256)
			continue;
		share_status(agent);
		usleep(1000); /* the agent keeps up */
	}
	return 0;
}

static void await_drop(uint64_t before)
{
	for (int i = 0; i < WAIT_S * 1000 && shared->dropped <= before; i++)
		usleep(1000);
	ck_assert_uint_gt(shared->dropped, before);
}

/*
 * The state of a killed agent is up to a second old, the counts of its spool are not: each event
 * that it numbered is acknowledged or dropped once.
 */
START_TEST(test_killed_after_drops)
{
	struct agent_run last = { .is_last = true };
	pid_t pid;

	NEED_YAML;
	configure("    test: yes\n    spool-size: 1M\n    spool-full: drop-oldest\n");
	keep_state();
	shared->is_away = true;
	pid = process__start(run_dropping_agent, NULL);
	await_drop(0);
	await_drop(shared->dropped);
	kill_child(pid);
	shared->is_away = false;
	last.wanted = UINT64_MAX;
	pid = start(&last);
	for (int i = 0; i < WAIT_S * 10000 && shared->acknowledged < 10; i++)
		usleep(100);
	kill_child(pid);
	last.wanted = 1;
	shared->spooled = 0;
	ck_assert_int_eq(process__wait(start(&last)), 0);
	ck_assert_uint_eq(shared->spooled, 0);
	ck_assert_uint_eq(shared->waiting, 0);
	ck_assert_uint_eq(shared->acknowledged + shared->dropped, shared->last);
}
END_TEST

/* SIGTERM: what the output does not take in time stays in the spool, and nothing is dropped. */
START_TEST(test_end_leaves_events_in_the_spool)
{
	struct agent_run run = { .calls = CALLS, .first = 1, .is_last = true };

	NEED_YAML;
	configure("    test: yes\n");
	shared->is_away = true;
	ck_assert_int_eq(process__wait(start(&run)), 0);
	ck_assert_uint_eq(shared->emitted, CALLS);
	ck_assert_uint_eq(shared->spooled, CALLS - shared->lost);
	ck_assert_uint_eq(shared->dropped, 0);
	shared->is_away = false;
	empty_spool(CALLS - shared->lost);
}
END_TEST

static char message[1024];

static void keep_message(enum peat_log_level level, const char *text)
{
	if (level <= PEAT_LOG_WARN)
		snprintf(message, sizeof(message), "%s", text);
}

/* Its limits can change, its directory cannot: events would stay in the former one. */
START_TEST(test_reload_keeps_the_spool)
{
	struct peat_agent *agent;
	char *status, *path;

	NEED_YAML;
	peat_set_print(keep_message);
	configure("    test: yes\n");
	shared->is_away = true;
	path = strdup(scratch__path("agent.yaml"));
	agent = new_test_agent(path);
	ck_assert_ptr_nonnull(agent);
	ck_assert_msg(!peat_agent__start(agent), "%s", message);
	for (long i = 1; i <= 100; i++)
		traced_number(i);
	for (int i = 0; i < WAIT_S * 100 && shared->spooled < 100; i++) {
		usleep(10000);
		share_status(agent);
	}
	configure("    test: yes\n    spool-size: 2M\n");
	ck_assert_msg(!peat_agent__reload(agent), "%s", message);
	status = peat_agent__status(agent, true);
	ck_assert_uint_eq(json_event__number(status, "outputs[0].spool_limit"), 2 << 20);
	free(status);
	configure("    test: yes\n  two:\n    test: yes\n");
	ck_assert_int_eq(peat_agent__reload(agent), -EINVAL);
	configure("    test: yes\n    spool-size: 1M\n");
	shared->is_away = false;
	ck_assert_msg(!peat_agent__reload(agent), "%s", message);
	for (int i = 0; i < WAIT_S * 100 && shared->acknowledged < 100; i++) {
		usleep(10000);
		share_status(agent);
	}
	ck_assert_uint_eq(shared->acknowledged, 100);
	ck_assert_uint_eq(shared->spooled, 0);
	peat_agent__free(agent);
	free(path);
	for (int i = 1; i <= 100; i++)
		ck_assert_uint_eq(shared->seen[i], 1);
}
END_TEST

static Suite *spool_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("spool", 300, &tests);

	tcase_add_checked_fixture(tests, begin, scratch__remove);
	tcase_add_test(tests, test_killed_agents_lose_nothing);
	tcase_add_test(tests, test_agents_killed_while_writing);
	tcase_add_test(tests, test_collector_comes_back);
	tcase_add_test(tests, test_full_disk);
	tcase_add_test(tests, test_killed_after_drops);
	tcase_add_test(tests, test_end_leaves_events_in_the_spool);
	tcase_add_test(tests, test_reload_keeps_the_spool);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { spool_suite };

	return harness__main(argc, argv, suites, 1);
}
