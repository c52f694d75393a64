// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_hotplug_flood.c: a flood on every CPU, while CPUs go offline and return at random: every
 * event is accounted for, and events of each CPU that returns arrive; unordered, and merged by
 * time.
 *
 * $PEAT_TEST_SECONDS is the duration, $PEAT_TEST_SEED decides which CPUs and when,
 * $PEAT_TEST_PAUSE_US is the pause of producers between two calls: under emulation a busy CPU takes
 * minutes to go offline.
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <linux/perf_event.h>

#include "support/machine/amount.h"
#include "support/load/channel_load.h"
#include "support/machine/cpu_switch.h"
#include "flood.h"
#include "object/globals.h"
#include "ring/ring.h"

EMBED_TWINS(flood)

static const struct object_file *flood_used = &flood_object;

/* The test's state of a CPU. */
static struct {
	uint64_t delivered;
	/* When it returned, until a later event arrives, else 0; and what had been
	 * done by then. */
	uint64_t back_ns, back_rounds, back_tries;
	uint64_t returns;
	bool is_off;
} cpus[FLOOD_CPUS];

static struct cpus all;	       /* online at first */
static uint32_t changing[256]; /* those that can be switched */
static uint32_t changing_count;
static volatile bool stop_switching, stop_producing;
static volatile uint64_t rounds;
static uint64_t seed, slowest_ns, slowest_rounds, slow; /* slow: heard after more than a second */
static uint64_t newest_ns, late;
static volatile struct flood_count *counts;
static struct bpf_object *flood;
static struct bpf_link *links[FLOOD_CPUS + 8];
static uint32_t link_count;

/* ---- CPUs ------------------------------------------------------------------------------------ */

/* xorshift64: a seed repeats the same CPUs at the same times, if the machine allows. */
static uint64_t random_below(uint64_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % limit;
}

/* All CPUs but the first, if they can be switched. */
static void find_cpus(void)
{
	changing_count = 0;
	all = online_cpus();
	for_each_cpu (cpu, &all) {
		if (cpu && changing_count < 256 && !cpu_switch__set(cpu, "0")) {
			changing[changing_count++] = cpu;
			ck_assert_int_eq(cpu_switch__set(cpu, "1"), 0);
		}
	}
}

static void rest(uint64_t nanoseconds)
{
	struct timespec pause = { (time_t)(nanoseconds / 1000000000),
				  (long)(nanoseconds % 1000000000) };

	nanosleep(&pause, NULL);
}

static void rest_at_random(uint64_t milliseconds)
{
	rest(random_below(milliseconds * 1000) * 1000);
}

static void take_off(uint32_t cpu)
{
	ck_assert_int_eq(cpu_switch__set(cpu, "0"), 0);
	cpus[cpu].is_off = true;
}

static void bring_back(uint32_t cpu)
{
	ck_assert_int_eq(cpu_switch__set(cpu, "1"), 0);
	cpus[cpu].is_off = false;
	cpus[cpu].returns++;
	cpus[cpu].back_rounds = rounds;
	cpus[cpu].back_tries = counts[cpu].tries;
	__atomic_store_n(&cpus[cpu].back_ns, now_ns(), __ATOMIC_RELEASE);
}

/*
 * Time alone is no evidence, as emulated machines may stand still for seconds: the CPU emits and
 * the reader reads, but no event of the CPU arrives.
 */
static bool is_deaf_to(uint32_t cpu)
{
	return now_ns() - cpus[cpu].back_ns > 20000000000 &&
	       rounds - cpus[cpu].back_rounds > 1000 &&
	       counts[cpu].tries - cpus[cpu].back_tries > 1000;
}

/* Waits until the reader has noticed. */
static void await_delivery(uint32_t cpu)
{
	while (__atomic_load_n(&cpus[cpu].back_ns, __ATOMIC_ACQUIRE)) {
		ck_assert_msg(!is_deaf_to(cpu), "CPU %u is back, and nothing arrives from it", cpu);
		rest(1000000);
	}
}

/* Sometimes off and on so fast that the reader may not have run between. */
static void flap(uint32_t cpu)
{
	for (uint64_t i = random_below(3); i; i--) {
		take_off(cpu);
		bring_back(cpu);
	}
}

