// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_agent.c: an agent delivers each event once, whatever its outputs and its configuration do
 * meanwhile, and its ledger says so.
 *
 * The output `test` is of this program: it counts the events by CPU and number.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/agent.h>
#include <peat/identity.h>
#include <peat/log.h>
#include <peat/schema.h>

#include "base/monotonic.h"
#include "flood.h"
#include "support/agent/test_output.h"
#include "support/load/flood_run.h"
#include "support/machine/amount.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

EMBED_TWINS(flood)

#define CALLS	    20000
#define FLOODS	    2
#define NUMBERS_MAX (1u << 22)

/* ---- an output ------------------------------------------------------------------------------- */

/* The output counts here.  Its thread writes, and the test reads while the agent is stopped. */
static struct {
	atomic_bool is_closed; /* it takes no batch */
	atomic_uint_fast64_t events, bytes_events, points, batches;
	/* A bit for each number of a flood; the numbers that were there twice. */
	uint8_t seen[FLOODS][FLOOD_CPUS][NUMBERS_MAX / 8];
	uint64_t repeated;
	uint64_t time_ns[FLOODS][FLOOD_CPUS]; /* of the last event */
	uint64_t steps_back[FLOODS], late[FLOODS];
	uint8_t calls[CALLS + 1]; /* of traced_number() */
	double gauge;
	uint64_t counter, buckets;
	atomic_uint_fast64_t count; /* of the last point */
	char labels[16384];
	uint64_t identified; /* events of the container `web` */
} got;

static void note_time(int source, const struct peat_event *event)
{
	uint64_t *last_ns = &got.time_ns[source][event->cpu];

	got.late[source] += event->late;
	got.steps_back[source] += !event->late && event->time_ns < *last_ns;
	*last_ns = event->time_ns;
}

/* The source is `flood` or `other`. */
static void take_flood(const char *source, const struct peat_event *event)
{
	const struct flood *flood = event->data;
	uint8_t *seen, bit = 1 << flood->number % 8;

	note_time(!strcmp(source, "other"), event);

	ck_assert_uint_eq(flood->number, ~flood->check);
	ck_assert_uint_lt(flood->number, NUMBERS_MAX);
	seen = &got.seen[!strcmp(source, "other")][event->cpu][flood->number / 8];
	got.repeated += (*seen & bit) != 0;
	*seen |= bit;
}

static void take_call(const struct peat_event *event)
{
	const struct peat_field *field = peat_schema__find(event->schema, "arg1", NULL);
	uint64_t number_;

	ck_assert_ptr_nonnull(field);
	ck_assert(peat_field__number(field, event->data, event->size, &number_));
	ck_assert_uint_le(number_, CALLS);
	got.calls[number_]++;
}

static void take_point(const struct peat_point *point)
{
	got.points++;
	if (point->kind == PEAT_POINT_GAUGE)
		got.gauge = point->value;
	else
		got.counter += point->count;
	got.buckets = point->bucket_count;
	got.count = point->count;
	for (uint32_t i = 0; i < point->label_count; i++) {
		size_t count = strlen(got.labels);

		snprintf(got.labels + count, sizeof(got.labels) - count, "%s=%s ",
			 point->labels[i].name, point->labels[i].value);
	}
}

/* Events of the output `two` are not counted. */
static int write_test(struct peat_output *output, struct peat_batch *batch)
{
	const bool is_two = !strcmp(((struct test_output *)output)->name, "two");
	struct peat_batch_cursor at = PEAT_BATCH_START, at_point = PEAT_BATCH_START;
	struct peat_point point = { .sz = sizeof(point) };
	struct peat_event event;

	if (got.is_closed)
		return -EAGAIN;
	while (!is_two && peat_batch__next(batch, &at, &event)) {
		got.events += event.kind == PEAT_EVENT_DATA;
		got.identified += event.identity && !strcmp(event.identity->container, "web");
		if (event.schema && !strcmp(peat_schema__name(event.schema), "flood"))
			take_flood(peat_batch__source(batch), &event);
		else if (event.schema && !strcmp(peat_schema__name(event.schema), "traced_number"))
			take_call(&event);
	}
	while (peat_batch__next_point(batch, &at_point, &point))
		take_point(&point);
	got.batches++;
	peat_output__settle(output, batch, 0, NULL);
	return 0;
}

