// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_flight.c: a reader that overwrites, and its snapshots, under the load of bpf/flood.bpf.c.
 *
 * Events are numbered per CPU, so each is identified.  The environment may set the amounts: see
 * amount.h.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
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
#include "support/load/load.h"
#include "support/machine/cpu_switch.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_TWINS(flood)

static struct bpf_object *object;
static volatile struct flood_count *counts;
static struct peat_channel *channel;
static struct peat_reader *reader;
static struct bpf_link *links[FLOOD_CPUS + 8];
static int link_count;
static uint64_t step; /* between the numbers of two events: flood.bpf.c */

/* The numbers that have arrived from each CPU, a bit each, in all snapshots. */
static uint64_t *seen[FLOOD_CPUS], seen_limit[FLOOD_CPUS], delivered;

/* ---- setting up ------------------------------------------------------------------------------ */

static void attach(const char *program)
{
	links[link_count++] = object__attach(object, program);
}

/* Interrupts the other programs. */
static void attach_clock(uint64_t hertz)
{
	struct cpus cpus;

	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	for_each_cpu (cpu, &cpus)
		links[link_count++] = object__attach_clock(object, "flood_clock", cpu, hertz);
	cpus__free(&cpus);
}

static void set_constant(const char *name, uint32_t value)
{
	ck_assert_int_eq(globals__set(object, name, &value, sizeof(value)), 0);
}

static volatile uint32_t *setting(const char *name)
{
	return object__variable(object, name, sizeof(uint32_t));
}

static void open_flight(uint64_t bytes)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.overwrite = bytes;
	opts.names = true;
	reader = peat_reader__new(channel, &opts);
	ck_assert_ptr_nonnull(reader);
}

static void open_channel(struct peat_where *where)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;

	link_count = 0;
	delivered = 0;
	step = kernel_atomics__are_missing() ? 8 : 1;
	opts.where = where;
	channel = peat_channel__new(&opts);
	ck_assert_ptr_nonnull(channel);
	object = object__open(&flood_object);
	set_constant("flood_pid", (uint32_t)getpid());
	set_constant("flood_syscall", SYS_getpgid);
	ck_assert_int_eq(peat_channel__bind(channel, object), 0);
	object__load(object);
	counts = object__variable(object, "flood_counts", sizeof(struct flood_count) * FLOOD_CPUS);
}

static void begin(uint64_t bytes)
{
	open_channel(NULL);
	open_flight(bytes);
	process__pin_to(0);
}

static void detach(void)
{
	for (int i = 0; i < link_count; i++)
		bpf_link__destroy(links[i]);
	link_count = 0;
	usleep(200 * 1000);
}

static void end(void)
{
	detach();
	peat_reader__free(reader);
	peat_channel__free(channel);
	bpf_object__close(object);
	for (int cpu = 0; cpu < FLOOD_CPUS; cpu++)
		free(seen[cpu]);
}

