// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_read_self.c: counters of the calling thread, read one at a time. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters/self_page.h"
#include "live/counters/counted.h"
#include "support/machine/process.h"

static void open_self(const char *events)
{
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = events, .optional = true, .self = true
	};

	open_with(&opts);
	enable();
}

static struct peat_counter_value read_self(uint32_t event)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_int_eq(peat_counters__read_self(counters, event, &value), 0);
	return value;
}

START_TEST(test_events_of_software)
{
	open_self(CALLS ",task-clock");
	call_getpgid(100);
	ck_assert_uint_eq(read_self(0).value, 100);
	call_getpgid(11);
	ck_assert_uint_eq(read_self(0).value, 111);
	ck_assert_uint_gt(read_self(1).value, 0);
	ck_assert_int_eq(peat_counters__disable(counters), 0);
	call_getpgid(5);
	ck_assert_uint_eq(read_self(0).value, 111);
	peat_counters__reset(counters);
	ck_assert_int_eq(peat_counters__enable(counters), 0);
	call_getpgid(7);
	ck_assert_uint_eq(read_self(0).value, 7);
}
END_TEST

START_TEST(test_members_of_a_group)
{
	open_self("{" CALLS ",page-faults}");
	call_getpgid(9);
	ck_assert_uint_gt(read_self(1).enabled_ns, 0);
	ck_assert_uint_eq(read_self(0).value, 9);
	ck_assert_uint_eq(read_self(1).group, 0);
}
END_TEST

/* The page of a cycle counter, and read(2), agree. */
START_TEST(test_counter_of_the_cpu)
{
	struct peat_counter_value before = { .sz = sizeof(before) }, self, after = before;

	open_self("cycles:u");
	if (read_self(0).status == PEAT_COUNTER_NOT_SUPPORTED)
		skip("no hardware counters on this machine");
	for (int i = 0; i < 1000; i++) {
		ck_assert_int_eq(peat_counters__read(counters), 0);
		ck_assert_int_eq(peat_counters__value(counters, 0, &before), 0);
		self = read_self(0);
		ck_assert_int_eq(peat_counters__read(counters), 0);
		ck_assert_int_eq(peat_counters__value(counters, 0, &after), 0);
		ck_assert_uint_ge(self.value, before.value);
		ck_assert_uint_le(self.value, after.value);
		ck_assert_uint_ge(self.enabled_ns, before.enabled_ns);
		ck_assert_uint_le(self.enabled_ns, after.enabled_ns);
	}
}
END_TEST

/* ---- the page -------------------------------------------------------------------------------- */

static int open_event(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_PAGE_FAULTS,
					.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED };
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	ck_assert_msg(fd >= 0, "%s", strerror(errno));
	return fd;
}

static uint64_t enabled_ns(int fd)
{
	uint64_t values[2];

	ck_assert_int_eq(read(fd, values, sizeof(values)), sizeof(values));
	return values[1];
}

/* The time that the page and the clock say is between those of two read(2). */
START_TEST(test_times_of_a_page)
{
	struct reading reading = { 0 };
	int fd = open_event();
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

	ck_assert_ptr_ne(page, MAP_FAILED);
	if (!self_page__times(page, &self_page__clock, &reading))
		skip("the kernel gives no clock for counters");
	for (int i = 0; i < 1000; i++) {
		uint64_t before = enabled_ns(fd);

		ck_assert(self_page__times(page, &self_page__clock, &reading));
		/* The clock of the page is rounded. */
		ck_assert_uint_ge(reading.enabled_ns + 10, before);
		ck_assert_uint_le(reading.enabled_ns, enabled_ns(fd) + 10);
	}
	munmap(page, (size_t)sysconf(_SC_PAGESIZE));
	close(fd);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------- */

static void *read_elsewhere(void *value)
{
	*(struct peat_counter_value *)value = read_self(0);
	return NULL;
}

/* It has the value of the thread that is counted. */
START_TEST(test_other_thread_reads)
{
	struct peat_counter_value value;
	pthread_t thread;

	open_self(CALLS);
	call_getpgid(13);
	ck_assert_int_eq(pthread_create(&thread, NULL, read_elsewhere, &value), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_uint_eq(value.value, 13);
}
END_TEST

START_TEST(test_wrong_use)
{
	const uint32_t pid = (uint32_t)getpid();
	struct peat_counters_opts opts = {
		.sz = sizeof(opts), .events = CALLS, .self = true, .pids = &pid, .pid_count = 1
	};
	struct peat_counter_value value = { .sz = sizeof(value) };

	ck_assert_ptr_null(peat_counters__new(&opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(logged, "self is for the calling thread"));
	opts.pids = NULL;
	opts.pid_count = 0;
	opts.self = false;
	counters = peat_counters__new(&opts);
	ck_assert_ptr_nonnull(counters);
	ck_assert_int_eq(peat_counters__read_self(counters, 0, &value), -EINVAL);
	ck_assert_ptr_nonnull(strstr(logged, "set peat_counters_opts.self"));
	teardown();
	open_self(CALLS);
	ck_assert_int_eq(peat_counters__read_self(counters, 1, &value), -EINVAL);
}
END_TEST

/* Pages of events that this process has mapped. */
static unsigned count_pages(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned pages = 0;
	char line[512];

	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof(line), maps))
		pages += strstr(line, "[perf_event]") != NULL;
	fclose(maps);
	return pages;
}

START_TEST(test_nothing_stays)
{
	unsigned fds = process__count_fds();

	for (int i = 0; i < 1000; i++) {
		open_self("page-faults,task-clock");
		ck_assert_uint_eq(count_pages(), 2);
		read_self(0);
		teardown();
	}
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_uint_eq(count_pages(), 0);
}
END_TEST

static Suite *read_self_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("read_self", 30, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_events_of_software);
	tcase_add_test(tests, test_members_of_a_group);
	tcase_add_test(tests, test_counter_of_the_cpu);
	tcase_add_test(tests, test_times_of_a_page);
	tcase_add_test(tests, test_other_thread_reads);
	tcase_add_test(tests, test_wrong_use);
	tcase_add_test(tests, test_nothing_stays);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { read_self_suite };

	return harness__main(argc, argv, suites, 1);
}
