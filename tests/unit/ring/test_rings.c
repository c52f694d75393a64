// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_rings.c: rings of real perf events in real maps: opened, refused, replaced, closed. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/log.h>
#include <peat/reader.h>

#include "ring/rings.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define RING_BYTES 8192u
#define OUTPUTS	   2
#define EVENTS	   (OUTPUTS + 1) /* one of the side band */

static struct rings rings;
static struct cpus online; /* only CPU 0: tests elsewhere switch the others off and on */
static int epoll_fd;
static char logged[512], warned[512];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
	else if (level == PEAT_LOG_WARN)
		snprintf(warned, sizeof(warned), "%s", text);
}

static void check_logged(const char *words)
{
	ck_assert_msg(strstr(logged, words), "'%s' has no '%s'", logged, words);
	logged[0] = '\0';
}

static int new_map(enum bpf_map_type type, uint32_t slots)
{
	return bpf_map_create(type, "a_map", 4, 4, slots, NULL);
}

static bool is_permitted(void)
{
	int fd = new_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 1);

	if (fd >= 0)
		close(fd);
	return fd >= 0 && !geteuid();
}

static long blocks;
static unsigned fds;

/* Rings for all CPUs, not yet open; a map for each output. */
static void setup(void)
{
	uint32_t limit = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);

	peat_set_print(note);
	blocks = fail_alloc__blocks();
	fds = process__count_fds();
	ck_assert_int_eq(cpus__parse(&online, "0"), 0);
	rings = (struct rings){ .ring_bytes = RING_BYTES };
	perf_events__init(&rings.events, OUTPUTS, true, PEAT_SIDE_BAND_TASK);
	ck_assert_int_eq(rings__init(&rings, limit), 0);
	for (uint32_t i = 0; i < OUTPUTS; i++)
		rings.map_fds[i] = new_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, limit);
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
}

static void close_maps(void)
{
	for (uint32_t i = 0; i < OUTPUTS; i++)
		close(rings.map_fds[i]);
	close(epoll_fd);
	cpus__free(&online);
}

static void teardown(void)
{
	rings__free(&rings);
	close_maps();
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
	ck_assert_uint_eq(process__count_fds(), fds);
}

static int open_rings(void)
{
	return rings__open(&rings, NULL, &online, 4096, 100);
}

/* Opens, watches and stores all rings. */
static void open_all(void)
{
	ck_assert_int_eq(open_rings(), 0);
	ck_assert_int_eq(rings__watch(&rings, epoll_fd), 0);
	ck_assert_int_eq(rings__start(&rings), 0);
}

/* Whether the slot had an event, which is removed. */
static bool empty_slot(int map_fd, uint32_t cpu)
{
	return !bpf_map_delete_elem(map_fd, &cpu);
}

static bool is_watched(int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return !epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &event);
}

static bool has_id(const struct ring *ring, uint32_t index)
{
	uint64_t id;

	ck_assert_int_eq(ioctl(ring->events[index].fd, PERF_EVENT_IOC_ID, &id), 0);
	return ring__event_of_id(ring, id) == (int)index;
}

static void check_ring(uint32_t cpu)
{
	const struct ring *ring = &rings.by_cpu[cpu];

	ck_assert_int_ge(ring->fd, 0);
	ck_assert_uint_eq(ring->cpu, cpu);
	ck_assert_uint_eq(ring->mask, RING_BYTES - 1);
	for (uint32_t i = 0; i < EVENTS; i++)
		ck_assert_int_ge(ring->events[i].fd, 0);
	ck_assert_uint_eq(ring->event_count, EVENTS);
	for (uint32_t i = 0; i < OUTPUTS; i++)
		ck_assert(has_id(ring, i));
	ck_assert_uint_eq(ring->id_count % OUTPUTS, 0);
	ck_assert(is_watched(ring->events[0].fd));
}

/* ---- opening and closing --------------------------------------------------------------------- */