static void emit(uint32_t calls, uint32_t events_each)
{
	*setting("flood_per_call") = events_each;
	while (calls--)
		syscall(SYS_getpgid, 0);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t count_tries(void)
{
	uint64_t tries = 0;

	for (int cpu = 0; cpu < FLOOD_CPUS; cpu++)
		tries += counts[cpu].tries;
	return tries;
}

/* ---- snapshots ------------------------------------------------------------------------------- */

static struct peat_reader *take(uint64_t last_ns, uint64_t bytes)
{
	struct peat_snapshot_opts opts = PEAT_SNAPSHOT_OPTS_INIT;
	struct peat_reader *snapshot;

	opts.last_ns = last_ns;
	opts.bytes = bytes;
	snapshot = peat_reader__snapshot(reader, &opts);
	ck_assert_ptr_nonnull(snapshot);
	return snapshot;
}

static struct peat_snapshot_info info_of(const struct peat_reader *snapshot)
{
	struct peat_snapshot_info info = { .sz = sizeof(info) };

	ck_assert_int_eq(peat_snapshot__info(snapshot, &info), 0);
	return info;
}

static void mark_seen(uint32_t cpu, uint64_t number)
{
	uint64_t have = seen_limit[cpu], limit = (number * 2 + 65536) / 64 * 64;
	uint64_t *word, bit = 1ULL << (number % 64);

	if (number >= have) {
		seen[cpu] = realloc(seen[cpu], limit / 8);
		ck_assert_ptr_nonnull(seen[cpu]);
		memset((char *)seen[cpu] + have / 8, 0, (limit - have) / 8);
		seen_limit[cpu] = limit;
	}
	word = &seen[cpu][number / 64];
	if (*word & bit)
		ck_abort_msg("number %llu of CPU %u came twice", (unsigned long long)number, cpu);
	*word |= bit;
}

/* The contents of a snapshot. */
struct content {
	uint64_t events, lost, first_ns, last_ns, first_number, last_number;
	char comm[16];
};

/* No ck_assert_...() per event: each costs as much as a hundred events. */
static void check_event(const struct peat_event *event, struct content *content)
{
	const struct flood *e = event->data;

	if ((uintptr_t)e % 8 || event->size != sizeof(*e) || e->check != ~e->number)
		ck_abort_msg("a damaged event of %u bytes", event->size);
	if (event->time_ns < content->last_ns || event->late)
		ck_abort_msg("an event of %llu ns follows one of %llu ns",
			     (unsigned long long)event->time_ns,
			     (unsigned long long)content->last_ns);
	mark_seen(event->cpu, e->number);
	if (!content->events++) {
		content->first_ns = event->time_ns;
		content->first_number = e->number / step;
	}
	content->last_ns = event->time_ns;
	content->last_number = e->number / step;
	if (event->pid == (uint32_t)getpid() && event->comm)
		snprintf(content->comm, sizeof(content->comm), "%s", event->comm);
}

static void check_ledger_of(struct peat_reader *snapshot, const struct content *content)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__ledger(snapshot, PEAT_ALL_CPUS, &ledger), 0);
	ck_assert_uint_eq(ledger.delivered, content->events);
	ck_assert_uint_eq(ledger.held, 0);
	ck_assert_uint_eq(ledger.emitted,
			  ledger.delivered + ledger.filtered + peat_ledger__lost(&ledger));
	ck_assert_uint_eq(ledger.corrupt, 0);
	ck_assert_uint_eq(peat_ledger__lost(&ledger) - ledger.overwritten, content->lost);
}

/* Reads the snapshot to its end and checks its events, its ledger and its info. */
static struct content read_all(struct peat_reader *snapshot)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	struct peat_snapshot_info info = info_of(snapshot);
	struct content content = { 0 };
	const struct peat_event *event;

	ck_assert_int_eq(peat_reader__wait(snapshot, -1), 1);
	while (peat_reader__next(snapshot, &event) > 0) {
		if (event->kind == PEAT_EVENT_DATA)
			check_event(event, &content);
		else if (event->kind == PEAT_EVENT_LOST)
			content.lost += event->lost;
	}
	ck_assert_int_eq(peat_reader__wait(snapshot, -1), -ENODATA);
	ck_assert_int_eq(peat_reader__next(snapshot, &event), 0);
	check_ledger_of(snapshot, &content);
	ck_assert_int_eq(peat_reader__stats(snapshot, &stats), 0);
	ck_assert_uint_eq(stats.corrupt, 0);
	ck_assert_uint_eq(stats.events, content.events);
	ck_assert_uint_eq(info.events, content.events);
	ck_assert_uint_eq(info.first_ns, content.first_ns);
	ck_assert_uint_eq(info.last_ns, content.last_ns);
	delivered += content.events;
	return content;
}

static struct content read_and_free(struct peat_reader *snapshot)
{
	struct content content = read_all(snapshot);

	peat_reader__free(snapshot);
	return content;
}

static void round_without_events(void)
{
	const struct peat_event *event;

	ck_assert_int_eq(peat_reader__next(reader, &event), 0);
}

static struct peat_ledger ledger_now(void)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__ledger(reader, PEAT_ALL_CPUS, &ledger), 0);
	return ledger;
}

/* Ends the run: every event is in a snapshot, overwritten or lost. */
static struct peat_ledger finish(void)
{
	struct peat_ledger ledger;

