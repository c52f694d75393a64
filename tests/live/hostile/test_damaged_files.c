// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_damaged_files.c: programs of another user that take long to read, or much memory, or are cut
 * meanwhile.  peat ends in time all the same, and its memory stays small.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/attack.h"
#include "support/machine/harness.h"
#include "support/machine/peak_memory.h"
#include "support/recording/recorded_run.h"
#include "support/symbols/damaged_elf.h"
#include "support/symbols/made_elf.h"

#define PROGRAM	     "damaged"
#define MEMORY_KIB   ((256 + 64) << 10) /* the limit of tables, and the rest */
#define LINKED_BYTES (15LL << 40)	/* about as many as ext4 allows */
#define IDLE_KIB     (8 << 10)
#define IDLE_US	     100000
#define IDLE_TRIES   100
#define RECORD_TRIES 3
#define FILES	     16

static pid_t start(int (*attack)(void *))
{
	pid_t attacker = attack__start(attack, NULL);

	if (attacker)
		peak_memory__start();
	return attacker;
}

static void stop(pid_t attacker)
{
	attack__stop(attacker);
	peak_memory__stop(MEMORY_KIB);
}

/* peat meets the program of the attacker. */
static void check(int (*attack)(void *))
{
	pid_t attacker = start(attack);

	ck_assert_int_gt(attacker, 0);
	attack__meet(attacker, PROGRAM);
	stop(attacker);
}

/* ---- programs -------------------------------------------------------------------------------- */

static int write_code(const char *path, const char *symbol, const char *link, const void *code)
{
	const struct made_symbol one = { symbol,     MADE_TEXT_OFFSET, ATTACK_CODE_BYTES,
					 STB_GLOBAL, STT_FUNC,	       0,
					 0 };
	struct made_elf made = made_elf__own();
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

	ck_assert_int_ge(fd, 0);
	made.table = symbol ? SHT_SYMTAB : SHT_DYNSYM;
	made.symbols = &one;
	made.symbols_count = symbol != NULL;
	made.text = code;
	made.bytes = ATTACK_CODE_BYTES;
	made.link = link;
	made_elf__write(&made, fd);
	return fd;
}

static int write_program(const char *path, const char *symbol, const char *link)
{
	return write_code(path, symbol, link, attack__code());
}

static int run_program(int fd)
{
	close(fd);
	return attack__spin(attack__map(PROGRAM, MADE_TEXT_OFFSET));
}

static int run_holes(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);

	(void)unused;
	damaged_elf__symbols_of_holes(fd);
	return run_program(fd);
}

START_TEST(test_symbols_of_holes)
{
	check(run_holes);
}
END_TEST

static int run_segments(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);

	(void)unused;
	damaged_elf__segments_of_holes(fd);
	return run_program(fd);
}

START_TEST(test_segments_of_holes)
{
	check(run_segments);
}
END_TEST

/* A debug file of 15 TiB without a build-id, whose checksum would tell. */
static int run_linked(void *unused)
{
	int debug = write_program("linked.debug", "function", NULL);

	(void)unused;
	ck_assert_int_eq(ftruncate(debug, LINKED_BYTES), 0);
	close(debug);
	return run_program(write_program(PROGRAM, NULL, "linked.debug"));
}

START_TEST(test_debug_file_of_holes)
{
	check(run_linked);
}
END_TEST

static int run_named(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);

	(void)unused;
	damaged_elf__long_name(fd);
	return run_program(fd);
}

START_TEST(test_long_name)
{
	check(run_named);
}
END_TEST

static int run_aliases(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);

	(void)unused;
	damaged_elf__long_aliases(fd);
	return run_program(fd);
}

START_TEST(test_long_aliases)
{
	check(run_aliases);
}
END_TEST

/* ---- call frames ----------------------------------------------------------------------------- */

/* Each address of the code needs a row of its own. */
static int run_nops(void *unused)
{
	int fd = write_code(PROGRAM, "function", NULL, attack__sled());

	(void)unused;
	damaged_elf__call_frames(fd, MADE_TEXT_OFFSET, ATTACK_CODE_BYTES);
	return run_program(fd);
}

START_TEST(test_endless_call_frames)
{
	pid_t attacker = start(run_nops);

	ck_assert_int_gt(attacker, 0);
	attack__meet_unwinding(attacker, PROGRAM);
	stop(attacker);
}
END_TEST

/* ---- stacks ---------------------------------------------------------------------------------- */

static attack_code codes[FILES];

struct frame {
	const void *next, *code;
};