static bool is_away(void)
{
	return got.is_closed;
}

/* ---- agents ---------------------------------------------------------------------------------- */

static char messages[8192];

static void keep_message(enum peat_log_level level, const char *text)
{
	size_t count = strlen(messages);

	if (level <= PEAT_LOG_WARN)
		snprintf(messages + count, sizeof(messages) - count, "%s\n", text);
}

#define configure(...) scratch__replace("agent.yaml", __VA_ARGS__)

static struct peat_agent *new_agent(void)
{
	peat_set_print(keep_message);
	*messages = '\0';
	return new_test_agent(strdup(scratch__path("agent.yaml")));
}

static struct peat_agent *start_agent(void)
{
	struct peat_agent *agent = new_agent();

	ck_assert_msg(agent != NULL, "%s", messages);
	ck_assert_msg(!peat_agent__start(agent), "%s", messages);
	return agent;
}

static void reload(struct peat_agent *agent)
{
	ck_assert_msg(!peat_agent__reload(agent), "%s", messages);
}

static char *status_of(struct peat_agent *agent)
{
	char *status = peat_agent__status(agent, true);

	ck_assert_ptr_nonnull(status);
	return status;
}

static uint64_t number(const char *status, const char *path)
{
	return json_event__number(status, path);
}

/* The number `total` of a row is the sum of its other numbers. */
static void check_sum(const char *status, const char *row, const char *total,
		      const char *const *parts)
{
	char path[64];
	uint64_t sum = 0;

	for (size_t i = 0; parts[i]; i++) {
		snprintf(path, sizeof(path), "%s.%s", row, parts[i]);
		sum += number(status, path);
	}
	snprintf(path, sizeof(path), "%s.%s", row, total);
	ck_assert_msg(number(status, path) == sum, "%s does not balance: %s", row, status);
}

static void check_source(const char *status, const char *row)
{
	check_sum(status, row, "emitted",
		  ARGV("delivered", "lost", "in_rings", "filtered", "counted", "overwritten"));
}

static void check_flow(const char *status, const char *row)
{
	check_sum(status, row, "offered",
		  ARGV("dropped", "waiting", "spooled", "acknowledged", "refused"));
}

/* Stops the agent, whose first source and flow have to balance.  Returns the last ledger. */
static char *stop_and_check(struct peat_agent *agent)
{
	char *status;

	peat_agent__stop(agent);
	status = status_of(agent);
	check_source(status, "sources[0]");
	check_flow(status, "flows[0]");
	return status;
}

/* ---- a flood as a source --------------------------------------------------------------------- */

static char flood_path[256];

static void begin(void)
{
	scratch__make();
	snprintf(flood_path, sizeof(flood_path), "%s", scratch__path("flood.bpf.o"));
	object__write(&flood_object, flood_path);
}

#define FLOOD_NAMED(name)                                                                          \
	"  " name ":\n    source: %s\n    set: [\"%s\", \"%s\", \"%s\"]\n"                         \
	"    no-prog: [flood_softirq, flood_timer, flood_waking, flood_switch, flood_clock]\n"
#define FLOOD_PIPELINE	  FLOOD_NAMED("flood")
#define OTHER_PIPELINE	  FLOOD_NAMED("other")
#define FLOOD_ARGS(flood) flood_path, (flood)->sets[0], (flood)->sets[1], (flood)->sets[2]

static void await(atomic_uint_fast64_t *count, uint64_t wanted)
{
	for (int i = 0; i < 1000 && *count < wanted; i++)
		usleep(10000);
	ck_assert_uint_ge(*count, wanted);
}

