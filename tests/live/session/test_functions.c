// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_functions.c: functions of the kernel and of programs as sources: each call is an event, with
 * the arguments, the result and the latency.
 *
 * The traced command is this program, with the name of a workload as its argument.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/json_table.h"
#include "support/machine/multi_links.h"
#include "support/machine/own_program.h"
#include "support/machine/tracing.h"

#define CALLS	 1000
#define THREADS	 5
#define FIB	 10 /* calls itself 177 times in all */
#define FIB_SUM	 177
#define FIB_RUNS 100 /* of all threads */
#define READ_LEN 12345

/* ---- workloads ------------------------------------------------------------------------------- */

/* The compiler may neither inline nor change them. */
#define TRACED __attribute__((noinline, noclone, used, visibility("default")))

TRACED long traced_twelve(long a, int b, unsigned c, short d, char e, long f, long g, int h, long i,
			  long j, int k, long l)
{
	__asm__ volatile("");
	return a + b + (long)c + d + e + f + g + h + i + j + k + l;
}

TRACED unsigned traced_fib(unsigned n)
{
	unsigned one, two;

	if (n < 2)
		return n;
	one = traced_fib(n - 1);
	__asm__ volatile("" : "+r"(one));
	two = traced_fib(n - 2);
	__asm__ volatile("" : "+r"(two));
	return one + two;
}

static jmp_buf back;

TRACED int traced_jump(int number)
{
	__asm__ volatile("");
	if (number < CALLS)
		longjmp(back, 1);
	return number;
}

/* It neither begins nor ends with a branch, which an emulated s390x would not leave. */
TRACED int traced_sleep(unsigned us)
{
	int err;

	__asm__ volatile("" : "+r"(us)::"memory");
	err = usleep(us);
	__asm__ volatile("" : "+r"(err));
	return err;
}

static int run_twelve(void)
{
	for (int i = 0; i < CALLS; i++)
		traced_twelve(i, -2, 3, -4, 5, 6, 7, -8, 9, 10, -11, 12);
	return 0;
}

static void *run_fib_thread(void *unused)
{
	(void)unused;
	for (int i = 0; i < FIB_RUNS / THREADS; i++)
		traced_fib(FIB);
	return NULL;
}

static int run_fib(void)
{
	return traced_fib(FIB) == 55 ? 0 : EXIT_FAILURE;
}

static int run_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run_fib_thread, NULL))
			return EXIT_FAILURE;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* Only the last call returns. */
static int run_jump(void)
{
	volatile int number = 0;

	setjmp(back);
	number = number + 1;
	return traced_jump(number) == CALLS ? 0 : EXIT_FAILURE;
}

static int run_sleep(void)
{
	return traced_sleep(20000);
}

static int run_read(void)
{
	static char bytes[READ_LEN];
	int fd = open("/dev/zero", O_RDONLY);

	for (int i = 0; i < CALLS; i++)
		if (read(fd, bytes, sizeof(bytes)) != READ_LEN)
			return EXIT_FAILURE;
	return close(fd);
}

static const struct {
	const char *name;
	int (*run)(void);
} workloads[] = {
	{ "twelve", run_twelve }, { "fib", run_fib },	  { "threads", run_threads },
	{ "jump", run_jump },	  { "sleep", run_sleep }, { "read", run_read },
};

static int run_workload(const char *name)
{
	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++)
		if (!strcmp(name, workloads[i].name))
			return workloads[i].run();
	return EXIT_FAILURE;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Until the command has ended. */
static void trace_command(struct tracing *tracing, const char *const *argv)
{
	tracing__start(tracing, argv);
	tracing__finish(tracing);
}

/* ---- functions of programs ------------------------------------------------------------------- */

START_TEST(test_calls_have_arguments)
{
	struct tracing tracing;

	trace_command(&tracing, TRACE(own_program__source("uprobe", "traced_twelve"), "--ordered",
				      "--fields", "arg1,arg2,arg3,arg6,arg7,arg9,arg12", "--",
				      own_program__path(), "twelve"));
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < CALLS; i++) {
		const char *event = tracing.events.lines[i];

		expect_text(event, "type", "traced_twelve");
		json_event__check(event, "arg1", i);
		json_event__check(event, "arg3", 3);
		json_event__check(event, "arg6", 6);
		json_event__check(event, "arg7", 7);
		json_event__check(event, "arg9", 9);
		json_event__check(event, "arg12", 12);
	}
	tracing__free(&tracing);
}
END_TEST

