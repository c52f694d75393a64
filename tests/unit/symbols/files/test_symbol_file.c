// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_symbol_file.c: the file of a mapping, found and checked. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/process.h"
#include "symbols/files/symbol_file.h"
#include "unit/suite.h"
#include "support/symbols/made_elf.h"

#define ID "0123456789abcdefghij"

/* A file with the build-id ID, made at a path.  machine: EM_*, 0: that of this machine. */
static void write_file_of(const char *path, uint16_t machine)
{
	struct made_elf made = made_elf__own();
	FILE *file = fopen(path, "w+e");

	ck_assert_ptr_nonnull(file);
	made.build_id = ID;
	if (machine)
		made.machine = machine;
	made_elf__write(&made, fileno(file));
	fclose(file);
}

static void write_file(const char *path)
{
	write_file_of(path, 0);
}

static struct mapped_file mapped(const char *path, const char *id)
{
	struct mapped_file file = { .key = { .path = path }, .kind = MAPPED_FILE };

	if (id)
		build_id__set(&file.key.build_id, id, 20);
	return file;
}

static struct mapped_file mapped_inode(const char *path)
{
	struct mapped_file file = mapped(path, NULL);
	struct stat found;

	ck_assert_int_eq(stat(path, &found), 0);
	file.key.inode = found.st_ino;
	file.key.major = major(found.st_dev);
	file.key.minor = minor(found.st_dev);
	return file;
}

static void check(const struct mapped_file *file, const struct file_place *place, int expected)
{
	unsigned fds = process__count_fds();
	const struct file_reader reader = { 0 };
	struct opened_file opened;
	int err = symbol_file__open(&reader, file, place, &opened);

	ck_assert_int_eq(err, expected);
	if (!err) {
		ck_assert_str_eq(opened.path, file->key.path);
		ck_assert_uint_eq(opened.pid, place->is_live ? place->pid : 0);
		close(opened.fd);
	}
	ck_assert_uint_eq(process__count_fds(), fds);
}

static const struct file_place recorded = { 1, 0x1000, 0x2000, false, NULL };

START_TEST(test_build_id)
{
	char path[] = "/tmp/peat-file-XXXXXX";
	struct mapped_file right = mapped(path, ID), wrong = mapped(path, "aaaaaaaaaaaaaaaaaaaa");
	struct mapped_file unknown = mapped(path, NULL);

	close(mkstemp(path));
	write_file(path);
	check(&right, &recorded, 0);
	check(&wrong, &recorded, -ESTALE);
	check(&unknown, &recorded, 0);
	ck_assert(symbol_file__is_lasting(&right));
	unlink(path);
	check(&right, &recorded, -ENOENT);
}
END_TEST

/* No machine runs programs of all others. */
START_TEST(test_other_machine)
{
	const uint16_t own = made_elf__own().machine;
	char path[] = "/tmp/peat-file-XXXXXX";
	struct mapped_file file = mapped(path, ID);

	close(mkstemp(path));
	write_file_of(path, own == EM_S390 ? EM_X86_64 : EM_S390);
	check(&file, &recorded, -ESTALE);
	unlink(path);
}
END_TEST

START_TEST(test_inode_is_compared)
{
	char path[] = "/tmp/peat-file-XXXXXX";
	struct mapped_file file;

	close(mkstemp(path));
	write_file(path);
	file = mapped_inode(path);
	check(&file, &recorded, 0);
	file.key.inode++;
	check(&file, &recorded, -ESTALE);
	unlink(path);
}
END_TEST

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/*
 * A file without a build-id that has changed after a recording: a hard link to it changes nothing
 * of what was mapped, unless only its path is known.
 */
START_TEST(test_changed_since)
{
	struct file_origin origin = { .arch = "x86_64" };
	const struct file_place place = { 1, 0x1000, 0x2000, false, &origin };
	char path[] = "/tmp/peat-file-XXXXXX", other[sizeof(path) + 5];
	struct mapped_file by_inode, by_path;

	close(mkstemp(path));
	write_file(path);
	by_inode = mapped_inode(path);
	by_path = mapped(path, NULL);
	usleep(20000); /* the kernel's clock of files has ticks */
	origin.changed_ns = now_ns();
	check(&by_inode, &place, 0);
	check(&by_path, &place, 0);
	usleep(20000);
	snprintf(other, sizeof(other), "%s.link", path);
	ck_assert_int_eq(link(path, other), 0);
	check(&by_inode, &place, 0);
	check(&by_path, &place, -ESTALE);
	write_file(path);
	check(&by_inode, &place, -ESTALE);
	origin.changed_ns = 0; /* unknown */
	check(&by_inode, &place, 0);
	origin.is_elsewhere = true;
	check(&by_inode, &place, -EXDEV);
	unlink(path);
	unlink(other);
}
END_TEST

