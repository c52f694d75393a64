// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_debug_places.c: debug files in each place, of each owner, and of another build. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/symbols/separated.h"
#include "symbols/debug/debug_file.h"
#include "symbols/debug/debug_places.h"

#include "support/machine/process.h"
#include "unit/suite.h"

static struct separated separated;
static struct elf_file *program;

static void setup(void)
{
	separated__make(&separated);
	program = separated__open(separated.program);
}

static void teardown(void)
{
	elf_file__free(program);
	separated__remove(&separated);
}

static struct debug_search search_in(const char *root)
{
	static const char *dirs[] = { "/nowhere", NULL, NULL };
	static struct debug_places places = { .dirs = dirs };
	struct debug_search search = { &places, separated.program, root, { 0 } };

	dirs[1] = separated.debug_dir;
	ck_assert_int_eq(stat(separated.program, &search.program), 0);
	return search;
}

static void check_same(int fd, const char *path)
{
	struct stat found, wanted;

	ck_assert_int_eq(fstat(fd, &found), 0);
	ck_assert_int_eq(stat(path, &wanted), 0);
	ck_assert_uint_eq(found.st_ino, wanted.st_ino);
}

/* Whether the debug file is found; it has to be at `path`. */
static bool finds(const char *root, const char *path)
{
	const struct debug_search search = search_in(root);
	unsigned fds = process__count_fds();
	struct debug_wanted wanted;
	struct elf_file *debug;
	int files[DEBUG_FILES_MAX], err;

	ck_assert(debug_file__describe(program, &wanted));
	err = debug_file__choose(program, &wanted, files,
				 debug_places__open(&search, &wanted, files), &debug);
	if (!err) {
		check_same(debug->fd, path);
		ck_assert_ptr_nonnull(elf_file__find_section(debug, ".symtab", NULL));
		elf_file__free(debug);
	} else {
		ck_assert_int_eq(err, -ENOENT);
	}
	ck_assert_uint_eq(process__count_fds(), fds);
	return !err;
}

static void move_to(const char *path)
{
	separated__make_dirs(path);
	ck_assert_int_eq(rename(separated.debug, path), 0);
}

START_TEST(test_by_build_id)
{
	move_to(separated.by_id);
	ck_assert(finds(NULL, separated.by_id));
	unlink(separated.by_id);
	ck_assert(!finds(NULL, ""));
}
END_TEST

START_TEST(test_by_link)
{
	char path[2 * SEPARATED_PATH];

	ck_assert(finds(NULL, separated.debug));
	snprintf(path, sizeof(path), "%s/.debug/program.debug", separated.dir);
	move_to(path);
	ck_assert(finds(NULL, path));
	ck_assert_int_eq(rename(path, separated.debug), 0);
	snprintf(path, sizeof(path), "%s%s/program.debug", separated.debug_dir, separated.dir);
	move_to(path);
	ck_assert(finds(NULL, path));
}
END_TEST

/* An unstripped copy that perf made. */
START_TEST(test_copy_of_perf)
{
	const char *id = strstr(separated.by_id, "/.build-id/");
	char home[2 * SEPARATED_PATH], path[3 * SEPARATED_PATH];

	ck_assert_ptr_nonnull(id);
	snprintf(home, sizeof(home), "%s/home", separated.dir);
	snprintf(path, sizeof(path), "%s/.debug%.*s/elf", home,
		 (int)(strlen(id) - strlen(".debug")), id);
	move_to(path);
	ck_assert_int_eq(setenv("HOME", separated.dir, 1), 0);
	ck_assert(!finds(NULL, ""));
	ck_assert_int_eq(setenv("HOME", home, 1), 0);
	ck_assert(finds(NULL, path));
	if (geteuid())
		return; /* nobody else's home can be made */
	ck_assert_int_eq(chown(home, 12345, 12345), 0);
	ck_assert(!finds(NULL, ""));
}
END_TEST

/* The root of a process in another mount namespace comes first. */
START_TEST(test_in_root)
{
	char root[SEPARATED_PATH], path[3 * SEPARATED_PATH];

	snprintf(root, sizeof(root), "%s/root", separated.dir);
	snprintf(path, sizeof(path), "%s%s", root, separated.by_id);
	move_to(path);
	ck_assert(!finds(NULL, ""));
	ck_assert(finds(root, path));
}
END_TEST

