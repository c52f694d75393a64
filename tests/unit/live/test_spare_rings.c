// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_spare_rings.c: second rings of real perf events: exchanged, dead, refused. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <bpf/bpf.h>

#include <peat/log.h>

#include "live/spare_rings.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define RING_BYTES 8192u

static struct rings rings, spare;
static struct cpus online; /* only CPU 0: tests elsewhere switch the others off and on */
static char warned[512];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_WARN)
		snprintf(warned, sizeof(warned), "%s", text);
}

static void check_warned(const char *words)
{
	ck_assert_msg(strstr(warned, words), "'%s' has no '%s'", warned, words);
	warned[0] = '\0';
}

/* Without privileges there are no rings: rings.count is 0. */
static void setup(void)
{
	uint32_t limit = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);

	peat_set_print(note);
	warned[0] = '\0';
	ck_assert_int_eq(cpus__parse(&online, "0"), 0);
	rings = (struct rings){ .ring_bytes = RING_BYTES };
	spare = (struct rings){ 0 };
	perf_events__init(&rings.events, 1, false, 0);
	rings.events.overwrites = true;
	ck_assert_int_eq(rings__init(&rings, limit), 0);
	rings.map_fds[0] =
		bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "a_map", 4, 4, limit, NULL);
	if (rings.map_fds[0] < 0 || geteuid())
		return;
	ck_assert_int_eq(spare_rings__init(&spare, &rings), 0);
	ck_assert_int_eq(rings__open(&rings, &spare, &online, RING_BYTES, 0), 0);
	ck_assert_int_eq(rings__start(&rings), 0);
}

static void teardown(void)
{
	rings__free(&rings);
	rings__free(&spare);
	close(rings.map_fds[0]);
	cpus__free(&online);
}

static void check_rings(int fd, int spare_fd)
{
	ck_assert_int_eq(rings.by_cpu[0].fd, fd);
	ck_assert_int_eq(spare.by_cpu[0].fd, spare_fd);
}

START_TEST(test_swap_exchanges_rings)
{
	int fd, spare_fd;

	if (!rings.count)
		return;
	fd = rings.by_cpu[0].fd;
	spare_fd = spare.by_cpu[0].fd;
	ck_assert_uint_eq(rings.by_cpu[0].mask, RING_BYTES - 1);
	ck_assert_uint_eq(spare.by_cpu[0].mask, RING_BYTES - 1);
	spare_rings__reopen(&spare, &rings);
	check_rings(fd, spare_fd); /* live events stay */
	spare_rings__swap(&spare, &rings);
	check_rings(spare_fd, fd);
	spare_rings__swap(&spare, &rings);
	check_rings(fd, spare_fd);
	ck_assert_str_eq(warned, "");
}
END_TEST

/* Lets the process open no further file; returns the limit before. */
static struct rlimit refuse_files(void)
{
	struct rlimit all, few;
	int free_fd = dup(0);

	ck_assert_int_ge(free_fd, 0);
	close(free_fd);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = (struct rlimit){ (rlim_t)free_fd, all.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	return all;
}

/* A program that writes to a dead event loses its events: the ring is closed, and opened later. */
START_TEST(test_dead_spare_ring)
{
	struct rlimit all;
	int fd;

	if (!rings.count)
		return;
	fd = rings.by_cpu[0].fd;
	ck_assert_int_eq(ioctl(spare.by_cpu[0].fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	all = refuse_files();
	spare_rings__reopen(&spare, &rings);
	ck_assert_int_lt(spare.by_cpu[0].fd, 0);
	check_warned("CPU 0 has no second ring");
	ck_assert_uint_eq(spare.count, 0);
	refuse_files(); /* those of the ring, too */
	spare_rings__swap(&spare, &rings);
	check_warned("CPU 0 is not in the snapshot");
	check_rings(fd, -1);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	spare_rings__swap(&spare, &rings);
	ck_assert_str_eq(warned, "");
	ck_assert_int_ge(rings.by_cpu[0].fd, 0);
	ck_assert_int_eq(spare.by_cpu[0].fd, fd);
	ck_assert_uint_eq(spare.count, 1);
}
END_TEST

/* Programs write into the first ring still: the snapshot lacks the CPU, and says so. */
START_TEST(test_refused_swap)
{
	int map_fd = rings.map_fds[0], fd, spare_fd;

	if (!rings.count)
		return;
	fd = rings.by_cpu[0].fd;
	spare_fd = spare.by_cpu[0].fd;
	rings.map_fds[0] = -1;
	spare_rings__swap(&spare, &rings);
	rings.map_fds[0] = map_fd;
	check_warned("CPU 0 is not in the snapshot");
	check_rings(fd, spare_fd);
}
END_TEST

#define LARGE_BYTES (1u << 20)

/* Lets the process map `more` bytes more than now. */
static void limit_memory(size_t more)
{
	FILE *file = fopen("/proc/self/statm", "re");
	struct rlimit limit;
	unsigned long pages;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
	fclose(file);
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
	limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

/* If there is no memory for a second ring of that size, both are smaller. */
START_TEST(test_smaller_rings)
{
	int fd;

	if (!rings.count)
		return;
#ifdef __SANITIZE_ADDRESS__
	return; /* its memory has no limit */
#endif
	rings__free(&rings);
	rings__free(&spare);
	rings.ring_bytes = LARGE_BYTES;
	ck_assert_int_eq(rings__init(&rings, (uint32_t)sysconf(_SC_NPROCESSORS_CONF)), 0);
	ck_assert_int_eq(spare_rings__init(&spare, &rings), 0);
	limit_memory(LARGE_BYTES * 7 / 4);
	ck_assert_int_eq(rings__open(&rings, &spare, &online, RING_BYTES, 0), 0);
	ck_assert_uint_eq(rings.ring_bytes, LARGE_BYTES / 2);
	ck_assert_uint_eq(spare.ring_bytes, LARGE_BYTES / 2);
	ck_assert_uint_eq(rings.by_cpu[0].mask, LARGE_BYTES / 2 - 1);
	ck_assert_uint_eq(spare.by_cpu[0].mask, LARGE_BYTES / 2 - 1);
	ck_assert_uint_eq(rings.count, 1);
	ck_assert_uint_eq(spare.count, 1);
	ck_assert_int_eq(rings__start(&rings), 0);
	fd = rings.by_cpu[0].fd;
	spare_rings__swap(&spare, &rings);
	ck_assert_int_eq(spare.by_cpu[0].fd, fd);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_swap_exchanges_rings);
	tcase_add_test(tests, test_dead_spare_ring);
	tcase_add_test(tests, test_refused_swap);
	tcase_add_test(tests, test_smaller_rings);
}
