// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_fault.c: the probe fault: page faults, with their files. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/block_device.h"
#include "support/machine/harness.h"
#include "support/machine/scratch.h"
#include "support/machine/tracing.h"

static long page_bytes(void)
{
	return sysconf(_SC_PAGESIZE);
}

static void start(struct tracing *tracing, const char *probe)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	tracing__start(tracing, TRACE(probe, "-p", pid));
}

static __attribute__((noinline)) char touch(const volatile char *at)
{
	return *at;
}

/* s390x has only the page of an address. */
static long long reported(const volatile void *address)
{
#ifdef __s390x__
	return (long long)((uintptr_t)address & -(uintptr_t)page_bytes());
#else
	return (long long)(uintptr_t)address;
#endif
}

/* The only event of this process with this address. */
static const char *fault_at(const struct tracing *tracing, const volatile void *address)
{
	const char *event, *found = NULL;
	size_t from = 0;

	while ((event = tracing__next(tracing, "fault", getpid(), &from))) {
		if (json_lines__number(event, "address") != reported(address))
			continue;
		ck_assert_msg(!found, "two faults at %p", address);
		found = event;
	}
	ck_assert_msg(found, "no fault at %p", address);
	return found;
}

/* In the first bytes of touch(). */
static void expect_touch(const char *event)
{
	long long ip = json_lines__number(event, "ip"), first = (long long)(uintptr_t)touch;

	ck_assert_msg(ip >= first && ip < first + 64, "touch() is at %#llx: %s", first, event);
}

/* ---- major faults ---------------------------------------------------------------------------- */

/* Fills a device, and removes all its pages from memory. */
static int open_cold_device(size_t bytes, char *path, size_t room)
{
	int fd = block_device__open(bytes, path, room);
	char page[512];

	memset(page, 'x', sizeof(page));
	for (size_t at = 0; fd >= 0 && at < bytes; at += sizeof(page))
		ck_assert_int_eq(pwrite(fd, page, sizeof(page), (off_t)at), sizeof(page));
	if (fd < 0)
		return fd;
	ck_assert_int_eq(fsync(fd), 0);
	ck_assert_int_eq(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	/* The kernel must not read what follows. */
	ck_assert_int_eq(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM), 0);
	return fd;
}

START_TEST(test_major_fault)
{
	long page = page_bytes();
	struct tracing tracing;
	const char *event;
	char path[64], *memory;
	int fd;

	fd = open_cold_device((size_t)(16 * page), path, sizeof(path));
	if (fd < 0)
		skip("this kernel has no loop devices");
	memory = mmap(NULL, (size_t)(8 * page), PROT_READ, MAP_SHARED, fd, 4 * page);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	madvise(memory, (size_t)(8 * page), MADV_RANDOM);
	start(&tracing, "fault");
	ck_assert_int_eq(touch(memory + 3 * page + 17), 'x');
	ck_assert_int_eq(touch(memory + 3 * page + 18), 'x');
	tracing__stop(&tracing);
	event = fault_at(&tracing, memory + 3 * page + 17);
	expect_number(event, "tid", getpid());
	expect_member(event, "major", "true");
	expect_text(event, "path", path);
	expect_number(event, "offset", 7 * page);
	expect_touch(event);
	tracing__free(&tracing);
	munmap(memory, (size_t)(8 * page));
	close(fd);
}
END_TEST

/* ---- minor faults ---------------------------------------------------------------------------- */

#define MAPPINGS 600

/*
 * Many mappings, so that the kernel's tree of them has several levels: each page is one of its own,
 * as its neighbours are of other files.
 */
static void map_pages(char *memory, const int *fds)
{
	for (long i = 0; i < MAPPINGS; i++) {
		void *page =
			mmap(memory + i * page_bytes(), page_bytes(), PROT_READ,
			     MAP_SHARED | MAP_FIXED, fds[i % 2], (off_t)((i + 5) * page_bytes()));

		ck_assert_ptr_ne(page, MAP_FAILED);
	}
}

START_TEST(test_many_mappings)
{
	int fds[2] = { scratch__file("even", ""), scratch__file("odd", "") };
	long bytes = (MAPPINGS + 5) * page_bytes();
	struct tracing tracing;
	const char *event;
	char *memory;

	ck_assert_int_eq(ftruncate(fds[0], bytes), 0);
	ck_assert_int_eq(ftruncate(fds[1], bytes), 0);
	memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	map_pages(memory, fds);
	start(&tracing, "fault,minor");
	for (long i = 0; i < MAPPINGS; i++)
		ck_assert_int_eq(touch(memory + i * page_bytes() + 1), 0);
	tracing__stop(&tracing);
	for (long i = 0; i < MAPPINGS; i++) {
		event = fault_at(&tracing, memory + i * page_bytes() + 1);
		expect_text(event, "path", scratch__path(i % 2 ? "odd" : "even"));
		expect_number(event, "offset", (i + 5) * page_bytes());
		expect_touch(event);
	}
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_anonymous_memory)
{
	struct tracing tracing;
	const char *event;
	char *memory;

	memory = mmap(NULL, 3 * page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	start(&tracing, "fault,minor");
	ck_assert_int_eq(touch(memory + page_bytes()), 0);
	tracing__stop(&tracing);
	event = fault_at(&tracing, memory + page_bytes());
	expect_member(event, "major", "false");
	expect_text(event, "path", "[anonymous]");
	expect_number(event, "offset", 0);
	expect_touch(event);
	tracing__free(&tracing);
}
END_TEST

/* Without the option, minor faults are no events, and do not even run a program. */
START_TEST(test_no_minor_faults)
{
	struct tracing tracing;
	char *memory;

	memory = mmap(NULL, 100 * page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	start(&tracing, "fault");
	for (long i = 0; i < 100; i++)
		ck_assert_int_eq(touch(memory + i * page_bytes()), 0);
	tracing__stop(&tracing);
	for (size_t i = 0; i < tracing.events.count; i++)
		expect_member(tracing.events.lines[i], "major", "true");
	ck_assert_msg(!strstr(tracing.peat.err_text, "on_minor_fault"), "%s",
		      tracing.peat.err_text);
	tracing__free(&tracing);
}
END_TEST

static Suite *fault_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("fault", 60, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_major_fault);
	tcase_add_test(tests, test_many_mappings);
	tcase_add_test(tests, test_anonymous_memory);
	tcase_add_test(tests, test_no_minor_faults);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { fault_suite };

	return harness__main(argc, argv, suites, 1);
}