START_TEST(test_delivers_each_event_once)
{
	struct flood_run flood;
	struct peat_agent *agent;
	char *status, why[128];

	NEED_YAML;
	flood_run__make(&flood, 5000, 20, 20);
	configure("outputs:\n  one: {test: yes, queue: 64M}\n  two: {test: yes}\n"
		  "pipelines:\n" FLOOD_PIPELINE "    outputs: [one]\n",
		  FLOOD_ARGS(&flood));
	agent = start_agent();
	ck_assert(peat_agent__is_healthy(agent, why, sizeof(why)));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	status = stop_and_check(agent);
	json_event__check(status, "sources[0].emitted", 100000);
	json_event__check(status, "sources[0].lost", 0);
	json_event__check(status, "flows[0].acknowledged", 100000);
	ck_assert_uint_eq(got.events, 100000);
	ck_assert_uint_eq(got.repeated, 0);
	ck_assert_int_eq(test_closes, 2);
	free(status);
	peat_agent__free(agent);
}
END_TEST

#define ROUNDS 50
#define ROUND  20 /* reloads */

/* Two floods stay; another pipeline, and an output, change each time. */
static void configure_reload(struct flood_run floods[FLOODS], int i)
{
	configure("outputs:\n  one: {test: yes, queue: 64M}\n  two: {test: \"%d\"}\n"
		  "pipelines:\n" FLOOD_PIPELINE "    outputs: [one%s]\n" OTHER_PIPELINE
		  "    outputs: [one]\n"
		  "  stat:\n    stat: [context-switches]\n    pid: %d\n"
		  "    interval: %dms\n    outputs: [two]\n",
		  i % 7, FLOOD_ARGS(&floods[0]), i % 2 ? ", two" : "", FLOOD_ARGS(&floods[1]),
		  (int)getpid(), 100 + i);
}

/* Checks a source that stayed, by the flow to the output that stayed. */
static void check_nothing_lost(const char *status, int number_of_row)
{
	uint64_t emitted;
	char source[32], flow[32], path[64];

	snprintf(source, sizeof(source), "sources[%d]", number_of_row);
	snprintf(flow, sizeof(flow), "flows[%d]", number_of_row);
	check_source(status, source);
	check_flow(status, flow);
	snprintf(path, sizeof(path), "%s.lost", source);
	json_event__check(status, path, 0);
	snprintf(path, sizeof(path), "%s.emitted", source);
	emitted = number(status, path);
	ck_assert_uint_gt(emitted, 100);
	snprintf(path, sizeof(path), "%s.acknowledged", flow);
	json_event__check(status, path, emitted);
}

START_TEST(test_reload_loses_nothing)
{
	const uint32_t rounds = amount__at_most("PEAT_TEST_ROUNDS", ROUNDS);
	struct flood_run floods[FLOODS];
	struct peat_agent *agent = NULL;
	unsigned fds = 0, objects = 0;
	uint64_t start_ns;
	char *status;

	NEED_YAML;
	for (int i = 0; i < FLOODS; i++)
		flood_run__make(&floods[i], 0, 1000, rounds == ROUNDS ? 100 : 5);
	configure_reload(floods, 0);
	agent = start_agent();
	for (int i = 0; i < FLOODS; i++)
		flood_run__start(&floods[i]);
	start_ns = monotonic_ns();
	for (int i = 1; i <= (int)rounds * ROUND; i++) {
		configure_reload(floods, i);
		reload(agent);
		if (i == 10) {
			fds = process__count_fds();
			objects = process__count_bpf_fds(getpid());
		}
	}
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_uint_eq(process__count_bpf_fds(getpid()), objects);
	for (int i = 0; i < FLOODS; i++)
		flood_run__kill(&floods[i]);
	start_ns = monotonic_ns() - start_ns;
	peat_agent__stop(agent);
	status = status_of(agent);
	check_nothing_lost(status, 0);
	check_nothing_lost(status, 1);
	ck_assert_uint_eq(got.repeated, 0);
	ck_assert_int_eq(test_opens, test_closes);
	printf("%u reloads in %.1f s, %.0f events a second, %u BPF objects\n", rounds * ROUND,
	       (double)start_ns / 1e9, (double)got.events * 1e9 / (double)start_ns, objects);
	free(status);
	peat_agent__free(agent);
}
END_TEST

