// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ledger.c: the ledger balances to the event, under every kind of loss at once.
 *
 * bpf/flood.bpf.c counts its attempts; the reader counts the events that arrive, and identifies
 * each by its number.  The environment may set the amounts: see amount.h.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/perf_event.h>

#include <peat/peat.h>

#include "support/machine/amount.h"
#include "sys/cpus.h"
#include "flood.h"
#include "object/globals.h"
#include "object/kernel_atomics.h"
#include "support/machine/harness.h"
#include "support/machine/cpu_switch.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "support/machine/refuse.h"
#include "ring/ring.h"

EMBED_TWINS(flood)

#define OBJECTS 2

/* One object on the channel, and the numbers that have arrived from each CPU. */
struct source {
	struct bpf_object *object;
	volatile struct flood_count *counts;
	uint64_t *seen[FLOOD_CPUS]; /* a bit a number */
	uint64_t seen_limit[FLOOD_CPUS];
};

static struct source sources[OBJECTS];
static int source_count;
static const struct object_file *flood_used = &flood_object;
static struct peat_channel *channel;
static struct peat_reader *reader;
static struct bpf_link *links[64];
static int link_count;
static uint64_t delivered, lost[PEAT_LOST_CORRUPT + 1]; /* by cause */

/* ---- setting up ------------------------------------------------------------------------------ */

static void set_constant(struct bpf_object *object, const char *name, uint32_t value)
{
	ck_assert_int_eq(globals__set(object, name, &value, sizeof(value)), 0);
}

static void add_source(void)
{
	struct source *source = &sources[source_count++];

	source->object = object__open(flood_used);
	set_constant(source->object, "flood_pid", (uint32_t)getpid());
	set_constant(source->object, "flood_syscall", SYS_getpgid);
	ck_assert_int_eq(peat_channel__bind(channel, source->object), 0);
	object__load(source->object);
	source->counts = object__variable(source->object, "flood_counts",
					  sizeof(struct flood_count) * FLOOD_CPUS);
}

static volatile uint32_t *setting(int source, const char *name)
{
	return object__variable(sources[source].object, name, sizeof(uint32_t));
}

static void attach(int source, const char *program)
{
	links[link_count++] = object__attach(sources[source].object, program);
}

/* Attaches a program to the cpu-clock of each CPU, at this frequency. */
static void attach_clock(int source, uint64_t hertz)
{
	struct cpus cpus;

	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	for_each_cpu (cpu, &cpus)
		links[link_count++] =
			object__attach_clock(sources[source].object, "flood_clock", cpu, hertz);
	cpus__free(&cpus);
}

/* Small batches get small slots, so that a frame fits into a ring of one page. */
static void begin(uint64_t memory_bytes, uint32_t batch_bytes)
{
	struct peat_channel_opts channel_opts = PEAT_CHANNEL_OPTS_INIT;
	struct peat_reader_opts reader_opts = PEAT_READER_OPTS_INIT;

	source_count = link_count = 0;
	delivered = 0;
	memset(lost, 0, sizeof(lost));
	memset(sources, 0, sizeof(sources));
	channel_opts.batch_bytes = batch_bytes;
	channel_opts.unstaged = !batch_bytes;
	channel_opts.slot_bytes = batch_bytes && batch_bytes < 3000 ? 4096 : 0;
	channel = peat_channel__new(&channel_opts);
	ck_assert_ptr_nonnull(channel);
	add_source();
	reader_opts.memory_bytes = memory_bytes;
	reader_opts.latency_ms = 20;
	reader = peat_reader__new(channel, &reader_opts);
	ck_assert_ptr_nonnull(reader);
}

static void end(void)
{
	peat_reader__free(reader);
	peat_channel__free(channel);
	for (int i = 0; i < source_count; i++) {
		bpf_object__close(sources[i].object);
		for (int cpu = 0; cpu < FLOOD_CPUS; cpu++)
			free(sources[i].seen[cpu]);
	}
}

/* ---- received events ------------------------------------------------------------------------- */

static void grow(struct source *source, uint32_t cpu, uint64_t number)
{
	uint64_t limit = (number + 1) * 2 + 65536, have = source->seen_limit[cpu];

	limit = limit / 64 * 64;
	source->seen[cpu] = realloc(source->seen[cpu], limit / 8);
	ck_assert_ptr_nonnull(source->seen[cpu]);
	memset((char *)source->seen[cpu] + have / 8, 0, (limit - have) / 8);
	source->seen_limit[cpu] = limit;
}

static struct source *source_of(const struct peat_event *event)
{
	uint32_t btf_id;
	struct bpf_object *object = peat_channel__type(channel, event->type, &btf_id);

	for (int i = 0; i < source_count; i++)
		if (sources[i].object == object)
			return &sources[i];
	ck_abort_msg("an event of type %u, which is nobody's", event->type);
	return NULL;
}

