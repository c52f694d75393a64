// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_mapped_files.c: files of mappings, by their paths, and when these lead elsewhere. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "sys/mapped_files.h"
#include "unit/suite.h"

START_TEST(test_names_of_mappings)
{
	ck_assert(mapped_files__is_of("/usr/lib/libssl.so.3", "libssl.so.3"));
	ck_assert(mapped_files__is_of("/usr/lib/libssl.so.3", "libssl.so"));
	ck_assert(mapped_files__is_of("/libssl.so.3 (deleted)", "libssl.so.3"));
	ck_assert(mapped_files__is_of("/usr/bin/python3.11", "python3"));
	ck_assert(!mapped_files__is_of("/usr/lib/libssl.so.30", "libssl.so.3"));
	ck_assert(!mapped_files__is_of("libssl.so.3", "libssl.so.3"));
	ck_assert(!mapped_files__is_of("/libssl.so.3/other", "libssl.so.3"));
	ck_assert(!mapped_files__is_of("/ (deleted)", "libssl.so.3"));
	ck_assert(!mapped_files__is_of("", ""));
}
END_TEST

/* The first executable mapping of a file with this name. */
struct wanted {
	const char *name;
	struct proc_map map;
	char path[PATH_MAX];
};

static int find(void *arg, uint32_t pid, const struct proc_map *map)
{
	struct wanted *wanted = arg;

	ck_assert_uint_eq(pid, (uint32_t)getpid());
	ck_assert(map->is_executable);
	if (!mapped_files__is_of(map->path, wanted->name))
		return 0;
	wanted->map = *map;
	snprintf(wanted->path, sizeof(wanted->path), "%s", map->path);
	wanted->map.path = wanted->path;
	return 1;
}

static void find_mapping(struct wanted *wanted, const char *name)
{
	const struct mapped_visitor visitor = { .use = find, .arg = wanted };

	*wanted = (struct wanted){ .name = name };
	ck_assert_int_eq(mapped_files__visit_process(&visitor, (uint32_t)getpid()), 1);
}

START_TEST(test_file_of_a_mapping)
{
	unsigned fds = process__count_fds();
	struct mapped_file file;
	struct wanted wanted;
	struct stat found;

	find_mapping(&wanted, "libc.so");
	ck_assert_int_eq(mapped_files__open(&file, (uint32_t)getpid(), &wanted.map), 0);
	ck_assert_str_eq(file.path, wanted.path);
	ck_assert_int_eq(stat(file.path, &found), 0);
	ck_assert_uint_eq(found.st_ino, file.stat.st_ino);
	close(file.fd);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

static void *map_file(const char *name)
{
	int fd = scratch__file(name, "text");
	void *memory = mmap(NULL, 4, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	ck_assert_ptr_ne(memory, MAP_FAILED);
	close(fd);
	return memory;
}

/* The way by map_files needs a capability. */
START_TEST(test_replaced_file)
{
	unsigned fds = process__count_fds();
	struct mapped_file file;
	struct wanted wanted;
	struct stat mapped;
	void *memory;
	int err;

	scratch__make();
	memory = map_file("mapped_file");
	ck_assert_int_eq(stat(scratch__path("mapped_file"), &mapped), 0);
	find_mapping(&wanted, "mapped_file");
	ck_assert_int_eq(unlink(scratch__path("mapped_file")), 0);
	close(scratch__file("another_file", "text"));
	ck_assert_int_eq(rename(scratch__path("another_file"), scratch__path("mapped_file")), 0);
	err = mapped_files__open(&file, (uint32_t)getpid(), &wanted.map);
	ck_assert_msg(!err || err == -EPERM || err == -EACCES, "%d", err);
	if (!err) {
		ck_assert_uint_eq(file.stat.st_ino, mapped.st_ino);
		close(file.fd);
	}
	munmap(memory, 4);
	scratch__remove();
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

START_TEST(test_file_in_a_root)
{
	unsigned fds = process__count_fds();
	struct mapped_file file;

	scratch__make();
	close(scratch__file("file", "text"));
	ck_assert_int_eq(symlink(scratch__path("file"), scratch__path("link")), 0);
	ck_assert_int_eq(
		mapped_files__open_in_root(&file, (uint32_t)getpid(), scratch__path("link")), 0);
	ck_assert_str_eq(file.path, scratch__path("link"));
	close(file.fd);
	ck_assert_int_eq(mapped_files__open_in_root(&file, (uint32_t)getpid(), "/no/such/file"),
			 -ENOENT);
	ck_assert_int_lt(mapped_files__open_in_root(&file, (uint32_t)getpid(), "/dev/null"), 0);
	scratch__remove();
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

static bool accept_this(void *arg, uint32_t pid)
{
	(void)arg;
	return pid == (uint32_t)getpid();
}

START_TEST(test_all_processes)
{
	struct wanted wanted = { .name = "libc.so" };
	struct mapped_visitor visitor = { accept_this, find, &wanted, 0 };

	ck_assert_int_eq(mapped_files__visit(&visitor), 1);
	ck_assert_int_eq(mapped_files__visit_process(&visitor, UINT32_MAX), -ENOENT);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_names_of_mappings);
	tcase_add_test(tests, test_file_of_a_mapping);
	tcase_add_test(tests, test_replaced_file);
	tcase_add_test(tests, test_file_in_a_root);
	tcase_add_test(tests, test_all_processes);
}