/* ---- replaced pipelines ---------------------------------------------------------------------- */

__attribute__((noinline, noclone, used, visibility("default"))) long traced_number(long number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

/* The child of a fork has the links of the agent: while they are open, programs stay attached. */
static int call_traced(void *arg)
{
	(void)arg;
	ck_assert_int_eq(close_range(3, ~0U, 0), 0);
	for (long i = 1; i <= CALLS; i++) {
		traced_number(i);
		usleep(50);
	}
	return 0;
}

/* Old and new run side by side for a moment: each event is delivered by one of them. */
START_TEST(test_replaced_pipeline_has_no_gap)
{
	struct peat_agent *agent = NULL;
	char *status, exe[256] = "";
	pid_t pid = 0;

	NEED_YAML;
	ck_assert_int_gt(readlink("/proc/self/exe", exe, sizeof(exe) - 1), 0);
	for (int i = 0; i <= 20; i++) {
		configure("outputs:\n  one: {test: yes, queue: 64M}\n"
			  "pipelines:\n  calls:\n    source: \"uprobe:%s:traced_number\"\n"
			  "    where: arg1 > -%d\n    outputs: [one]\n",
			  exe, i + 1);
		if (i)
			reload(agent);
		else
			agent = start_agent();
		if (!i)
			pid = process__start(call_traced, NULL);
		usleep(30000);
	}
	ck_assert_int_eq(process__wait(pid), 0);
	peat_agent__stop(agent);
	status = status_of(agent);
	check_source(status, "sources[0]");
	json_event__check(status, "sources[0].lost", 0);
	json_event__check(status, "sources[0].in_rings", 0);
	json_event__check(status, "sources[0].offered", CALLS);
	json_event__check(status, "sources[0].delivered",
			  CALLS + number(status, "sources[0].handed_over"));
	json_event__check(status, "flows[0].acknowledged", CALLS);
	ck_assert_uint_eq(got.events, CALLS);
	for (int i = 1; i <= CALLS; i++)
		ck_assert_msg(got.calls[i] == 1, "call %d: %u events", i, got.calls[i]);
	free(status);
	peat_agent__free(agent);
}
END_TEST

/* No address space has room for the stack of a thread. */
static void refuse_threads(bool refuses)
{
	static pthread_attr_t before;
	pthread_attr_t attr;

	if (!refuses) {
		ck_assert_int_eq(pthread_setattr_default_np(&before), 0);
		return;
	}
	ck_assert_int_eq(pthread_getattr_default_np(&before), 0);
	pthread_attr_init(&attr);
	ck_assert_int_eq(pthread_attr_setstacksize(&attr, SIZE_MAX / 4), 0);
	ck_assert_int_eq(pthread_setattr_default_np(&attr), 0);
	pthread_attr_destroy(&attr);
}

/* The output hangs, and has batches of each pipeline that was replaced. */
START_TEST(test_waiting_batches_keep_no_rings)
{
	unsigned fds = 0, objects = 0;
	struct flood_run flood;
	struct peat_agent *agent = NULL;
	char *status;

	NEED_YAML;
	got.is_closed = true;
	flood_run__make(&flood, 0, 1000, 1);
	for (int i = 0; i <= 20; i++) {
		configure("outputs:\n  one: {test: yes, queue: 64M}\npipelines:\n" FLOOD_PIPELINE
			  "    where: number != %d\n    outputs: [one]\n",
			  FLOOD_ARGS(&flood), 1000000000 + i);
		if (i)
			reload(agent);
		else
			agent = start_agent();
		if (!i)
			flood_run__start(&flood);
		usleep(20000);
		if (i == 3) {
			fds = process__count_fds();
			objects = process__count_bpf_fds(getpid());
		}
	}
	ck_assert_uint_le(process__count_fds(), fds);
	ck_assert_uint_le(process__count_bpf_fds(getpid()), objects);
	flood_run__kill(&flood);
	status = status_of(agent);
	ck_assert_uint_ge(number(status, "flows[0].waiting"), 20);
	free(status);
	got.is_closed = false;
	status = stop_and_check(agent);
	json_event__check(status, "flows[0].acknowledged", got.events);
	free(status);
	peat_agent__free(agent);
}
END_TEST

START_TEST(test_wrong_configuration_changes_nothing)
{
	static const char *const wrong[] = {
		"outputs: [",
		"outputs:\n  one: {test: yes}\npipelines:\n  a: {source: nosuch, outputs: one}\n",
		"outputs:\n  one: {test: refuse}\npipelines:\n  a: {source: exec, outputs: one}\n",
		"outputs:\n  one: {test: yes}\npipelines:\n  a: {source: exec, outputs: two}\n",
		("outputs:\n  one: {test: yes}\n  two: {test: refuse}\n"
		 "pipelines:\n  a: {stat: task-clock, outputs: one}\n"),
	};
	struct flood_run flood;
	struct peat_agent *agent;
	char *status;

	NEED_YAML;
	flood_run__make(&flood, 10000, 50, 1);
	configure("outputs:\n  one: {test: yes, queue: 64M}\npipelines:\n" FLOOD_PIPELINE
		  "    outputs: [one]\n",
		  FLOOD_ARGS(&flood));
	agent = start_agent();
	flood_run__start(&flood);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		configure("%s", wrong[i]);
		*messages = '\0';
		ck_assert_int_lt(peat_agent__reload(agent), 0);
		ck_assert_msg(*messages, "no message for %s", wrong[i]);
	}
	configure("outputs:\n  one: {test: yes, queue: 64M}\npipelines:\n" FLOOD_PIPELINE
		  "    where: number >= 0\n    outputs: [one]\n",
		  FLOOD_ARGS(&flood));
	refuse_threads(true);
	ck_assert_int_eq(peat_agent__reload(agent), -EAGAIN);
	refuse_threads(false);
	ck_assert_ptr_nonnull(strstr(messages, "cannot make a thread"));
	flood_run__wait(&flood);
	peat_agent__stop(agent);
	status = status_of(agent);
	json_event__check(status, "flows[0].acknowledged", 10000);
	ck_assert_uint_eq(got.repeated, 0);
	ck_assert_int_eq(test_opens, test_closes);
	free(status);
	peat_agent__free(agent);
}
END_TEST

