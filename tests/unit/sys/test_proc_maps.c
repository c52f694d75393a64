// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_proc_maps.c: lines of /proc/PID/maps, and those of this process. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "sys/proc_maps.h"
#include "unit/suite.h"

START_TEST(test_parses_lines)
{
	struct proc_map map;

	ck_assert(proc_maps__parse(&map, "7f1c2000-7f1c3000 r-xp 0001a000 fd:01 123456     /a b"));
	ck_assert_uint_eq(map.start, 0x7f1c2000);
	ck_assert_uint_eq(map.end, 0x7f1c3000);
	ck_assert_uint_eq(map.offset, 0x1a000);
	ck_assert_uint_eq(map.major, 0xfd);
	ck_assert_uint_eq(map.minor, 1);
	ck_assert_uint_eq(map.inode, 123456);
	ck_assert_str_eq(map.path, "/a b");
	ck_assert(map.is_readable && !map.is_writable && map.is_executable && !map.is_shared);
	ck_assert(proc_maps__parse(&map, "0-1000 -w-s 00000000 00:00 0 "));
	ck_assert(!map.is_readable && map.is_writable && !map.is_executable && map.is_shared);
	ck_assert_str_eq(map.path, "");
	ck_assert(proc_maps__parse(
		&map, "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]"));
	ck_assert_uint_eq(map.end, 0xffffffffff601000);
	ck_assert_str_eq(map.path, "[vsyscall]");
}
END_TEST

START_TEST(test_other_lines)
{
	static const char *const lines[] = {
		"",
		"1000",
		"1000-2000",
		"2000-1000 r-xp 0 00:00 0 /a",
		"1000-2000 r-x",
		"1000-2000 r-xp0 0 00:00 0",
		"1000-2000 r-xp -1 00:00 0",
		"1000-2000 r-xp 0 0000 0",
		"1000-2000 r-xp 0 00:00 x",
		"10000000000000000-20000000000000000 r-xp 0 00:00 0",
		" 1000-2000 r-xp 0 00:00 0",
	};
	struct proc_map map;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(!proc_maps__parse(&map, lines[i]), "'%s'", lines[i]);
}
END_TEST

/* Finds the mapping of this code. */
static void find_code(void *arg, const struct proc_map *map)
{
	uintptr_t code = (uintptr_t)find_code;

	if (code < map->start || code >= map->end)
		return;
	ck_assert(map->is_executable && !map->is_writable);
	ck_assert_ptr_nonnull(strstr(map->path, "unit"));
	++*(unsigned *)arg;
}

START_TEST(test_of_this_process)
{
	unsigned found = 0, fds = process__count_fds();

	ck_assert_int_eq(proc_maps__each((uint32_t)getpid(), find_code, &found), 0);
	ck_assert_uint_eq(found, 1);
	ck_assert_int_eq(proc_maps__each(UINT32_MAX, find_code, &found), -ENOENT);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_lines);
	tcase_add_test(tests, test_other_lines);
	tcase_add_test(tests, test_of_this_process);
}
