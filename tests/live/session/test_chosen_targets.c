// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_chosen_targets.c: programs attached where users say, and not where their sections do. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include <peat/peat.h>

#include "session/attach/fentry_links.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(targetless)

enum which { CALL, RETURN, KPROBE, TRACEPOINT, RAW_TRACEPOINT, USDT, FENTRY };

static char path[64], self[PATH_MAX], only_pid[32];

/* The functions that programs are attached to. */
__attribute__((noinline, used, visibility("default"))) void chosen_target_first(void)
{
	__asm__ volatile("");
}

__attribute__((noinline, used, visibility("default"))) void chosen_target_second(void)
{
	__asm__ volatile("" ::: "memory");
}

/* A function with the USDT probe peat_tests:chosen_target. */
__attribute__((noinline)) static void pass_usdt(void)
{
	__asm__ volatile("990: nop\n"
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"
			 ".balign 4\n"
			 ".4byte 992f-991f, 994f-993f, 3\n"
			 "991: .asciz \"stapsdt\"\n"
			 "992: .balign 4\n"
			 "993: .8byte 990b, 0, 0\n"
			 ".asciz \"peat_tests\"\n"
			 ".asciz \"chosen_target\"\n"
			 ".asciz \"\"\n"
			 "994: .balign 4\n"
			 ".popsection\n");
}

static void setup(void)
{
	ssize_t bytes = readlink("/proc/self/exe", self, sizeof(self) - 1);
	FILE *file;

	ck_assert_int_gt(bytes, 0);
	self[bytes] = '\0';
	snprintf(only_pid, sizeof(only_pid), "only_pid=%d", (int)getpid());
	snprintf(path, sizeof(path), "/tmp/peat-targetless-%d.bpf.o", (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(targetless_object.bytes, *targetless_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

static void teardown(void)
{
	unlink(path);
}

/* "PROGRAM=FILE:FUNCTION", with this file. */
static const char *in_self(const char *program, const char *function)
{
	static char texts[4][PATH_MAX + 100];
	static unsigned next;
	char *text = texts[next++ % 4];

	snprintf(text, sizeof(texts[0]), "%s=%s:%s", program, self, function);
	return text;
}

static size_t count(const struct tracing *tracing, enum which which)
{
	const char *event;
	size_t found = 0, from = 0;

	while ((event = tracing__next(tracing, "reached", getpid(), &from)))
		found += json_lines__number(event, "which") == which;
	return found;
}

/* The same program is attached to two functions. */
START_TEST(test_functions_of_a_program)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("--set", only_pid, "--attach",
				       in_self("on_call", "chosen_target_first"), "--attach",
				       in_self("on_call", "chosen_target_second"), "--attach",
				       in_self("on_return", "chosen_target_first"), path));
	chosen_target_first();
	chosen_target_second();
	chosen_target_second();
	tracing__stop(&tracing);
	ck_assert_uint_eq(count(&tracing, CALL), 3);
	ck_assert_uint_eq(count(&tracing, RETURN), 1);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_function_of_a_library)
{
	struct tracing tracing;

	tracing__start(&tracing,
		       TRACE("--set", only_pid, "--attach", "on_call=libc.so.6:getpgid", path));
	getpgid(0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(count(&tracing, CALL), 1);
	tracing__free(&tracing);
}
END_TEST

/* Both are passed when a task is renamed. */
START_TEST(test_tracepoints_of_kernel)
{
	struct tracing tracing;

	tracing__start(&tracing,
		       TRACE("--set", only_pid, "--attach", "on_tracepoint=task:task_rename",
			     "--attach", "on_raw_tracepoint=task_rename", path));
	prctl(PR_SET_NAME, "renamed");
	tracing__stop(&tracing);
	ck_assert_uint_eq(count(&tracing, TRACEPOINT), 1);
	ck_assert_uint_eq(count(&tracing, RAW_TRACEPOINT), 1);
	tracing__free(&tracing);
}
END_TEST

#if defined(__s390x__)
#define GETPGID "__s390x_sys_getpgid"
#elif defined(__aarch64__)
#define GETPGID "__arm64_sys_getpgid"
#else
#define GETPGID "__x64_sys_getpgid"
#endif

/* Without them, libbpf finds the USDT of position-independent programs only in one process. */
static bool has_cookies(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL) == 1;
}

static bool has_kprobes(void)
{
	return !access("/sys/bus/event_source/devices/kprobe", F_OK);
}

START_TEST(test_function_of_kernel)
{
	struct tracing tracing;

	if (!has_kprobes())
		skip("this kernel has no kprobes");
	tracing__start(&tracing,
		       TRACE("--set", only_pid, "--attach", "on_function=" GETPGID, path));
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(count(&tracing, KPROBE), 1);
	tracing__free(&tracing);
}
END_TEST

/* Programs whose user space replaces the target of the section. */
START_TEST(test_targets_instead_of_sections)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("--set", only_pid, "--attach",
				       in_self("on_named_call", "chosen_target_first"), "--attach",
				       in_self("on_dummy_return", "chosen_target_first"),
				       "--attach", "on_dummy_tracepoint=task_rename", path));
	chosen_target_first();
	prctl(PR_SET_NAME, "renamed");
	tracing__stop(&tracing);
	ck_assert_uint_eq(count(&tracing, CALL), 1);
	ck_assert_uint_eq(count(&tracing, RETURN), 1);
	ck_assert_uint_eq(count(&tracing, RAW_TRACEPOINT), 1);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_function_of_kernel_instead_of_section)
{
	struct tracing tracing;

	if (!has_kprobes())
		skip("this kernel has no kprobes");
	tracing__start(&tracing,
		       TRACE("--set", only_pid, "--attach", "on_dummy_function=" GETPGID, path));
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(count(&tracing, KPROBE), 1);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_usdt_of_a_program)
{
	struct tracing tracing;

	if (!has_cookies())
		skip("this kernel has no cookies of attachments (Linux 5.15)");
	tracing__start(&tracing, TRACE("--set", only_pid, "--attach",
				       in_self("on_usdt", "peat_tests:chosen_target"), path));
	pass_usdt();
	tracing__stop(&tracing);
	ck_assert_uint_eq(count(&tracing, USDT), 1);
	tracing__free(&tracing);
}
END_TEST

