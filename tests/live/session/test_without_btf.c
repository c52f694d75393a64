// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_without_btf.c: probes on a kernel whose BTF is hidden, with a file in its place.  If it was
 * hidden before, PEAT_BTF is the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(direct)

static char directory[] = "/tmp/peat-btf-XXXXXX", copy[256];

static void copy_file(const char *from, const char *to)
{
	char bytes[65536];
	FILE *in = fopen(from, "re"), *out = fopen(to, "we");
	size_t count;

	ck_assert_msg(in, "%s: %s", from, strerror(errno));
	ck_assert_ptr_nonnull(out);
	while ((count = fread(bytes, 1, sizeof(bytes), in)) > 0)
		ck_assert_uint_eq(fwrite(bytes, 1, count, out), count);
	ck_assert_int_eq(ferror(in), 0);
	fclose(in);
	ck_assert_int_eq(fclose(out), 0);
}

static void setup(void)
{
	const char *given = getenv("PEAT_BTF");
	struct utsname kernel;

	ck_assert_int_eq(uname(&kernel), 0);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(copy, sizeof(copy), "%s/%s.btf", directory, kernel.release);
	copy_file(given ? given : "/sys/kernel/btf/vmlinux", copy);
	unsetenv("PEAT_BTF");
	mounts__hide_btf();
}

static void teardown(void)
{
	unlink(copy);
	ck_assert_int_eq(rmdir(directory), 0);
}

/* ---- events ---------------------------------------------------------------------------------- */

static int end_by_signal(void *unused)
{
	(void)unused;
	signal(SIGUSR1, SIG_DFL);
	kill(getpid(), SIGUSR1);
	return 0;
}

static void check_open(const struct tracing *tracing)
{
	const char *event;
	size_t from = 0;

	do {
		event = tracing__next(tracing, "open", getpid(), &from);
		ck_assert_msg(event, "no open of /no/such/file");
	} while (strcmp(json_lines__text(event, "path"), "/no/such/file") != 0);
	expect_text(event, "result", "ENOENT");
}

/* Each member is one that the programs read from the kernel's memory. */
static void check_events(const struct tracing *tracing, const char *path, pid_t ran, pid_t killed)
{
	const char *event = tracing__only(tracing, "exec", ran);

	expect_text(event, "filename", path);
	expect_member(event, "args", "[\"name\",\"a b\"]");
	expect_number(event, "ppid", getpid());
	event = tracing__only(tracing, "exit", killed);
	expect_text(event, "signal", "SIGUSR1");
	ck_assert_int_gt(json_lines__number(event, "duration"), 0);
	event = tracing__only(tracing, "exit", ran);
	expect_number(event, "code", 0);
	check_open(tracing);
}

/* Its sender is the killed process.  At its end that also sends SIGCHLD, perhaps on another CPU. */
static void check_signal(const struct tracing *tracing, pid_t killed)
{
	const char *event;
	size_t from = 0;

	do {
		event = tracing__next(tracing, "signal", killed, &from);
		ck_assert_msg(event, "no SIGUSR1");
	} while (strcmp(json_lines__text(event, "signal"), "SIGUSR1") != 0);
	expect_number(event, "target", killed);
	ck_assert_uint_gt(strlen(json_lines__text(event, "target_comm")), 0);
}

static void trace(const char *const *argv)
{
	const char *path = process__program();
	struct tracing tracing;
	pid_t ran, killed;

	tracing__start(&tracing, argv);
	ran = process__run(path, ARGV("name", "a b"));
	killed = process__start(end_by_signal, NULL);
	process__wait(killed);
	ck_assert_int_lt(open("/no/such/file", O_RDONLY | O_CLOEXEC), 0);
	tracing__stop(&tracing);
	check_events(&tracing, path, ran, killed);
	check_signal(&tracing, killed);
	tracing__free(&tracing);
	unlink(path);
}

START_TEST(test_btf_of_a_file)
{
	trace(TRACE("--btf", copy, "exec", "exit", "open", "signal"));
}
END_TEST

START_TEST(test_btf_of_a_directory)
{
	trace(TRACE("--btf", directory, "exec", "exit", "open", "signal"));
}
END_TEST

START_TEST(test_btf_of_the_environment)
{
	setenv("PEAT_BTF", copy, 1);
	trace(TRACE("exec", "exit", "open", "signal"));
	setenv("PEAT_BTF", "/no/such", 1);
	trace(TRACE("--btf", copy, "exec", "exit", "open", "signal"));
}
END_TEST