/* ---- queues ---------------------------------------------------------------------------------- */

/* The output takes nothing for a while: the memory of its queue is bounded, and all is counted. */
static void run_full(const char *policy, uint64_t events)
{
	struct flood_run flood;
	struct peat_agent *agent;
	char *status;

	got.is_closed = true;
	flood_run__make(&flood, events / 50, 0, 50);
	configure("outputs:\n  one: {test: yes, queue: 512K, when-full: "
		  "%s}\npipelines:\n" FLOOD_PIPELINE "    memory: 2M\n    outputs: [one]\n",
		  policy, FLOOD_ARGS(&flood));
	agent = start_agent();
	flood_run__start(&flood);
	flood_run__wait(&flood);
	usleep(300000);
	status = status_of(agent);
	/* An empty queue takes any batch: one that has waited for a CPU has its head more. */
	ck_assert_uint_le(number(status, "outputs[0].queue_bytes"), 513 << 10);
	ck_assert_uint_gt(number(status, "flows[0].waiting"), 0);
	free(status);
	got.is_closed = false;
	status = stop_and_check(agent);
	json_event__check(status, "sources[0].emitted", events);
	json_event__check(status, "flows[0].waiting", 0);
	json_event__check(status, "flows[0].acknowledged", got.events);
	if (!strcmp(policy, "block"))
		json_event__check(status, "flows[0].dropped", 0);
	else
		ck_assert_uint_gt(number(status, "flows[0].dropped"), 0);
	free(status);
	peat_agent__free(agent);
}

