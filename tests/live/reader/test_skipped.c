// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_skipped.c: runs that the kernel skips are counted to the run, by each reader from its start.
 *
 * Each call of getpgid() runs a program twice, the second time inside the first: see
 * bpf/skipped.bpf.c.  Kernels that do not skip that run emit two events instead of one.
 */
#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/peat.h>

#include "channel/skipped.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"

EMBED_OBJECT(skipped)

#define CALLS 100

static struct bpf_object *object;
static struct peat_channel *channel;
static struct peat_reader *reader;
static struct bpf_link *links[2];
static uint64_t events;

static void attach(const char *program)
{
	static const char *const tracepoints[] = { "sys_enter", "signal_generate" };
	struct bpf_program *found = bpf_object__find_program_by_name(object, program);

	for (int i = 0; i < 2; i++) {
		links[i] = bpf_program__attach_raw_tracepoint(found, tracepoints[i]);
		ck_assert_ptr_nonnull(links[i]);
	}
}

static void set(const char *name, uint32_t value)
{
	*(volatile uint32_t *)object__variable(object, name, sizeof(value)) = value;
}

static void load_into_channel(const char *program)
{
	object = object__open(&skipped_object);
	ck_assert_int_eq(peat_channel__bind(channel, object), 0);
	object__load(object);
	set("only_pid", (uint32_t)getpid());
	set("call_number", SYS_getpgid);
	attach(program);
	events = 0;
}

static void load(const char *program)
{
	channel = peat_channel__new(NULL);
	ck_assert_ptr_nonnull(channel);
	load_into_channel(program);
}

static void unload(void)
{
	peat_reader__free(reader);
	bpf_link__destroy(links[0]);
	bpf_link__destroy(links[1]);
	peat_channel__free(channel);
	bpf_object__close(object);
}

static void open_reader(uint64_t overwrite)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.overwrite = overwrite;
	reader = peat_reader__new(channel, &opts);
	ck_assert_ptr_nonnull(reader);
}

static void call(int times)
{
	for (int i = 0; i < times; i++)
		syscall(SYS_getpgid, 0);
}

static void read_events(struct peat_reader *from)
{
	const struct peat_event *event;

	for (int round = 0; round < 2; round++)
		while (peat_reader__next(from, &event) > 0)
			events += event->kind == PEAT_EVENT_DATA;
}

static struct peat_reader_stats stats_of(const struct peat_reader *of)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(of, &stats), 0);
	return stats;
}

static struct peat_ledger ledger_of(const struct peat_reader *of, uint32_t cpu)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__ledger(of, cpu, &ledger), 0);
	return ledger;
}

/* Each run is an event or skipped.  A signal of another task may be skipped as well. */
static void check_sum(uint64_t skipped, uint64_t runs)
{
	ck_assert_uint_ge(events + skipped, runs);
	ck_assert_uint_le(events, runs);
}

/* Each of so many calls made two runs, and nothing was lost. */
static void check_runs(struct peat_reader *of, uint64_t calls)
{
	struct peat_reader_stats stats = stats_of(of), counts = { .sz = sizeof(counts) };
	struct peat_ledger ledger = ledger_of(of, PEAT_ALL_CPUS);

	ck_assert_uint_eq(stats.lost, 0);
	check_sum(stats.skipped, calls * 2);
	ck_assert_uint_eq(ledger.delivered, events);
	ck_assert_uint_eq(ledger.in_ring, 0);
	ck_assert_uint_eq(ledger.skipped, stats.skipped);
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 0);
	ck_assert_uint_eq(ledger_of(of, 0).skipped, 0);
	ck_assert_int_eq(peat_reader__counts(of, PEAT_ALL_CPUS, &counts, NULL), 0);
	ck_assert_uint_eq(counts.skipped, stats.skipped);
	ck_assert_uint_eq(counts.skipped_is_known, stats.skipped_is_known);
}

/* The kernel's own count.  Before Linux 5.12 it has none. */
static void check_misses(uint64_t before)
{
	struct peat_reader_stats stats = stats_of(reader);

	ck_assert_uint_eq(stats.skipped, object__misses(object, "twice") - before);
	if (stats.skipped)
		ck_assert(stats.skipped_is_known);
}

START_TEST(test_from_the_start_of_a_reader)
{
	uint64_t before;

	load("twice");
	call(7);
	before = object__misses(object, "twice");
	open_reader(0);
	read_events(reader); /* those staged before */
	events = 0;
	peat_reader__free(reader);
	open_reader(0);
	call(CALLS);
	peat_reader__flush(reader);
	read_events(reader);
	check_runs(reader, CALLS);
	check_misses(before);
	peat_reader__free(reader);
	open_reader(0);
	ck_assert_uint_eq(stats_of(reader).skipped, 0);
	unload();
}
END_TEST

