// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_row_groups.c: rows of CPUs by core and socket, and rows of threads. */
#include "cli/stat/row_groups.h"
#include "unit/suite.h"

static struct stat_row row(uint32_t event, uint64_t count)
{
	return (struct stat_row){ .value = { .name = "page-faults",
					     .value = count,
					     .scaled = 2 * count,
					     .amount = 0.5 * (double)count,
					     .enabled_ns = 10 * count,
					     .running_ns = 5 * count,
					     .lost = 3 * count,
					     .cpu = -1,
					     .tid = -1,
					     .status = count ? PEAT_COUNTER_COUNTED
							     : PEAT_COUNTER_NOT_COUNTED },
				  .event = event,
				  .place = CPU_PLACE_NONE };
}

static struct stat_row cpu_row(uint32_t event, uint64_t count, int cpu, struct cpu_place place)
{
	struct stat_row made = row(event, count);

	made.value.cpu = cpu;
	made.place = place;
	made.cpus = 1;
	return made;
}

static struct stat_row thread_row(uint32_t event, uint64_t count, int tid, int cpu)
{
	struct stat_row made = row(event, count);

	made.value.tid = tid;
	made.value.cpu = cpu;
	return made;
}

#define PLACE(...) ((struct cpu_place){ __VA_ARGS__ })

#define MERGE(by, ...)                                                                             \
	struct stat_row at[] = { __VA_ARGS__ };                                                    \
	struct stat_rows rows = { at, sizeof(at) / sizeof(*at) };                                  \
	row_groups__merge(&rows, by)

static void check_place(const struct stat_row *of, int socket, int die, int core)
{
	const struct cpu_place wanted = { socket, die, core };

	ck_assert_int_eq(cpu_topology__compare(&of->place, &wanted), 0);
}

/* CPUs 0 and 2 share a core, as they often do; so do 1 and 3. */
START_TEST(test_cpus_of_a_core_add_up)
{
	MERGE(STAT_BY_CORE, cpu_row(0, 1, 0, PLACE(0, 0, 0)), cpu_row(0, 10, 1, PLACE(0, 0, 1)),
	      cpu_row(0, 100, 2, PLACE(0, 0, 0)), cpu_row(0, 1000, 3, PLACE(0, 0, 1)));

	ck_assert_uint_eq(rows.count, 2);
	check_place(&at[0], 0, 0, 0);
	check_place(&at[1], 0, 0, 1);
	ck_assert_uint_eq(at[0].value.value, 101);
	ck_assert_uint_eq(at[0].value.scaled, 202);
	ck_assert_double_eq(at[0].value.amount, 50.5);
	ck_assert_uint_eq(at[0].value.enabled_ns, 1010);
	ck_assert_uint_eq(at[0].value.running_ns, 505);
	ck_assert_uint_eq(at[0].value.lost, 303);
	ck_assert_uint_eq(at[0].cpus, 2);
	ck_assert_int_eq(at[0].value.cpu, -1);
	ck_assert_uint_eq(at[1].value.value, 1010);
}
END_TEST

/* Numbers of cores are those of their die, and repeat in the next one. */
START_TEST(test_cores_of_dies_and_sockets_are_apart)
{
	MERGE(STAT_BY_CORE, cpu_row(0, 8, 3, PLACE(1, 0, 0)), cpu_row(0, 4, 2, PLACE(0, 1, 0)),
	      cpu_row(0, 2, 1, PLACE(0, 0, 5)), cpu_row(0, 1, 0, PLACE(0, 0, 0)));

	ck_assert_uint_eq(rows.count, 4);
	for (size_t i = 0; i < rows.count; i++) {
		ck_assert_uint_eq(at[i].value.value, UINT64_C(1) << i);
		ck_assert_uint_eq(at[i].cpus, 1);
	}
}
END_TEST

START_TEST(test_events_of_a_core_stand_together)
{
	MERGE(STAT_BY_CORE, cpu_row(0, 1, 0, PLACE(0, 0, 0)), cpu_row(0, 3, 1, PLACE(0, 0, 1)),
	      cpu_row(1, 2, 0, PLACE(0, 0, 0)), cpu_row(1, 4, 1, PLACE(0, 0, 1)));

	ck_assert_uint_eq(rows.count, 4);
	for (size_t i = 0; i < rows.count; i++) {
		ck_assert_uint_eq(at[i].value.value, i + 1);
		ck_assert_uint_eq(at[i].event, i % 2);
	}
}
END_TEST

