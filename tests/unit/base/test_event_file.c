// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_file.c: files that events are written to: permissions, links, FIFOs. */
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/sink.h>

#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static char logged[512]; /* the last error */

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void setup(void)
{
	logged[0] = '\0';
	peat_set_print(note);
}

static void put(const char *path, mode_t mode)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	fputs("before", file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(path, mode), 0);
}

static struct stat status_of(const char *path)
{
	struct stat status;

	ck_assert_int_eq(stat(path, &status), 0);
	return status;
}

/* Creates the file, writes to it, and returns its permissions. */
static mode_t create(const char *path, const struct peat_file_opts *opts)
{
	int fd = peat_file__create(path, opts);

	ck_assert_int_ge(fd, 0);
	ck_assert_str_eq(logged, "");
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(status_of(path).st_size, 0);
	ck_assert_int_eq(write(fd, "abc", 3), 3);
	ck_assert_int_eq(close(fd), 0);
	ck_assert_int_eq(status_of(path).st_size, 3);
	return status_of(path).st_mode & 07777;
}

START_TEST(test_new_files_are_private)
{
	umask(0);
	ck_assert_uint_eq(create("new", NULL), 0600);
	put("old", 0644);
	ck_assert_uint_eq(create("old", NULL), 0644);
	ck_assert_int_eq(mkdir("dir", 0777), 0);
	ck_assert_uint_eq(create("dir/new", NULL), 0600);
}
END_TEST

static mode_t create_from(const char *recording, mode_t mode)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;

	opts.made_from = recording;
	put("out", mode);
	return create("out", &opts);
}

START_TEST(test_permissions_of_the_recording)
{
	put("private", 0600);
	put("group", 0640);
	put("read_only", 0444);
	ck_assert_int_eq(mkdir("directory", 0777), 0);
	ck_assert_uint_eq(create_from("private", 0666), 0600);
	ck_assert_uint_eq(create_from("group", 0666), 0640);
	ck_assert_uint_eq(create_from("group", 0604), 0600);
	ck_assert_uint_eq(create_from("read_only", 0644), 0644);
	ck_assert_uint_eq(create_from("directory", 0644), 0600);
	ck_assert_uint_eq(create_from("nothing", 0644), 0600);
	ck_assert_uint_eq(create_from(NULL, 0644), 0644);
	ck_assert_uint_eq(create_from("group", 0677), 0640);
	ck_assert_int_eq(dup2(open("group", O_RDONLY), STDIN_FILENO), STDIN_FILENO);
	ck_assert_uint_eq(create_from("-", 0666), 0640);
}
END_TEST

START_TEST(test_exclusive_refuses_existing_names)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;

	opts.exclusive = true;
	ck_assert_uint_eq(create("new", &opts), 0600);
	ck_assert_int_eq(peat_file__create("new", &opts), -EEXIST);
	ck_assert_int_eq(status_of("new").st_size, 3);
	ck_assert_int_eq(symlink("nothing", "link"), 0);
	ck_assert_int_eq(peat_file__create("link", &opts), -EEXIST);
	ck_assert_int_eq(access("nothing", F_OK), -1);
	ck_assert_str_eq(logged, "");
	ck_assert_int_eq(peat_file__create("nothing/file", &opts), -ENOENT);
	ck_assert_ptr_nonnull(strstr(logged, "nothing/file"));
}
END_TEST

static void check_size(const char *path, off_t bytes)
{
	ck_assert_int_eq(status_of(path).st_size, bytes);
}

/* A file with content is renamed, in its directory; a link to one is renamed itself. */
START_TEST(test_old_file)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;

	opts.keep_old = true;
	ck_assert_int_eq(mkdir("dir", 0700), 0);
	ck_assert_uint_eq(create("dir/file", &opts), 0600);
	ck_assert_int_eq(access("dir/file.old", F_OK), -1);
	put("dir/file", 0644);
	ck_assert_uint_eq(create("dir/file", &opts), 0600);
	check_size("dir/file.old", 6);
	ck_assert_int_eq(truncate("dir/file", 0), 0);
	create("dir/file", &opts);
	check_size("dir/file.old", 6);
	ck_assert_int_eq(symlink("dir/file", "link"), 0);
	create("link", &opts);
	check_size("link.old", 3);
	ck_assert_int_eq(readlink("link", (char[8]){ 0 }, 8), -1);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	ck_assert_int_eq(peat_file__create("fifo", &opts), -ENXIO);
	ck_assert_int_eq(rename("dir", "link2.old"), 0);
	put("link2", 0600);
	ck_assert_int_eq(peat_file__create("link2", &opts), -EISDIR);
	check_size("link2", 6);
}
END_TEST