/* The programs of each object of a channel are counted, not only those of the first one. */
START_TEST(test_of_two_objects)
{
	struct bpf_object *other = object__open(&skipped_object);

	channel = peat_channel__new(NULL);
	ck_assert_ptr_nonnull(channel);
	ck_assert_int_eq(peat_channel__bind(channel, other), 0);
	load_into_channel("twice");
	object__load(other);
	open_reader(0);
	call(CALLS);
	peat_reader__flush(reader);
	read_events(reader);
	check_runs(reader, CALLS);
	check_misses(0);
	unload();
	bpf_object__close(other);
}
END_TEST

/* A program for which there is no file fails the whole. */
START_TEST(test_too_many_files)
{
	struct skipped skipped = { 0 };
	struct rlimit all, few;
	int next;

	load("twice");
	next = dup(0);
	close(next);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = (struct rlimit){ (rlim_t)next, all.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(skipped__add_object(&skipped, object), -EMFILE);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	ck_assert_uint_eq(skipped.count, 0);
	ck_assert_int_eq(skipped__add_object(&skipped, object), 0);
	ck_assert_uint_eq(skipped.count, 2);
	skipped__free(&skipped);
	unload();
}
END_TEST

/* The count can still be read if the programs ended first. */
START_TEST(test_after_the_programs)
{
	uint64_t skipped;

	load("twice");
	open_reader(0);
	call(CALLS);
	bpf_link__destroy(links[0]);
	bpf_link__destroy(links[1]);
	links[0] = links[1] = NULL;
	skipped = object__misses(object, "twice");
	peat_reader__flush(reader);
	read_events(reader);
	check_runs(reader, CALLS);
	ck_assert_uint_eq(stats_of(reader).skipped, skipped);
	unload();
}
END_TEST

START_TEST(test_of_snapshots)
{
	struct peat_reader *snapshots[3];

	load("twice");
	open_reader(1 << 20);
	for (int i = 0; i < 3; i++) {
		if (i < 2)
			call(CALLS + i);
		snapshots[i] = peat_reader__snapshot(reader, NULL);
		ck_assert_ptr_nonnull(snapshots[i]);
	}
	for (int i = 0; i < 3; i++) {
		struct peat_reader_stats stats = stats_of(snapshots[i]);

		events = 0;
		read_events(snapshots[i]);
		check_sum(stats.skipped, i < 2 ? 2 * (CALLS + (uint64_t)i) : 0);
		ck_assert_uint_eq(ledger_of(snapshots[i], PEAT_ALL_CPUS).skipped, stats.skipped);
		ck_assert_uint_eq(stats.skipped_is_known, stats_of(reader).skipped_is_known);
		peat_reader__free(snapshots[i]);
	}
	check_misses(0);
	unload();
}
END_TEST

/* A reader of a map does not know its programs; a session does. */
START_TEST(test_of_a_map)
{
	struct peat_session *session = peat_session__new(NULL);
	struct peat_reader_stats stats;
	int map_fd;

	load("twice_raw");
	map_fd = object__map_fd(object, "raw");
	reader = peat_reader__new_raw(map_fd, NULL);
	ck_assert(!stats_of(reader).skipped_is_known);
	peat_reader__free(reader);
	call(5);
	ck_assert_int_eq(peat_session__add_map(session, map_fd), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	call(CALLS);
	reader = peat_session__reader(session);
	read_events(reader);
	stats = stats_of(reader);
	check_sum(stats.skipped, CALLS * 2);
	ck_assert(stats.skipped_is_known || !stats.skipped);
	peat_session__free(session);
	reader = NULL;
	unload();
}
END_TEST

/* The programs of a channel that a session takes over. */
START_TEST(test_of_running_programs)
{
	struct peat_session *session = peat_session__new(NULL);

	load("twice");
	call(5);
	ck_assert_int_eq(peat_session__add_map(session, object__map_fd(object, "peat_ring")), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	reader = peat_session__reader(session);
	read_events(reader); /* those staged before */
	events = stats_of(reader).skipped;
	ck_assert_uint_eq(events, 0);
	call(CALLS);
	peat_session__stop(session);
	read_events(reader);
	check_sum(stats_of(reader).skipped, CALLS * 2);
	ck_assert_uint_eq(ledger_of(reader, PEAT_ALL_CPUS).skipped, stats_of(reader).skipped);
	peat_session__free(session);
	reader = NULL;
	unload();
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *skipped_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("skipped", 60, &tests);

	tcase_add_test(tests, test_from_the_start_of_a_reader);
	tcase_add_test(tests, test_of_two_objects);
	tcase_add_test(tests, test_too_many_files);
	tcase_add_test(tests, test_after_the_programs);
	tcase_add_test(tests, test_of_snapshots);
	tcase_add_test(tests, test_of_a_map);
	tcase_add_test(tests, test_of_running_programs);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { skipped_suite };

	return harness__main(argc, argv, suites, 1);
}