START_TEST(test_opens_ring_per_cpu)
{
	if (!is_permitted())
		return;
	open_all();
	ck_assert_uint_eq(rings.count, cpus__count(&online));
	ck_assert_uint_gt(rings.events.watermark_bytes, 0);
	for_each_cpu (cpu, &online)
		check_ring(cpu);
	ck_assert(!*logged && !*warned);
	rings__free(&rings);
	ck_assert_ptr_null(rings.by_cpu);
	ck_assert_uint_eq(rings.count, 0);
	for_each_cpu (cpu, &online)
		for (uint32_t i = 0; i < OUTPUTS; i++)
			ck_assert(!empty_slot(rings.map_fds[i], cpu));
}
END_TEST

static uint64_t written_bytes(void)
{
	uint64_t bytes = 0;

	for_each_cpu (cpu, &online)
		bytes += rings.by_cpu[cpu].page->data_head;
	return bytes;
}

static void make_child(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

/* The kernel writes records of a child into a ring, unless all are paused. */
START_TEST(test_pause_stops_writing)
{
	uint64_t bytes;
	cpu_set_t cpu_0;

	if (!is_permitted())
		return;
	CPU_ZERO(&cpu_0);
	CPU_SET(0, &cpu_0);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(cpu_0), &cpu_0), 0);
	open_all();
	bytes = written_bytes();
	make_child();
	ck_assert_uint_gt(written_bytes(), bytes);
	rings__pause(&rings);
	bytes = written_bytes();
	make_child();
	ck_assert_uint_eq(written_bytes(), bytes);
	ring__close(&rings.by_cpu[0]);
	rings__pause(&rings);
	ck_assert(!*warned);
}
END_TEST

/* A child of fork() leaves the slots and the memory of its parent alone. */
START_TEST(test_disown_leaves_parents_rings)
{
	struct perf_event_mmap_page *page;

	if (!is_permitted())
		return;
	open_all();
	page = rings.by_cpu[0].page;
	rings__disown(&rings);
	rings__free(&rings);
	ck_assert_uint_eq(page->data_tail, 0); /* is still mapped */
	for_each_cpu (cpu, &online)
		for (uint32_t i = 0; i < OUTPUTS; i++)
			ck_assert(empty_slot(rings.map_fds[i], cpu));
}
END_TEST

/* A single output needs no ids. */
START_TEST(test_single_output)
{
	int input;

	if (!is_permitted())
		return;
	perf_events__init(&rings.events, 1, true, 0);
	close(0); /* an event gets descriptor 0 */
	open_all();
	input = rings.by_cpu[0].fd;
	ck_assert_int_eq(input, 0);
	for_each_cpu (cpu, &online) {
		ck_assert_uint_eq(rings.by_cpu[cpu].id_count, 0);
		ck_assert_uint_eq(rings.by_cpu[cpu].event_count, 1);
	}
	rings__free(&rings);
	ck_assert_int_eq(open("/dev/null", O_RDONLY), input);
}
END_TEST

START_TEST(test_too_large)
{
	if (!is_permitted())
		return;
	rings.ring_bytes = 1ULL << 36;
	ck_assert_int_eq(rings__open(&rings, NULL, &online, 1ULL << 34, 0), -EPERM);
	ck_assert_uint_eq(rings.ring_bytes, 1ULL << 34);
	check_logged("cannot map rings of even 17179869184 bytes");
	ck_assert_uint_eq(rings.count, 0);
	rings.ring_bytes = RING_BYTES + 1;
	ck_assert_int_eq(open_rings(), -EINVAL);
	check_logged("cannot map a ring of 8193 bytes");
	ck_assert_int_eq(rings.by_cpu[0].fd, -1);
}
END_TEST

static void limit_fds(unsigned limit)
{
	struct rlimit files = { limit, 4096 };

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
}