/* Several CPUs may be off at the same time. */
static void *switch_cpus(void *unused)
{
	(void)unused;
	while (!stop_switching) {
		uint32_t cpu = changing[random_below(changing_count)];

		if (cpus[cpu].is_off) {
			bring_back(cpu);
			if (!random_below(4))
				flap(cpu);
			await_delivery(cpu);
		} else {
			take_off(cpu);
		}
		rest_at_random(200);
	}
	for (uint32_t i = 0; i < changing_count; i++) {
		if (cpus[changing[i]].is_off)
			bring_back(changing[i]);
		await_delivery(changing[i]);
	}
	return NULL;
}

/* Runs in the process that outlives a test that crashed or hung. */
static void switch_all_on(void)
{
	for (uint32_t i = 0; i < changing_count; i++)
		cpu_switch__set(changing[i], "1");
}

/* ---- the flood ------------------------------------------------------------------------------- */

static void attach(const char *name)
{
	links[link_count++] = object__attach(flood, name);
}

static void begin_flood(uint32_t batch_bytes, bool ordered)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	uint32_t pid = (uint32_t)getpid(), number = SYS_getpgid;

	opts.batch_bytes = batch_bytes;
	opts.unstaged = !batch_bytes;
	open_channel(&opts);
	flood = bind_object(flood_used);
	ck_assert_int_eq(globals__set(flood, "flood_pid", &pid, 4), 0);
	ck_assert_int_eq(globals__set(flood, "flood_syscall", &number, 4), 0);
	object__load(flood);
	counts = object__variable(flood, "flood_counts", sizeof(*counts) * FLOOD_CPUS);
	*(volatile uint32_t *)object__variable(flood, "flood_per_call", 4) = 50;
	if (ordered)
		open_ordered_reader(20);
	else
		open_channel_reader(20, 0);
	attach("flood_task");
	attach("flood_softirq");
	attach("flood_timer");
	attach("flood_waking");
	attach("flood_switch");
	for_each_cpu (cpu, &all)
		/* Interrupts all other producers, until its CPU goes offline. */
		links[link_count++] = object__attach_clock(flood, "flood_clock", cpu, 1000);
}

/* A thread whose only CPU goes offline may run anywhere, and does not return by itself. */
static void *produce(void *cpu)
{
	uint64_t pause_ns = amount__of("PEAT_TEST_PAUSE_US", 100) * 1000;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((uint32_t)(uintptr_t)cpu, &set);
	while (!stop_producing) {
		sched_setaffinity(0, sizeof(set), &set);
		syscall(SYS_getpgid, 0);
		if (pause_ns)
			rest(pause_ns);
	}
	return NULL;
}

/* ---- the reader ------------------------------------------------------------------------------ */

static void note_return(uint32_t cpu, uint64_t event_ns)
{
	uint64_t back_ns = __atomic_load_n(&cpus[cpu].back_ns, __ATOMIC_ACQUIRE);
	uint64_t taken_ns;

	if (!back_ns || event_ns < back_ns)
		return;
	taken_ns = now_ns() - back_ns;
	slow += taken_ns > 1000000000;
	if (taken_ns > slowest_ns) {
		slowest_ns = taken_ns;
		slowest_rounds = rounds - cpus[cpu].back_rounds;
	}
	/* Unless it went offline and returned meanwhile. */
	__atomic_compare_exchange_n(&cpus[cpu].back_ns, &back_ns, 0, false, __ATOMIC_RELEASE,
				    __ATOMIC_RELAXED);
}

static void note(const struct peat_event *event)
{
	const struct flood *e = event->data;

	if (event->size != sizeof(*e) || e->check != ~e->number)
		ck_abort_msg("a damaged event of %u bytes", event->size);
	cpus[event->cpu].delivered++;
	note_return(event->cpu, event->time_ns);
}

/* No assertion per event: the harness records each of them. */
static void read_round(event_fn check)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) > 0)
		if (event->kind == PEAT_EVENT_DATA)
			check(event);
	rounds++;
}

/* Until the time is over and all CPUs are back. */
static void read_while(pthread_t switcher, event_fn check)
{
	uint64_t until_ns = now_ns() + amount__ns(5);

	while (!stop_switching || pthread_tryjoin_np(switcher, NULL)) {
		peat_reader__wait(reader, 10);
		read_round(check);
		stop_switching = now_ns() >= until_ns;
	}
}

