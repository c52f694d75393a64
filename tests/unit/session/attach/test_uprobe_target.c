// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_uprobe_target.c: sections of uprobes, and the files that they name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/attach/uprobe_target.h"

#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct uprobe_target target;

static void check(const char *section, const char *file, const char *function, uint64_t offset,
		  bool is_return)
{
	ck_assert_msg(uprobe_target__parse(&target, section), "%s", section);
	ck_assert_str_eq(target.file, file);
	ck_assert_str_eq(target.function, function);
	ck_assert_uint_eq(target.offset, offset);
	ck_assert_int_eq(target.is_return, is_return);
}

START_TEST(test_parses_sections)
{
	check("uprobe/libc.so.6:malloc", "libc.so.6", "malloc", 0, false);
	check("uretprobe/libc.so.6:malloc", "libc.so.6", "malloc", 0, true);
	check("uprobe.s//usr/bin/bash:readline", "/usr/bin/bash", "readline", 0, false);
	check("uretprobe.s//usr/bin/bash:readline", "/usr/bin/bash", "readline", 0, true);
	check("uprobe//proc/self/exe:main+0x10", "/proc/self/exe", "main", 16, false);
	errno = ERANGE; /* from an earlier call */
	check("uprobe//with:colon:f+8", "/with:colon", "f", 8, false);
}
END_TEST

START_TEST(test_other_sections)
{
	static const char *const others[] = {
		"uprobe",	    "uprobe/",
		"uprobe/getpgid",   "uprobe/:f",
		"uprobe/file:",	    "uprobe/file:+1",
		"uprobe/file:f+",   "uprobe/file:f+x",
		"uprobe/file:f+-1", "uprobe/file:f+1x",
		"uprobe/file:f+ 1", "uretprobe/file:f+1",
		"uprobe.multi/a:b", "usdt/file:a:b",
		"kprobe/f:g",	    "uprobe/file:f+99999999999999999999",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ck_assert_msg(!uprobe_target__parse(&target, others[i]), "%s", others[i]);
}
END_TEST

/* Names have at most 255 bytes. */
START_TEST(test_long_names)
{
	char section[700] = "uprobe/", name[UPROBE_NAME_BYTES];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	strcat(strcat(strcat(section, name), ":"), name);
	check(section, name, name, 0, false);
	ck_assert(!uprobe_target__parse(&target, strcat(section, "n")));
	memmove(section + 8, section + 7, strlen(section + 7));
	section[7] = 'n';
	ck_assert(!uprobe_target__parse(&target, section));
}
END_TEST

static void check_file(const char *name, const char *wanted)
{
	char path[4096];
	int err = uprobe_target__find_file(name, path, sizeof(path));

	if (!wanted) {
		ck_assert_int_eq(err, -ENOENT);
		return;
	}
	ck_assert_int_eq(err, 0);
	ck_assert_str_eq(path, wanted);
}

START_TEST(test_finds_programs)
{
	ck_assert_int_eq(setenv("PATH", "/no/such::/proc/self", 1), 0);
	check_file("exe", "/proc/self/exe");
	check_file("env", "/usr/bin/env");
	check_file("no-such-program", NULL);
	ck_assert_int_eq(unsetenv("PATH"), 0);
	check_file("env", "/usr/bin/env");
	check_file("exe", NULL);
}
END_TEST

START_TEST(test_finds_libraries)
{
	long blocks = fail_alloc__blocks();
	char path[4096];

	check_file("/no/such/file", "/no/such/file"); /* a path is not looked for */
	check_file("./x.so", "./x.so");
	check_file("libno-such-library.so.1", NULL);
	ck_assert_int_eq(uprobe_target__find_file("libc.so.6", path, sizeof(path)), 0);
	ck_assert_str_eq(strrchr(path, '/'), "/libc.so.6");
	ck_assert_int_ne(strncmp(path, "/proc/", 6), 0);
	ck_assert_int_eq(uprobe_target__find_file("libc", path, sizeof(path)), 0);
	ck_assert_ptr_nonnull(strstr(path, "/libc"));
	check_file("libno-such-library", NULL);
	ck_assert_int_eq(uprobe_target__find_file("/no/such/file", path, 13), -ENAMETOOLONG);
	ck_assert_int_eq(uprobe_target__find_file("/no/such/file", path, 14), 0);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

/* The end of a path is cut off, with which it would be another file. */
START_TEST(test_room_for_path)
{
	char directory[] = "/tmp/test_uprobe_target.XXXXXX", made[64], path[64];

	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(setenv("PATH", directory, 1), 0);
	snprintf(made, sizeof(made), "%s/no-such-progra", directory);
	ck_assert_int_eq(symlink("/proc/self/exe", made), 0);
	ck_assert_int_eq(uprobe_target__find_file("no-such-program", path, strlen(made) + 1),
			 -ENOENT);
	ck_assert_int_eq(uprobe_target__find_file("no-such-progra", path, strlen(made) + 1), 0);
	ck_assert_str_eq(path, made);
	ck_assert_int_eq(unlink(made), 0);
	ck_assert_int_eq(rmdir(directory), 0);
}
END_TEST

/* The directory of a copy is given by the user. */
START_TEST(test_library_path)
{
	char directory[] = "/tmp/test_uprobe_target.XXXXXX", path[4096], made[64];

	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(made, sizeof(made), "%s/libc.so.6", directory);
	fclose(fopen(made, "we"));
	ck_assert_int_eq(setenv("LD_LIBRARY_PATH", directory, 1), 0);
	check_file("libc.so.6", made);
	ck_assert_int_eq(uprobe_target__find_file("libz.so.1", path, sizeof(path)), 0);
	ck_assert_int_eq(remove(made), 0);
	ck_assert_int_eq(remove(directory), 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_sections);
	tcase_add_test(tests, test_other_sections);
	tcase_add_test(tests, test_long_names);
	tcase_add_test(tests, test_finds_programs);
	tcase_add_test(tests, test_finds_libraries);
	tcase_add_test(tests, test_room_for_path);
	tcase_add_test(tests, test_library_path);
}