	detach();
	peat_reader__flush(reader);
	round_without_events();
	ledger = ledger_now();
	ck_assert_uint_eq(ledger.emitted, count_tries());
	ck_assert_uint_eq(ledger.delivered, delivered);
	ck_assert_uint_eq(ledger.emitted, ledger.delivered + peat_ledger__lost(&ledger));
	ck_assert_uint_eq(ledger.in_ring, 0);
	ck_assert_uint_eq(ledger.staged, 0);
	ck_assert_uint_eq(ledger.corrupt, 0);
	ck_assert_uint_eq(ledger.lost_ring_full, 0);
	ck_assert_uint_eq(ledger.lost_other, 0);
	ck_assert_uint_eq(ledger.frames_lost, 0);
	return ledger;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Staged events too, since nothing fills a batch; each is in one snapshot only. */
START_TEST(test_events_until_the_call)
{
	struct content content;
	uint64_t before_ns;

	begin(1 << 20);
	prctl(PR_SET_NAME, "flight recorded");
	attach("flood_task");
	emit(1, 3);
	round_without_events();
	before_ns = now_ns();
	emit(1, 4);
	content = read_and_free(take(0, 0));
	ck_assert_uint_eq(content.events, 7);
	ck_assert_uint_lt(content.first_ns, before_ns);
	ck_assert_uint_gt(content.last_ns, before_ns);
	ck_assert_str_eq(content.comm, "flight recorded");
	ck_assert_uint_eq(read_and_free(take(0, 0)).events, 0);
	emit(10, 100);
	ck_assert_uint_eq(read_and_free(take(0, 0)).events, 1000);
	ck_assert_uint_eq(finish().overwritten, 0);
	end();
}
END_TEST

/* The newest events stay, without a gap; how many do not is exact. */
START_TEST(test_overwritten_events_are_counted)
{
	struct peat_reader *snapshot;
	struct content content;
	struct peat_ledger ledger;

	begin(1);
	attach("flood_task");
	emit(500, 100);
	snapshot = take(0, 0);
	ck_assert_uint_gt(info_of(snapshot).overwritten_bytes, 0);
	content = read_and_free(snapshot);
	ck_assert_uint_gt(content.events, 0);
	ck_assert_uint_lt(content.events, 5000);
	ck_assert_uint_eq(content.last_number, 49999);
	ck_assert_uint_eq(content.first_number, 50000 - content.events);
	ck_assert_uint_eq(ledger_now().overwritten, 50000 - content.events);
	emit(10, 1); /* never in a snapshot */
	ledger = finish();
	ck_assert_uint_eq(ledger.overwritten, 50010 - content.events);
	end();
}
END_TEST

START_TEST(test_last_ns_and_bytes)
{
	struct content content;

	begin(1 << 20);
	attach("flood_task");
	emit(5, 100);
	usleep(300 * 1000);
	emit(3, 100);
	content = read_and_free(take(250 * 1000 * 1000, 0));
	ck_assert_uint_eq(content.events, 300);
	ck_assert_uint_eq(content.first_number, 500);
	ck_assert_uint_eq(ledger_now().overwritten, 500);
	emit(100, 100);
	content = read_and_free(take(0, 20000));
	ck_assert_uint_eq(content.last_number, 10799);
	ck_assert_uint_lt(content.events, 2000);
	ck_assert_uint_gt(content.events, 300);
	finish();
	end();
}
END_TEST

START_TEST(test_snapshot_outlives_the_reader)
{
	struct peat_reader *first, *second;
	uint32_t type;

	begin(1 << 20);
	prctl(PR_SET_NAME, "outlived");
	attach("flood_task");
	emit(2, 100);
	first = take(0, 0);
	emit(3, 100);
	second = take(0, 0);
	peat_reader__free(reader);
	reader = NULL;
	ck_assert_int_eq(peat_reader__find_type(first, "flood", &type), 0);
	ck_assert_uint_eq(read_all(second).events, 300);
	ck_assert_str_eq(read_and_free(first).comm, "outlived");
	peat_reader__free(second);
	end();
}
END_TEST

/* Programs cannot test a time: the snapshot tests all events. */
START_TEST(test_expression_filters_flight)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	const struct peat_event *event;
	struct peat_reader *snapshot;
	uint64_t events = 0;
	struct peat_where *where;
	char text[64];