/* Links of the caller are followed, also to files that do not exist, and to descriptors. */
START_TEST(test_follows_links)
{
	struct stat status;
	char path[32];
	int fd;

	ck_assert_int_eq(mkdir("dir", 0700), 0);
	ck_assert_int_eq(symlink("dir/target", "one"), 0);
	ck_assert_int_eq(symlink("../one", "dir/two"), 0);
	ck_assert_uint_eq(create("dir/two", NULL), 0600);
	ck_assert_int_eq(status_of("dir/target").st_size, 3);
	ck_assert_uint_eq(create("one", NULL), 0600);
	ck_assert_int_eq(symlink("loop", "loop"), 0);
	ck_assert_int_eq(peat_file__create("loop", NULL), -ELOOP);
	logged[0] = '\0';
	fd = open("dir/target", O_WRONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	create(path, NULL);
	close(fd);
	fd = peat_file__create("/dev/null", NULL);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &status), 0);
	ck_assert(S_ISCHR(status.st_mode));
	close(fd);
}
END_TEST

/* As many links in a row as the kernel follows. */
START_TEST(test_chain_of_links)
{
	char from[8], to[8];

	put("0", 0600);
	for (int i = 1; i <= 41; i++) {
		snprintf(from, sizeof(from), "%d", i);
		snprintf(to, sizeof(to), "%d", i - 1);
		ck_assert_int_eq(symlink(to, from), 0);
	}
	create("40", NULL);
	ck_assert_int_eq(peat_file__create("41", NULL), -ELOOP);
}
END_TEST

/* ---- other users ----------------------------------------------------------------------------- */

#define STRANGER 65534

static void check_refused(const char *path, int err, const char *words)
{
	logged[0] = '\0';
	ck_assert_int_eq(peat_file__create(path, NULL), err);
	ck_assert_msg(strstr(logged, path) && strstr(logged, words), "%s: %s", path, logged);
	logged[0] = '\0';
}

static void make_directory(const char *path, mode_t mode)
{
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(chmod(path, mode), 0);
}

static void give(const char *path, uid_t user)
{
	ck_assert_int_eq(lchown(path, user, (gid_t)-1), 0);
}

/* A file, a FIFO and a link that another user made in this directory, and a link of the caller. */
static void make_strange(const char *directory)
{
	ck_assert_int_eq(chdir(directory), 0);
	put("file", 0666);
	ck_assert_int_eq(mkfifo("fifo", 0666), 0);
	ck_assert_int_eq(symlink("target", "link"), 0);
	ck_assert_int_eq(symlink("link", "link_to_link"), 0);
	give("file", STRANGER);
	give("fifo", STRANGER);
	give("link", STRANGER);
}

static void check_strange(mode_t mode, bool is_refused)
{
	int fd;

	make_directory("dir", mode);
	make_strange("dir");
	if (is_refused) {
		check_refused("file", -EACCES, "another user");
		check_refused("fifo", -EACCES, "another user");
		check_refused("link", -EACCES, "another user");
		check_refused("link_to_link", -EACCES, "another user");
		ck_assert_int_eq(status_of("file").st_size, 6);
		ck_assert_int_eq(access("target", F_OK), -1);
	} else {
		create("file", NULL);
		create("link_to_link", NULL);
		check_refused("fifo", -ENXIO, "no process reads this FIFO");
		fd = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		ck_assert_int_ge(fd, 0);
		close(peat_file__create("fifo", NULL));
		close(fd);
	}
	ck_assert_int_eq(chdir(".."), 0);
	free(stock_perf__shell("rm -r dir"));
}

START_TEST(test_strange_files)
{
	if (geteuid())
		return;
	check_strange(01777, true);
	check_strange(01770, true);
	check_strange(01757, true);
	check_strange(01755, false);
	check_strange(0777, false);
}
END_TEST

/* A FIFO of another user is refused also if it has a reader. */
START_TEST(test_strange_fifo_with_a_reader)
{
	int fd;

	if (geteuid())
		return;
	make_directory("dir", 01777);
	make_strange("dir");
	fd = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	check_refused("fifo", -EACCES, "another user");
	close(fd);
}
END_TEST