/* Any descriptor may be the first too many: all are closed again. */
START_TEST(test_no_descriptors)
{
	unsigned before, least, failures = 0;
	int err = -1, lowest = dup(epoll_fd);

	if (!is_permitted()) {
		close(lowest);
		return;
	}
	least = (unsigned)lowest;
	close(lowest);
	before = process__count_fds();
	for (unsigned more = 0; err && more < 1000; more++) {
		limit_fds(least + more);
		err = open_rings();
		limit_fds(4096);
		if (!err)
			break;
		ck_assert_int_eq(err, -EMFILE);
		check_logged("");
		ck_assert_uint_eq(rings.count, 0);
		ck_assert_uint_eq(process__count_fds(), before);
		failures++;
	}
	ck_assert_int_eq(err, 0);
	ck_assert_uint_ge(failures, EVENTS);
	ck_assert_uint_eq(process__count_fds(), before + EVENTS * cpus__count(&online));
}
END_TEST

START_TEST(test_no_memory)
{
	bool failed = true;

	if (!is_permitted())
		return;
	for (unsigned nth = 1; failed; nth++) {
		unsigned before = process__count_fds();
		int err;

		fail_alloc__begin(nth);
		err = open_rings();
		failed = fail_alloc__end();
		ck_assert_int_eq(err, failed ? -ENOMEM : 0);
		ck_assert(!err || (!rings.count && process__count_fds() == before));
	}
}
END_TEST

/* ---- maps ------------------------------------------------------------------------------------ */

static void check_map_refused(int map_fd, int err, const char *words)
{
	int kept = rings.map_fds[1];

	rings.map_fds[1] = map_fd;
	ck_assert_int_eq(rings__check_maps(&rings, 4), err);
	check_logged(words);
	rings.map_fds[1] = kept;
	close(map_fd);
}

START_TEST(test_check_maps)
{
	if (!is_permitted())
		return;
	close(rings.map_fds[0]);
	rings.map_fds[0] = new_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4);
	check_map_refused(new_map(BPF_MAP_TYPE_ARRAY, 4), -EINVAL,
			  "map 'a_map' is not a perf event array (its type is 2, not 4)");
	check_map_refused(new_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 3), -EINVAL,
			  "map 'a_map' has 3 slots, but the highest CPU is 3: give it at least 4");
	check_map_refused(-1, -EBADFD, "fd -1 is not a BPF map that can be queried");
	check_map_refused(new_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4), 0, "");
	ck_assert_str_eq(rings.map_names[0], "a_map");
	ck_assert_str_eq(rings.map_names[1], "a_map");
}
END_TEST

START_TEST(test_maps_that_cannot_be_filled)
{
	int kept = rings.map_fds[1];

	if (!is_permitted())
		return;
	ck_assert_int_eq(open_rings(), 0);
	rings.map_fds[1] = -1;
	ck_assert_int_eq(rings__start(&rings), -EBADF);
	check_logged("cannot set slot 0 of the perf event array");
	rings.map_fds[1] = kept;
	ck_assert_int_eq(rings__watch(&rings, -1), -EBADF);
}
END_TEST

/* ---- CPUs that return ------------------------------------------------------------------------ */

/* The events of the CPU end, as if it was offline. */
static void end_events(uint32_t cpu)
{
	for (uint32_t i = 0; i < EVENTS; i++)
		ck_assert_int_eq(ioctl(rings.by_cpu[cpu].events[i].fd, PERF_EVENT_IOC_DISABLE, 0),
				 0);
}