/* Also with --best-effort, which loads copies of the object. */
static void trace_entry(const char *option)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("--set", only_pid, option, "--attach",
				       "on_dummy_entry=" GETPGID, path));
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(count(&tracing, FENTRY), 1);
	tracing__free(&tracing);
}

START_TEST(test_fentry_instead_of_section)
{
	if (!fentry_links__are_supported())
		skip("this kernel does not load fentry programs with arguments");
	trace_entry("--no-symbols");
	trace_entry("--best-effort");
}
END_TEST

static void check_refused(const char *choice, int status, const char *words)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "trace", "-d1ms", "--attach", choice, path));
	ck_assert_msg(peat.status == status, "status %d: %s", peat.status, peat.err_text);
	ck_assert_msg(strstr(peat.err_text, words), "'%s' does not say '%s'", peat.err_text, words);
	command__free(&peat);
}

START_TEST(test_invalid_choices)
{
	check_refused("nothing=libc.so.6:getpgid", 64, "no program 'nothing': the objects have");
	check_refused("on_usdt=libc.so.6:getpgid", 64, "expected FILE:PROVIDER:NAME");
	check_refused("on_socket=eth0", 64, "only programs of uprobe");
	check_refused("on_call=getpgid", 64, "expected FILE:FUNCTION");
	check_refused("on_function=libc.so.6:getpgid", 64, "expected FUNCTION");
	check_refused("on_tracepoint=task_rename", 64, "expected CATEGORY:NAME");
	check_refused("on_call", 64, "expected PROGRAM=TARGET");
}
END_TEST

START_TEST(test_missing_targets)
{
	check_refused(in_self("on_call", "chosen_target_third"), 1, "no function of that name");
	check_refused("on_call=/no/such/file:function", 1, "there is no such file");
	check_refused("on_function=peat_has_no_function", 1,
		      has_kprobes() ? "no such function" : "no kprobes");
	check_refused("on_tracepoint=task:peat_has_none", 1, "no such tracepoint");
	check_refused("on_raw_tracepoint=peat_has_none", 1, "no such tracepoint");
	if (has_cookies())
		check_refused(in_self("on_usdt", "peat_tests:none"), 1, "no such USDT probe");
	check_refused("on_dummy_entry=peat_has_none", 1, "this kernel's BTF has no");
}
END_TEST

START_TEST(test_choices_of_the_library)
{
	struct peat_session *session = peat_session__new(NULL);

	ck_assert_int_eq(peat_session__add_file(session, path), 0);
	ck_assert_int_eq(peat_session__attach_to(session, "nothing", "task_rename"), -ENOENT);
	ck_assert_int_eq(peat_session__attach_to(session, "on_dummy_entry", "a"), 0);
	ck_assert_int_eq(peat_session__attach_to(session, "on_dummy_entry", "b"), -EEXIST);
	ck_assert_int_eq(peat_session__leave_out(session, "on_dummy_entry"), 0);
	ck_assert_int_eq(peat_session__attach_to(session, "on_socket", "eth0"), -EINVAL);
	ck_assert_int_eq(peat_session__attach_to(session, "on_call", ""), -EINVAL);
	ck_assert_int_eq(peat_session__attach_to(session, "on_raw_tracepoint", "task_rename"), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	ck_assert_int_eq(peat_session__attach_to(session, "on_raw_tracepoint", "x"), -EBUSY);
	peat_session__free(session);
}
END_TEST

static Suite *chosen_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("chosen_targets", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_functions_of_a_program);
	tcase_add_test(tests, test_function_of_a_library);
	tcase_add_test(tests, test_tracepoints_of_kernel);
	tcase_add_test(tests, test_function_of_kernel);
	tcase_add_test(tests, test_targets_instead_of_sections);
	tcase_add_test(tests, test_function_of_kernel_instead_of_section);
	tcase_add_test(tests, test_usdt_of_a_program);
	tcase_add_test(tests, test_fentry_instead_of_section);
	tcase_add_test(tests, test_invalid_choices);
	tcase_add_test(tests, test_missing_targets);
	tcase_add_test(tests, test_choices_of_the_library);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { chosen_suite };

	return harness__main(argc, argv, suites, 1);
}