/* The directory's owner may replace each file in it anyway. */
START_TEST(test_files_of_the_owner_of_the_directory)
{
	if (geteuid())
		return;
	make_directory("dir", 01777);
	give("dir", STRANGER);
	make_strange("dir");
	create("file", NULL);
	create("link", NULL);
	check_refused("fifo", -ENXIO, "no process reads this FIFO");
}
END_TEST

/* The second name of a file may be a stranger's work, in a shared directory only. */
START_TEST(test_second_name)
{
	make_directory("shared", 01777);
	put("file", 0600);
	ck_assert_int_eq(link("file", "shared/second"), 0);
	check_refused("shared/second", -EACCES, "another name");
	create("file", NULL);
	put("shared/own", 0600);
	create("shared/own", NULL);
	create("shared/new", NULL);
}
END_TEST

static void strange_link(const char *target, const char *path)
{
	ck_assert_int_eq(symlink(target, path), 0);
	give(path, STRANGER);
}

/* A link of a user leads to files that the user could have written. */
static void check_strange_links(mode_t mode, uid_t owner)
{
	make_directory("dir", mode);
	give("dir", owner);
	put("precious", 0644);
	make_directory("theirs", 0755);
	give("theirs", STRANGER);
	put("theirs/file", 0644);
	give("theirs/file", STRANGER);
	put("theirs/left", 0600);
	ck_assert_int_eq(link("precious", "theirs/second"), 0);
	ck_assert_int_eq(symlink("file", "theirs/own"), 0);
	strange_link("../precious", "dir/one");
	strange_link("../absent", "dir/two");
	strange_link("../theirs/second", "dir/three");
	strange_link("../theirs/own", "dir/four");
	strange_link("/dev/null", "dir/five");
	strange_link("/proc/self/fd/1", "dir/six");
	strange_link("../theirs/file", "dir/good");
	strange_link("../theirs/new", "dir/new");
	strange_link("../theirs/left", "dir/left");
	strange_link("good", "dir/chain");
	check_refused("dir/one", -EACCES, "another user");
	check_refused("dir/two", -EACCES, "another user");
	check_refused("dir/three", -EACCES, "another user");
	check_refused("dir/four", -EACCES, "another user");
	check_refused("dir/five", -EACCES, "another user");
	check_refused("dir/six", -EACCES, "another user");
	ck_assert_int_eq(status_of("precious").st_size, 6);
	ck_assert_int_eq(access("absent", F_OK), -1);
	create("dir/good", NULL);
	create("dir/new", NULL);
	create("dir/left", NULL);
	create("dir/chain", NULL);
	ck_assert_int_eq(status_of("theirs/file").st_size, 3);
	ck_assert_int_eq(status_of("theirs/new").st_size, 3);
	free(stock_perf__shell("rm -r dir theirs"));
}

START_TEST(test_strange_links)
{
	if (geteuid())
		return;
	ck_assert_int_eq(chmod(".", 0755), 0);
	check_strange_links(0755, STRANGER);
	check_strange_links(0777, 0);
	check_strange_links(0775, 0);
}
END_TEST

/* Where other users can write, also without the sticky bit. */
START_TEST(test_second_name_with_a_stranger)
{
	if (geteuid())
		return;
	put("file", 0600);
	make_directory("theirs", 0755);
	give("theirs", STRANGER);
	make_directory("open", 0777);
	make_directory("own", 0755);
	ck_assert_int_eq(link("file", "theirs/second"), 0);
	ck_assert_int_eq(link("file", "open/second"), 0);
	ck_assert_int_eq(link("file", "own/second"), 0);
	check_refused("theirs/second", -EACCES, "another name");
	check_refused("open/second", -EACCES, "another name");
	ck_assert_int_eq(status_of("file").st_size, 6);
	create("own/second", NULL);
	ck_assert_int_eq(symlink("/dev/null", "link"), 0);
	ck_assert_int_eq(linkat(AT_FDCWD, "link", AT_FDCWD, "theirs/link", 0), 0);
	check_refused("theirs/link", -EACCES, "another name");
}
END_TEST

/* Devices can be written to whoever owns them. */
START_TEST(test_strange_device)
{
	int fd;

	if (geteuid() || mknod("null", S_IFCHR | 0666, makedev(1, 3)))
		return;
	make_directory("shared", 01777);
	ck_assert_int_eq(rename("null", "shared/null"), 0);
	give("shared/null", STRANGER);
	fd = peat_file__create("shared/null", NULL);
	ck_assert(fd >= 0 || errno == EACCES); /* a file system without devices */
	if (fd >= 0)
		close(fd);
}
END_TEST

