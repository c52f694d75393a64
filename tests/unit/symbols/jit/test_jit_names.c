// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_jit_names.c: /tmp/perf-PID.map of this process, as it grows. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>

#include "symbols/jit/jit_names.h"
#include "unit/suite.h"

static char path[64];
static unsigned warnings;
static uint64_t call;

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
	symbol = jit_names__find(names, (uint32_t)getpid(), is_live, address, ++call);
	ck_assert_str_eq(symbol ? symbol->raw_name : "", name);
}

static struct jit_names begin(void)
{
	peat_set_print(print_warning);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	unlink(path);
	return (struct jit_names){ 0 };
}

static void finish(struct jit_names *names)
{
	jit_names__free(names);
	unlink(path);
}

START_TEST(test_growing)
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
START_TEST(test_replaced)
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

START_TEST(test_cut)
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

START_TEST(test_damaged)
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

SUITE(10)
{
	tcase_add_test(tests, test_growing);
	tcase_add_test(tests, test_replaced);
	tcase_add_test(tests, test_cut);
	tcase_add_test(tests, test_damaged);
	tcase_add_test(tests, test_not_trusted);
	tcase_add_test(tests, test_no_regular_file);
}
