// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_perf_maps.c: perf maps of another user that are large, or have their lines in an order that
 * costs most.  peat ends in time all the same, its memory stays small, and it names what it can.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "support/machine/attack.h"
#include "support/machine/harness.h"
#include "support/machine/peak_memory.h"

#define MEMORY_KIB ((256 + 64) << 10) /* the limit of tables, and the rest */
#define MAP_BYTES  (100 << 20)
#define LINES	   1000000
#define GROW_LINES 2000
#define GROW_US	   10000

static const char *perf_map(pid_t pid)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	return path;
}

static FILE *make_map(void)
{
	int fd = open(perf_map(getpid()), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	ck_assert_ptr_nonnull(file);
	return file;
}

static void check(int (*attack)(void *))
{
	pid_t attacker = attack__start(attack, NULL);

	ck_assert_int_gt(attacker, 0);
	peak_memory__start();
	attack__meet(attacker, "[anon]");
	attack__stop(attacker);
	ck_assert_int_eq(unlink(perf_map(attacker)), 0);
	peak_memory__stop(MEMORY_KIB);
}

/* The shortest lines: most symbols for their bytes. */
static int run_large(void *unused)
{
	FILE *file = make_map();

	(void)unused;
	for (unsigned i = 0; i < MAP_BYTES / 8; i++)
		fprintf(file, "%x 1 a\n", 0x100 + i % 0xf00);
	ck_assert_int_eq(fclose(file), 0);
	return attack__spin(attack__map(NULL, 0));
}

START_TEST(test_large_map_of_others)
{
	check(run_large);
}
END_TEST

/* Each line covers the begin of the next one: the last in the file is the first in memory. */
static int run_backward(void *unused)
{
	FILE *file = make_map();

	(void)unused;
	for (uint64_t i = LINES; i; i--)
		fprintf(file, "%" PRIx64 " %x function_%" PRIu64 "\n", i << 4, LINES << 4, i);
	ck_assert_int_eq(fclose(file), 0);
	return attack__spin(attack__map(NULL, 0));
}

START_TEST(test_backward_map_of_others)
{
	check(run_backward);
}
END_TEST

/* The map grows for seconds, so peat reads on and on. */
static int run_growing(void *unused)
{
	FILE *file = make_map();

	(void)unused;
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (uint64_t i = LINES; i; i--) {
			fprintf(file, "%" PRIx64 " %x function\n", i << 4, LINES << 4);
			if (i % GROW_LINES == 0)
				usleep(GROW_US);
		}
		exit(0);
	}
	return attack__spin(attack__map(NULL, 0));
}

START_TEST(test_growing_map_of_others)
{
	check(run_growing);
}
END_TEST

static Suite *perf_maps_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("perf_maps", 120, &tests);

	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
	tcase_add_checked_fixture(tests, attack__setup, attack__teardown);
	tcase_add_test(tests, test_large_map_of_others);
	tcase_add_test(tests, test_backward_map_of_others);
	tcase_add_test(tests, test_growing_map_of_others);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { perf_maps_suite };

	return harness__main(argc, argv, suites, 1);
}