/* The result of another user, 0 for a file. */
static int create_as_stranger(const char *path)
{
	int status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child) {
		if (setresuid(STRANGER, STRANGER, STRANGER))
			_exit(EPERM);
		status = peat_file__create(path, NULL);
		_exit(status < 0 ? -status : 0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return -WEXITSTATUS(status);
}

/* A directory that the user may enter, but not list. */
START_TEST(test_directory_that_cannot_be_listed)
{
	if (geteuid())
		return;
	ck_assert_int_eq(chmod(".", 0755), 0);
	make_directory("dir", 0300);
	give("dir", STRANGER);
	ck_assert_int_eq(create_as_stranger("dir/new"), 0);
	ck_assert_int_eq(access("dir/new", F_OK), 0);
}
END_TEST

START_TEST(test_directory_that_cannot_be_written_to)
{
	if (geteuid())
		return;
	ck_assert_int_eq(chmod(".", 0755), 0);
	ck_assert_int_eq(create_as_stranger("new"), -EACCES);
	put("file", 0644);
	ck_assert_int_eq(create_as_stranger("file"), -EACCES);
}
END_TEST

/* ---- failures and FIFOs ---------------------------------------------------------------------- */

START_TEST(test_failures_name_the_file)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;

	ck_assert_int_eq(mkdir("dir", 0700), 0);
	ck_assert_int_eq(peat_file__create("dir", NULL), -EISDIR);
	ck_assert_int_eq(peat_file__create("dir/", NULL), -EISDIR);
	put("file", 0600);
	ck_assert_int_eq(peat_file__create("file/", NULL), -ENOTDIR);
	ck_assert_int_eq(peat_file__create("", NULL), -ENOENT);
	ck_assert_int_eq(peat_file__create("nothing/file", NULL), -ENOENT);
	ck_assert_int_eq(peat_file__create(NULL, NULL), -EINVAL);
	check_refused("nothing/file", -ENOENT, "No such file");
	for (size_t i = 0; i < sizeof(opts.reserved); i++) {
		opts.reserved[i] = 1;
		logged[0] = '\0';
		ck_assert_int_eq(peat_file__create("new", &opts), -EINVAL);
		ck_assert_str_eq(logged, "peat_file_opts: reserved is not 0: set it to 0");
		opts.reserved[i] = 0;
	}
	opts.sz = 3;
	ck_assert_int_eq(peat_file__create("new", &opts), -EINVAL);
	ck_assert_int_eq(access("new", F_OK), -1);
}
END_TEST

/* A file that may not shrink. */
START_TEST(test_file_that_cannot_be_emptied)
{
	int fd = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	unsigned fds = process__count_fds();
	char path[32];

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "before", 6), 6);
	ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	check_refused(path, -EPERM, "Operation not permitted");
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

/* Allocations that fail close nothing of the caller's. */
START_TEST(test_no_memory)
{
	ck_assert_int_eq(symlink("file", "link"), 0);
	for (unsigned nth = 1; nth; nth++) {
		int fd;

		fail_alloc__begin(nth);
		fd = peat_file__create("link", NULL);
		if (!fail_alloc__end()) {
			ck_assert_int_ge(fd, 0);
			break;
		}
		ck_assert_int_eq(fd, -ENOMEM);
		ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
	}
}
END_TEST

/* Opening does not wait, or not longer than requested; the descriptor itself blocks. */
START_TEST(test_fifo_needs_a_reader)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;
	char bytes[4];
	int reader, fd;

	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	check_refused("fifo", -ENXIO, "no process reads this FIFO");
	opts.fifo_ms = 30;
	ck_assert_int_eq(peat_file__create("fifo", &opts), -ENXIO);
	reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	fd = peat_file__create("fifo", NULL);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	ck_assert_int_eq(write(fd, "abc", 3), 3);
	ck_assert_int_eq(read(reader, bytes, sizeof(bytes)), 3);
	close(fd);
	close(reader);
}
END_TEST

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* One of 20 attempts is fast, however busy the machine is.  Any time is that of one step. */
START_TEST(test_fifo_without_a_time)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;
	uint64_t least_ns = UINT64_MAX, first_ns;

	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	for (int i = 0; i < 20; i++) {
		uint64_t begin_ns = now_ns(), ns;

		ck_assert_int_eq(peat_file__create("fifo", NULL), -ENXIO);
		ns = now_ns() - begin_ns;
		least_ns = ns < least_ns ? ns : least_ns;
	}
	ck_assert_uint_lt(least_ns, 10 * 1000000);
	opts.fifo_ms = 1;
	first_ns = now_ns();
	ck_assert_int_eq(peat_file__create("fifo", &opts), -ENXIO);
	ck_assert_uint_ge(now_ns() - first_ns, 10 * 1000000);
}
END_TEST