static void flood_and_switch(event_fn check)
{
	pthread_t producers[FLOOD_CPUS], switcher;
	uint32_t count = 0;

	for_each_cpu (cpu, &all)
		ck_assert_int_eq(
			pthread_create(&producers[count++], NULL, produce, (void *)(uintptr_t)cpu),
			0);
	ck_assert_int_eq(pthread_create(&switcher, NULL, switch_cpus, NULL), 0);
	read_while(switcher, check);
	stop_producing = true;
	while (count)
		pthread_join(producers[--count], NULL);
	while (link_count)
		bpf_link__destroy(links[--link_count]);
}

/* ---------------------------------------------------------------------------------------------- */

static void print_ledger(const struct peat_ledger *ledger)
{
	uint64_t returns = 0;

	for (uint32_t i = 0; i < changing_count; i++)
		returns += cpus[changing[i]].returns;
	printf("# %llu returns, the slowest heard after %llu us and %llu rounds, %llu after more "
	       "than a second; of %llu emitted %llu delivered, "
	       "lost ring_full %llu no_ring %llu nested %llu\n",
	       (unsigned long long)returns, (unsigned long long)slowest_ns / 1000,
	       (unsigned long long)slowest_rounds, (unsigned long long)slow,
	       (unsigned long long)ledger->emitted, (unsigned long long)ledger->delivered,
	       (unsigned long long)ledger->lost_ring_full, (unsigned long long)ledger->lost_no_ring,
	       (unsigned long long)ledger->lost_nested);
}

static void run(uint32_t batch_bytes, bool ordered, event_fn check)
{
	struct peat_ledger ledger;

	seed = amount__of("PEAT_TEST_SEED", now_ns() | 1);
	printf("# PEAT_TEST_SEED=%llu\n", (unsigned long long)seed);
	begin_flood(batch_bytes, ordered);
	flood_and_switch(check);
	ledger = finish(check);
	print_ledger(&ledger);
	for (uint32_t cpu = 0; cpu < possible_cpus(); cpu++) {
		ck_assert_uint_eq(ledger_of(cpu).emitted, counts[cpu].tries);
		ck_assert_uint_eq(ledger_of(cpu).delivered, cpus[cpu].delivered);
	}
	ck_assert_uint_eq(ledger.lost_other, 0);
	ck_assert_uint_eq(ledger.misuse, 0);
	for (uint32_t i = 0; i < changing_count; i++)
		ck_assert_uint_gt(cpus[changing[i]].delivered, 0);
	close_all();
	cpus__free(&all);
}

START_TEST(test_staged_events_are_accounted)
{
	if (!changing_count)
		skip("no CPU that can be switched off");
	run(4096, false, note);
}
END_TEST

/* Staged events would arrive even without a ring: here events are not staged. */
START_TEST(test_unstaged_events_are_accounted)
{
	if (!changing_count)
		skip("no CPU that can be switched off");
	run(0, false, note);
}
END_TEST

/* Times never go backwards, except for events flagged late. */
static void note_in_order(const struct peat_event *event)
{
	if (event->time_ns < newest_ns && !event->late)
		ck_abort_msg("an event of %llu behind one of %llu",
			     (unsigned long long)event->time_ns, (unsigned long long)newest_ns);
	late += event->late;
	if (!event->late)
		newest_ns = event->time_ns;
	note(event);
}

START_TEST(test_ordered_events_are_accounted)
{
	if (!changing_count)
		skip("no CPU that can be switched off");
	run(4096, true, note_in_order);
	printf("# %llu late\n", (unsigned long long)late);
}
END_TEST

static Suite *hotplug_flood_suite(void)
{
	TCase *tests;
	double seconds = 1e-9 * (double)amount__ns(5);
	Suite *suite = harness__suite("hotplug_flood", 120 + 2 * seconds, &tests);

	tcase_add_unchecked_fixture(tests, find_cpus, switch_all_on);
	tcase_add_test(tests, test_staged_events_are_accounted);
	tcase_add_test(tests, test_unstaged_events_are_accounted);
	tcase_add_test(tests, test_ordered_events_are_accounted);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { hotplug_flood_suite };

	return harness__main(argc, argv, suites, 1);
}