/* Arguments on the stack are in user memory: a program touches it before (Linux 6.10). */
START_TEST(test_user_memory_is_touched)
{
	bool is_touched = multi_links__are_possible();
	struct tracing tracing;

	trace_command(&tracing, TRACE(own_program__source("uprobe", "traced_twelve"), "--fields",
				      "arg12", "--", own_program__path(), "twelve"));
	ck_assert_msg(!strstr(tracing.peat.err_text, "peat_on_preload: 1000 runs") != is_touched,
		      "%s", tracing.peat.err_text);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_returns_have_results)
{
	struct tracing tracing;

	trace_command(&tracing, TRACE(own_program__source("uretprobe", "traced_twelve"),
				      "--ordered", "--fields", "arg1,result,latency", "--",
				      own_program__path(), "twelve"));
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < CALLS; i++) {
		const char *event = tracing.events.lines[i];

		json_event__check(event, "arg1", i);
		json_event__check(event, "result", i + 27);
		ck_assert_uint_gt(json_event__number(event, "latency"), 0);
	}
	tracing__free(&tracing);
}
END_TEST

static void check_recursion(const char *workload, size_t calls)
{
	struct tracing tracing;

	trace_command(&tracing, TRACE(own_program__source("uretprobe", "traced_fib"), "--fields",
				      "arg1,result", "--", own_program__path(), workload));
	ck_assert_uint_eq(tracing.events.count, calls);
	for (size_t i = 0; i < calls; i++) {
		static const unsigned fib[FIB + 1] = { 0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55 };
		const char *event = tracing.events.lines[i];
		unsigned long long n = json_event__number(event, "arg1");

		ck_assert_uint_le(n, FIB);
		json_event__check(event, "result", fib[n]);
	}
	tracing__free(&tracing);
}

/* Without arguments, the kernel can keep what is needed of the calls. */
static void check_results_of_recursion(const char *workload, size_t runs)
{
	struct tracing tracing;
	size_t outermost = 0;

	trace_command(&tracing, TRACE(own_program__source("uretprobe", "traced_fib"), "--fields",
				      "result,latency", "--", own_program__path(), workload));
	ck_assert_uint_eq(tracing.events.count, runs * FIB_SUM);
	for (size_t i = 0; i < tracing.events.count; i++) {
		const char *event = tracing.events.lines[i];

		outermost += json_event__number(event, "result") == 55;
		ck_assert_uint_gt(json_event__number(event, "latency"), 0);
	}
	ck_assert_uint_eq(outermost, runs);
	tracing__free(&tracing);
}

START_TEST(test_recursion_is_paired)
{
	check_recursion("fib", FIB_SUM);
	check_results_of_recursion("fib", 1);
}
END_TEST

START_TEST(test_threads_are_paired)
{
	check_recursion("threads", FIB_SUM * FIB_RUNS);
	check_results_of_recursion("threads", FIB_RUNS);
}
END_TEST

/* On s390x, the kernel returns to the wrong caller after a longjmp() (Linux 7.2). */
#if defined(__s390x__)
#define LONGJMP_IS_WRONG true
#else
#define LONGJMP_IS_WRONG false
#endif

START_TEST(test_calls_that_never_return)
{
	static const char *const fields[] = { "arg1,result", "result,latency" };
	struct tracing tracing;

	if (LONGJMP_IS_WRONG)
		skip("return probes and longjmp() do not go together on s390x");

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		trace_command(&tracing,
			      TRACE(own_program__source("uretprobe", "traced_jump"), "--fields",
				    fields[i], "--", own_program__path(), "jump"));
		ck_assert_uint_eq(tracing.events.count, 1);
		json_event__check(tracing.events.lines[0], "result", CALLS);
		if (!i)
			json_event__check(tracing.events.lines[0], "arg1", CALLS);
		tracing__free(&tracing);
	}
}
END_TEST

START_TEST(test_latency_is_measured)
{
	struct tracing tracing;

	trace_command(&tracing, TRACE(own_program__source("uretprobe", "traced_sleep"), "--",
				      own_program__path(), "sleep"));
	ck_assert_uint_eq(tracing.events.count, 1);
	ck_assert_uint_ge(json_event__number(tracing.events.lines[0], "latency"), 20000000);
	tracing__free(&tracing);
}
END_TEST

/* Linux 5.15 */
static bool has_cookies(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL) == 1;
}