START_TEST(test_full_queue_drops_by_policy)
{
	static const char *const policies[] = { "block", "drop-oldest", "drop-newest" };

	NEED_YAML;
	run_full(policies[_i], 500000);
}
END_TEST

/* At the end, what an output does not take is dropped after the time for it, and counted. */
START_TEST(test_end_does_not_wait_for_dead_output)
{
	struct flood_run flood;
	struct peat_agent *agent;
	char *status;

	NEED_YAML;
	got.is_closed = true;
	flood_run__make(&flood, 1000, 0, 50);
	configure("agent: {drain: 100ms}\noutputs:\n  one: {test: yes, queue: "
		  "64K}\npipelines:\n" FLOOD_PIPELINE "    outputs: [one]\n",
		  FLOOD_ARGS(&flood));
	agent = start_agent();
	flood_run__start(&flood);
	flood_run__wait(&flood);
	status = stop_and_check(agent);
	json_event__check(status, "sources[0].emitted", 50000);
	json_event__check(status, "flows[0].acknowledged", 0);
	json_event__check(status, "flows[0].waiting", 0);
	free(status);
	peat_agent__free(agent);
}
END_TEST

/* ---- points ---------------------------------------------------------------------------------- */

/* A flood of 10,000 events, which are counted by this setting. */
static struct peat_agent *count_flood(const char *setting)
{
	struct flood_run flood;
	struct peat_agent *agent;

	flood_run__make(&flood, 1000, 0, 10);
	configure("outputs:\n  one: {test: yes}\npipelines:\n" FLOOD_PIPELINE
		  "    %s\n    interval: 100ms\n    outputs: [one]\n",
		  FLOOD_ARGS(&flood), setting);
	agent = start_agent();
	flood_run__start(&flood);
	flood_run__wait(&flood);
	await(&got.count, 10000);
	got.points = 0;
	await(&got.points, 3); /* it stays */
	ck_assert_uint_eq(got.count, 10000);
	return agent;
}

START_TEST(test_table_is_sent_as_points)
{
	struct peat_agent *agent;

	NEED_YAML;
	agent = count_flood("count: comm");
	ck_assert_ptr_nonnull(strstr(got.labels, "source=flood comm="));
	ck_assert_uint_eq(got.events, 0);
	peat_agent__free(agent);
}
END_TEST

START_TEST(test_histogram_is_sent_as_points)
{
	struct peat_agent *agent;

	NEED_YAML;
	agent = count_flood("hist: number");
	ck_assert_uint_ge(got.buckets, 13); /* numbers to 9999 on one CPU, or half as many on two */
	ck_assert_uint_le(got.buckets, 18); /* before Linux 5.12 numbers have 3 bits more */
	peat_agent__free(agent);
}
END_TEST

START_TEST(test_counters_and_ledger_are_points)
{
	struct peat_agent *agent;

	NEED_YAML;
	configure("outputs:\n  one: {test: yes}\n  two: {test: yes}\npipelines:\n"
		  "  switches: {stat: context-switches, interval: 100ms, outputs: one}\n"
		  "  self: {ledger: yes, interval: 100ms, outputs: [one]}\n");
	agent = start_agent();
	await(&got.points, 150);
	ck_assert_ptr_nonnull(strstr(got.labels, "source=switches event=context-switches"));
	ck_assert_ptr_nonnull(strstr(got.labels, "source=self output=one"));
	ck_assert_uint_gt(got.counter, 0);
	peat_agent__free(agent);
}
END_TEST

static void call_getpriority(unsigned calls)
{
	while (calls--)
		syscall(SYS_getpriority, PRIO_PROCESS, 0);
}