static void check_reopened(bool is_named)
{
	int old[EVENTS], ring_fd = rings.by_cpu[0].fd;
	const void *page = rings.by_cpu[0].page;
	unsigned before = process__count_fds();
	bool first = rings.by_cpu[0].events[0].fd == ring_fd; /* stays open: it owns the ring */

	for (uint32_t i = 0; i < EVENTS; i++)
		old[i] = rings.by_cpu[0].events[i].fd;
	end_events(0);
	for (uint32_t i = 0; i < OUTPUTS; i++)
		ck_assert(empty_slot(rings.map_fds[i], 0));
	ck_assert_int_eq(rings__reopen(&rings, 0, is_named), 1);
	ck_assert(rings.by_cpu[0].fd == ring_fd && rings.by_cpu[0].page == page);
	check_ring(0);
	for (uint32_t i = 0; i < OUTPUTS; i++) {
		int event_fd = rings.by_cpu[0].events[i].fd;
		uint32_t slot = 0;

		ck_assert(empty_slot(rings.map_fds[i], 0));
		ck_assert_int_eq(bpf_map_update_elem(rings.map_fds[i], &slot, &event_fd, 0), 0);
	}
	if (first)
		ck_assert(!is_watched(old[0]));
	ck_assert_uint_eq(process__count_fds(), before + first);
	ck_assert_int_eq(rings__reopen(&rings, 0, is_named), 0);
}

START_TEST(test_reopens_ring)
{
	if (!is_permitted())
		return;
	open_all();
	ck_assert_int_eq(rings__reopen(&rings, 0, true), 0);
	ck_assert_int_eq(rings__reopen(&rings, 0, false), 0);
	check_reopened(true);
	check_reopened(false);
	ck_assert(!*logged && !*warned);
}
END_TEST

/* A CPU that was offline from the start gets a ring. */
START_TEST(test_new_ring)
{
	uint32_t count;

	if (!is_permitted())
		return;
	open_all();
	count = rings.count--;
	for (uint32_t i = 0; i < OUTPUTS; i++)
		ck_assert(empty_slot(rings.map_fds[i], 0));
	ring__close(&rings.by_cpu[0]);
	ck_assert_int_eq(rings__reopen(&rings, 0, true), 1);
	ck_assert_uint_eq(rings.count, count);
	check_ring(0);
	for (uint32_t i = 0; i < OUTPUTS; i++)
		ck_assert(empty_slot(rings.map_fds[i], 0));
}
END_TEST

/* `replaced`: events that replaced the event that owns the ring, and so stays open. */
static void check_not_reopened(int err, unsigned replaced)
{
	unsigned before = process__count_fds();

	warned[0] = '\0';
	ck_assert_int_eq(rings__reopen(&rings, 0, true), err);
	ck_assert_ptr_nonnull(strstr(warned, "CPU 0 is online now, but its events are not read"));
	ck_assert_uint_eq(process__count_fds(), before + replaced);
}

/* Nothing stays open of a ring, or of events, that cannot be stored or watched. */
START_TEST(test_not_reopened)
{
	int kept = rings.map_fds[1];

	if (!is_permitted())
		return;
	open_all();
	end_events(0);
	rings.epoll_fd = -1;
	check_not_reopened(-EBADF, 0);
	rings.epoll_fd = epoll_fd;
	rings.map_fds[1] = -1;
	check_not_reopened(-EBADF, 1); /* of the first output, which was stored */
	rings.epoll_fd = -1;
	rings.map_fds[1] = kept;
	rings.count--;
	ring__close(&rings.by_cpu[0]);
	check_not_reopened(-EBADF, 0);
	rings.epoll_fd = epoll_fd;
	rings.map_fds[1] = -1;
	check_not_reopened(-EBADF, 0);
	ck_assert_int_eq(rings.by_cpu[0].fd, -1);
	ck_assert_uint_eq(rings.count, cpus__count(&online) - 1);
	rings.map_fds[1] = kept;
	rings.ring_bytes = 1ULL << 36;
	check_not_reopened(-EPERM, 0);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_opens_ring_per_cpu);
	tcase_add_test(tests, test_pause_stops_writing);
	tcase_add_test(tests, test_disown_leaves_parents_rings);
	tcase_add_test(tests, test_single_output);
	tcase_add_test(tests, test_too_large);
	tcase_add_test(tests, test_no_descriptors);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_check_maps);
	tcase_add_test(tests, test_maps_that_cannot_be_filled);
	tcase_add_test(tests, test_reopens_ring);
	tcase_add_test(tests, test_new_ring);
	tcase_add_test(tests, test_not_reopened);
}