	step = kernel_atomics__are_missing() ? 8 : 1;
	snprintf(text, sizeof(text), "number < %u || time == 0", (unsigned)(40 * step));
	where = peat_where__parse(text);
	ck_assert_ptr_nonnull(where);
	open_channel(where);
	open_flight(1 << 20);
	process__pin_to(0);
	attach("flood_task");
	emit(1, 100);
	snapshot = take(0, 0);
	while (peat_reader__next(snapshot, &event) > 0)
		events += event->kind == PEAT_EVENT_DATA;
	ck_assert_uint_eq(events, 40);
	ck_assert_int_eq(peat_reader__ledger(snapshot, PEAT_ALL_CPUS, &ledger), 0);
	ck_assert_uint_eq(ledger.emitted, 100);
	ck_assert_uint_eq(ledger.delivered, 40);
	ck_assert_uint_eq(ledger.filtered, 60);
	peat_reader__free(snapshot);
	end();
	peat_where__free(where);
}
END_TEST

START_TEST(test_break_ends_a_wait)
{
	struct peat_reader *snapshot;

	begin(1 << 20);
	snapshot = take(0, 0);
	peat_reader__break(snapshot);
	ck_assert_int_eq(peat_reader__wait(snapshot, -1), -ECANCELED);
	ck_assert_int_eq(peat_reader__wait(snapshot, -1), 1);
	peat_reader__free(snapshot);
	end();
}
END_TEST

/* ---- load ------------------------------------------------------------------------------------ */

static volatile bool stop;

static void *produce(void *arg)
{
	process__pin_to((uint32_t)(uintptr_t)arg);
	while (!stop)
		syscall(SYS_getpgid, 0);
	return NULL;
}

static uint32_t start_producers(pthread_t threads[FLOOD_CPUS])
{
	uint32_t count = 0;
	struct cpus cpus;

	stop = false;
	*setting("flood_per_call") = 100;
	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	for_each_cpu (cpu, &cpus)
		ck_assert_int_eq(
			pthread_create(&threads[count++], NULL, produce, (void *)(uintptr_t)cpu),
			0);
	cpus__free(&cpus);
	return count;
}

static void join_producers(const pthread_t *threads, uint32_t count)
{
	stop = true;
	while (count)
		pthread_join(threads[--count], NULL);
}

/*
 * A virtual CPU may stand still in a program that has locked a slot: its events are in the next
 * snapshot.
 */
#define STAGED_NS_MAX 100000000u

static void snapshot_under_load(uint64_t pause_ns)
{
	struct timespec pause = { (time_t)(pause_ns / 1000000000), (long)(pause_ns % 1000000000) };
	uint64_t before_ns;
	struct peat_reader *snapshot;

	nanosleep(&pause, NULL);
	before_ns = now_ns();
	syscall(SYS_getpgid, 0);
	snapshot = take(0, 0);
	if (getenv("PEAT_TEST_SECONDS")) {
		struct peat_snapshot_info info = info_of(snapshot);

		printf("%llu events over %.3f ms: swapped in %.1f us, copied in %.2f ms\n",
		       (unsigned long long)info.events,
		       (double)(info.last_ns - info.first_ns) / 1e6, (double)info.swap_ns / 1e3,
		       (double)info.copy_ns / 1e6);
	}
	ck_assert_uint_gt(read_and_free(snapshot).last_ns + STAGED_NS_MAX, before_ns);
}

/* Task, softirq, timer and clock context at once, at full speed. */
static void run_under_load(uint64_t ring_bytes)
{
	pthread_t threads[FLOOD_CPUS];
	uint32_t count;

	begin(ring_bytes);
	attach("flood_task");
	attach("flood_softirq");
	attach("flood_timer");
	attach("flood_switch");
	attach_clock(2000);
	count = start_producers(threads);
	for (int i = 0; i < 10; i++)
		snapshot_under_load(amount__ns(1) / 10);
	join_producers(threads, count);
	detach();
	read_and_free(take(0, 0));
	ck_assert_uint_gt(finish().overwritten, 0);
	end();
}

START_TEST(test_ten_snapshots_at_full_speed)
{
	run_under_load(1 << 20);
}
END_TEST

START_TEST(test_ten_snapshots_of_small_rings)
{
	run_under_load(1);
}
END_TEST

/* ---- CPUs ------------------------------------------------------------------------------------ */

