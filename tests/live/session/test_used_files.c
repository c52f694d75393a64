// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_used_files.c: a library that processes have in other root directories is traced by its name,
 * each file once, also a file that appears while peat runs.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/scratch.h"
#include "support/machine/traced_library.h"
#include "support/machine/tracing.h"

#define CALLS	  100
#define PROCESSES 1000
#define SOURCE	  "uprobe:" TRACED_LIBRARY ":" TRACED_FUNCTION
#define RETURNS	  "uretprobe:" TRACED_LIBRARY ":" TRACED_FUNCTION
#define USDT	  "usdt:" TRACED_LIBRARY ":peat_tests:library_call"

/* A message of peat -v. */
#define ALSO_TRACES "also traces"

static struct library_user one, other;

static const char *root_of(const char *name)
{
	return scratch__path(name);
}

/* In a root of its own, with a file of its own. */
static void start(struct library_user *user, const char *root)
{
	traced_library__write(root_of(root));
	library_user__start(user, root_of(root));
}

static const char *text_of(pid_t pid)
{
	static char texts[2][16];
	static unsigned next;
	char *text = texts[next++ % 2];

	snprintf(text, sizeof(texts[0]), "%d", (int)pid);
	return text;
}

/* ---- files of running processes -------------------------------------------------------------- */

static void trace_both(struct tracing *tracing, const char *source)
{
	tracing__start(tracing, TRACE(source));
	library_user__call(&one, CALLS);
	library_user__call(&other, CALLS);
	tracing__stop(tracing);
	ck_assert_uint_eq(tracing->events.count, 2 * CALLS);
}

static void check_both(const char *source)
{
	struct tracing tracing;

	start(&one, "one");
	start(&other, "other");
	trace_both(&tracing, source);
	ck_assert_uint_eq(tracing__count(&tracing, strrchr(source, ':') + 1, one.pid), CALLS);
	tracing__free(&tracing);
	library_user__stop(&one);
	library_user__stop(&other);
}

START_TEST(test_calls_in_other_roots)
{
	check_both(SOURCE);
}
END_TEST

START_TEST(test_returns_in_other_roots)
{
	check_both(RETURNS);
}
END_TEST

START_TEST(test_usdt_in_other_roots)
{
	if (libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL) != 1)
		skip("this kernel has no cookies of attachments (Linux 5.15)");
	check_both(USDT);
}
END_TEST

/* The file has no path any more, and a new one has its name. */
START_TEST(test_replaced_file)
{
	struct tracing tracing;

	start(&one, "one");
	start(&other, "one");
	trace_both(&tracing, SOURCE);
	tracing__free(&tracing);
	library_user__stop(&one);
	library_user__stop(&other);
}
END_TEST

/* Two containers of an image: an inode is traced once, else each event would come twice. */
START_TEST(test_overlays_of_one_file)
{
	static const char *const names[] = { "first", "second" };
	struct library_user *const users[] = { &one, &other };
	struct tracing tracing;

	traced_library__write(root_of("image"));
	mkdir(root_of("empty"), 0755);
	for (int i = 0; i < 2; i++) {
		char options[2 * PATH_MAX];

		mkdir(root_of(names[i]), 0755);
		snprintf(options, sizeof(options), "lowerdir=%s:%s", root_of("image"),
			 root_of("empty"));
		if (mount("overlay", root_of(names[i]), "overlay", 0, options))
			skip("no overlayfs on this machine");
		library_user__start(users[i], root_of(names[i]));
	}
	tracing__start(&tracing, TRACE(SOURCE));
	library_user__call(&one, CALLS);
	library_user__call(&other, CALLS);
	tracing__stop(&tracing);
	for (int i = 0; i < 2; i++) {
		library_user__stop(users[i]);
		umount2(root_of(names[i]), MNT_DETACH);
	}
	ck_assert_uint_eq(tracing.events.count, 2 * CALLS);
	tracing__free(&tracing);
}
END_TEST

static void check_failure(const char *const *argv, const char *wanted)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_int_ne(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, wanted), "%s", peat.err_text);
	command__free(&peat);
}

START_TEST(test_library_that_nothing_uses)
{
	check_failure(ARGV(command__peat(), "trace", SOURCE), "cannot find the file");
	check_failure(ARGV(command__peat(), "trace", "uprobe:/no/such/file:f"),
		      "cannot find the file /no/such/file: No such file or directory");
	check_failure(ARGV(command__peat(), "trace", SOURCE, "-p", text_of(getpid())),
		      "no such function");
	check_failure(
		ARGV(command__peat(), "trace", "uprobe:/no/such/file:f", "-p", text_of(getpid())),
		"neither mapped nor in its root directory");
}
END_TEST

/* ---- files that appear ----------------------------------------------------------------------- */

static void check_new(const char *source)
{
	struct tracing tracing;

	start(&one, "one");
	tracing__start(&tracing, TRACE(source));
	start(&other, "other");
	command__expect(tracing.peat.err, ALSO_TRACES);
	library_user__call(&one, CALLS);
	library_user__call(&other, CALLS);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2 * CALLS);
	tracing__free(&tracing);
	library_user__stop(&one);
	library_user__stop(&other);
}

START_TEST(test_new_file_with_calls)
{
	check_new(SOURCE);
}
END_TEST

START_TEST(test_new_file_with_returns)
{
	check_new(RETURNS);
}
END_TEST

/* The library is nowhere else. */
START_TEST(test_new_file_of_a_glob)
{
	check_new("uprobe:" TRACED_LIBRARY ":traced_*");
}
END_TEST

