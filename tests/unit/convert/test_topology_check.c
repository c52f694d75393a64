// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_topology_check.c: ids of sockets in CPU_TOPOLOGY that stock perf refuses. */
#include <string.h>

#include "convert/topology_check.h"
#include "perf_data/features.h"
#include "unit/suite.h"

#define CPUS 2

static struct topology_check check;

static void note(unsigned bit, const void *bytes, size_t count)
{
	const struct perf_feature feature = { .bit = bit, .bytes = bytes, .bytes_count = count };

	topology_check__note(&check, &feature, false);
}

static void setup(void)
{
	const uint32_t cpus[] = { CPUS, CPUS };

	check = (struct topology_check){ 0 };
	note(FEATURE_NRCPUS, cpus, sizeof(cpus));
}

/* A list of siblings with a text of 4 bytes, an empty list, and core and socket of each CPU. */
static bool is_refused(uint32_t first_socket, uint32_t second_socket, size_t count)
{
	uint32_t words[] = { 1, 4, 0, 0, 0, first_socket, 1, second_socket };
	const struct perf_feature feature = { .bit = FEATURE_CPU_TOPOLOGY,
					      .bytes = (const uint8_t *)words,
					      .bytes_count = count };

	memcpy(&words[2], "0-1", 4);
	return topology_check__is_refused(&check, &feature, false);
}

START_TEST(test_ids_of_sockets)
{
	ck_assert(!is_refused(0, 0, 32));
	ck_assert(!is_refused(1, CPUS, 32)); /* as perf tests it */
	ck_assert(!is_refused(UINT32_MAX, 0, 32));
	ck_assert(is_refused(0, CPUS + 1, 32));
	ck_assert(is_refused(36, 0, 32));
}
END_TEST

/* Old recordings have no ids, and damaged ones not all of them. */
START_TEST(test_shorter_features)
{
	for (size_t count = 0; count < 24; count++)
		ck_assert(!is_refused(36, 36, count));
	ck_assert(is_refused(36, 36, 24));
	ck_assert(!is_refused(0, 36, 28));
}
END_TEST

START_TEST(test_machines_with_any_ids)
{
	static const char arm[] = "\x10\0\0\0aarch64\0\0\0\0\0\0\0\0";
	static const char x86[] = "\x10\0\0\0x86_64\0\0\0\0\0\0\0\0\0";

	note(FEATURE_ARCH, x86, 20);
	ck_assert(is_refused(36, 36, 32));
	note(FEATURE_ARCH, arm, 20);
	ck_assert(!is_refused(36, 36, 32));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_ids_of_sockets);
	tcase_add_test(tests, test_shorter_features);
	tcase_add_test(tests, test_machines_with_any_ids);
}
