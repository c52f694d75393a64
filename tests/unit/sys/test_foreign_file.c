// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_foreign_file.c: files that are opened, and those that are refused without being opened. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/process.h"
#include "support/machine/refuse.h"
#include "support/machine/scratch.h"
#include "sys/foreign_file.h"
#include "unit/suite.h"

static unsigned fds;

static void setup(void)
{
	scratch__make();
	fds = process__count_fds();
}

static void teardown(void)
{
	ck_assert_uint_eq(process__count_fds(), fds);
	scratch__remove();
}

static void make_file(const char *name, const char *text)
{
	close(scratch__file(name, text));
}

/* The target is a path in the scratch directory as it is written. */
static void make_link(const char *target, const char *name)
{
	ck_assert_int_eq(symlink(target, scratch__path(name)), 0);
}

static void make_dir(const char *name)
{
	ck_assert_int_eq(mkdir(scratch__path(name), 0700), 0);
}

/* The fd has to read the text; or the error has to be the expected one. */
static void check_fd(int fd, const char *text)
{
	char found[64] = "";

	ck_assert_msg(fd >= 0, "%s", strerror(-fd));
	ck_assert_int_ge(read(fd, found, sizeof(found) - 1), 0);
	ck_assert_str_eq(found, text);
	close(fd);
}

static int open_path(const char *path)
{
	return foreign_file__open(NULL, path, FOREIGN_LINKS, NULL);
}

static int open_in_root(const char *path)
{
	return foreign_file__open(scratch__path("root"), path, FOREIGN_LINKS, NULL);
}

/* ---- files ----------------------------------------------------------------------------------- */

START_TEST(test_opens_regular_file)
{
	struct stat found, expected;
	int fd, flags;

	make_file("file", "text");
	fd = foreign_file__open(NULL, scratch__path("file"), FOREIGN_NO_LINK, &found);
	ck_assert_int_ge(fd, 0);
	flags = fcntl(fd, F_GETFL);
	ck_assert_int_eq(flags & O_ACCMODE, O_RDONLY);
	ck_assert_int_eq(flags & (O_NONBLOCK | O_PATH), O_NONBLOCK);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(stat(scratch__path("file"), &expected), 0);
	ck_assert_uint_eq(found.st_ino, expected.st_ino);
	ck_assert_uint_eq(found.st_dev, expected.st_dev);
	check_fd(fd, "text");
	ck_assert_int_eq(open_path(scratch__path("none")), -ENOENT);
}
END_TEST

/* Whether a file is opened while a path is tried. */
static void check_refused(const char *file, const char *path)
{
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char event[512];

	ck_assert_int_ge(events, 0);
	ck_assert_int_ge(inotify_add_watch(events, file, IN_OPEN | IN_ACCESS), 0);
	ck_assert_int_eq(open_path(path), -ENOTSUP);
	ck_assert_int_eq(foreign_file__open(NULL, path, FOREIGN_PROC_LINKS, NULL), -ENOTSUP);
	ck_assert_int_eq(foreign_file__open(NULL, path, FOREIGN_NO_LINK, NULL), -ENOTSUP);
	ck_assert_int_eq(foreign_file__open("/", path, FOREIGN_LINKS, NULL), -ENOTSUP);
	ck_assert_msg(read(events, event, sizeof(event)) < 0 && errno == EAGAIN,
		      "%s was opened by %s", file, path);
	close(events);
}

START_TEST(test_fifo_is_refused)
{
	ck_assert_int_eq(mkfifo(scratch__path("fifo"), 0600), 0);
	make_link("fifo", "link");
	check_refused(scratch__path("fifo"), scratch__path("fifo"));
	check_refused(scratch__path("fifo"), scratch__path("link"));
}
END_TEST

START_TEST(test_device_is_refused)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	const char *name;

	ck_assert_int_ge(terminal, 0);
	name = ptsname(terminal);
	ck_assert_ptr_nonnull(name);
	ck_assert_int_eq(unlockpt(terminal), 0);
	make_link(name, "link");
	check_refused(name, name);
	check_refused(name, scratch__path("link"));
	close(terminal);
}
END_TEST

START_TEST(test_no_file)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, scratch__path("socket"));
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(open_path(scratch__path("socket")), -ENOTSUP);
	close(fd);
	ck_assert_int_eq(open_path(scratch__dir()), -ENOTSUP);
}
END_TEST

START_TEST(test_kernel_files)
{
	static const char *const paths[] = { "/proc/self/status",
					     "/proc/kmsg",
					     "/proc/version",
					     "/sys/kernel/uevent_seqnum",
					     "/sys/fs/cgroup/cgroup.procs",
					     "/sys/kernel/tracing/trace_pipe" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		if (access(paths[i], F_OK))
			continue;
		ck_assert_msg(open_path(paths[i]) == -ENOTSUP, "%s", paths[i]);
		ck_assert_int_eq(foreign_file__open(NULL, paths[i], FOREIGN_PROC_LINKS, NULL),
				 -ENOTSUP);
	}
}
END_TEST

/* ---- links ----------------------------------------------------------------------------------- */

