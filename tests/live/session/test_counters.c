// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_counters.c: counters that programs read: PEAT_COUNTER(). */
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "object/globals.h"
#include "support/load/channel_load.h"
#include "support/machine/cpu_switch.h"
#include "support/machine/mounts.h"
#include "live/bpf/counters.bpf.h"

EMBED_OBJECT(counters)
EMBED_OBJECT(counters_alone)
EMBED_OBJECT(counters_packets)

#define PAGES 100

static struct peat_session *session;
static volatile struct counters_readings *readings;
static struct cpus online;
static uint32_t last;

/* ---- the session ----------------------------------------------------------------------------- */

static void set_constant(const char *name, long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", value);
	ck_assert_int_eq(peat_session__set_variable(session, name, text), 0);
}

static void add(const struct object_file *object)
{
	peat_set_print(keep_messages);
	*messages = '\0';
	session = peat_session__new(NULL);
	ck_assert_ptr_nonnull(session);
	ck_assert_msg(!peat_session__add(session, object->name, object->bytes, *object->count),
		      "%s", messages);
	set_constant("only_pid", getpid());
	set_constant("getpgid_number", SYS_getpgid);
}

static void start(void)
{
	struct peat_variable variable = { .sz = sizeof(variable) };

	add(&counters_object);
	ck_assert_msg(!peat_session__start(session, NULL), "%s", messages);
	ck_assert_int_eq(peat_session__variable(session, "counters_readings", &variable), 0);
	readings = variable.memory;
}

/* On this CPU, which the test is pinned to. */
static struct counters_readings read_counters(uint32_t cpu)
{
	struct counters_readings copy;
	uint64_t calls = readings[cpu].calls;

	ck_assert_uint_lt(cpu, COUNTERS_CPUS);
	pin_to(cpu);
	syscall(SYS_getpgid, 0);
	ck_assert_uint_eq(readings[cpu].calls, calls + 1);
	memcpy(&copy, (const void *)&readings[cpu], sizeof(copy));
	return copy;
}

static uint64_t value_of(uint32_t cpu, enum counters_number number)
{
	struct counters_readings now = read_counters(cpu);

	ck_assert_int_eq(now.of[number].result, 0);
	return now.of[number].value;
}

static void touch_pages(void)
{
	long page = sysconf(_SC_PAGESIZE);
	volatile char *pages = mmap(NULL, (size_t)(PAGES * page), PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne((void *)pages, MAP_FAILED);
	madvise((void *)pages, (size_t)(PAGES * page), MADV_NOHUGEPAGE);
	for (long i = 0; i < PAGES; i++)
		pages[i * page] = 1;
	munmap((void *)pages, (size_t)(PAGES * page));
}

static void begin(void)
{
	online = online_cpus();
	last = online.limit - 1;
}

static void end(void)
{
	cpus__free(&online);
}

static unsigned open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* ---- values ---------------------------------------------------------------------------------- */

#define ROUNDS 1000

/* Other tasks of the CPU are counted, too, in most rounds not. */
START_TEST(test_page_faults)
{
	begin();
	start();
	for_each_cpu (cpu, &online) {
		uint64_t faults = 0;

		for (int round = 0; faults != PAGES && round < ROUNDS; round++) {
			uint64_t before = value_of(cpu, FAULTS);

			touch_pages();
			faults = value_of(cpu, FAULTS) - before;
			ck_assert_uint_ge(faults, PAGES);
		}
		ck_assert_uint_eq(faults, PAGES);
	}
	peat_session__free(session);
	end();
}
END_TEST

START_TEST(test_cpus_have_counters_of_their_own)
{
	uint64_t faults = PAGES;

	begin();
	if (cpus__count(&online) < 2)
		skip("there is one CPU only");
	start();
	for (int round = 0; faults >= PAGES && round < ROUNDS; round++) {
		uint64_t before = value_of(last, FAULTS);

		value_of(0, FAULTS);
		touch_pages();
		faults = value_of(last, FAULTS) - before;
	}
	ck_assert_uint_lt(faults, PAGES);
	peat_session__free(session);
	end();
}
END_TEST

START_TEST(test_switches_and_times)
{
	struct counters_readings before, after;

	begin();
	start();
	before = read_counters(0);
	/* On emulated machines, a sleep may be over before the task is switched. */
	for (int i = 0; i < 100; i++) {
		usleep(2000);
		after = read_counters(0);
		if (after.of[SWITCHES].value > before.of[SWITCHES].value)
			break;
	}
	ck_assert_uint_gt(after.of[SWITCHES].value, before.of[SWITCHES].value);
	ck_assert_uint_gt(after.of[CLOCK].value, before.of[CLOCK].value);
	for (int i = 0; i <= CHANGED; i++) {
		const struct counters_reading *a = &before.of[i], *b = &after.of[i];

		ck_assert_uint_ge(b->enabled_ns - a->enabled_ns, 2000000);
		/* Software events always run. */
		ck_assert_uint_eq(b->enabled_ns - a->enabled_ns, b->running_ns - a->running_ns);
	}
	peat_session__free(session);
	end();
}
END_TEST

/* ---- events that a machine lacks ------------------------------------------------------------- */

START_TEST(test_optional_event_is_missing)
{
	struct counters_readings now;

	begin();
	start();
	ck_assert_ptr_nonnull(strstr(messages, "left out: counter absent of counters: "
					       "this machine has no 'nosuchpmu/event=1/'"));
	now = read_counters(0);
	ck_assert_int_eq(now.of[ABSENT].result, -ENOENT);
	ck_assert_uint_eq(now.of[ABSENT].value, 0);
	ck_assert_int_eq(now.of[FAULTS].result, 0);
	peat_session__free(session);
	end();
}
END_TEST

/* A required event fails the start, and leaves nothing open. */
START_TEST(test_required_event_is_missing)
{
	unsigned fds = open_fds();

	add(&counters_object);
	ck_assert_int_eq(peat_session__set_variable(session, "switches", "nosuchpmu/event=1/"), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), -ENOENT);
	ck_assert_ptr_nonnull(strstr(messages, "cannot open the counter switches of counters"));
	ck_assert_ptr_nonnull(strstr(messages, "'nosuchpmu/event=1/'"));
	peat_session__free(session);
	ck_assert_uint_eq(open_fds(), fds);
}
END_TEST

