// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_damaged_lines.c: a program of another user with debug information that takes long to read,
 * and much memory.  peat --lines ends in time all the same, its memory stays small, and functions
 * keep their names.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/attack.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/recording/recorded_run.h"

#define PROGRAM	   "rows"
#define CODE_AT	   0x1000
#define MEMORY_KIB ((256 + 64) << 10) /* the limit of tables, and the rest */
#define SECONDS	   20		      /* of a busy machine, for half a second of events */

/*
 * A line table of 60 million rows, each of one byte, all for the same address: libdw makes a list
 * and an array of them, of several GiB.
 */
static const char source[] =
	"	.text\n"
	"	.globl _start\n"
	"	.type _start, %function\n"
	"_start:\n"
	"	.fill 4096, 1, 0\n"
	"	.size _start, 4096\n"
	"	.section .debug_abbrev\n"
	"	.byte 1, 0x11, 0, 0x10, 0x17, 0x11, 0x01, 0x12, 0x07, 0, 0, 0\n"
	"	.section .debug_info\n"
	"	.4byte 2f - 1f\n"
	"1:	.2byte 4\n"
	"	.4byte 0\n"
	"	.byte 8, 1\n"
	"	.4byte 0\n"
	"	.8byte _start, 4096\n"
	"2:\n"
	"	.section .debug_line\n"
	"	.4byte 6f - 3f\n"
	"3:	.2byte 4\n"
	"	.4byte 5f - 4f\n"
	"4:	.byte 1, 1, 1, 251, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0\n"
	"	.asciz \"rows.c\"\n"
	"	.byte 0, 0, 0, 0\n"
	"5:	.byte 0, 9, 2\n"
	"	.8byte _start\n"
	"	.fill 60000000, 1, 18\n"
	"	.byte 2, 0x80, 0x20, 0, 1, 1\n"
	"6:\n";

/* As root: the code of the program is that of the attack. */
static void make_program(void)
{
	int fd = open(attack__path("rows.s"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	struct command gcc;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, source, strlen(source)), (ssize_t)strlen(source));
	close(fd);
	command__run(&gcc, ALL_CAPS,
		     ARGV("gcc", "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0x401000",
			  "-Wl,--build-id=none", "-o", attack__path(PROGRAM),
			  attack__path("rows.s")));
	ck_assert_msg(!gcc.status, "%s", gcc.err_text);
	command__free(&gcc);
	fd = open(attack__path(PROGRAM), O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(pwrite(fd, attack__code(), ATTACK_CODE_BYTES, CODE_AT), ATTACK_CODE_BYTES);
	ck_assert_int_eq(fchown(fd, attack__uid(), attack__uid()), 0);
	close(fd);
}

static int run_program(void *unused)
{
	(void)unused;
	return attack__spin(attack__map(PROGRAM, CODE_AT));
}

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

/* The private memory of a process. */
static long memory_of(pid_t pid)
{
	char path[64], line[128];
	long kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "RssAnon: %ld", &kib);
	if (file)
		fclose(file);
	return kib;
}

/* The function has its name, and no line. */
static void check(const char *const *argv)
{
	const double begin = now();
	struct command peat;
	long peak_kib = 0;

	command__start(&peat, ALL_CAPS, argv);
	while (command__is_running(&peat)) {
		const long kib = memory_of(peat.pid);

		peak_kib = kib > peak_kib ? kib : peak_kib;
		usleep(2000);
	}
	command__finish(&peat);
	ck_assert_msg(!peat.status, "%s: %s", argv[1], peat.err_text);
	ck_assert_msg(strstr(peat.out_text, "_start"), "%s: %s", argv[1], peat.out_text);
	ck_assert_msg(!strstr(peat.out_text, "rows.c"), "%s: %s", argv[1], peat.out_text);
	ck_assert_msg(peak_kib < MEMORY_KIB, "%s: %ld KiB", argv[1], peak_kib);
	ck_assert_msg(now() - begin < SECONDS, "%s: %f s", argv[1], now() - begin);
	command__free(&peat);
}

START_TEST(test_line_table)
{
	const char *peat = recorded_run__peat();
	struct command record;
	pid_t attacker;
	char pid[16];

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || !defined(__LP64__)
	skip("the debug information is of 64-bit little-endian machines");
#endif
	if (system("command -v gcc >/dev/null"))
		skip("no gcc on this machine");
	make_program();
	attacker = attack__start(run_program, NULL);
	ck_assert_int_gt(attacker, 0);
	snprintf(pid, sizeof(pid), "%d", (int)attacker);
	check(ARGV(peat, "profile", "--lines", "-d", "0.5", "-p", pid));
	check(ARGV(peat, "trace", "--lines", "-e", "cpu-clock", "-F", "99", "--stacks", "user",
		   "-d", "0.5", "-p", pid));
	command__run(&record, ALL_CAPS,
		     ARGV(peat, "record", "-q", "-e", "cpu-clock", "-F", "99", "-g", "-d", "0.5",
			  "-p", pid, "-o", "recording"));
	ck_assert_msg(!record.status, "%s", record.err_text);
	command__free(&record);
	check(ARGV(peat, "replay", "--lines", "recording"));
	attack__stop(attacker);
}
END_TEST

static Suite *damaged_lines_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("damaged_lines", 120, &tests);

	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
	tcase_add_checked_fixture(tests, attack__setup, attack__teardown);
	tcase_add_test(tests, test_line_table);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { damaged_lines_suite };

	return harness__main(argc, argv, suites, 1);
}
