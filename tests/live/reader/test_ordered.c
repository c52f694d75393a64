// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ordered.c: all CPUs merged by time, under a flood of programs that interrupt each other.
 *
 * $PEAT_TEST_SECONDS makes it shorter or longer.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "sys/cpus.h"
#include "flood.h"
#include "object/globals.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/load/load.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_TWINS(flood)

static const struct object_file *flood_used = &flood_object;
static struct bpf_object *object;
static struct peat_channel *channel;
static struct peat_reader *reader;
static struct bpf_link *links[8];
static int link_count;
static uint64_t last_ns, delivered, late, lost;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- setting up ------------------------------------------------------------------------------ */

static void set_constant(const char *name, uint32_t value)
{
	ck_assert_int_eq(globals__set(object, name, &value, sizeof(value)), 0);
}

static void begin(uint64_t memory_bytes, uint32_t latency_ms)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	link_count = 0;
	last_ns = delivered = late = lost = 0;
	channel = peat_channel__new(NULL);
	ck_assert_ptr_nonnull(channel);
	object = object__open(flood_used);
	set_constant("flood_pid", (uint32_t)getpid());
	set_constant("flood_syscall", SYS_getpgid);
	ck_assert_int_eq(peat_channel__bind(channel, object), 0);
	object__load(object);
	opts.memory_bytes = memory_bytes;
	opts.latency_ms = latency_ms;
	opts.immediate = !latency_ms;
	opts.ordered = opts.names = true;
	reader = peat_reader__new(channel, &opts);
	ck_assert_ptr_nonnull(reader);
}

static void attach(const char *program)
{
	links[link_count++] = object__attach(object, program);
}

static void detach(void)
{
	while (link_count)
		bpf_link__destroy(links[--link_count]);
}

static void end(void)
{
	peat_reader__free(reader);
	peat_channel__free(channel);
	bpf_object__close(object);
}

/* ---- received events ------------------------------------------------------------------------- */

/* An event is flagged late if and only if it is older than the event before it. */
static void check_event(const struct peat_event *event)
{
	const struct flood *e = event->data;

	ck_assert_int_ne(event->kind, PEAT_EVENT_RECORD);
	if (event->late != (event->time_ns < last_ns))
		ck_abort_msg("an event of %llu after one of %llu, late: %d",
			     (unsigned long long)event->time_ns, (unsigned long long)last_ns,
			     event->late);
	late += event->late;
	if (!event->late)
		last_ns = event->time_ns;
	if (event->kind == PEAT_EVENT_LOST) {
		lost += event->lost;
		return;
	}
	if (event->size < sizeof(*e) || e->check != ~e->number || (uintptr_t)e % 8)
		ck_abort_msg("a damaged event of %u bytes", event->size);
	delivered++;
}

/*
 * The ledger at any moment.  A frame being written is counted in its slot and in the ring, so the
 * remainder may be negative by the events of some slots.
 */
#define SENT_JUST_NOW 4096

static struct peat_ledger check_ledger(uint32_t cpu)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__ledger(reader, cpu, &ledger), 0);
	ck_assert_uint_eq(ledger.emitted, ledger.delivered + ledger.held + ledger.staged +
						  ledger.in_ring + peat_ledger__lost(&ledger));
	ck_assert_int_ge((int64_t)ledger.in_ring, -SENT_JUST_NOW);
	return ledger;
}

static void drain(void)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) > 0) {
		check_event(event);
		if (delivered % 65536 == 0)
			ck_assert_uint_eq(check_ledger(PEAT_ALL_CPUS).delivered, delivered);
	}
	ck_assert_uint_eq(check_ledger(PEAT_ALL_CPUS).delivered, delivered);
}

static struct peat_reader_stats stats_of(void)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	return stats;
}

static void finish(void)
{
	volatile struct flood_count *counts =
		object__variable(object, "flood_counts", sizeof(struct flood_count) * FLOOD_CPUS);
	struct peat_ledger all;
	uint64_t tries = 0;

	detach();
	usleep(50 * 1000);
	peat_reader__flush(reader);
	drain();
	for (int cpu = 0; cpu < FLOOD_CPUS; cpu++)
		tries += counts[cpu].tries;
	all = check_ledger(PEAT_ALL_CPUS);
	ck_assert_uint_eq(all.emitted, tries);
	ck_assert_uint_eq(all.held, 0);
	ck_assert_uint_eq(all.in_ring, 0);
	ck_assert_uint_eq(all.staged, 0);
	ck_assert_uint_eq(all.corrupt, 0);
	ck_assert_uint_eq(all.emitted, delivered + peat_ledger__lost(&all));
	ck_assert_uint_eq(stats_of().late, late);
}

/* ---- producers ------------------------------------------------------------------------------- */

static volatile bool stop;
static pthread_t producers[FLOOD_CPUS];
static uint32_t producer_count;

