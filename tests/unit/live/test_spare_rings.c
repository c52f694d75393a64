// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_spare_rings.c: second rings of real perf events are exchanged. */
#include <stdio.h>
#include <unistd.h>
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
	ck_assert_int_eq(rings__open(&rings, &online, RING_BYTES, 0), 0);
	ck_assert_int_eq(spare_rings__open(&spare, &rings, &online, RING_BYTES), 0);
	ck_assert_int_eq(rings__start(&rings), 0);
}

static void teardown(void)
{
	rings__free(&rings);
	rings__free(&spare);
	close(rings.map_fds[0]);
	cpus__free(&online);
}

static void check_swapped(int fd, int spare_fd)
{
	ck_assert_int_eq(rings.by_cpu[0].fd, spare_fd);
	ck_assert_int_eq(spare.by_cpu[0].fd, fd);
}

START_TEST(test_swap)
{
	int fd, spare_fd;

	if (!rings.count)
		return;
	fd = rings.by_cpu[0].fd;
	spare_fd = spare.by_cpu[0].fd;
	spare_rings__reopen(&spare, &rings);
	spare_rings__swap(&spare, &rings);
	check_swapped(fd, spare_fd);
	spare_rings__swap(&spare, &rings);
	check_swapped(spare_fd, fd);
	ck_assert_str_eq(warned, "");
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_swap);
}
