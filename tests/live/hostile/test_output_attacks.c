// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_output_attacks.c: root's peat writes to a directory of another user, who puts links in the
 * place of its files, before or meanwhile.  No other file of root's changes.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/attack.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

#define ROUNDS 5

static const char content[] = "precious\n";

static char precious[256]; /* the path of a file of root's */

static void setup(void)
{
	char here[200];

	attack__setup();
	ck_assert_ptr_nonnull(getcwd(here, sizeof(here)));
	snprintf(precious, sizeof(precious), "%s/precious", here);
	free(stock_perf__shell("echo precious >precious; chmod 600 precious; : >vmlinux.h"));
}

static void check_precious(void)
{
	char *text = stock_perf__shell("cat precious");
	struct stat status;

	ck_assert_str_eq(text, content);
	free(text);
	ck_assert_int_eq(stat("precious", &status), 0);
	ck_assert_msg((status.st_mode & 07777) == 0600, "%o", status.st_mode);
	ck_assert_uint_eq(status.st_uid, 0);
}

/* ---- the attacker ---------------------------------------------------------------------------- */

static bool begins_with(const char *name, const char *begin)
{
	return !strncmp(name, begin, strlen(begin));
}

/* Files that are written before they get the names out.o and types.btf. */
static bool is_partial(const char *name)
{
	return begins_with(name, "out.o.") || begins_with(name, "types.btf.") ||
	       begins_with(name, ".peat-");
}

static void swap_file(const char *name)
{
	char link[300];

	snprintf(link, sizeof(link), "link-%s", name);
	if (!symlink(precious, link))
		rename(link, name); /* in one step */
}

/* A directory with links, in the place of a temporary one. */
static void swap_directory(const char *name)
{
	static const char *const files[] = { "0.bpf.o", "object.o", "types.btf" };
	char own[300], gone[300], path[600];

	snprintf(own, sizeof(own), "own-%s", name);
	snprintf(gone, sizeof(gone), "gone-%s", name);
	if (mkdir(own, 0777))
		return;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/%s", own, files[i]);
		if (symlink(precious, path))
			return;
	}
	if (!rename(name, gone))
		rename(own, name);
}

static void swap(DIR *entries, const char *name)
{
	struct stat found;

	if (fstatat(dirfd(entries), name, &found, AT_SYMLINK_NOFOLLOW))
		return;
	if (S_ISREG(found.st_mode) && is_partial(name))
		swap_file(name);
	else if (S_ISDIR(found.st_mode) && begins_with(name, "peat-") && !found.st_uid)
		swap_directory(name);
}

static void swap_all(void)
{
	DIR *entries = opendir(".");
	const struct dirent *entry;

	ck_assert_ptr_nonnull(entries);
	for (;;) {
		rewinddir(entries);
		while ((entry = readdir(entries)))
			swap(entries, entry->d_name);
	}
}

static int run_swaps(void *unused)
{
	(void)unused;
	return attack__spin(swap_all);
}

/* Root runs a line for sh in the attacker's directory, again and again, and whether it fails. */
static void check_line(const char *line, const char *clean)
{
	pid_t attacker = attack__start(run_swaps, NULL);

	ck_assert_int_gt(attacker, 0);
	for (int i = 0; i < ROUNDS; i++) {
		free(stock_perf__shellf("(cd %s; %s) >log 2>&1 || :", attack__dir(), line));
		check_precious();
		free(stock_perf__shellf("cd %s; rm -rf %s", attack__dir(), clean));
	}
	attack__stop(attacker);
}

/* ---- peat build ------------------------------------------------------------------------------ */

static void write_source(const char *path)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	fputs("char LICENSE[] __attribute__((section(\"license\"))) = \"GPL\";\n", file);
	ck_assert_int_eq(fclose(file), 0);
}

#define BTF "/sys/kernel/btf/vmlinux"

#define need_types()                                                                               \
	do {                                                                                       \
		need_program("bpftool");                                                           \
		if (access(BTF, R_OK))                                                             \
			skip("no " BTF);                                                           \
	} while (0)

#define CLEAN_ALL "out.o* types.btf* .peat-* peat-* own-* gone-* link-*"

START_TEST(test_build_in_a_directory_of_others)
{
	need_program("clang");
	write_source("source.bpf.c");
	check_line("$PEAT build -I $OLDPWD -o out.o $OLDPWD/source.bpf.c", CLEAN_ALL);
}
END_TEST

START_TEST(test_min_btf_in_a_directory_of_others)
{
	need_types();
	check_line("$PEAT build --min-btf -o types.btf exec", CLEAN_ALL);
}
END_TEST

START_TEST(test_temporary_directory_of_others)
{
	need_program("clang");
	need_types();
	check_line("TMPDIR=$PWD $PEAT build --min-btf -o $OLDPWD/types exec", CLEAN_ALL);
	write_source("source.bpf.c");
	check_line("TMPDIR=$PWD $PEAT build -I $OLDPWD -o $OLDPWD/out.o $OLDPWD/source.bpf.c",
		   CLEAN_ALL);
}
END_TEST