static void *produce(void *argument)
{
	struct timespec pause = { 0, 1000000 };

	process__pin_to((uint32_t)(uintptr_t)argument);
	while (!stop) {
		for (int i = 0; i < 200; i++)
			syscall(SYS_getpgid, 0);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static void start_producers(void)
{
	struct cpus cpus;

	stop = false;
	producer_count = 0;
	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	for_each_cpu (cpu, &cpus)
		ck_assert_int_eq(pthread_create(&producers[producer_count++], NULL, produce,
						(void *)(uintptr_t)cpu),
				 0);
	cpus__free(&cpus);
}

static void join_producers(void)
{
	stop = true;
	while (producer_count)
		pthread_join(producers[--producer_count], NULL);
}

/* ---- tests ----------------------------------------------------------------------------------- */

#define DELIVERED_LEAST 1000

static void drain_for(uint64_t ns)
{
	uint64_t until_ns = now_ns() + ns;

	while (now_ns() < until_ns) {
		peat_reader__wait(reader, 10);
		drain();
	}
}

/*
 * In rounds, as an order of few events proves nothing: between two, the reader has CPU time, which
 * it lacks meanwhile where 16 CPUs are emulated by one.
 */
static void flood(uint32_t per_call)
{
	*(volatile uint32_t *)object__variable(object, "flood_per_call", sizeof(uint32_t)) =
		per_call;
	attach("flood_task");
	attach("flood_softirq");
	attach("flood_timer");
	attach("flood_waking");
	attach("flood_switch");
	do {
		start_producers();
		drain_for(amount__ns(2));
		join_producers();
		drain_for(200 * 1000 * 1000);
	} while (delivered <= DELIVERED_LEAST);
	finish();
	printf("  %llu events, %llu late, %llu hurried, %llu lost, %llu rounds\n",
	       (unsigned long long)delivered, (unsigned long long)late,
	       (unsigned long long)stats_of().hurried, (unsigned long long)stats_of().lost,
	       (unsigned long long)stats_of().rounds);
	ck_assert_uint_gt(delivered, DELIVERED_LEAST);
}

static void check_none_late(void)
{
	ck_assert_msg(!late, "%llu late, %llu hurried", (unsigned long long)late,
		      (unsigned long long)stats_of().hurried);
}

#define RUNS 20

/*
 * An emulated machine may make the reader hold more events than its memory has room for: then they
 * can be late.  Such a run says nothing of their order, so there is another.
 */
START_TEST(test_flood_is_in_order)
{
	bool is_hurried = true;

	for (int i = 0; is_hurried && i < RUNS; i++) {
		begin(32 << 20, 20);
		flood(2);
		is_hurried = stats_of().hurried > 0;
		if (!is_hurried)
			check_none_late();
		end();
	}
	ck_assert_msg(!is_hurried, "the reader had too little memory in %d runs", RUNS);
}
END_TEST

/* Many events are held between two ticks and many lost: late ones are flagged, the ledger exact. */
START_TEST(test_flood_into_little_memory)
{
	begin(1, 500);
	flood(20);
	end();
}
END_TEST

/* One event of one CPU arrives without another event or another CPU. */
START_TEST(test_one_event)
{
	uint64_t begun_ns;

	begin(0, 100);
	attach("flood_task");
	drain();
	for (uint64_t i = 1; i <= 5; i++) {
		begun_ns = now_ns();
		syscall(SYS_getpgid, 0);
		while (delivered < i) {
			ck_assert_int_ge(peat_reader__wait(reader, 10000), 1);
			drain();
		}
		printf("  held for %llu us\n", (unsigned long long)(now_ns() - begun_ns) / 1000);
		ck_assert_uint_eq(check_ledger(PEAT_ALL_CPUS).held, 0);
	}
	finish();
	end();
}
END_TEST

/* A flush called during a drain does not end before a drain of its own. */
START_TEST(test_flush_during_a_drain)
{
	const struct peat_event *event;

	begin(0, 1000);
	attach("flood_task");
	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, 0);
	while (!delivered) {
		ck_assert_int_ge(peat_reader__wait(reader, 10000), 1);
		if (peat_reader__next(reader, &event) > 0)
			check_event(event);
	}
	syscall(SYS_getpgid, 0);
	ck_assert_int_eq(peat_reader__wait(reader, 0), 1); /* there are more that may go */
	peat_reader__flush(reader);
	drain();
	ck_assert_uint_eq(delivered, 11);
	finish();
	end();
}
END_TEST

/* The kernel's own records, each decoded again when it is returned. */
START_TEST(test_kernel_records_are_in_order)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	const struct peat_event *event;
	uint64_t records = 0, until_ns = now_ns() + 1000000000;

	opts.latency_ms = 40;
	opts.side_band = PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM | PEAT_SIDE_BAND_SWITCH;
	opts.ordered = opts.names = true;
	reader = peat_reader__new_side_band(&opts);
	ck_assert_ptr_nonnull(reader);
	last_ns = late = 0;
	for (int flushed = 0; flushed < 2;) {
		while (peat_reader__next(reader, &event) > 0) {
			ck_assert_uint_ge(event->time_ns, last_ns);
			last_ns = event->time_ns;
			if (event->kind != PEAT_EVENT_RECORD)
				continue;
			ck_assert_ptr_nonnull(event->record);
			ck_assert_uint_eq(event->record->time_ns, event->time_ns);
			ck_assert_ptr_nonnull(event->schema);
			records++;
		}
		if (now_ns() < until_ns) {
			usleep(1000);
			peat_reader__wait(reader, 10);
		} else if (!flushed++) {
			peat_reader__flush(reader);
		}
	}
	ck_assert_uint_gt(records, 10);
	ck_assert_uint_eq(stats_of().late, 0);
	peat_reader__free(reader);
}
END_TEST

