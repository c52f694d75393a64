// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_filechange.c: the probe filechange: who deletes, renames, links, truncates files. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/scratch.h"
#include "support/machine/tracing.h"

#define FCHMODAT2 452 /* Linux 6.6 */

static void start(struct tracing *tracing, const char *probe)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	tracing__start(tracing, TRACE(probe, "-p", pid));
	process__pin();
}

/* The next event of this process. */
static const char *next(const struct tracing *tracing, size_t *from, const char *op,
			const char *path, const char *path2)
{
	const char *event = tracing__next(tracing, "filechange", getpid(), from);

	ck_assert_msg(event, "no event of %s", op);
	expect_text(event, "op", op);
	expect_text(event, "path", path);
	expect_text(event, "path2", path2);
	return event;
}

static void expect_values(const char *event, int result, int mode, long bytes)
{
	expect_number(event, "tid", getpid());
	expect_number(event, "result", result);
	expect_number(event, "mode", mode);
	expect_number(event, "bytes", bytes);
}

static void expect_failure(const struct tracing *tracing, size_t *from, const char *op,
			   const char *path, const char *path2, const char *error)
{
	const char *event = next(tracing, from, op, path, path2);

	expect_text(event, "result", error);
}

#define EXPECT(op, path, path2, ...)                                                               \
	expect_values(next(&tracing, &from, op, path, path2), __VA_ARGS__)

