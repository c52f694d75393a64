// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cgroup_tree.c: cgroups of this machine by their ids. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/machine/harness.h"
#include "sys/cgroup.h"
#include "sys/cgroup_tree.h"
#include "unit/suite.h"

static uint64_t root_id, last_id;
static char last_path[PATH_MAX];
static unsigned visited;

static int note(void *arg, uint64_t id, const char *path)
{
	ck_assert_ptr_eq(arg, last_path);
	ck_assert_int_eq(*path, '/');
	if (!visited++)
		root_id = id;
	last_id = id;
	snprintf(last_path, sizeof(last_path), "%s", path);
	return 0;
}

static int stop_at_once(void *arg, uint64_t id, const char *path)
{
	(*(unsigned *)arg)++;
	ck_assert_str_eq(path, "/");
	return id ? 17 : 0;
}

static bool is_mounted(char root[PATH_MAX])
{
	if (cgroup__find_root(root, PATH_MAX))
		return true;
	ck_assert_int_eq(cgroup_tree__walk(note, last_path), -ENOENT);
	ck_assert_int_eq(cgroup_tree__find(1, last_path, sizeof(last_path)), -ENOENT);
	return false;
}

START_TEST(test_walks_all_cgroups)
{
	char root[PATH_MAX], whole[2 * PATH_MAX];
	struct stat found;
	unsigned calls = 0;

	if (!is_mounted(root))
		skip("no cgroup2 is mounted");
	ck_assert_int_eq(cgroup_tree__walk(note, last_path), 0);
	ck_assert_int_eq(stat(root, &found), 0);
	ck_assert_uint_eq(root_id, found.st_ino);
	snprintf(whole, sizeof(whole), "%s%s", root, last_path);
	/* It may have been removed. */
	if (!stat(whole, &found))
		ck_assert_uint_eq(last_id, found.st_ino);
	ck_assert_int_eq(cgroup_tree__walk(stop_at_once, &calls), 17);
	ck_assert_uint_eq(calls, 1);
}
END_TEST

START_TEST(test_finds_by_id)
{
	char root[PATH_MAX], path[PATH_MAX];
	struct stat found;
	int err;

	if (!is_mounted(root))
		skip("no cgroup2 is mounted");
	ck_assert_int_eq(stat(root, &found), 0);
	err = cgroup_tree__find(found.st_ino, path, sizeof(path));
	if (err == -EPERM)
		skip("needs CAP_DAC_READ_SEARCH");
	ck_assert_int_eq(err, 0);
	ck_assert_str_eq(path, "/");
	ck_assert_int_eq(cgroup_tree__find(found.st_ino, path, 1), -ENAMETOOLONG);
	ck_assert_int_eq(cgroup_tree__find(UINT64_MAX / 3, path, sizeof(path)), -ESTALE);
}
END_TEST

START_TEST(test_finds_hierarchy_of_records)
{
	int is_other = system("awk '$1 == \"perf_event\" && $2 { found = 1 } END { exit !found }' "
			      "/proc/cgroups");

	ck_assert_int_eq(cgroup_tree__has_records(), is_other != 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_hierarchy_of_records);
	tcase_add_test(tests, test_walks_all_cgroups);
	tcase_add_test(tests, test_finds_by_id);
}
