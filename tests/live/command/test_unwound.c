// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_unwound.c: stacks that programs copied and peat unwound, beside those of libgcc's unwinder.
 * This test has no frame pointers.
 */
#include <alloca.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/tracing.h"

#define DEPTH  30
#define FRAMES 127

static void *expected[FRAMES];
static int expected_count;

/* The innermost function that both stacks have at the same address is its caller. */
__attribute__((noinline)) static int open_file(const char *path)
{
	expected_count = backtrace(expected, FRAMES);
	return close(open(path, O_RDONLY | O_CLOEXEC));
}

/* Frames of different sizes. */
__attribute__((noinline)) static int descend(unsigned depth, const char *path)
{
	volatile char *room = alloca(depth * 8 + 1);
	int more;

	room[depth] = (char)depth;
	more = depth ? descend(depth - 1, path) : open_file(path);
	return more + room[depth];
}

static uint64_t address_at(const char *event, size_t i)
{
	char path[64];
	const char *text;

	snprintf(path, sizeof(path), "stack[%zu].address", i);
	text = json_lines__text(event, path);
	return text ? strtoull(text, NULL, 16) : 0;
}

/* The frame of the event with this address; SIZE_MAX: none. */
static size_t find_frame(const char *event, const void *address)
{
	for (size_t i = 0; address_at(event, i); i++)
		if (address_at(event, i) == (uint64_t)(uintptr_t)address)
			return i;
	return SIZE_MAX;
}

/*
 * From open_file()'s caller on, the frames are those expected; the copy may end before.  A
 * sanitizer's backtrace() is a frame of its own.
 */
static void check_stack(const char *event, size_t least)
{
	unsigned caller = find_frame(event, expected[1]) == SIZE_MAX ? 2 : 1;
	size_t first = find_frame(event, expected[caller]), count = 0;

	ck_assert_msg(first != SIZE_MAX, "%p is not in %.2000s", expected[caller], event);
	for (; address_at(event, first + count); count++) {
		ck_assert_uint_lt(count + caller, (unsigned)expected_count);
		ck_assert_msg(address_at(event, first + count) ==
				      (uint64_t)(uintptr_t)expected[count + caller],
			      "frame %zu is not %p in %.2000s", first + count,
			      expected[count + caller], event);
	}
	ck_assert_msg(count >= least, "%zu frames, not %zu: %.2000s", count, least, event);
}

static const char *own_pid(void)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return pid;
}

static const char *find_open(const struct tracing *tracing, const char *path)
{
	const char *event;
	size_t from = 0;

	while ((event = tracing__next(tracing, "open", getpid(), &from)))
		if (!strcmp(json_lines__text(event, "path"), path))
			return event;
	ck_abort_msg("no open of %s", path);
}

static void start(struct tracing *tracing)
{
	backtrace(expected, FRAMES); /* loads libgcc */
	tracing__start(tracing, TRACE("open", "--stacks", "dwarf,16K", "-p", own_pid()));
}

START_TEST(test_unwinds_descent)
{
	struct tracing tracing = { 0 };

	start(&tracing);
	descend(DEPTH, "/dev/null");
	tracing__stop(&tracing);
	check_stack(find_open(&tracing, "/dev/null"), DEPTH + 2);
	tracing__free(&tracing);
}
END_TEST

static void handle(int number)
{
	descend(number ? 3 : 0, "/dev/zero");
}

/* Through the kernel's frame of a signal handler. */
START_TEST(test_unwinds_signal)
{
	const struct sigaction action = { .sa_handler = handle };
	struct tracing tracing = { 0 };

	start(&tracing);
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	raise(SIGUSR1);
	tracing__stop(&tracing);
	check_stack(find_open(&tracing, "/dev/zero"), 8);
	tracing__free(&tracing);
}
END_TEST

static Suite *suite(void)
{
	TCase *tests;
	Suite *made = harness__suite("unwound", 60, &tests);

	tcase_add_test(tests, test_unwinds_descent);
	tcase_add_test(tests, test_unwinds_signal);
	return made;
}

int main(int argc, char **argv)
{
	const suite_fn suites[] = { suite };

	return harness__main(argc, argv, suites, 1);
}
