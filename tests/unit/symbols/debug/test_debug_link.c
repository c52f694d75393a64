// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_debug_link.c: the section .gnu_debuglink, whole and damaged. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/debug/debug_link.h"

#include "unit/suite.h"

/* Parses a copy of so many bytes, so that the sanitizer detects reads beyond it. */
static bool parse(const char *section, size_t bytes, const char *name, uint32_t checksum)
{
	char *copy = memcpy(malloc(bytes + !bytes), section, bytes);
	struct debug_link link;
	bool is_valid = debug_link__parse(copy, bytes, false, &link);

	if (is_valid) {
		ck_assert_str_eq(link.name, name);
		ck_assert_uint_eq(link.checksum, checksum);
	}
	free(copy);
	return is_valid;
}

START_TEST(test_parses_sections)
{
	static const char section[] = { 'a', '.', 'd', 0, 1, 0, 0, 0 },
			  padded[] = { 'a', '.', 'd', 'b', 0, 0, 0, 0, 2, 0, 0, 0 };
	struct debug_link link;

	ck_assert(parse(section, sizeof(section), "a.d", 1));
	ck_assert(parse(padded, sizeof(padded), "a.db", 2));
	for (size_t bytes = 0; bytes < sizeof(padded); bytes++)
		ck_assert(!parse(padded, bytes, "", 0));
	ck_assert(debug_link__parse(section, sizeof(section), true, &link));
	ck_assert_uint_eq(link.checksum, 0x01000000);
}
END_TEST

/* Names never lead to another directory. */
START_TEST(test_names_stay_in_directory)
{
	ck_assert(!parse("\0\0\0\0\0\0\0\0", 8, "", 0));
	ck_assert(!parse("../x\0\0\0\0\0\0\0\0", 12, "", 0));
	ck_assert(!parse("/x\0\0\0\0\0\0", 8, "", 0));
	ck_assert(!parse("..\0\0\0\0\0\0", 8, "", 0));
}
END_TEST

START_TEST(test_checksum_is_of_whole_file)
{
	struct debug_link link = { "x", 0xcbf43926 };
	char path[] = "/tmp/peat-link-XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	ck_assert_int_eq(write(fd, "123456789", 9), 9);
	ck_assert(debug_link__has_checksum(fd, link.checksum));
	ck_assert_int_eq(write(fd, "0", 1), 1);
	ck_assert(!debug_link__has_checksum(fd, link.checksum));
	close(fd);
	ck_assert(!debug_link__has_checksum(-1, link.checksum));
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_parses_sections);
	tcase_add_test(tests, test_names_stay_in_directory);
	tcase_add_test(tests, test_checksum_is_of_whole_file);
}