/* Only the file itself stays open; after a failure, nothing. */
START_TEST(test_closed_files)
{
	unsigned fds = process__count_fds();
	long blocks;
	int fd;

	put("file", 0600);
	blocks = fail_alloc__blocks();
	ck_assert_int_eq(symlink("file", "link"), 0);
	ck_assert_int_eq(symlink("loop", "loop"), 0);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	make_directory("shared", 01777);
	ck_assert_int_eq(link("file", "shared/second"), 0);
	fd = peat_file__create("link", NULL);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(peat_file__create("loop", NULL), -ELOOP);
	ck_assert_int_eq(peat_file__create("fifo", NULL), -ENXIO);
	ck_assert_int_eq(peat_file__create("file/new", NULL), -ENOTDIR);
	ck_assert_int_eq(peat_file__create("shared/second", NULL), -EACCES);
	ck_assert_int_eq(peat_file__create("shared", NULL), -EISDIR);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

/* 0 is a file descriptor like any other. */
START_TEST(test_closed_standard_input)
{
	unsigned fds;

	close(STDIN_FILENO);
	fds = process__count_fds();
	create("file", NULL);
	create("file", NULL);
	ck_assert_int_eq(symlink("file", "link"), 0);
	create("link", NULL);
	ck_assert_int_eq(peat_file__create("nothing/file", NULL), -ENOENT);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

/* The path is a file, a link and nothing, in turns. */
static void replace(const char *path)
{
	const uint64_t end_ns = now_ns() + 500000000;

	while (now_ns() < end_ns) {
		int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

		if (fd >= 0)
			close(fd);
		unlink(path);
		if (symlink("target", path))
			continue;
		unlink(path);
	}
}

/* Each call ends with a file, or says that it was replaced too often. */
START_TEST(test_replaced_file)
{
	unsigned created = 0;
	int status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child) {
		replace("path");
		_exit(0);
	}
	do {
		int fd = peat_file__create("path", NULL);

		if (fd == -EAGAIN)
			continue;
		if (fd <= STDERR_FILENO)
			ck_abort_msg("%d: %s", fd, logged);
		created++;
		close(fd);
		unlink("path");
	} while (!waitpid(child, &status, WNOHANG));
	ck_assert_int_eq(status, 0);
	ck_assert_uint_gt(created, 0);
}
END_TEST

/* The reader opens the FIFO after the first attempts. */
START_TEST(test_fifo_with_a_late_reader)
{
	const struct timespec pause = { .tv_nsec = 50 * 1000000 };
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;
	char bytes[4];
	pid_t child;
	int status, fd;

	opts.fifo_ms = 8000;
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		nanosleep(&pause, NULL);
		_exit(read(open("fifo", O_RDONLY | O_CLOEXEC), bytes, sizeof(bytes)) != 3);
	}
	fd = peat_file__create("fifo", &opts);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "abc", 3), 3);
	close(fd);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_new_files_are_private);
	tcase_add_test(tests, test_permissions_of_the_recording);
	tcase_add_test(tests, test_exclusive_refuses_existing_names);
	tcase_add_test(tests, test_follows_links);
	tcase_add_test(tests, test_chain_of_links);
	tcase_add_test(tests, test_strange_files);
	tcase_add_test(tests, test_strange_fifo_with_a_reader);
	tcase_add_test(tests, test_files_of_the_owner_of_the_directory);
	tcase_add_test(tests, test_second_name);
	tcase_add_test(tests, test_strange_links);
	tcase_add_test(tests, test_second_name_with_a_stranger);
	tcase_add_test(tests, test_old_file);
	tcase_add_test(tests, test_strange_device);
	tcase_add_test(tests, test_directory_that_cannot_be_listed);
	tcase_add_test(tests, test_directory_that_cannot_be_written_to);
	tcase_add_test(tests, test_closed_files);
	tcase_add_test(tests, test_closed_standard_input);
	tcase_add_test(tests, test_replaced_file);
	tcase_add_test(tests, test_failures_name_the_file);
	tcase_add_test(tests, test_file_that_cannot_be_emptied);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_fifo_without_a_time);
	tcase_add_test(tests, test_fifo_needs_a_reader);
	tcase_add_test(tests, test_fifo_with_a_late_reader);
}