START_TEST(test_sockets_add_up_their_cores)
{
	MERGE(STAT_BY_SOCKET, cpu_row(0, 1, 0, PLACE(0, 0, 0)), cpu_row(0, 2, 1, PLACE(0, 1, 0)),
	      cpu_row(0, 4, 2, PLACE(3, 0, 7)));

	ck_assert_uint_eq(rows.count, 2);
	check_place(&at[0], 0, -1, -1);
	check_place(&at[1], 3, -1, -1);
	ck_assert_uint_eq(at[0].value.value, 3);
	ck_assert_uint_eq(at[0].cpus, 2);
	ck_assert_uint_eq(at[1].value.value, 4);
}
END_TEST

START_TEST(test_unknown_places_are_last)
{
	MERGE(STAT_BY_CORE, row(1, 0), cpu_row(0, 2, 9, CPU_PLACE_NONE),
	      cpu_row(0, 1, 0, PLACE(0, 0, 0)));

	ck_assert_uint_eq(rows.count, 3);
	check_place(&at[0], 0, 0, 0);
	ck_assert_uint_eq(at[1].value.value, 2);
	ck_assert_uint_eq(at[1].cpus, 1);
	ck_assert_uint_eq(at[2].event, 1);
	ck_assert_uint_eq(at[2].cpus, 0);
}
END_TEST

/* One CPU that counted is enough. */
START_TEST(test_status_of_a_core)
{
	MERGE(STAT_BY_CORE, cpu_row(0, 0, 0, PLACE(0, 0, 0)), cpu_row(0, 5, 1, PLACE(0, 0, 0)),
	      cpu_row(0, 0, 2, PLACE(0, 0, 1)), cpu_row(0, 0, 3, PLACE(0, 0, 1)));

	ck_assert_uint_eq(rows.count, 2);
	ck_assert_int_eq(at[0].value.status, PEAT_COUNTER_COUNTED);
	ck_assert_int_eq(at[1].value.status, PEAT_COUNTER_NOT_COUNTED);
}
END_TEST

START_TEST(test_threads_by_falling_counts)
{
	MERGE(STAT_BY_THREAD, thread_row(0, 5, 11, -1), thread_row(0, 90, 12, -1),
	      thread_row(0, 5, 10, -1), thread_row(1, 1, 12, -1), thread_row(1, 2, 11, -1));
	static const int wanted[] = { 12, 10, 11, 11, 12 };

	ck_assert_uint_eq(rows.count, 5);
	for (size_t i = 0; i < rows.count; i++)
		ck_assert_int_eq(at[i].value.tid, wanted[i]);
}
END_TEST

START_TEST(test_cpus_of_a_thread_add_up)
{
	MERGE(STAT_BY_THREAD, thread_row(0, 1, 10, 0), thread_row(0, 2, 10, 1),
	      thread_row(0, 8, 11, 0), thread_row(0, 16, 11, 1));

	ck_assert_uint_eq(rows.count, 2);
	ck_assert_int_eq(at[0].value.tid, 11);
	ck_assert_uint_eq(at[0].value.value, 24);
	ck_assert_int_eq(at[0].value.cpu, -1);
	ck_assert_uint_eq(at[1].value.value, 3);
}
END_TEST

START_TEST(test_rows_of_cpus_stay)
{
	MERGE(STAT_BY_CPU, cpu_row(0, 1, 3, PLACE(0, 0, 0)), cpu_row(0, 2, 2, PLACE(0, 0, 0)));

	ck_assert_uint_eq(rows.count, 2);
	ck_assert_int_eq(at[0].value.cpu, 3);
	rows.count = 0;
	row_groups__merge(&rows, STAT_BY_CORE);
	ck_assert_uint_eq(rows.count, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_cpus_of_a_core_add_up);
	tcase_add_test(tests, test_cores_of_dies_and_sockets_are_apart);
	tcase_add_test(tests, test_events_of_a_core_stand_together);
	tcase_add_test(tests, test_sockets_add_up_their_cores);
	tcase_add_test(tests, test_unknown_places_are_last);
	tcase_add_test(tests, test_status_of_a_core);
	tcase_add_test(tests, test_threads_by_falling_counts);
	tcase_add_test(tests, test_cpus_of_a_thread_add_up);
	tcase_add_test(tests, test_rows_of_cpus_stay);
}