START_TEST(test_links_are_followed_if_allowed)
{
	make_dir("dir");
	make_file("dir/file", "text");
	make_link("dir", "linked");
	make_link("linked/file", "link");
	check_fd(open_path(scratch__path("link")), "text");
	check_fd(foreign_file__open(NULL, scratch__path("linked/file"), FOREIGN_NO_LINK, NULL),
		 "text");
	ck_assert_int_eq(foreign_file__open(NULL, scratch__path("link"), FOREIGN_NO_LINK, NULL),
			 -ENOTSUP);
}
END_TEST

/* Links of procfs to objects. */
START_TEST(test_proc_links)
{
	int fd = foreign_file__open(NULL, "/proc/self/exe", FOREIGN_PROC_LINKS, NULL);

	ck_assert_int_ge(fd, 0);
	close(fd);
	make_link("/proc/self/exe", "link");
	ck_assert_int_eq(open_path(scratch__path("link")), -ELOOP);
	ck_assert_int_eq(foreign_file__open("/", scratch__path("link"), FOREIGN_LINKS, NULL),
			 -ELOOP);
}
END_TEST

static void make_root(void)
{
	make_file("outside", "outside");
	make_dir("root");
	make_dir("root/dir");
	make_file("root/dir/file", "inside");
	make_file("root/outside", "inside");
}

/* Absolute links and ".." stay inside the root. */
START_TEST(test_paths_stay_in_root)
{
	make_root();
	make_link("/dir/file", "root/link");
	make_link("../../../../outside", "root/dir/up");
	check_fd(open_in_root("/dir/file"), "inside");
	check_fd(open_in_root("dir/file"), "inside");
	check_fd(open_in_root("/link"), "inside");
	check_fd(open_in_root("/dir/up"), "inside");
	check_fd(open_in_root("/../outside"), "inside");
	ck_assert_int_eq(open_in_root("/dir"), -ENOTSUP);
	ck_assert_int_eq(open_in_root("/"), -ENOTSUP);
	ck_assert_int_eq(open_in_root(""), -ENOENT);
	ck_assert_int_eq(foreign_file__open("/no/such/dir", "file", FOREIGN_LINKS, NULL), -ENOENT);
}
END_TEST

START_TEST(test_opens_in_directory)
{
	int directory;

	make_root();
	ck_assert_int_eq(mkfifo(scratch__path("root/fifo"), 0600), 0);
	directory = open(scratch__path("root"), O_PATH | O_DIRECTORY | O_CLOEXEC);
	check_fd(foreign_file__open_at(directory, "outside", NULL), "inside");
	ck_assert_int_eq(foreign_file__open_at(directory, "fifo", NULL), -ENOTSUP);
	ck_assert_int_eq(foreign_file__open_at(directory, "none", NULL), -ENOENT);
	close(directory);
}
END_TEST

/* ---- without openat2() ----------------------------------------------------------------------- */

static const int errors[] = { ENOSYS, EPERM };

START_TEST(test_without_openat2)
{
	make_root();
	make_link("/dir/file", "root/link");
	make_link("dir", "root/linked");
	ck_assert_int_eq(mkfifo(scratch__path("root/fifo"), 0600), 0);
	if (!refuse__call(SYS_openat2, errors[_i]))
		skip("no seccomp filters here");
	check_fd(open_in_root("/dir/file"), "inside");
	check_fd(open_in_root("//dir//file"), "inside");
	ck_assert_int_eq(open_in_root("/fifo"), -ENOTSUP);
	ck_assert_int_eq(open_in_root("/link"), -ENOTSUP);
	ck_assert_int_eq(open_in_root("/linked/file"), -ENOTDIR);
	ck_assert_int_eq(open_in_root("/../outside"), -ENOENT);
	ck_assert_int_eq(open_in_root("/dir/../../outside"), -ENOENT);
	ck_assert_int_eq(open_in_root("/dir"), -ENOTSUP);
	ck_assert_int_lt(open_in_root("/dir/file/"), 0);
	check_fd(open_path(scratch__path("root/linked/file")), "inside");
	check_refused(scratch__path("root/fifo"), scratch__path("root/fifo"));
	ck_assert_int_eq(open_path("/proc/self/status"), -ENOTSUP);
}
END_TEST

/* A memory file is local, a file of a server is not: what procfs has comes from the kernel. */
START_TEST(test_local_files_are_known)
{
	int memory = memfd_create("local", MFD_CLOEXEC), file = open("/proc/self/exe", O_RDONLY);
	int proc = open("/proc/self/status", O_RDONLY);

	ck_assert(foreign_file__is_local(memory));
	ck_assert(foreign_file__is_local(file));
	ck_assert(!foreign_file__is_local(proc));
	ck_assert(!foreign_file__is_local(-1));
	close(memory);
	close(file);
	close(proc);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_local_files_are_known);
	tcase_add_test(tests, test_opens_regular_file);
	tcase_add_test(tests, test_fifo_is_refused);
	tcase_add_test(tests, test_device_is_refused);
	tcase_add_test(tests, test_no_file);
	tcase_add_test(tests, test_kernel_files);
	tcase_add_test(tests, test_links_are_followed_if_allowed);
	tcase_add_test(tests, test_proc_links);
	tcase_add_test(tests, test_paths_stay_in_root);
	tcase_add_test(tests, test_opens_in_directory);
	tcase_add_loop_test(tests, test_without_openat2, 0, 2);
}
