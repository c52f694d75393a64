// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_piece_files.c: pieces in files: of one host each, with names that hosts choose; full disks.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/log.h>

#include "receiver/piece_files.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static char message[512];

static void keep(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

static void setup(void)
{
	scratch__make();
	peat_set_print(keep);
}

static const char *new_directory(void)
{
	const char *path = scratch__path("hosts");

	ck_assert_int_eq(mkdir(path, 0755), 0);
	return path;
}

static struct piece_files *new_files(const char *directory, int fd)
{
	struct piece_files *files = piece_files__new(directory, fd);

	ck_assert_ptr_nonnull(files);
	return files;
}

static void write_piece(struct piece_files *files, const char *host, const char *text)
{
	ck_assert_int_eq(piece_files__write(files, host, text, strlen(text)), 0);
}

/* The size of the only file whose name begins so. */
static off_t size_of(const char *directory, const char *begin)
{
	struct stat status = { 0 };
	DIR *entries = opendir(directory);
	struct dirent *entry;
	unsigned found = 0;

	ck_assert_ptr_nonnull(entries);
	while ((entry = readdir(entries)))
		if (!strncmp(entry->d_name, begin, strlen(begin))) {
			ck_assert_int_eq(fstatat(dirfd(entries), entry->d_name, &status, 0), 0);
			found++;
		}
	closedir(entries);
	ck_assert_msg(found == 1, "%u files %s", found, begin);
	return status.st_size;
}

START_TEST(test_each_host_has_a_file)
{
	const char *directory = new_directory();
	struct piece_files *files = new_files(directory, -1);

	write_piece(files, "web1", "12345678");
	write_piece(files, "web2", "1234");
	write_piece(files, "web1", "12");
	ck_assert_int_eq(piece_files__sync(files), 0);
	piece_files__free(files);
	ck_assert_int_eq(size_of(directory, "web1-20"), 10);
	ck_assert_int_eq(size_of(directory, "web2-20"), 4);
}
END_TEST

START_TEST(test_names_stay_in_the_directory)
{
	const char *directory = new_directory();
	struct piece_files *files = new_files(directory, -1);
	char longest[300];

	write_piece(files, "../a", "1");
	write_piece(files, ".hidden", "12");
	write_piece(files, "", "123");
	write_piece(files, "a b\n", "1234");
	memset(longest, 'x', sizeof(longest));
	longest[255] = '\0';
	write_piece(files, longest, "12345");
	piece_files__free(files);
	ck_assert_int_eq(size_of(directory, "_._a-20"), 1);
	ck_assert_int_eq(size_of(directory, "_hidden-20"), 2);
	ck_assert_int_eq(size_of(directory, "-20"), 3);
	ck_assert_int_eq(size_of(directory, "a_b_-20"), 4);
	ck_assert_int_eq(size_of(directory, "xxxx"), 5);
}
END_TEST

/* Two hosts whose names are one file's. */
START_TEST(test_files_are_never_replaced)
{
	const char *directory = new_directory();
	struct piece_files *files = new_files(directory, -1);
	unsigned count = 0;
	DIR *entries;

	write_piece(files, "a/b", "1");
	write_piece(files, "a b", "12");
	write_piece(files, "a/b", "1");
	piece_files__free(files);
	entries = opendir(directory);
	ck_assert_ptr_nonnull(entries);
	while (readdir(entries))
		count++;
	closedir(entries);
	ck_assert_uint_eq(count, 4); /* with . and .. */
}
END_TEST

/* As many hosts as anybody may name: their pieces are all there. */
START_TEST(test_files_are_limited)
{
	const char *directory = new_directory();
	struct piece_files *files;
	struct rlimit before;
	char host[16];

	getrlimit(RLIMIT_NOFILE, &before);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 40, before.rlim_max }), 0);
	files = new_files(directory, -1);
	for (unsigned i = 0; i < 100; i++) {
		snprintf(host, sizeof(host), "web%u", i);
		write_piece(files, host, "12");
	}
	write_piece(files, "web0", "34");
	ck_assert_int_eq(piece_files__sync(files), 0);
	piece_files__free(files);
	setrlimit(RLIMIT_NOFILE, &before);
	ck_assert_int_eq(size_of(directory, "web0-20"), 4);
	ck_assert_int_eq(size_of(directory, "web19-20"), 2);
	ck_assert_int_eq(size_of(directory, "others-20"), 160);
	ck_assert_str_eq(message,
			 "more than 20 hosts: the batches of further hosts are in a file others");
}
END_TEST

START_TEST(test_one_file)
{
	int fd = scratch__file("one", "");
	struct piece_files *files = new_files(NULL, fd);
	char text[16] = "";

	write_piece(files, "web1", "12");
	write_piece(files, "web2", "34");
	ck_assert_int_eq(piece_files__sync(files), 0);
	piece_files__free(files);
	ck_assert_int_eq(pread(fd, text, sizeof(text), 0), 4);
	ck_assert_str_eq(text, "1234");
	close(fd);
}
END_TEST

START_TEST(test_errors_are_named)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct piece_files *files = new_files(NULL, fd);

	ck_assert_int_eq(piece_files__write(files, "web1", "12", 2), -ENOSPC);
	ck_assert_str_eq(message, "cannot write to the output: No space left on device");
	piece_files__free(files);
	close(fd);
	ck_assert_ptr_null(piece_files__new(scratch__path("missing"), -1));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(message, "name a directory that exists"));
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, scratch__remove);
	tcase_add_test(tests, test_each_host_has_a_file);
	tcase_add_test(tests, test_names_stay_in_the_directory);
	tcase_add_test(tests, test_files_are_never_replaced);
	tcase_add_test(tests, test_files_are_limited);
	tcase_add_test(tests, test_one_file);
	tcase_add_test(tests, test_errors_are_named);
}