/* Without an attack, the same lines write their files. */
START_TEST(test_no_attack)
{
	need_program("clang");
	need_types();
	write_source("source.bpf.c");
	free(stock_perf__shellf(
		"umask 022; cd %s; $PEAT build -I $OLDPWD -o out.o "
		"$OLDPWD/source.bpf.c 2>$OLDPWD/log; "
		"$PEAT build --min-btf -o types.btf exec 2>>$OLDPWD/log; "
		"TMPDIR=$PWD $PEAT build -I $OLDPWD -o two.o "
		"$OLDPWD/source.bpf.c 2>>$OLDPWD/log; "
		"test -s out.o; test -s types.btf; cmp out.o two.o; "
		"test \"$(stat -c %%a:%%u out.o)\" = 644:0; "
		"test \"$(ls -A | sort | tr '\\n' ' ')\" = 'out.o two.o types.btf '",
		attack__dir()));
	check_precious();
}
END_TEST

/* ---- links that wait ------------------------------------------------------------------------- */

static void check_refused(const char *line)
{
	struct command run;
	char whole[512];

	snprintf(whole, sizeof(whole), "cd %s; %s", attack__dir(), line);
	command__run(&run, ALL_CAPS, ARGV("sh", "-c", whole));
	ck_assert_msg(run.status == 1, "%s: %d: %s", line, run.status, run.err_text);
	ck_assert_msg(strstr(run.err_text, "another user"), "%s: %s", line, run.err_text);
	command__free(&run);
	check_precious();
}

static int run_links(void *unused)
{
	(void)unused;
	if (symlink(precious, "link") || symlink("link", "chain") || mkdir("own", 0755) ||
	    symlink("own/file", "good") || symlink("/etc/peat-attack", "new"))
		return 1;
	return 0;
}

/* In a directory of its owner's, which is not sticky. */
START_TEST(test_links_in_a_directory_of_others)
{
	need_program("clang");
	need_types();
	ck_assert_int_eq(attack__start(run_links, NULL), 0);
	write_source("source.bpf.c");
	check_refused("$PEAT trace exec -o link -- true");
	check_refused("$PEAT trace exec -o chain -- true");
	check_refused("$PEAT stat -e task-clock -o link -- true");
	check_refused("$PEAT build -I $OLDPWD -o link $OLDPWD/source.bpf.c");
	check_refused("$PEAT build --min-btf -o link exec");
	check_refused("$PEAT trace exec -o new -- true");
	ck_assert_int_eq(access("/etc/peat-attack", F_OK), -1);
	free(stock_perf__shellf(
		"cd %s; $PEAT trace exec -o good -- true 2>$OLDPWD/log; "
		"test -s own/file; "
		"$PEAT build -I $OLDPWD -o good $OLDPWD/source.bpf.c 2>$OLDPWD/log; "
		"test -s own/file; test -h good",
		attack__dir()));
}
END_TEST

/* The link itself gets another name, as an old recording does. */
START_TEST(test_record_over_a_link)
{
	ck_assert_int_eq(attack__start(run_links, NULL), 0);
	free(stock_perf__shellf("cd %s; $PEAT record exec -o link -- true 2>$OLDPWD/log; "
				"test -h link.old; test ! -h link; test -s link",
				attack__dir()));
	check_precious();
}
END_TEST

/* Devices and FIFOs are written to, and stay. */
START_TEST(test_devices_and_fifos_stay)
{
	need_program("clang");
	write_source("source.bpf.c");
	free(stock_perf__shell("mknod null c 1 3; $PEAT build -o null source.bpf.c 2>log; "
			       "test -c null; ln -s null link; "
			       "$PEAT build -o link source.bpf.c 2>log; test -h link; "
			       "mkfifo fifo; cat fifo >copy & "
			       "$PEAT build -o fifo source.bpf.c 2>log; wait; test -p fifo; "
			       "$PEAT build -o out.o source.bpf.c 2>log; cmp out.o copy"));
}
END_TEST

static Suite *output_attacks_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("output_attacks", 120, &tests);

	tcase_add_unchecked_fixture(tests, attack__setup_all, attack__teardown_all);
	tcase_add_checked_fixture(tests, setup, attack__teardown);
	tcase_add_test(tests, test_build_in_a_directory_of_others);
	tcase_add_test(tests, test_min_btf_in_a_directory_of_others);
	tcase_add_test(tests, test_temporary_directory_of_others);
	tcase_add_test(tests, test_no_attack);
	tcase_add_test(tests, test_links_in_a_directory_of_others);
	tcase_add_test(tests, test_record_over_a_link);
	tcase_add_test(tests, test_devices_and_fifos_stay);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { output_attacks_suite };

	return harness__main(argc, argv, suites, 1);
}