static void end_after_dump(struct peat_agent *agent)
{
	char *status;

	await(&got.events, 1000);
	peat_agent__stop(agent);
	status = status_of(agent);
	check_source(status, "sources[0]");
	json_event__check(status, "flows[0].acknowledged", 1000);
	free(status);
	peat_agent__free(agent);
}

/* The recorder keeps events; the trigger, another source, has them sent. */
START_TEST(test_flight_recorder_is_sent_on_trigger)
{
	struct flood_run flood;
	struct peat_agent *agent;
	char exe[256] = "";

	NEED_YAML;
	ck_assert_int_gt(readlink("/proc/self/exe", exe, sizeof(exe) - 1), 0);
	flood_run__make(&flood, 100, 0, 10);
	configure("outputs:\n  one: {test: yes}\npipelines:\n" FLOOD_PIPELINE
		  "    flight: 1M\n    on: \"uprobe:%s:traced_number\"\n    outputs: [one]\n",
		  FLOOD_ARGS(&flood), exe);
	agent = start_agent();
	flood_run__start(&flood);
	flood_run__wait(&flood);
	usleep(300000);
	ck_assert_uint_eq(got.events, 0);
	traced_number(1);
	end_after_dump(agent);
}
END_TEST

/* The trigger is a count of a call that other programs hardly make. */
START_TEST(test_flight_recorder_is_sent_after_a_count)
{
	struct flood_run flood;
	struct peat_agent *agent;

	NEED_YAML;
	flood_run__make(&flood, 100, 0, 10);
	configure("outputs:\n  one: {test: yes}\npipelines:\n" FLOOD_PIPELINE
		  "    flight: 1M\n    on: \"syscalls:sys_enter_getpriority>100\"\n"
		  "    outputs: [one]\n",
		  FLOOD_ARGS(&flood));
	agent = start_agent();
	flood_run__start(&flood);
	flood_run__wait(&flood);
	call_getpriority(100);
	usleep(300000);
	ck_assert_uint_eq(got.events, 0);
	call_getpriority(1);
	end_after_dump(agent);
}
END_TEST

/* ---- order ----------------------------------------------------------------------------------- */

/* Interrupts emit events, too: they are in other buffers of their CPU. */
START_TEST(test_ordered_events)
{
	struct flood_run flood;
	struct peat_agent *agent;
	char *status;

	NEED_YAML;
	flood_run__make(&flood, 20000, 20, 20);
	configure("outputs:\n  one: {test: yes, queue: 64M}\npipelines:\n"
		  "  flood:\n    source: %s\n    set: [\"%s\", \"%s\", \"%s\"]\n"
		  "    ordered: yes\n    outputs: [one]\n"
		  "  other:\n    source: %s\n    set: [\"%s\", \"%s\", \"%s\"]\n"
		  "    outputs: [one]\n",
		  FLOOD_ARGS(&flood), FLOOD_ARGS(&flood));
	agent = start_agent();
	flood_run__start(&flood);
	flood_run__wait(&flood);
	status = stop_and_check(agent);
	printf("%llu steps back in time, %llu late events; %llu without order\n",
	       (unsigned long long)got.steps_back[0], (unsigned long long)got.late[0],
	       (unsigned long long)got.steps_back[1]);
	ck_assert_uint_gt(number(status, "flows[0].acknowledged"), 100000);
	ck_assert_uint_eq(got.steps_back[0], 0);
	free(status);
	peat_agent__free(agent);
}
END_TEST

/* ---- identity -------------------------------------------------------------------------------- */