static void expect_end(const struct tracing *tracing, size_t from)
{
	ck_assert_ptr_null(tracing__next(tracing, "filechange", getpid(), &from));
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The C library makes these calls in one way or another, by architecture. */
START_TEST(test_absolute_paths)
{
	const char *old = scratch__path("old"), *new = scratch__path("new");
	struct tracing tracing;
	size_t from = 0;

	scratch__file("old", "");
	start(&tracing, "filechange");
	ck_assert_int_eq(rename(old, new), 0);
	ck_assert_int_eq(link(new, old), 0);
	ck_assert_int_eq(unlink(old), 0);
	ck_assert_int_eq(symlink("../any/target", old), 0);
	ck_assert_int_eq(unlink(old), 0);
	ck_assert_int_eq(mkdir(old, 01750), 0);
	ck_assert_int_eq(rmdir(old), 0);
	ck_assert_int_eq(chmod(new, 04640), 0);
	ck_assert_int_eq(truncate(new, 123456), 0);
	tracing__stop(&tracing);
	EXPECT("rename", old, new, 0, 0, 0);
	EXPECT("link", new, old, 0, 0, 0);
	EXPECT("unlink", old, "", 0, 0, 0);
	EXPECT("symlink", "../any/target", old, 0, 0, 0);
	EXPECT("unlink", old, "", 0, 0, 0);
	EXPECT("mkdir", old, "", 0, 1750, 0);
	EXPECT("rmdir", old, "", 0, 0, 0);
	EXPECT("chmod", new, "", 0, 4640, 0);
	EXPECT("truncate", new, "", 0, 0, 123456);
	expect_end(&tracing, from);
	tracing__free(&tracing);
}
END_TEST

/* With the directory that the path begins in: the current one. */
START_TEST(test_relative_paths)
{
	struct tracing tracing;
	size_t from = 0;

	scratch__file("old", "");
	start(&tracing, "filechange");
	ck_assert_int_eq(chdir(scratch__dir()), 0);
	ck_assert_int_eq(rename("old", "./new"), 0);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(unlink(scratch__path("new") + 1), 0);
	ck_assert_int_lt(unlink(""), 0);
	tracing__stop(&tracing);
	EXPECT("rename", scratch__path("old"), scratch__path("./new"), 0, 0, 0);
	EXPECT("unlink", scratch__path("new"), "", 0, 0, 0);
	expect_failure(&tracing, &from, "unlink", "", "", "ENOENT");
	expect_end(&tracing, from);
	tracing__free(&tracing);
}
END_TEST

/* Paths that are relative to a file descriptor. */
START_TEST(test_paths_in_directories)
{
	struct tracing tracing;
	size_t from = 0;
	int dir, sub;

	scratch__file("file", "");
	ck_assert_int_eq(mkdir(scratch__path("sub"), 0700), 0);
	dir = open(scratch__dir(), O_RDONLY | O_DIRECTORY);
	sub = open(scratch__path("sub"), O_PATH);
	start(&tracing, "filechange");
	ck_assert_int_eq(mkdirat(sub, "sub", 0711), 0);
	ck_assert_int_eq(unlinkat(sub, "sub", AT_REMOVEDIR), 0);
	ck_assert_int_eq(renameat(dir, "file", sub, "moved"), 0);
	ck_assert_int_eq(syscall(SYS_renameat2, sub, "moved", sub, "again", 0), 0);
	ck_assert_int_eq(linkat(sub, "again", dir, "linked", 0), 0);
	ck_assert_int_eq(symlinkat("text", sub, "symbolic"), 0);
	ck_assert_int_eq(fchmodat(dir, "linked", 0604, 0), 0);
	ck_assert_int_eq(unlinkat(dir, "linked", 0), 0);
	tracing__stop(&tracing);
	EXPECT("mkdir", scratch__path("sub/sub"), "", 0, 711, 0);
	EXPECT("rmdir", scratch__path("sub/sub"), "", 0, 0, 0);
	EXPECT("rename", scratch__path("file"), scratch__path("sub/moved"), 0, 0, 0);
	EXPECT("rename", scratch__path("sub/moved"), scratch__path("sub/again"), 0, 0, 0);
	EXPECT("link", scratch__path("sub/again"), scratch__path("linked"), 0, 0, 0);
	EXPECT("symlink", "text", scratch__path("sub/symbolic"), 0, 0, 0);
	EXPECT("chmod", scratch__path("linked"), "", 0, 604, 0);
	EXPECT("unlink", scratch__path("linked"), "", 0, 0, 0);
	expect_end(&tracing, from);
	tracing__free(&tracing);
}
END_TEST

/* Older kernels refuse the call, which is an event as well. */
START_TEST(test_fchmodat2_is_traced)
{
	struct tracing tracing;
	size_t from = 0;
	const char *event;
	int result;

	scratch__file("file", "");
	start(&tracing, "filechange");
	result = (int)syscall(FCHMODAT2, AT_FDCWD, scratch__path("file"), 0640, 0);
	tracing__stop(&tracing);
	event = next(&tracing, &from, "chmod", scratch__path("file"), "");
	expect_number(event, "mode", 640);
	if (result)
		expect_text(event, "result", "ENOSYS");
	else
		expect_number(event, "result", 0);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_open_files)
{
	struct tracing tracing;
	size_t from = 0;
	int fd = scratch__file("file", "0123456789");

	start(&tracing, "filechange");
	ck_assert_int_eq(fchmod(fd, 0444), 0);
	ck_assert_int_eq(ftruncate(fd, 5), 0);
	tracing__stop(&tracing);
	EXPECT("chmod", scratch__path("file"), "", 0, 444, 0);
	EXPECT("truncate", scratch__path("file"), "", 0, 0, 5);
	expect_end(&tracing, from);
	tracing__free(&tracing);
}
END_TEST

/* Owners and attributes; a file system need not have attributes, but the call is an event. */
START_TEST(test_owners_and_attributes)
{
	const char *path = scratch__path("file");
	struct tracing tracing;
	size_t from = 0;
	int fd = scratch__file("file", "");

	start(&tracing, "filechange");
	ck_assert_int_eq(chown(path, 1, 2), 0);
	ck_assert_int_eq(lchown(path, 3, 4), 0);
	ck_assert_int_eq(fchown(fd, 5, 6), 0);
	setxattr(path, "user.one", "1", 1, 0);
	lsetxattr(path, "user.two", "2", 1, 0);
	fsetxattr(fd, "user.three", "3", 1, 0);
	removexattr(path, "user.one");
	lremovexattr(path, "user.two");
	fremovexattr(fd, "user.three");
	tracing__stop(&tracing);
	for (int i = 0; i < 3; i++)
		EXPECT("chown", path, "", 0, 0, 0);
	next(&tracing, &from, "setxattr", path, "user.one");
	next(&tracing, &from, "setxattr", path, "user.two");
	next(&tracing, &from, "setxattr", path, "user.three");
	next(&tracing, &from, "removexattr", path, "user.one");
	next(&tracing, &from, "removexattr", path, "user.two");
	next(&tracing, &from, "removexattr", path, "user.three");
	expect_end(&tracing, from);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_new_nodes)
{
	struct tracing tracing;
	size_t from = 0;
	int dir = open(scratch__dir(), O_RDONLY | O_DIRECTORY);

	start(&tracing, "filechange");
	ck_assert_int_eq(mknod(scratch__path("fifo"), S_IFIFO | 0620, 0), 0);
	ck_assert_int_eq(mknodat(dir, "file", S_IFREG | 0604, 0), 0);
	tracing__stop(&tracing);
	EXPECT("mknod", scratch__path("fifo"), "", 0, 620, 0);
	EXPECT("mknod", scratch__path("file"), "", 0, 604, 0);
	expect_end(&tracing, from);
	tracing__free(&tracing);
}
END_TEST

/* An empty path is the file of the descriptor itself, with AT_EMPTY_PATH alone. */
START_TEST(test_empty_paths)
{
	struct tracing tracing;
	size_t from = 0;
	int fd = scratch__file("file", "");

	start(&tracing, "filechange");
	ck_assert_int_eq(fchownat(fd, "", 0, 0, AT_EMPTY_PATH), 0);
	ck_assert_int_eq(linkat(fd, "", AT_FDCWD, scratch__path("linked"), AT_EMPTY_PATH), 0);
	ck_assert_int_lt(fchownat(fd, "", 0, 0, 0), 0);
	tracing__stop(&tracing);
	EXPECT("chown", scratch__path("file"), "", 0, 0, 0);
	EXPECT("link", scratch__path("file"), scratch__path("linked"), 0, 0, 0);
	expect_failure(&tracing, &from, "chown", "", "", "ENOENT");
	expect_end(&tracing, from);
	tracing__free(&tracing);
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------- */

START_TEST(test_failures_alone_are_traced)
{
	struct tracing tracing;
	size_t from = 0;

	scratch__file("file", "");
	start(&tracing, "filechange,failed");
	ck_assert_int_eq(unlink(scratch__path("file")), 0);
	ck_assert_int_lt(unlink(scratch__path("file")), 0);
	ck_assert_int_lt(renameat(-1, "a", -1, "b"), 0);
	ck_assert_int_lt(ftruncate(-1, 7), 0);
	tracing__stop(&tracing);
	expect_failure(&tracing, &from, "unlink", scratch__path("file"), "", "ENOENT");
	expect_failure(&tracing, &from, "rename", "a", "b", "EBADF");
	expect_failure(&tracing, &from, "truncate", "", "", "EBADF");
	expect_end(&tracing, from);
	tracing__free(&tracing);
}
END_TEST

/* A relative path of 255 bytes in a directory with a path of more than 255. */
START_TEST(test_long_paths)
{
	struct tracing tracing;
	char name[256], end[600];
	size_t from = 0;
	const char *event, *path;

	memset(name, 'x', 255);
	name[255] = '\0';
	start(&tracing, "filechange");
	ck_assert_int_eq(chdir(scratch__dir()), 0);
	ck_assert_int_eq(mkdir(name, 0700), 0);
	ck_assert_int_eq(chdir(name), 0);
	ck_assert_int_eq(mkdir("sub", 0700), 0);
	ck_assert_int_eq(chdir("sub"), 0);
	ck_assert_int_eq(symlink("text", name), 0);
	ck_assert_int_eq(unlink(name), 0);
	ck_assert_int_eq(rmdir("../sub"), 0);
	tracing__stop(&tracing);
	next(&tracing, &from, "mkdir", scratch__path(name), "");
	event = tracing__next(&tracing, "filechange", getpid(), &from);
	expect_text(event, "op", "mkdir");
	snprintf(end, sizeof(end), ".../sub/%s", name);
	next(&tracing, &from, "symlink", "text", end);
	next(&tracing, &from, "unlink", end, "");
	event = tracing__next(&tracing, "filechange", getpid(), &from);
	path = json_lines__text(event, "path");
	ck_assert_str_eq(path + strlen(path) - strlen("/../sub"), "/../sub");
	tracing__free(&tracing);
}
END_TEST

/* Reading, writing and opening changes no names. */
START_TEST(test_reading_is_silent)
{
	struct tracing tracing;
	struct stat status;
	char byte;
	int fd;

	start(&tracing, "filechange");
	fd = scratch__file("file", "0123456789");
	ck_assert_int_eq(read(fd, &byte, 1), 1);
	ck_assert_int_eq(fstat(fd, &status), 0);
	ck_assert_int_eq(access(scratch__path("file"), R_OK), 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_counts_by_result)
{
	struct command peat;
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	command__start(&peat, ALL_CAPS,
		       ARGV(command__peat(), "count", "-v", "-j", "filechange", "--by", "op,result",
			    "-p", pid));
	command__expect(peat.err, "attached");
	for (int i = 0; i < 20; i++) {
		close(scratch__file("file", ""));
		ck_assert_int_eq(unlink(scratch__path("file")), 0);
	}
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_msg(strstr(peat.out_text, "{\"op\":\"unlink\",\"result\":0,\"count\":20}"), "%s",
		      peat.out_text);
	command__free(&peat);
}
END_TEST

static Suite *filechange_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("filechange", 60, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_absolute_paths);
	tcase_add_test(tests, test_relative_paths);
	tcase_add_test(tests, test_paths_in_directories);
	tcase_add_test(tests, test_fchmodat2_is_traced);
	tcase_add_test(tests, test_open_files);
	tcase_add_test(tests, test_owners_and_attributes);
	tcase_add_test(tests, test_new_nodes);
	tcase_add_test(tests, test_empty_paths);
	tcase_add_test(tests, test_failures_alone_are_traced);
	tcase_add_test(tests, test_long_paths);
	tcase_add_test(tests, test_reading_is_silent);
	tcase_add_test(tests, test_counts_by_result);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { filechange_suite };

	return harness__main(argc, argv, suites, 1);
}