/*
 * The debug file of another user: it could name functions of the program in all processes.  In the
 * directories for debug files, only root writes.
 */
START_TEST(test_owner_is_checked)
{
	char root[SEPARATED_PATH], path[3 * SEPARATED_PATH];

	if (geteuid())
		return; /* nobody else's files can be made */
	ck_assert_int_eq(chown(separated.debug, 12345, 12345), 0);
	ck_assert(!finds(NULL, ""));
	ck_assert_int_eq(chown(separated.program, 12345, 12345), 0);
	ck_assert(finds(NULL, separated.debug));
	ck_assert_int_eq(chown(separated.program, 12346, 12346), 0);
	ck_assert(!finds(NULL, ""));
	move_to(separated.by_id);
	ck_assert(finds(NULL, separated.by_id));
	snprintf(root, sizeof(root), "%s/root", separated.dir);
	snprintf(path, sizeof(path), "%s%s", root, separated.by_id);
	separated__make_dirs(path);
	ck_assert_int_eq(rename(separated.by_id, path), 0);
	ck_assert(!finds(root, ""));
	ck_assert_int_eq(chown(path, 0, 0), 0);
	ck_assert(finds(root, path));
}
END_TEST

/* Descriptions come from files, and from processes that files have taken over. */
START_TEST(test_hostile_names)
{
	static const char *const names[] = { "../program.debug", "/etc/passwd", "..", ".", "" };
	const struct debug_search search = search_in(NULL);
	struct debug_wanted wanted = { 0 };
	int files[DEBUG_FILES_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		strcpy(wanted.link, names[i]);
		ck_assert_uint_eq(debug_places__open(&search, &wanted, files), 0);
	}
	memset(wanted.link, 'a', sizeof(wanted.link));
	ck_assert_uint_eq(debug_places__open(&search, &wanted, files), 0);
	wanted = (struct debug_wanted){ .build_id = program->build_id };
	move_to(separated.by_id);
	ck_assert_uint_eq(debug_places__open(&search, &wanted, files), 1);
	close(files[0]);
	wanted.build_id.bytes = 255;
	ck_assert_uint_eq(debug_places__open(&search, &wanted, files), 0);
}
END_TEST

/* A file of another build, no ELF file, a fifo, and the program itself are not used. */
START_TEST(test_wrong_files)
{
	char path[SEPARATED_PATH];

	ck_assert_int_eq(mkfifo(separated.by_id, 0600), 0);
	ck_assert(finds(NULL, separated.debug));
	unlink(separated.by_id);
	separated__run(ARGV("cp", "/bin/true", separated.by_id));
	ck_assert(finds(NULL, separated.debug));
	separated__write(separated.by_id, "no ELF file", 11);
	ck_assert(finds(NULL, separated.debug));
	snprintf(path, sizeof(path), "%s", separated.debug);
	unlink(path);
	ck_assert_int_eq(link(separated.program, path), 0);
	ck_assert(!finds(NULL, ""));
}
END_TEST

/* Without a build-id, the checksum decides. */
START_TEST(test_checksum_without_build_id)
{
	separated__run(ARGV("objcopy", "-R", ".note.gnu.build-id", separated.debug));
	elf_file__free(program);
	separated__run(ARGV("objcopy", "-R", ".gnu_debuglink", separated.program));
	char link[SEPARATED_PATH + 32];

	snprintf(link, sizeof(link), "--add-gnu-debuglink=%s", separated.debug);
	separated__run(ARGV("objcopy", "-R", ".note.gnu.build-id", link, separated.program));
	program = separated__open(separated.program);
	program->build_id.bytes = 0;
	ck_assert(finds(NULL, separated.debug));
	FILE *debug = fopen(separated.debug, "a");

	fputc(0, debug);
	fclose(debug);
	ck_assert(!finds(NULL, ""));
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_by_build_id);
	tcase_add_test(tests, test_by_link);
	tcase_add_test(tests, test_copy_of_perf);
	tcase_add_test(tests, test_in_root);
	tcase_add_test(tests, test_owner_is_checked);
	tcase_add_test(tests, test_hostile_names);
	tcase_add_test(tests, test_wrong_files);
	tcase_add_test(tests, test_checksum_without_build_id);
}