/* The cgroup is gone before the events are written. */
START_TEST(test_events_have_their_container)
{
	char group[256], path[300];
	struct flood_run flood;
	struct peat_agent *agent;
	FILE *procs;

	NEED_YAML;
	got.is_closed = true;
	snprintf(group, sizeof(group), "%s/lxc.payload.web", mounts__perf_cgroup2());
	flood_run__make(&flood, 100, 0, 10);
	configure("outputs:\n  one: {test: yes, queue: 64M}\npipelines:\n" FLOOD_PIPELINE
		  "    identity: yes\n    outputs: [one]\n",
		  FLOOD_ARGS(&flood));
	agent = start_agent();
	ck_assert_int_eq(mkdir(group, 0755), 0);
	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	procs = fopen(path, "w");
	ck_assert_ptr_nonnull(procs);
	fprintf(procs, "%d", (int)flood.pid);
	ck_assert_int_eq(fclose(procs), 0);
	flood_run__start(&flood);
	flood_run__wait(&flood);
	ck_assert_int_eq(rmdir(group), 0);
	got.is_closed = false;
	await(&got.events, 1000);
	ck_assert_uint_eq(got.identified, 1000);
	peat_agent__free(agent);
}
END_TEST

/* ---- recordings ------------------------------------------------------------------------------ */

static uint64_t count_recorded(const char *name)
{
	struct peat_reader *reader = peat_reader__open(scratch__path(name), NULL);
	const struct peat_event *event;
	uint64_t events = 0;
	int more;

	ck_assert_msg(reader != NULL, "%s: %s", name, messages);
	do {
		while ((more = peat_reader__next(reader, &event)) > 0)
			events += event->kind == PEAT_EVENT_DATA;
		more = more ?: peat_reader__wait(reader, 0);
	} while (more >= 0);
	ck_assert_int_eq(more, -ENODATA);
	peat_reader__free(reader);
	return events;
}

/* A recording beside another output, and alone, where events are written in rows. */
START_TEST(test_pipeline_writes_recordings)
{
	struct flood_run flood;
	struct peat_agent *agent;
	char *status;

	NEED_YAML;
	flood_run__make(&flood, 1000, 100, 50);
	configure("outputs:\n  one: {test: yes, queue: 64M}\n"
		  "  file: {file: %s/%%s.data, format: perf}\n"
		  "pipelines:\n" FLOOD_PIPELINE "    outputs: [%s]\n",
		  scratch__dir(), FLOOD_ARGS(&flood), _i ? "file, one" : "file");
	agent = start_agent();
	flood_run__start(&flood);
	usleep(50000);
	reload(agent);
	flood_run__wait(&flood);
	status = stop_and_check(agent);
	json_event__check(status, "sources[0].emitted", 50000);
	json_event__check(status, "sources[0].offered", 50000);
	json_event__check(status, "flows[0].acknowledged", 50000);
	ck_assert_uint_eq(count_recorded("flood.data"), 50000);
	ck_assert_uint_eq(got.events, _i ? 50000 : 0);
	free(status);
	peat_agent__free(agent);
}
END_TEST

static Suite *agent_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("agent", 60, &tests);

	tcase_add_checked_fixture(tests, begin, scratch__remove);
	tcase_add_test(tests, test_delivers_each_event_once);
	tcase_add_test(tests, test_reload_loses_nothing);
	tcase_add_test(tests, test_replaced_pipeline_has_no_gap);
	tcase_add_test(tests, test_waiting_batches_keep_no_rings);
	tcase_add_test(tests, test_wrong_configuration_changes_nothing);
	tcase_add_loop_test(tests, test_full_queue_drops_by_policy, 0, 3);
	tcase_add_test(tests, test_end_does_not_wait_for_dead_output);
	tcase_add_test(tests, test_table_is_sent_as_points);
	tcase_add_test(tests, test_histogram_is_sent_as_points);
	tcase_add_test(tests, test_counters_and_ledger_are_points);
	tcase_add_test(tests, test_flight_recorder_is_sent_on_trigger);
	tcase_add_test(tests, test_flight_recorder_is_sent_after_a_count);
	tcase_add_test(tests, test_ordered_events);
	tcase_add_test(tests, test_events_have_their_container);
	tcase_add_loop_test(tests, test_pipeline_writes_recordings, 0, 2);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { agent_suite };

	return harness__main(argc, argv, suites, 1);
}