static void check_event(const struct peat_event *event)
{
	const struct flood_long *e = event->data;
	struct source *source = source_of(event);
	uint64_t *word, bit;

	if ((uintptr_t)e % 8 || event->size < sizeof(struct flood) || e->check != ~e->number)
		ck_abort_msg("a damaged event of %u bytes", event->size);
	if (event->size > 16 &&
	    (e->fill[0] != (unsigned char)e->number ||
	     e->fill[event->size - 17] != (unsigned char)(e->number + event->size - 17)))
		ck_abort_msg("a damaged event of %u bytes", event->size);
	if (e->number >= source->seen_limit[event->cpu])
		grow(source, event->cpu, e->number);
	word = &source->seen[event->cpu][e->number / 64];
	bit = 1ULL << (e->number % 64);
	if (*word & bit)
		ck_abort_msg("number %llu of CPU %u came twice", e->number, event->cpu);
	*word |= bit;
	delivered++;
}

static void drain(void)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) > 0) {
		if (event->kind == PEAT_EVENT_DATA)
			check_event(event);
		else if (event->kind == PEAT_EVENT_LOST)
			lost[event->cause] += event->lost;
	}
}

/* Detaches the programs, and reads the remaining events. */
static void finish(void)
{
	for (int i = 0; i < link_count; i++)
		bpf_link__destroy(links[i]);
	link_count = 0;
	usleep(200 * 1000);
	drain();
	peat_reader__flush(reader);
	drain();
}

/* ---- the equation ---------------------------------------------------------------------------- */

static struct peat_ledger ledger_of(uint32_t cpu)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__ledger(reader, cpu, &ledger), 0);
	return ledger;
}

static void check_balance(const struct peat_ledger *ledger, uint64_t tries)
{
	ck_assert_uint_eq(ledger->emitted, tries);
	ck_assert_uint_eq(ledger->emitted, ledger->delivered + peat_ledger__lost(ledger));
	ck_assert_uint_eq(ledger->in_ring, 0);
	ck_assert_uint_eq(ledger->staged, 0);
	ck_assert_uint_eq(ledger->corrupt, 0);
	ck_assert_uint_eq(ledger->misuse, 0);
	ck_assert_uint_eq(ledger->lost_other, 0);
	ck_assert_uint_eq(ledger->frames_lost, ledger->frames_ring_full);
}

/* A frame returned before an earlier one of its stream counts as corrupt. */
static void check_order(void)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	ck_assert_uint_eq(stats.corrupt, 0);
}

/* Events have reported each loss, with its cause. */
static void check_reported(const struct peat_ledger *ledger)
{
	ck_assert_uint_eq(lost[PEAT_LOST_UNKNOWN], 0);
	ck_assert_uint_eq(lost[PEAT_LOST_RING_FULL], ledger->lost_ring_full);
	ck_assert_uint_eq(lost[PEAT_LOST_NESTED], ledger->lost_nested);
	ck_assert_uint_eq(lost[PEAT_LOST_NO_RING], ledger->lost_no_ring);
	ck_assert_uint_eq(lost[PEAT_LOST_TOO_BIG], ledger->lost_too_big);
	ck_assert_uint_eq(lost[PEAT_LOST_THROTTLED], ledger->lost_throttled);
	ck_assert_uint_eq(lost[PEAT_LOST_ABANDONED], ledger->lost_abandoned);
	ck_assert_uint_eq(lost[PEAT_LOST_OTHER], ledger->lost_other);
	ck_assert_uint_eq(lost[PEAT_LOST_CORRUPT], ledger->corrupt);
}

static void check_ledger(void)
{
	struct peat_ledger all = ledger_of(PEAT_ALL_CPUS);
	struct cpus possible;
	uint64_t tries = 0;

	ck_assert_int_eq(cpus__read(&possible, "possible"), 0);
	for_each_cpu (cpu, &possible) {
		struct peat_ledger one = ledger_of(cpu);
		uint64_t of_cpu = 0;

		for (int i = 0; i < source_count; i++)
			of_cpu += sources[i].counts[cpu].tries;
		check_balance(&one, of_cpu);
		tries += of_cpu;
	}
	check_balance(&all, tries);
	ck_assert_uint_eq(all.delivered, delivered);
	check_reported(&all);
	check_order();
	cpus__free(&possible);
}

/* ---- producers ------------------------------------------------------------------------------- */

struct producer {
	pthread_t thread;
	uint32_t cpu;
	uint64_t calls; /* UINT64_MAX: until stopped */
	long pause_ns;	/* between two calls; 0: none */
	volatile bool done;
};

static volatile bool stop;
static struct producer producers[FLOOD_CPUS];
static uint32_t producer_count;