/* A CPU's records stay when it goes offline, and it writes again when it returns. */
START_TEST(test_cpu_returns)
{
	struct cpus cpus;
	uint32_t cpu;

	ck_assert_int_eq(cpus__read(&cpus, "online"), 0);
	cpu = cpus.limit - 1;
	cpus__free(&cpus);
	begin(1 << 20);
	attach("flood_task");
	process__pin_to(cpu);
	emit(1, 50);
	process__pin_to(0);
	if (!cpu || cpu_switch__set(cpu, "0")) {
		printf("no CPU can be switched off here\n");
		end();
		return;
	}
	ck_assert_uint_eq(read_and_free(take(0, 0)).events, 50);
	ck_assert_int_eq(cpu_switch__set(cpu, "1"), 0);
	round_without_events();
	process__pin_to(cpu);
	emit(1, 60);
	ck_assert_uint_eq(read_and_free(take(0, 0)).events, 60);
	emit(1, 70);
	ck_assert_uint_eq(read_and_free(take(0, 0)).events, 70);
	process__pin_to(0);
	ck_assert_uint_eq(finish().overwritten, 0);
	end();
}
END_TEST

/* ---- options --------------------------------------------------------------------------------- */

static void check_refused(const struct peat_reader_opts *opts)
{
	ck_assert_ptr_null(peat_reader__new(channel, opts));
	ck_assert_int_eq(errno, EINVAL);
}

START_TEST(test_options_that_exclude_each_other)
{
	struct peat_reader_opts plain = PEAT_READER_OPTS_INIT, opts;

	open_channel(NULL);
	plain.overwrite = 4096;
	opts = plain;
	opts.memory_bytes = 1 << 20;
	check_refused(&opts);
	opts = plain;
	opts.side_band = PEAT_SIDE_BAND_COMM;
	check_refused(&opts);
	opts = plain;
	opts.immediate = true;
	check_refused(&opts);
	opts = plain;
	opts.overwrite = (2ULL << 30) + 1;
	check_refused(&opts);
	reader = peat_reader__new(channel, NULL);
	ck_assert_ptr_null(peat_reader__snapshot(reader, NULL));
	ck_assert_int_eq(errno, EINVAL);
	end();
}
END_TEST

/* ---- maps of other programs ------------------------------------------------------------------ */

static void read_raw(struct peat_reader *snapshot, uint64_t wanted, uint64_t last_number)
{
	uint64_t events = 0, last_ns = 0, number = 0;
	const struct peat_event *event;

	while (peat_reader__next(snapshot, &event) > 0) {
		const struct burst_head *head = event->data;

		ck_assert_int_eq(event->kind, PEAT_EVENT_DATA);
		ck_assert_uint_ge(event->time_ns, last_ns);
		ck_assert(head->check == ~head->number);
		ck_assert(!events || head->number == number + 1);
		ck_assert_uint_eq(event->pid, (uint32_t)getpid());
		number = head->number;
		last_ns = event->time_ns;
		events++;
	}
	ck_assert_uint_eq(number, last_number);
	if (wanted)
		ck_assert_uint_eq(events, wanted);
	ck_assert_uint_eq(info_of(snapshot).events, events);
	peat_reader__free(snapshot);
}

START_TEST(test_raw_map)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	struct load *load = load__open();

	load__attach(load);
	opts.overwrite = 1;
	reader = peat_reader__new_raw(load__map_fd(load), &opts);
	ck_assert_ptr_nonnull(reader);
	process__pin_to(0);
	load__emit(10);
	read_raw(take(0, 0), 10, 9);
	load__emit(100000);
	read_raw(take(0, 0), 0, 100009);
	ck_assert_int_eq(peat_reader__ledger(reader, 0, &ledger), -ENOTSUP);
	peat_reader__free(reader);
	load__free(load);
}
END_TEST

static Suite *flight_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("flight", 300, &tests);

	tcase_add_test(tests, test_events_until_the_call);
	tcase_add_test(tests, test_overwritten_events_are_counted);
	tcase_add_test(tests, test_last_ns_and_bytes);
	tcase_add_test(tests, test_snapshot_outlives_the_reader);
	tcase_add_test(tests, test_expression_filters_flight);
	tcase_add_test(tests, test_break_ends_a_wait);
	tcase_add_test(tests, test_ten_snapshots_at_full_speed);
	tcase_add_test(tests, test_ten_snapshots_of_small_rings);
	tcase_add_test(tests, test_cpu_returns);
	tcase_add_test(tests, test_options_that_exclude_each_other);
	tcase_add_test(tests, test_raw_map);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { flight_suite };

	return harness__main(argc, argv, suites, 1);
}