START_TEST(test_sched_without_btf)
{
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("--btf", copy, "sched,min=0"));
	usleep(1000);
	usleep(1000);
	tracing__stop(&tracing);
	ck_assert_uint_gt(tracing.events.count, 0);
	event = tracing.events.lines[0];
	ck_assert_int_gt(json_lines__number(event, "delay"), 0);
	ck_assert_uint_gt(strlen(json_lines__text(event, "previous_comm")), 0);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_syscall_without_btf)
{
	struct tracing tracing;
	const char *event;
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	tracing__start(&tracing, TRACE("--btf", copy, "syscall,failed", "-p", pid));
	ck_assert_int_lt(close(-1), 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 1);
	event = tracing.events.lines[0];
	expect_text(event, "call", "close");
	expect_text(event, "result", "EBADF");
	tracing__free(&tracing);
}
END_TEST

/* As a container may hide it. */
START_TEST(test_empty_btf_of_the_kernel)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	struct command peat;

	ck_assert_int_ge(fd, 0);
	close(fd);
	trace(TRACE("--btf", copy, "exec", "exit", "open", "signal"));
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "exec"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, "this kernel has no BTF"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

/* Its types are not in the file. */
static void check_other_probe(const char *minimal)
{
	struct command peat;
	char words[400];

	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "--btf", minimal, "tcp"));
	ck_assert_int_eq(peat.status, 1);
	snprintf(words, sizeof(words), ", which %s does not have: ", minimal);
	ck_assert_msg(strstr(peat.err_text, words), "%s", peat.err_text);
	ck_assert_msg(strstr(peat.err_text, "of tcp: it needs struct sock."), "%s", peat.err_text);
	command__free(&peat);
}

/* The part of the types that these probes need is enough for them. */
START_TEST(test_minimal_btf_is_enough)
{
	struct command build;
	char minimal[300];

	snprintf(minimal, sizeof(minimal), "%s.minimal", copy);
	command__run(&build, ALL_CAPS,
		     ARGV(command__peat(), "build", "--min-btf", "--btf", copy, "-o", minimal,
			  "exec", "exit", "open", "signal"));
	if (build.status == 1 && strstr(build.err_text, "bpftool not found"))
		skip("no bpftool on this machine");
	ck_assert_msg(!build.status, "%s", build.err_text);
	command__free(&build);
	trace(TRACE("--btf", minimal, "exec", "exit", "open", "signal"));
	check_other_probe(minimal);
	unlink(minimal);
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

static void check_refused(const char *const *argv, const char *words)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, words), "'%s' has no '%s'", peat.err_text, words);
	command__free(&peat);
}

#define EXEC(...) ARGV(command__peat(), "trace", __VA_ARGS__, "exec")

START_TEST(test_missing_btf_is_refused)
{
	check_refused(EXEC("-q"), "this kernel has no BTF (/sys/kernel/btf/vmlinux): give a file "
				  "with its types (--btf)");
	setenv("PEAT_BTF", "", 1);
	check_refused(EXEC("-q"), "this kernel has no BTF");
}
END_TEST

START_TEST(test_invalid_btf_is_refused)
{
	check_refused(EXEC("--btf", "/no/such"), "cannot read the BTF file /no/such: ");
	check_refused(EXEC("--btf", "/proc"), "the directory /proc has no BTF for this kernel");
	check_refused(EXEC("--btf", "/proc/self/comm"), "/proc/self/comm has no valid BTF");
	setenv("PEAT_BTF", "/no/such", 1);
	check_refused(EXEC("-q"), "cannot read the BTF file /no/such: ");
}
END_TEST

/* A file does not replace the kernel's own BTF for the verifier. */
START_TEST(test_programs_need_kernels_btf)
{
	char path[300];
	FILE *file;

	snprintf(path, sizeof(path), "%s.bpf.o", copy);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(direct_object.bytes, 1, *direct_object.count, file),
			  *direct_object.count);
	ck_assert_int_eq(fclose(file), 0);
	check_refused(
		ARGV(command__peat(), "trace", "--btf", copy, "--no-prog", "at_function", path),
		": this kernel has no BTF, so the program can read its memory only by "
		"BPF_CORE_READ() or PEAT_READ()");
	check_refused(
		ARGV(command__peat(), "trace", "--btf", copy, "--no-prog", "follows_pointer", path),
		"this kernel has no BTF (/sys/kernel/btf/vmlinux): fentry, fexit, lsm and "
		"functions of the kernel need CONFIG_DEBUG_INFO_BTF");
	unlink(path);
}
END_TEST

static Suite *without_btf_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("without_btf", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_btf_of_a_file);
	tcase_add_test(tests, test_btf_of_a_directory);
	tcase_add_test(tests, test_btf_of_the_environment);
	tcase_add_test(tests, test_sched_without_btf);
	tcase_add_test(tests, test_syscall_without_btf);
	tcase_add_test(tests, test_empty_btf_of_the_kernel);
	tcase_add_test(tests, test_minimal_btf_is_enough);
	tcase_add_test(tests, test_missing_btf_is_refused);
	tcase_add_test(tests, test_invalid_btf_is_refused);
	tcase_add_test(tests, test_programs_need_kernels_btf);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { without_btf_suite };

	return harness__main(argc, argv, suites, 1);
}