static void *produce(void *argument)
{
	struct producer *producer = argument;

	process__pin_to(producer->cpu);
	for (uint64_t i = 0; i < producer->calls && !stop; i++) {
		struct timespec pause = { 0, producer->pause_ns };

		syscall(SYS_getpgid, 0);
		if (producer->pause_ns)
			nanosleep(&pause, NULL);
	}
	producer->done = true;
	return NULL;
}

/* One per CPU. */
static void start_producers(uint64_t calls, long pause_ns)
{
	struct cpus cpus;

	stop = false;
	producer_count = 0;
	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	for_each_cpu (cpu, &cpus) {
		struct producer *producer = &producers[producer_count++];

		*producer = (struct producer){ .cpu = cpu, .calls = calls, .pause_ns = pause_ns };
		ck_assert_int_eq(pthread_create(&producer->thread, NULL, produce, producer), 0);
	}
	cpus__free(&cpus);
}

static bool are_done(void)
{
	for (uint32_t i = 0; i < producer_count; i++)
		if (!producers[i].done)
			return false;
	return true;
}

static void join_producers(void)
{
	stop = true;
	for (uint32_t i = 0; i < producer_count; i++)
		pthread_join(producers[i].thread, NULL);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* All attempts were made, except for calls that the kernel skipped. */
static void check_tried(uint64_t calls, uint64_t events_each)
{
	uint64_t emitted = ledger_of(PEAT_ALL_CPUS).emitted;
	uint64_t misses = object__misses(sources[0].object, "flood_task");

	ck_assert_uint_le(emitted, calls * events_each);
	ck_assert_uint_ge(emitted + misses * events_each, calls * events_each);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Events of 16 bytes from each CPU at full speed, into rings of one page and more. */
static void run_at_full_speed(uint64_t memory_bytes, uint32_t batch_bytes)
{
	uint64_t events = amount__of("PEAT_TEST_EVENTS", 3000000);

	begin(memory_bytes, batch_bytes);
	*setting(0, "flood_per_call") = 100;
	attach(0, "flood_task");
	start_producers(events / 100, 0);
	while (!are_done()) {
		peat_reader__wait(reader, 20);
		drain();
	}
	join_producers();
	finish();
	check_tried(events / 100 * producer_count, 100);
	check_ledger();
	end();
}

START_TEST(test_ten_runs_at_full_speed)
{
	static const struct {
		uint64_t memory_bytes;
		uint32_t batch_bytes;
	} runs[] = {
		{ 1, 2048 },	   { 1, 1024 },	      { 1, 4096 },	 { 1 << 17, 4096 },
		{ 1 << 17, 8000 }, { 1 << 20, 4096 }, { 1 << 20, 8000 }, { 8 << 20, 4096 },
		{ 0, 4096 },	   { 0, 8000 },
	};

	for (int run = 0; run < 10; run++)
		run_at_full_speed(runs[run].memory_bytes, runs[run].batch_bytes);
}
END_TEST

START_TEST(test_ring_of_one_page)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);

	begin(1, 2048);
	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	ck_assert_uint_eq(stats.ring_bytes, page_bytes);
	end();
}
END_TEST

/* Small and rare bursts: there is always room. */
START_TEST(test_steady_rate_loses_nothing)
{
	begin(0, 4096);
	*setting(0, "flood_per_call") = 10;
	attach(0, "flood_task");
	start_producers(500, 2 * 1000 * 1000);
	while (!are_done()) {
		peat_reader__wait(reader, 20);
		drain();
	}
	join_producers();
	finish();
	check_ledger();
	check_tried(500 * producer_count, 10);
	ck_assert_uint_eq(delivered, ledger_of(PEAT_ALL_CPUS).emitted);
	end();
}
END_TEST

/* The reader is stopped: events that find the ring full are lost, and all are counted. */
START_TEST(test_stopped_reader)
{
	begin(1, 4096);
	*setting(0, "flood_per_call") = 100;
	attach(0, "flood_task");
	start_producers(1000, 0);
	while (!are_done())
		usleep(1000);
	join_producers();
	ck_assert_uint_gt(ledger_of(PEAT_ALL_CPUS).lost_ring_full, 0);
	finish();
	check_ledger();
	end();
}
END_TEST

START_TEST(test_batch_of_one)
{
	run_at_full_speed(1 << 20, 0);
}
END_TEST

/* Long events of varying size. */
START_TEST(test_events_of_all_sizes)
{
	begin(1 << 20, 4096);
	*setting(0, "flood_per_call") = 1;
	attach(0, "flood_task");
	for (uint32_t bytes = 17; bytes <= FLOOD_BYTES_MAX; bytes++) {
		*setting(0, "flood_bytes") = bytes;
		syscall(SYS_getpgid, 0);
		if (bytes % 4 == 0) /* of sixteen CPUs each has 64 KiB */
			drain();
	}
	finish();
	check_ledger();
	check_tried(FLOOD_BYTES_MAX - 16, 1);
	ck_assert_uint_eq(delivered, ledger_of(PEAT_ALL_CPUS).emitted);
	end();
}
END_TEST