/* One type, whose events have the function's name. */
START_TEST(test_glob_of_functions)
{
	struct tracing tracing;
	size_t fib = 0;

	if (!has_cookies())
		skip("this kernel has no cookies of attachments (Linux 5.15)");
	trace_command(&tracing, TRACE(own_program__source("uprobe", "traced_*"), "--",
				      own_program__path(), "fib"));
	for (size_t i = 0; i < tracing.events.count; i++) {
		expect_text(tracing.events.lines[i], "type", "traced");
		expect_text(tracing.events.lines[i], "function", "traced_fib");
		fib++;
	}
	ck_assert_uint_eq(fib, FIB_SUM);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_functions_are_counted)
{
	struct command peat;

	if (!has_cookies())
		skip("this kernel has no cookies of attachments (Linux 5.15)");
	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "count", "-q", "-j",
			  own_program__source("uprobe", "traced_*"), "--by", "function", "--",
			  own_program__path(), "threads"));
	ck_assert_msg(!peat.status, "%s", peat.err_text);
	ck_assert_uint_eq(json_table__number(peat.out_text, 0, "count"), FIB_SUM * FIB_RUNS);
	command__free(&peat);
}
END_TEST

/* ---- functions of the kernel ----------------------------------------------------------------- */

static bool has_kprobes(void)
{
	return !access("/sys/bus/event_source/devices/kprobe/type", R_OK);
}

START_TEST(test_kernel_functions_have_fields)
{
	struct tracing tracing;

	if (!has_kprobes())
		skip("this kernel has no kprobes");
	trace_command(&tracing,
		      TRACE("kretprobe:vfs_read", "--fields",
			    "count,file.f_path.dentry.d_name.name,result,latency", "--where",
			    "count == 12345", "--", own_program__path(), "read"));
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < CALLS; i++) {
		const char *event = tracing.events.lines[i];

		json_event__check(event, "count", READ_LEN);
		json_event__check(event, "result", READ_LEN);
		ck_assert_ptr_nonnull(strstr(event, "\"file.f_path.dentry.d_name.name\":\"zero\""));
	}
	tracing__free(&tracing);
}
END_TEST

/* ---- tracepoints ----------------------------------------------------------------------------- */

START_TEST(test_tracepoint_has_fields)
{
	struct tracing tracing;

	trace_command(&tracing, TRACE("tracepoint:syscalls:sys_enter_read", "--where",
				      "count == 12345", "--", own_program__path(), "read"));
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < CALLS; i++)
		json_event__check(tracing.events.lines[i], "count", READ_LEN);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_tracepoint_reads_user_text)
{
	struct tracing tracing;
	size_t found = 0;

	trace_command(&tracing, TRACE("tracepoint:syscalls:sys_enter_openat", "--fields",
				      "filename", "--", own_program__path(), "read"));
	for (size_t i = 0; i < tracing.events.count; i++)
		found +=
			!strcmp(json_event__text(tracing.events.lines[i], "filename"), "/dev/zero");
	ck_assert_uint_eq(found, 1);
	tracing__free(&tracing);
}
END_TEST

/* The first tracepoints have no such field, and are left out. */
START_TEST(test_glob_has_fields_of_some)
{
	struct tracing tracing;

	if (!has_cookies())
		skip("this kernel has no cookies of attachments (Linux 5.15)");
	trace_command(&tracing,
		      TRACE("tracepoint:syscalls:sys_enter_*", "--fields", "event,fd,count",
			    "--where", "count == 12345", "--", own_program__path(), "read"));
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < CALLS; i++)
		expect_text(tracing.events.lines[i], "event", "sys_enter_read");
	tracing__free(&tracing);
}
END_TEST

static Suite *functions_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("functions", 60, &tests);

	tcase_add_test(tests, test_calls_have_arguments);
	tcase_add_test(tests, test_user_memory_is_touched);
	tcase_add_test(tests, test_returns_have_results);
	tcase_add_test(tests, test_recursion_is_paired);
	tcase_add_test(tests, test_threads_are_paired);
	tcase_add_test(tests, test_calls_that_never_return);
	tcase_add_test(tests, test_latency_is_measured);
	tcase_add_test(tests, test_glob_of_functions);
	tcase_add_test(tests, test_functions_are_counted);
	tcase_add_test(tests, test_kernel_functions_have_fields);
	tcase_add_test(tests, test_tracepoint_has_fields);
	tcase_add_test(tests, test_tracepoint_reads_user_text);
	tcase_add_test(tests, test_glob_has_fields_of_some);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { functions_suite };

	if (argc == 2 && argv[1][0] != '-')
		return run_workload(argv[1]);
	return harness__main(argc, argv, suites, 1);
}
