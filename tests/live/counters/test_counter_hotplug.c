// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_counter_hotplug.c: the last CPU goes offline and returns while counters are open. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/cpu_switch.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "sys/cpus.h"

static struct peat_counters *counters;
static uint32_t last_cpu;
static struct cpus at_first;

static void remember_cpus(void)
{
	ck_assert_int_eq(cpus__read(&at_first, "online"), 0);
}

static void restore_cpus(void)
{
	for_each_cpu (cpu, &at_first)
		cpu_switch__set(cpu, "1");
	cpus__free(&at_first);
}

static void teardown(void)
{
	peat_counters__free(counters);
	counters = NULL;
}

static void switch_last(const char *state)
{
	ck_assert_int_eq(cpu_switch__set(last_cpu, state), 0);
}

static bool can_switch(void)
{
	last_cpu = at_first.limit - 1;
	if (!last_cpu || cpu_switch__set(last_cpu, "0"))
		return false;
	switch_last("1");
	return true;
}

#define need_hotplug()                                                                             \
	do {                                                                                       \
		if (!can_switch())                                                                 \
			skip("no CPU that can be switched off");                                   \
	} while (0)

/* A group whose first event counts the calls of this process, of all CPUs. */
static void open_counters(void)
{
	char events[128];
	const struct peat_counters_opts opts = { .sz = sizeof(opts),
						 .events = events,
						 .all_tasks = true };

	snprintf(events, sizeof(events),
		 "{syscalls:sys_enter_getpgid/common_pid==%d/,page-faults,task-clock}",
		 (int)getpid());
	counters = peat_counters__new(&opts);
	ck_assert_ptr_nonnull(counters);
	ck_assert_int_eq(peat_counters__enable(counters), 0);
}

static void call_on(uint32_t cpu, unsigned calls)
{
	ck_assert_int_eq(process__pin_to(cpu), 0);
	while (calls--)
		syscall(SYS_getpgid, 0);
	ck_assert_int_eq(process__pin_to(0), 0);
}

static uint64_t total(uint32_t event)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_int_eq(peat_counters__value(counters, event, &value), 0);
	return value.value;
}

static struct peat_counter_value on_last(uint32_t event)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	for (uint32_t i = 0; i < peat_counters__parts(counters, event); i++) {
		ck_assert_int_eq(peat_counters__part(counters, event, i, &value), 0);
		if (value.cpu == (int)last_cpu)
			return value;
	}
	return (struct peat_counter_value){ .cpu = -1 };
}

static void update(void)
{
	ck_assert_int_eq(peat_counters__read(counters), 0);
}

/* As a program with an event loop does. */
static void update_when_told(void)
{
	struct pollfd fd = { .fd = peat_counters__fd(counters), .events = POLLIN };

	ck_assert_int_eq(poll(&fd, 1, 10000), 1);
	update();
}

START_TEST(test_cpu_goes_and_returns)
{
	uint64_t clock_ns;

	need_hotplug();
	open_counters();
	call_on(last_cpu, 10);
	call_on(0, 1);
	update();
	switch_last("0");
	update_when_told();
	ck_assert_uint_eq(total(0), 11);
	clock_ns = on_last(2).value;
	ck_assert_uint_gt(clock_ns, 0);
	switch_last("1");
	update_when_told();
	ck_assert_uint_eq(total(0), 11);
	call_on(last_cpu, 20);
	call_on(0, 2);
	update();
	ck_assert_uint_eq(total(0), 33);
	ck_assert_uint_eq(on_last(0).value, 30);
	ck_assert_uint_gt(on_last(2).value, clock_ns);
	ck_assert_uint_eq(on_last(0).enabled_ns, on_last(2).enabled_ns);
}
END_TEST

/* Counts that the CPU made after the last reading are in the sum, too. */
START_TEST(test_last_values_are_kept)
{
	need_hotplug();
	open_counters();
	for (unsigned i = 1; i <= 3; i++) {
		call_on(last_cpu, 10);
		switch_last("0");
		switch_last("1");
		update_when_told();
		ck_assert_uint_eq(total(0), 10 * i);
	}
	peat_counters__reset(counters);
	call_on(last_cpu, 4);
	update();
	ck_assert_uint_eq(total(0), 4);
	ck_assert_uint_eq(on_last(0).value, 4);
}
END_TEST

START_TEST(test_cpu_that_was_offline_at_first)
{
	need_hotplug();
	switch_last("0");
	open_counters();
	call_on(0, 3);
	update();
	ck_assert_uint_eq(total(0), 3);
	ck_assert_int_eq(on_last(0).cpu, -1);
	switch_last("1");
	update_when_told();
	call_on(last_cpu, 5);
	update();
	ck_assert_uint_eq(total(0), 8);
	ck_assert_uint_eq(on_last(0).value, 5);
}
END_TEST

START_TEST(test_disabled_counters_stay_disabled)
{
	need_hotplug();
	open_counters();
	call_on(last_cpu, 6);
	ck_assert_int_eq(peat_counters__disable(counters), 0);
	switch_last("0");
	switch_last("1");
	update_when_told();
	call_on(last_cpu, 7);
	update();
	ck_assert_uint_eq(total(0), 6);
	ck_assert_int_eq(peat_counters__enable(counters), 0);
	call_on(last_cpu, 8);
	update();
	ck_assert_uint_eq(total(0), 14);
}
END_TEST

static Suite *counter_hotplug_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("counter_hotplug", 60, &tests);

	tcase_add_unchecked_fixture(tests, remember_cpus, restore_cpus);
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_cpu_goes_and_returns);
	tcase_add_test(tests, test_last_values_are_kept);
	tcase_add_test(tests, test_cpu_that_was_offline_at_first);
	tcase_add_test(tests, test_disabled_counters_stay_disabled);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { counter_hotplug_suite };

	return harness__main(argc, argv, suites, 1);
}
