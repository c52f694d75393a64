// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_settled.c: settled places survive a cut at any length, and damage of any byte. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "spool/settled.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static struct settled_files files;
static struct settled settled;
static int directory;

static void begin(void)
{
	scratch__make();
	directory = open(scratch__dir(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(directory, 0);
}

static void end(void)
{
	close(directory);
	scratch__remove();
}

static void open_files(void)
{
	ck_assert_int_eq(settled__open(&files, directory, &settled), 0);
}

static void write_places(uint64_t segment, uint32_t count, bool sync)
{
	settled = (struct settled){
		.before = { segment, 10 }, .count = count, .source_count = 1, .id = 9
	};
	settled.sources[0] = (struct settled_source){ .name = "calls",
						      .ends = { segment, 2, 3 },
						      .in_memory = 4 };
	for (uint32_t i = 0; i < count; i++)
		settled.at[i] = (struct place){ segment, 20 + i };
	ck_assert_int_eq(settled__write(&files, &settled, sync), 0);
}

static void check_places(uint64_t segment, uint32_t count)
{
	open_files();
	ck_assert_uint_eq(settled.before.segment, segment);
	ck_assert_uint_eq(settled.before.offset, segment ? 10 : 0);
	ck_assert_uint_eq(settled.count, count);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_uint_eq(settled.at[i].offset, 20 + i);
	ck_assert_uint_eq(settled.source_count, segment ? 1 : 0);
	ck_assert_uint_eq(settled.id, segment ? 9 : 0);
	if (segment) {
		ck_assert_str_eq(settled.sources[0].name, "calls");
		ck_assert_uint_eq(settled.sources[0].ends.acknowledged, segment);
		ck_assert_uint_eq(settled.sources[0].ends.dropped, 3);
		ck_assert_uint_eq(settled.sources[0].in_memory, 4);
	}
	settled__close(&files);
}

START_TEST(test_newest_places)
{
	check_places(0, 0);
	open_files();
	write_places(1, SETTLED_MAX, true);
	write_places(2, 3, false);
	settled__close(&files);
	check_places(2, 3);
	open_files();
	write_places(3, 0, false);
	settled__close(&files);
	check_places(3, 0);
}
END_TEST

/* A process that was killed between the files. */
START_TEST(test_one_file_is_older)
{
	struct settled_files older;

	open_files();
	write_places(1, 1, false);
	older = files;
	older.fds[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	settled.before.segment = 2;
	settled.sources[0].ends.acknowledged = 2;
	ck_assert_int_eq(settled__write(&older, &settled, false), 0);
	close(older.fds[1]);
	settled__close(&files);
	check_places(2, 1);
}
END_TEST

/* A file of the former version: a place, and no sources. */
START_TEST(test_former_version)
{
	struct {
		char magic[8];
		uint64_t sequence;
		struct place before;
		uint32_t count, crc;
		struct place at;
	} record = { "PEATSPL1", 3, { 7, 10 }, 1, 0, { 7, 20 } };
	uLong crc = crc32(0, (const Bytef *)&record, offsetof(__typeof__(record), crc));
	int fd = openat(directory, "settled.1", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	record.crc = (uint32_t)crc32(crc, (const Bytef *)&record.at, sizeof(record.at));
	ck_assert_int_eq(write(fd, &record, sizeof(record)), sizeof(record));
	close(fd);
	open_files();
	ck_assert_uint_eq(settled.before.segment, 7);
	ck_assert_uint_eq(settled.count, 1);
	ck_assert_uint_eq(settled.at[0].offset, 20);
	ck_assert_uint_eq(settled.source_count, 0);
	settled__close(&files);
}
END_TEST

static void each_change(bool is_cut)
{
	char bytes[256], changed[256];
	ssize_t count;

	open_files();
	write_places(5, 4, false);
	settled__close(&files);
	for (int i = 0; i < 2; i++) {
		int fd = openat(directory, i ? "settled.1" : "settled.0", O_RDWR | O_CLOEXEC);

		count = read(fd, bytes, sizeof(bytes));
		ck_assert_int_gt(count, 0);
		for (ssize_t at = 0; at < count; at++) {
			memcpy(changed, bytes, (size_t)count);
			changed[at] = (char)(changed[at] ^ 0x40);
			if (is_cut)
				ck_assert_int_eq(ftruncate(fd, at), 0);
			else
				ck_assert_int_eq(pwrite(fd, changed, (size_t)count, 0), count);
			check_places(5, 4);
			ck_assert_int_eq(pwrite(fd, bytes, (size_t)count, 0), count);
		}
		close(fd);
	}
}

START_TEST(test_cut_at_each_length)
{
	each_change(true);
}
END_TEST

START_TEST(test_damage_of_each_byte)
{
	each_change(false);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_newest_places);
	tcase_add_test(tests, test_one_file_is_older);
	tcase_add_test(tests, test_former_version);
	tcase_add_test(tests, test_cut_at_each_length);
	tcase_add_test(tests, test_damage_of_each_byte);
}