/* Runs the code with a frame pointer. */
__attribute__((noinline)) static void run_framed(const struct frame *frames, attack_code code)
{
#ifdef __x86_64__
	__asm__ volatile("mov %0, %%rbp\n\tjmp *%1" ::"a"(frames), "d"(code) : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("mov x29, %0\n\tbr %1" ::"r"(frames), "r"(code) : "memory");
#else
	(void)frames;
	code();
#endif
}

/* Runs the code of the first file, with frame pointers that lead through all of them. */
static void run_through_files(void)
{
	struct frame frames[FILES];

	for (int i = 0; i < FILES; i++) {
		frames[i].next = i + 1 < FILES ? &frames[i + 1] : NULL;
		frames[i].code = (const char *)(uintptr_t)codes[i] + 8;
	}
	run_framed(frames, codes[0]);
}

/* Each file alone is within the limits. */
static int run_many(void *unused)
{
	(void)unused;
#if !defined(__x86_64__) && !defined(__aarch64__)
	return 1;
#endif
	for (int i = 0; i < FILES; i++) {
		char name[32];
		int fd;

		snprintf(name, sizeof(name), PROGRAM "%d", i);
		fd = write_program(name, "function", NULL);
		damaged_elf__call_frames(fd, MADE_TEXT_OFFSET, ATTACK_CODE_BYTES);
		close(fd);
		codes[i] = attack__map(name, MADE_TEXT_OFFSET);
	}
	return attack__spin(run_through_files);
}

START_TEST(test_stack_of_large_files)
{
	pid_t attacker = start(run_many);

	if (!attacker)
		skip("no stack of this machine can be made here");
	attack__meet_unwinding(attacker, PROGRAM);
	stop(attacker);
}
END_TEST

/* ---- namers ---------------------------------------------------------------------------------- */

/* The memory of a process, in KiB; 0: it has ended. */
static long memory_of(pid_t pid)
{
	char path[64], line[128];
	long kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmRSS: %ld", &kib);
	if (file)
		fclose(file);
	return kib;
}

/* The largest of a process's children; 0: it has none. */
static long memory_of_namers(pid_t parent)
{
	long most = 0, kib;
	char path[64];
	FILE *file;
	int pid;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent, (int)parent);
	file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	while (fscanf(file, "%d", &pid) == 1) {
		kib = memory_of(pid);
		if (kib > most)
			most = kib;
	}
	fclose(file);
	return most;
}

/* Namers that have read large files free the memory, or have ended. */
START_TEST(test_idle_namers)
{
	pid_t attacker = attack__start(run_nops, NULL);
	struct command peat;
	long most = 0, kib;

	ck_assert_int_gt(attacker, 0);
	command__start(&peat, ALL_CAPS,
		       ARGV(recorded_run__peat(), "trace", "-q", "-e", "cpu-clock", "-F", "99",
			    "--stacks", "dwarf", "-a", "-o", "/dev/null"));
	for (int i = 0; i < IDLE_TRIES; i++) {
		usleep(IDLE_US);
		kib = memory_of_namers(peat.pid);
		if (kib > most)
			most = kib;
		if (kib && kib <= IDLE_KIB && i > IDLE_TRIES / 5)
			break;
	}
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	command__free(&peat);
	attack__stop(attacker);
	ck_assert_int_gt(kib, 0);
#ifndef __SANITIZE_ADDRESS__ /* which keeps memory that was freed */
	ck_assert_msg(kib <= IDLE_KIB, "%ld KiB, %ld KiB at most", kib, most);
#endif
}
END_TEST

/* ---- recording ------------------------------------------------------------------------------- */

/* Maps another file 50 times a second. */
static void map_files(void)
{
	char name[32];

	for (unsigned i = 0;; i++) {
		int fd;

		snprintf(name, sizeof(name), PROGRAM "%u", i);
		fd = write_program(name, "function", NULL);
		damaged_elf__segments_of_holes(fd);
		close(fd);
		munmap((void *)(uintptr_t)attack__map(name, 0), MADE_TEXT_OFFSET);
		unlink(name);
		usleep(20000);
	}
}

static int run_mapping(void *unused)
{
	(void)unused;
	return attack__spin(map_files);
}

/* The part of the samples that were lost, in percent. */
static double record_all(void)
{
	struct recorded_run run;
	struct command peat;

	attack__run(&peat, ARGV(recorded_run__peat(), "record", "-q", "-e", "cpu-clock", "-F",
				"200", "--stacks", "dwarf", "-a", "-d", "1", "-o", "recording"));
	command__free(&peat);
	recorded_run__read("recording", &run);
	ck_assert_uint_gt(run.samples, 50);
	return 100.0 * (double)(run.lost + run.lost_in_queue) / (double)run.samples;
}

/*
 * Reading the files would keep the recorder from emptying its rings: nearly all was lost.  Busy
 * machines lose some, but not each time.
 */
START_TEST(test_mapped_while_recorded)
{
	double without = 0, with = 100;
	pid_t attacker;

	for (int i = 0; i < RECORD_TRIES && with > without + 1; i++) {
		without = record_all();
		attacker = start(run_mapping);
		ck_assert_int_gt(attacker, 0);
		with = record_all();
		stop(attacker);
	}
	ck_assert_msg(with <= without + 1, "%.1f %% lost, %.1f without the attack", with, without);
}
END_TEST

/* ---- files that change ----------------------------------------------------------------------- */

/* Cuts the file, and restores its length, for ever: pages that are mapped are gone meanwhile. */
static int run_cut(void *unused)
{
	int fd = write_program(PROGRAM, "function", NULL);
	off_t bytes = lseek(fd, 0, SEEK_END);

	(void)unused;
	if (!fork()) {
		for (;;) {
			ck_assert_int_eq(ftruncate(fd, MADE_TEXT_OFFSET + ATTACK_CODE_BYTES), 0);
			ck_assert_int_eq(ftruncate(fd, bytes), 0);
		}
	}
	return run_program(fd);
}

START_TEST(test_cut_while_read)
{
	check(run_cut);
}
END_TEST

static Suite *damaged_files_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("damaged_files", 120, &tests);

	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
	tcase_add_checked_fixture(tests, attack__setup, attack__teardown);
	tcase_add_test(tests, test_symbols_of_holes);
	tcase_add_test(tests, test_segments_of_holes);
	tcase_add_test(tests, test_debug_file_of_holes);
	tcase_add_test(tests, test_long_name);
	tcase_add_test(tests, test_long_aliases);
	tcase_add_test(tests, test_endless_call_frames);
	tcase_add_test(tests, test_stack_of_large_files);
	tcase_add_test(tests, test_idle_namers);
	tcase_add_test(tests, test_mapped_while_recorded);
	tcase_add_test(tests, test_cut_while_read);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { damaged_files_suite };

	return harness__main(argc, argv, suites, 1);
}