static unsigned count_fds(pid_t pid)
{
	char path[64];
	unsigned count = 0;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	fds = opendir(path);
	ck_assert_ptr_nonnull(fds);
	while (readdir(fds))
		count++;
	closedir(fds);
	return count;
}

START_TEST(test_processes_leave_nothing)
{
	struct tracing tracing;
	unsigned before, after;

	start(&one, "one");
	tracing__start(&tracing, TRACE(SOURCE));
	process__wait_until_idle(tracing.peat.pid);
	before = count_fds(tracing.peat.pid);
	for (int i = 0; i < PROCESSES; i++) {
		library_user__start(&other, root_of("one"));
		library_user__call(&other, 1);
		library_user__stop(&other);
	}
	process__wait_until_idle(tracing.peat.pid);
	after = count_fds(tracing.peat.pid);
	tracing__stop(&tracing);
	ck_assert_uint_eq(after, before);
	ck_assert_uint_eq(tracing.events.count, PROCESSES);
	tracing__free(&tracing);
	library_user__stop(&one);
}
END_TEST

/* ---- filters --------------------------------------------------------------------------------- */

START_TEST(test_process_is_chosen)
{
	struct tracing tracing;
	struct command peat;

	start(&one, "one");
	start(&other, "other");
	tracing__start(&tracing, TRACE(SOURCE, "-p", text_of(other.pid)));
	library_user__call(&one, CALLS);
	library_user__call(&other, CALLS);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, CALLS);
	ck_assert_uint_eq(tracing__count(&tracing, TRACED_FUNCTION, other.pid), CALLS);
	tracing__free(&tracing);

	/* A path is one of its root directory. */
	tracing__start(&tracing, TRACE("uprobe:/" TRACED_LIBRARY ":" TRACED_FUNCTION, "-p",
				       text_of(other.pid)));
	library_user__call(&other, CALLS);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, CALLS);
	tracing__free(&tracing);

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "list", "-p", text_of(other.pid), "usdt:*",
			  "uprobe:" TRACED_LIBRARY ":*"));
	ck_assert_msg(strstr(peat.out_text, TRACED_LIBRARY ":peat_tests:library_call"), "%s",
		      peat.out_text);
	ck_assert_msg(strstr(peat.out_text, SOURCE), "%s", peat.out_text);
	command__free(&peat);
	library_user__stop(&one);
	library_user__stop(&other);
}
END_TEST

/* The files of others have no probe.  A process that gets the name later is traced from then on. */
START_TEST(test_name_is_chosen)
{
	struct tracing tracing;

	start(&one, "one");
	start(&other, "other");
	library_user__rename(&one, "peat_chosen");
	tracing__start(&tracing, TRACE(SOURCE, "--comm", "peat_chosen"));
	library_user__call(&one, CALLS);
	library_user__call(&other, CALLS);
	library_user__rename(&other, "peat_chosen");
	command__expect(tracing.peat.err, ALSO_TRACES);
	library_user__call(&other, CALLS);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2 * CALLS);
	ck_assert_uint_eq(tracing__count(&tracing, TRACED_FUNCTION, other.pid), CALLS);
	tracing__free(&tracing);
	library_user__stop(&one);
	library_user__stop(&other);
}
END_TEST

/* Likewise a cgroup. */
START_TEST(test_cgroup_is_chosen)
{
	char cgroup[PATH_MAX];
	struct tracing tracing;

	snprintf(cgroup, sizeof(cgroup), "%s/peat-used-files-%d", mounts__cgroup2(), (int)getpid());
	ck_assert_msg(!mkdir(cgroup, 0755) || errno == EEXIST, "%s: %m", cgroup);
	start(&one, "one");
	mounts__enter_cgroup(cgroup);
	start(&other, "other");
	mounts__enter_cgroup(mounts__cgroup2());
	tracing__start(&tracing, TRACE(SOURCE, "--cgroup", cgroup));
	library_user__call(&one, CALLS);
	library_user__call(&other, CALLS);
	tracing__stop(&tracing);
	library_user__stop(&one);
	library_user__stop(&other);
	rmdir(cgroup);
	ck_assert_uint_eq(tracing.events.count, CALLS);
	ck_assert_ptr_null(strstr(tracing.peat.err_text, "/one/"));
	tracing__free(&tracing);
}
END_TEST

/* ---- programs of objects --------------------------------------------------------------------- */

EMBED_OBJECT(used_files)

START_TEST(test_library_of_an_object)
{
	const char *object = scratch__path("used_files.bpf.o");
	FILE *file = fopen(object, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(used_files_object.bytes, *used_files_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	check_new(object);
}
END_TEST

static Suite *used_files_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("used_files", 240, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_calls_in_other_roots);
	tcase_add_test(tests, test_returns_in_other_roots);
	tcase_add_test(tests, test_usdt_in_other_roots);
	tcase_add_test(tests, test_replaced_file);
	tcase_add_test(tests, test_overlays_of_one_file);
	tcase_add_test(tests, test_library_that_nothing_uses);
	tcase_add_test(tests, test_new_file_with_calls);
	tcase_add_test(tests, test_new_file_with_returns);
	tcase_add_test(tests, test_new_file_of_a_glob);
	tcase_add_test(tests, test_processes_leave_nothing);
	tcase_add_test(tests, test_process_is_chosen);
	tcase_add_test(tests, test_name_is_chosen);
	tcase_add_test(tests, test_cgroup_is_chosen);
	tcase_add_test(tests, test_library_of_an_object);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { used_files_suite };

	return harness__main(argc, argv, suites, 1);
}