START_TEST(test_immediate_order_is_refused)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.side_band = PEAT_SIDE_BAND_TASK;
	opts.ordered = true;
	opts.immediate = true;
	ck_assert_ptr_null(peat_reader__new_side_band(&opts));
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

/* Raw samples of all CPUs, with names: payload, record and task are unchanged. */
START_TEST(test_raw_samples_are_in_order)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct load *load = load__open();
	const struct peat_event *event;
	struct cpus cpus;
	uint64_t calls = 0;
	char comm[16] = "";

	opts.latency_ms = 40;
	opts.ordered = opts.names = true;
	load__attach(load);
	reader = peat_reader__new_raw(load__map_fd(load), &opts);
	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(prctl(PR_GET_NAME, comm), 0);
	last_ns = delivered = 0;
	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	for (int round = 0; round < 100; round++) {
		for_each_cpu (cpu, &cpus) {
			process__pin_to(cpu);
			syscall(SYS_getpgid, 0);
			calls++;
		}
		if (round == 99)
			peat_reader__flush(reader);
		while (peat_reader__next(reader, &event) > 0) {
			const struct burst_head *head = event->data;

			ck_assert_uint_ge(event->time_ns, last_ns);
			last_ns = event->time_ns;
			if (event->kind != PEAT_EVENT_DATA)
				continue;
			ck_assert_uint_ge(event->size, sizeof(*head));
			ck_assert_uint_eq(head->check, ~head->number);
			ck_assert_uint_eq(event->pid, (uint32_t)getpid());
			ck_assert_str_eq(event->comm, comm);
			ck_assert_ptr_nonnull(event->record);
			ck_assert_uint_eq(event->record->type, PEAT_RECORD_SAMPLE);
			delivered++;
		}
	}
	cpus__free(&cpus);
	ck_assert_uint_eq(delivered, calls);
	ck_assert_uint_eq(stats_of().events, calls);
	ck_assert_uint_eq(stats_of().late, 0);
	peat_reader__free(reader);
	load__free(load);
}
END_TEST

/* ---- the command ----------------------------------------------------------------------------- */

START_TEST(test_command_prints_in_order)
{
	uint32_t runs = amount__at_most("PEAT_TEST_PROCESSES", 100);
	const char *path = process__program();
	struct json_lines events;
	struct command peat;
	long long last = 0;

	command__start(
		&peat, ALL_CAPS,
		ARGV(command__peat(), "trace", "exec", "exit", "signal", "--ordered", "-j", "-v"));
	command__expect(peat.err, "attached");
	for (uint32_t i = 0; i < runs; i++)
		process__run(path, ARGV("ordered"));
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_ptr_null(strstr(peat.err_text, " late:"));
	ck_assert_ptr_null(strstr(peat.err_text, "held"));
	events = json_lines__split(peat.out_text);
	ck_assert_uint_ge(events.count, 2 * runs);
	for (size_t i = 0; i < events.count; i++) {
		long long time_ns = json_lines__number(events.lines[i], "time_ns");

		ck_assert_int_ge(time_ns, last);
		ck_assert_int_eq(json_lines__kind(events.lines[i], "late"), JSON_NOTHING);
		last = time_ns;
	}
	json_lines__free(&events);
	command__free(&peat);
	unlink(path);
}
END_TEST

START_TEST(test_command_refuses)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "trace", "exec", "--ordered", "--latency", "0"));
	ck_assert_int_eq(peat.status, 64);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "--latency"));
	command__free(&peat);
}
END_TEST

static Suite *ordered_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("ordered", 120, &tests);

	tcase_add_test(tests, test_flood_is_in_order);
	tcase_add_test(tests, test_flood_into_little_memory);
	tcase_add_test(tests, test_one_event);
	tcase_add_test(tests, test_flush_during_a_drain);
	tcase_add_test(tests, test_kernel_records_are_in_order);
	tcase_add_test(tests, test_immediate_order_is_refused);
	tcase_add_test(tests, test_raw_samples_are_in_order);
	tcase_add_test(tests, test_command_prints_in_order);
	tcase_add_test(tests, test_command_refuses);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { ordered_suite };

	return harness__main(argc, argv, suites, 1);
}