/* A new file with the inode of a deleted one. */
START_TEST(test_generation_is_compared)
{
	char path[] = "/tmp/peat-file-XXXXXX";
	struct mapped_file file;
	long generation = 0;
	int fd, err;

	close(mkstemp(path));
	write_file(path);
	file = mapped_inode(path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	err = ioctl(fd, FS_IOC_GETVERSION, &generation);
	close(fd);
	file.key.generation = (uint32_t)generation;
	check(&file, &recorded, 0);
	file.key.generation++;
	if (!err)
		check(&file, &recorded, -ESTALE);
	unlink(path);
	if (err)
		skip("inodes have no generation in the file system of /tmp");
}
END_TEST

/* Devices, pipes and directories are not opened for reading, or not believed. */
START_TEST(test_no_file)
{
	struct mapped_file zero = mapped("/dev/zero", NULL), directory = mapped("/tmp", NULL);
	struct mapped_file text = mapped("/proc/self/status", NULL);
	char path[] = "/tmp/peat-pipe-XXXXXX";
	struct mapped_file pipe = mapped(path, NULL);

	check(&zero, &recorded, -ENOEXEC);
	check(&directory, &recorded, -ENOEXEC);
	check(&text, &recorded, -ENOEXEC);
	close(mkstemp(path));
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	check(&pipe, &recorded, -ENOEXEC);
	unlink(path);
}
END_TEST

/* A deleted file that this process still has mapped. */
START_TEST(test_deleted_file_is_opened)
{
	char path[] = "/tmp/peat-file-XXXXXX", name[64];
	struct file_place place = { (uint32_t)getpid(), 0, 0, true, NULL };
	struct mapped_file file;
	FILE *opened;
	void *code;

	close(mkstemp(path));
	write_file(path);
	file = mapped_inode(path);
	opened = fopen(path, "re");
	code = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(opened), 0);
	fclose(opened);
	unlink(path);
	snprintf(name, sizeof(name), "%s (deleted)", path);
	file.key.path = name;
	place.begin = (uintptr_t)code;
	place.end = place.begin + 4096;
	if (geteuid())
		skip("/proc/PID/map_files needs root");
	check(&file, &place, 0);
	place.is_live = false;
	check(&file, &place, -ENOENT);
	munmap(code, 4096);
}
END_TEST

/* perf's copies by build-id are used if the file is gone. */
START_TEST(test_perf_copy)
{
	char home[] = "/tmp/peat-home-XXXXXX", command[512], path[256];
	struct mapped_file file = mapped("/no/such/file", ID);
	char id[BUILD_ID_TEXT];

	ck_assert_ptr_nonnull(mkdtemp(home));
	build_id__text(&file.key.build_id, id);
	snprintf(path, sizeof(path), "%s/.debug/.build-id/%.2s/%s", home, id, id + 2);
	snprintf(command, sizeof(command), "mkdir -p %s", path);
	ck_assert_int_eq(system(command), 0);
	strcat(path, "/elf");
	write_file(path);
	setenv("HOME", home, 1);
	check(&file, &recorded, 0);
	if (!geteuid()) { /* the home of another user */
		ck_assert_int_eq(chown(home, 12345, 12345), 0);
		check(&file, &recorded, -ENOENT);
	}
	setenv("HOME", "/no/such/directory", 1);
	check(&file, &recorded, -ENOENT);
	snprintf(command, sizeof(command), "rm -rf %s", home);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_build_id);
	tcase_add_test(tests, test_other_machine);
	tcase_add_test(tests, test_inode_is_compared);
	tcase_add_test(tests, test_changed_since);
	tcase_add_test(tests, test_generation_is_compared);
	tcase_add_test(tests, test_no_file);
	tcase_add_test(tests, test_deleted_file_is_opened);
	tcase_add_test(tests, test_perf_copy);
}
