// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_jit_names.c: /tmp/perf-PID.map of this process, as it grows. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>

#include "base/monotonic.h"
#include "support/machine/process.h"
#include "symbols/jit/jit_names.h"
#include "unit/suite.h"

static char path[64];
static unsigned warnings;
static uint64_t call;
static struct jit_budget budget;

static void print_warning(enum peat_log_level level, const char *text)
{
	warnings += level == PEAT_LOG_WARN && strstr(text, "perf-");
}

static void append(const char *text, int flags)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | flags, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* The file is looked at again at once. */
static void check(struct jit_names *names, bool is_live, uint64_t address, const char *name)
{
	struct perf_map_symbol *symbol;

	names->check_ns = 0;
	symbol = jit_names__find(&budget, names, (uint32_t)getpid(), is_live, address, ++call);
	ck_assert_str_eq(symbol ? symbol->raw_name : "", name);
}

static struct jit_names begin(void)
{
	peat_set_print(print_warning);
	budget = (struct jit_budget){ .most_bytes = 64 << 20 };
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	unlink(path);
	return (struct jit_names){ 0 };
}

static void finish(struct jit_names *names)
{
	jit_names__free(names);
	unlink(path);
}

START_TEST(test_growing_map_is_read_on)
{
	struct jit_names names = begin();

	check(&names, true, 0x1000, "");
	append("1000 20 first\n", O_APPEND);
	check(&names, true, 0x1000, "first");
	ck_assert_uint_eq(names.own_pid, (uint32_t)getpid());
	append("2000 20 sec", O_APPEND);
	check(&names, true, 0x2000, "");
	append("ond\n", O_APPEND);
	check(&names, true, 0x2000, "second");
	ck_assert_uint_eq(names.map->count, 2);
	ck_assert_uint_eq(warnings, 0);
	finish(&names);
}
END_TEST

/* A new file has other names; names of the former one stay valid for the call. */
START_TEST(test_replaced_map_has_other_names)
{
	struct jit_names names = begin();
	struct perf_map_symbol *former;

	append("1000 20 former\n", O_APPEND);
	check(&names, true, 0x1000, "former");
	former = perf_map__find(names.map, 0x1000);
	append("1000 20 new\n", O_TRUNC);
	check(&names, true, 0x1000, "new");
	ck_assert_str_eq(former->raw_name, "former");
	finish(&names);
}
END_TEST

START_TEST(test_cut_line_is_warned_about)
{
	struct jit_names names = begin();

	append("1000 20 whole\n2000 20 cu", O_APPEND);
	check(&names, false, 0x1000, "whole");
	check(&names, false, 0x2000, "");
	ck_assert_uint_eq(warnings, 1);
	check(&names, false, 0x2000, "");
	ck_assert_uint_eq(warnings, 1);
	finish(&names);
}
END_TEST

START_TEST(test_damaged_line_is_warned_about)
{
	struct jit_names names = begin();

	append("1000 20 whole\n\x7f"
	       "ELF\n2000 20 other\n",
	       O_APPEND);
	check(&names, true, 0x2000, "other");
	ck_assert_uint_eq(warnings, 1);
	finish(&names);
}
END_TEST

/* Another user could give any names to the functions of a process of root. */
START_TEST(test_not_trusted)
{
	struct jit_names names = begin();

	append("1000 20 forged\n", O_APPEND);
	if (chown(path, 12345, 12345)) {
		finish(&names);
		skip("only root can give files away");
	}
	check(&names, true, 0x1000, "");
	check(&names, false, 0x1000, "");
	finish(&names);
}
END_TEST

START_TEST(test_no_regular_file)
{
	struct jit_names names = begin();

	ck_assert_int_eq(symlink("/dev/zero", path), 0);
	check(&names, true, 0x1000, "");
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	check(&names, true, 0x1000, "");
	finish(&names);
}
END_TEST

/* ---- limits ---------------------------------------------------------------------------------- */

static uint32_t pid;

#define OTHER	   12345
#define LINE_BYTES 4000
#define LINES	   4000

static int run_other(void *unused)
{
	(void)unused;
	if (setresuid(OTHER, OTHER, OTHER))
		return 1;
	for (;;)
		pause();
}