START_TEST(test_name_stands_for_several_events)
{
	add(&counters_object);
	ck_assert_int_eq(peat_session__set_variable(session, "faults", "page-faults,cpu-clock"), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), -EINVAL);
	ck_assert_ptr_nonnull(strstr(messages,
				     "the counter faults of counters: "
				     "'page-faults,cpu-clock' stands for several events"));
	peat_session__free(session);
}
END_TEST

START_TEST(test_event_is_changed)
{
	struct peat_variable variable = { .sz = sizeof(variable) };
	struct counters_readings now;

	add(&counters_object);
	ck_assert_int_eq(peat_session__set_variable(session, "changed", "cpu-clock"), 0);
	ck_assert_msg(!peat_session__start(session, NULL), "%s", messages);
	ck_assert_int_eq(peat_session__variable(session, "counters_readings", &variable), 0);
	readings = variable.memory;
	now = read_counters(0);
	ck_assert_int_eq(now.of[CHANGED].result, 0);
	/* In nanoseconds, while page faults are few. */
	ck_assert_uint_gt(now.of[CHANGED].value, now.of[CHANGED].enabled_ns / 2);
	ck_assert_int_eq(peat_session__set_variable(session, "changed", "page-faults"), -EBUSY);
	peat_session__free(session);
}
END_TEST

/* Programs of the network may read counters on new kernels only: the message has the remedy. */
START_TEST(test_program_of_the_network)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };
	int err;

	peat_set_print(keep_messages);
	opts.interfaces = "lo";
	session = peat_session__new(&opts);
	ck_assert_ptr_nonnull(session);
	ck_assert_msg(!peat_session__add(session, counters_packets_object.name,
					 counters_packets_object.bytes,
					 *counters_packets_object.count),
		      "%s", messages);
	err = peat_session__start(session, NULL);
	if (err)
		ck_assert_msg(strstr(messages, "programs of the network can read counters on "
					       "Linux 6.18"),
			      "%s: %s", strerror(-err), messages);
	printf("# programs of the network can%s read counters\n", err ? "not" : "");
	peat_session__free(session);
}
END_TEST

/* ---- other loaders --------------------------------------------------------------------------- */

static volatile struct counters_readings *load_own(struct bpf_object **object)
{
	uint32_t pid = (uint32_t)getpid(), number = SYS_getpgid;

	open_channel(NULL);
	*object = bind_object(&counters_object);
	globals__set(*object, "only_pid", &pid, sizeof(pid));
	globals__set(*object, "getpgid_number", &number, sizeof(number));
	object__load(*object);
	return object__variable(*object, "counters_readings", sizeof(*readings) * COUNTERS_CPUS);
}

/* The reader opens the counters, and closes them when it is freed. */
START_TEST(test_own_loader)
{
	struct bpf_object *object;
	struct bpf_link *link;
	unsigned fds;

	begin();
	readings = load_own(&object);
	link = object__attach(object, "count_faults");
	ck_assert_int_eq(read_counters(0).of[FAULTS].result, -ENOENT);
	fds = open_fds();
	for (int i = 0; i < 2; i++) {
		uint64_t before;

		reader = peat_reader__new(channel, NULL);
		ck_assert_msg(reader, "%s", messages);
		before = value_of(0, FAULTS);
		touch_pages();
		ck_assert_uint_ge(value_of(0, FAULTS) - before, PAGES);
		peat_reader__free(reader);
		ck_assert_int_eq(read_counters(0).of[FAULTS].result, -ENOENT);
		ck_assert_uint_eq(open_fds(), fds);
	}
	reader = NULL;
	bpf_link__destroy(link);
	close_all();
	end();
}
END_TEST

static void count_bytes(const struct peat_event *event, void *counts)
{
	struct counters_reading *reading = counts;

	if (event->kind != PEAT_EVENT_DATA)
		return;
	reading->result++;
	memcpy(&reading->value, event->data, sizeof(reading->value));
}