/* The time delta of an event in a frame has 32 bits: 4.29 seconds. */
START_TEST(test_events_far_apart)
{
	const struct peat_event *event;
	uint64_t first;

	begin(0, 4096);
	attach(0, "flood_task");
	process__pin_to(0);
	syscall(SYS_getpgid, 0);
	usleep(4500 * 1000); /* no reader collects meanwhile */
	syscall(SYS_getpgid, 0);
	ck_assert_int_eq(peat_reader__next(reader, &event), 1);
	first = event->time_ns;
	check_event(event);
	ck_assert_int_eq(peat_reader__next(reader, &event), 1);
	ck_assert_uint_ge(event->time_ns - first, 4500 * 1000000ULL);
	ck_assert_uint_lt(event->time_ns - first, 60 * 1000000000ULL);
	check_event(event);
	finish();
	check_ledger();
	end();
}
END_TEST

/* Programs that interrupt each other, two objects on one channel, a reader that stops at times.
 */
static void attach_all(void)
{
	for (int i = 0; i < source_count; i++) {
		*setting(i, "flood_per_call") = 20;
		attach(i, "flood_task");
		attach(i, "flood_softirq");
		attach(i, "flood_timer");
		attach(i, "flood_waking");
		attach(i, "flood_switch");
		attach_clock(i, 5000);
	}
}

static void nest(const struct object_file *second)
{
	uint64_t until_ns = now_ns() + amount__ns(20);
	struct peat_ledger all;

	begin(1 << 18, 4096);
	flood_used = second;
	add_source();
	attach_all();
	start_producers(UINT64_MAX, 0);
	for (int i = 0; now_ns() < until_ns; i++) {
		peat_reader__wait(reader, 10);
		drain();
		if (i % 100 == 0)
			usleep(60 * 1000);
	}
	join_producers();
	finish();
	check_ledger();
	all = ledger_of(PEAT_ALL_CPUS);
	ck_assert_uint_gt(all.delivered, 0);
	end();
}

START_TEST(test_nested_events_are_accounted)
{
	nest(flood_used);
}
END_TEST

/* As on Linux 5.9, on a kernel with plain locks: events are not staged. */
START_TEST(test_kernel_without_test_runs)
{
	if (!kernel_atomics__are_missing())
		skip("this kernel has atomic operations that return a value");
	if (!refuse__bpf(BPF_PROG_TEST_RUN))
		skip("no seccomp filters here");
	run_at_full_speed(1, 4096);
	run_at_full_speed(0, 4096);
	nest(flood_used);
}
END_TEST

/* A CPU that goes offline leaves its events in its slots and its ring: none is lost. */
START_TEST(test_cpu_offline_and_online)
{
	uint64_t ns_each = amount__ns(4) / 4, until_ns;
	struct cpus cpus;
	uint32_t last;
	int err;

	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	last = cpus.limit - 1;
	cpus__free(&cpus);
	err = last ? cpu_switch__set(last, "0") : -ENODEV;
	if (err)
		skip("CPU %u cannot be switched off: %s", last, strerror(-err));
	ck_assert_int_eq(cpu_switch__set(last, "1"), 0);
	begin(0, 4096);
	*setting(0, "flood_per_call") = 20;
	attach(0, "flood_task");
	attach(0, "flood_softirq");
	/* With pauses: under emulation a busy CPU takes minutes to go offline. */
	start_producers(UINT64_MAX, (long)amount__of("PEAT_TEST_PAUSE_US", 100) * 1000);
	for (int i = 0; i < 4; i++) {
		until_ns = now_ns() + ns_each;
		while (now_ns() < until_ns) {
			peat_reader__wait(reader, 10);
			drain();
		}
		ck_assert_int_eq(cpu_switch__set(last, i % 2 ? "1" : "0"), 0);
	}
	join_producers();
	finish();
	check_ledger();
	end();
}
END_TEST

static Suite *ledger_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("ledger", 300, &tests);

	tcase_add_test(tests, test_ten_runs_at_full_speed);
	tcase_add_test(tests, test_ring_of_one_page);
	tcase_add_test(tests, test_steady_rate_loses_nothing);
	tcase_add_test(tests, test_stopped_reader);
	tcase_add_test(tests, test_batch_of_one);
	tcase_add_test(tests, test_events_of_all_sizes);
	tcase_add_test(tests, test_events_far_apart);
	tcase_add_test(tests, test_nested_events_are_accounted);
	tcase_add_test(tests, test_kernel_without_test_runs);
	tcase_add_test(tests, test_cpu_offline_and_online);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { ledger_suite };

	return harness__main(argc, argv, suites, 1);
}