/* A process of another user, and its map: "LINE 1 aaa...", each of 4,000 bytes. */
static struct jit_names begin_other(void)
{
	struct jit_names names = begin();
	char line[LINE_BYTES + 1];
	struct stat owner = { 0 };
	char proc[32];
	FILE *file;

	pid = (uint32_t)process__start(run_other, NULL);
	snprintf(proc, sizeof(proc), "/proc/%u", pid);
	while (!stat(proc, &owner) && owner.st_uid != OTHER)
		usleep(1000);
	ck_assert_uint_eq(owner.st_uid, OTHER);
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	unlink(path);
	file = fopen(path, "wx");
	ck_assert_ptr_nonnull(file);
	for (int i = 1; i <= LINES; i++) {
		memset(line, 'a', LINE_BYTES);
		line[sprintf(line, "%x 1 ", i)] = 'a';
		line[LINE_BYTES - 1] = '\n';
		ck_assert_uint_eq(fwrite(line, 1, LINE_BYTES, file), LINE_BYTES);
	}
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chown(path, OTHER, OTHER), 0);
	return names;
}

static void finish_other(struct jit_names *names)
{
	kill((pid_t)pid, SIGKILL);
	process__wait((pid_t)pid);
	finish(names);
	ck_assert_uint_eq(budget.bytes, 0);
}

static bool is_named(struct jit_names *names, uint64_t address)
{
	names->check_ns = 0;
	return jit_names__find(&budget, names, pid, true, address, ++call);
}

#define need_root()                                                                                \
	do {                                                                                       \
		if (geteuid())                                                                     \
			skip("only root has processes of others");                                 \
	} while (0)

/* The map of another user has a part of the memory, one of root as much as it needs. */
START_TEST(test_memory_of_others_is_bounded)
{
	struct jit_names names;

	need_root();
	names = begin_other();
	budget.most_bytes = 4 << 20;
	ck_assert(is_named(&names, 1));
	ck_assert(!is_named(&names, LINES));
	ck_assert_uint_eq(warnings, 1);
	ck_assert_uint_gt(budget.bytes, 1 << 20);
	ck_assert_uint_lt(budget.bytes, 4 << 20);
	ck_assert_uint_eq(budget.bytes, perf_map__bytes(names.map));
	perf_map__free(names.map);
	names.map = NULL;
	ck_assert_uint_eq(budget.bytes, 0);
	ck_assert_int_eq(chown(path, 0, 0), 0);
	ck_assert(is_named(&names, LINES));
	ck_assert_uint_gt(budget.bytes, 15 << 20);
	finish_other(&names);
}
END_TEST

/* In a hurry, later looks read the rest. */
START_TEST(test_hurried_looks_read_parts)
{
	struct jit_names names;
	int looks = 1;

	need_root();
	names = begin_other();
	budget.wait_ms = 1;
	while (!is_named(&names, LINES))
		looks++;
	ck_assert_int_gt(looks, 1);
	ck_assert_uint_eq(warnings, 0);
	finish_other(&names);
}
END_TEST

/* An owner whose maps took too long has to wait. */
START_TEST(test_time_of_others_is_bounded)
{
	const uint64_t ten_seconds = 10000000000;
	struct jit_names names;

	need_root();
	names = begin_other();
	ck_assert(!namer_accounts__charge(&budget.accounts, OTHER, ten_seconds, monotonic_ns()));
	ck_assert(!is_named(&names, 1));
	ck_assert_int_eq(chown(path, 0, 0), 0);
	ck_assert(is_named(&names, 1));
	finish_other(&names);
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_test(tests, test_growing_map_is_read_on);
	tcase_add_test(tests, test_replaced_map_has_other_names);
	tcase_add_test(tests, test_cut_line_is_warned_about);
	tcase_add_test(tests, test_damaged_line_is_warned_about);
	tcase_add_test(tests, test_not_trusted);
	tcase_add_test(tests, test_no_regular_file);
	tcase_add_test(tests, test_memory_of_others_is_bounded);
	tcase_add_test(tests, test_hurried_looks_read_parts);
	tcase_add_test(tests, test_time_of_others_is_bounded);
}