/* A counter is not taken for an array of events. */
START_TEST(test_without_channel)
{
	struct peat_array array = { .sz = sizeof(array) };
	struct counters_reading reading = { 0 };
	const struct peat_event *event;
	uint64_t before;

	begin();
	add(&counters_alone_object);
	ck_assert_int_eq(peat_session__array(session, 0, &array), 1);
	ck_assert_str_eq(array.name, "events");
	ck_assert_int_eq(peat_session__array(session, 1, &array), 0);
	ck_assert_msg(!peat_session__start(session, NULL), "%s", messages);
	pin_to(0);
	for (int i = 0; i < 2; i++) {
		before = reading.value;
		touch_pages();
		syscall(SYS_getpgid, 0);
		while (peat_reader__next(peat_session__reader(session), &event) > 0)
			count_bytes(event, &reading);
	}
	ck_assert_int_eq(reading.result, 2);
	ck_assert_uint_ge(reading.value - before, PAGES);
	peat_session__free(session);
	end();
}
END_TEST

/* ---- CPUs that return ------------------------------------------------------------------------ */

static void switch_last(const char *state)
{
	ck_assert_int_eq(cpu_switch__set(last, state), 0);
}

static void restore(void)
{
	if (last)
		cpu_switch__set(last, "1");
}

static void discard_events(void)
{
	const struct peat_event *event;

	peat_session__wait(session, 10);
	while (peat_reader__next(peat_session__reader(session), &event) > 0)
		continue;
}

/* As long as the reader has not opened the counter again, it stands still. */
static struct counters_readings wait_for_counter(void)
{
	struct counters_readings now;

	for (int i = 0; i < 500; i++) {
		uint64_t before;

		discard_events();
		before = value_of(last, FAULTS);
		touch_pages();
		now = read_counters(last);
		if (now.of[FAULTS].value != before) {
			ck_assert_uint_ge(now.of[FAULTS].value - before, PAGES);
			return now;
		}
	}
	ck_abort_msg("CPU %u does not count: %s", last, messages);
	return now;
}

/* The counter begins again at 0: its enabled time is shorter than that of a CPU that stayed. */
START_TEST(test_cpu_returns)
{
	struct counters_readings now, of_first;

	begin();
	if (!last || cpu_switch__set(last, "0"))
		skip("no CPU that can be switched off");
	switch_last("1");
	start();
	value_of(last, FAULTS);
	for (int round = 0; round < 2; round++) {
		pin_to(0);
		switch_last("0");
		if (round)
			discard_events();
		switch_last("1");
		now = wait_for_counter();
		of_first = read_counters(0);
		ck_assert_uint_lt(now.of[FAULTS].enabled_ns, of_first.of[FAULTS].enabled_ns);
	}
	peat_session__free(session);
	end();
}
END_TEST

/* ---- pins ------------------------------------------------------------------------------------ */

#define PIN "/sys/fs/bpf/peat-counters"

static volatile struct counters_readings *map_readings(int map_fd)
{
	void *memory =
		mmap(NULL, sizeof(*readings) * COUNTERS_CPUS, PROT_READ, MAP_SHARED, map_fd, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	return memory;
}

/* The maps of a pinned session keep the events. */
START_TEST(test_pinned_programs_go_on_counting)
{
	struct bpf_map *map;
	uint64_t before;
	int map_fd;

	begin();
	mounts__own_bpffs();
	add(&counters_object);
	ck_assert_int_eq(peat_session__pin(session, PIN), 0);
	ck_assert_msg(!peat_session__start(session, NULL), "%s", messages);
	map = bpf_object__find_map_by_name(peat_session__object(session, 0), ".bss");
	ck_assert_ptr_nonnull(map);
	map_fd = dup(bpf_map__fd(map));
	peat_session__free(session);
	readings = map_readings(map_fd);
	before = value_of(0, FAULTS);
	touch_pages();
	ck_assert_uint_ge(value_of(0, FAULTS) - before, PAGES);
	ck_assert_int_eq(system("rm -r " PIN), 0);
	close(map_fd);
	end();
}
END_TEST

static Suite *counters_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("counters", 60, &tests);

	tcase_add_checked_fixture(tests, NULL, restore);
	tcase_add_test(tests, test_page_faults);
	tcase_add_test(tests, test_cpus_have_counters_of_their_own);
	tcase_add_test(tests, test_switches_and_times);
	tcase_add_test(tests, test_optional_event_is_missing);
	tcase_add_test(tests, test_required_event_is_missing);
	tcase_add_test(tests, test_name_stands_for_several_events);
	tcase_add_test(tests, test_event_is_changed);
	tcase_add_test(tests, test_program_of_the_network);
	tcase_add_test(tests, test_own_loader);
	tcase_add_test(tests, test_without_channel);
	tcase_add_test(tests, test_cpu_returns);
	tcase_add_test(tests, test_pinned_programs_go_on_counting);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { counters_suite };

	return harness__main(argc, argv, suites, 1);
}
