// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_function_links.c: the ways by which programs are attached to functions: sessions, pairs of
 * programs, fentry and fexit.  None of them loses a call or mistakes one for another.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <sys/wait.h>

#include <peat/functions.h>
#include <peat/where.h>

#include "functions/function_probe.h"
#include "session/attach/fentry_links.h"
#include "session/attach/session_links.h"
#include "session/attach/uprobe_multi.h"
#include "session/parts/session.h"
#include "support/load/channel_load.h"
#include "support/machine/own_program.h"
#include "sys/tracefs.h"

#define CALLS	 1000
#define READ_LEN 12345
#define THREADS	 4
#define PAUSE_US 20000

/* ---- workloads ------------------------------------------------------------------------------- */

__attribute__((noinline, noclone, used, visibility("default"))) long linked_sum(long a, long b)
{
	__asm__ volatile("");
	return a + b;
}

static int call_sum(void *unused)
{
	(void)unused;
	for (long i = 0; i < CALLS; i++)
		linked_sum(i, 1000000);
	return 0;
}

static jmp_buf back;

/* Every tenth call returns. */
__attribute__((noinline, noclone, used, visibility("default"))) long linked_jump(long number)
{
	if (number % 10)
		longjmp(back, 1);
	return number;
}

static void call_jump(void)
{
	volatile long number = 0;

	setjmp(back);
	while (number < CALLS)
		linked_jump(number++);
}

static int read_zeros(void *unused)
{
	static char bytes[READ_LEN];
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	(void)unused;
	for (int i = 0; i < CALLS; i++)
		if (read(fd, bytes, sizeof(bytes)) != READ_LEN)
			return EXIT_FAILURE;
	return close(fd);
}

/* Linux 5.10 follows as many open calls of a kretprobe as there are CPUs. */
static int thread_count(void)
{
	uint32_t cpus = possible_cpus();

	return cpus < THREADS ? (int)cpus : THREADS;
}

static void *read_late(void *arg)
{
	const int *pipe_fds = arg;
	char bytes[THREADS];

	ck_assert_int_gt(read(pipe_fds[0], bytes, sizeof(bytes)), 0);
	return NULL;
}

/* Thread N waits in read() for N pauses, and reads N bytes. */
static void read_pipes(int count)
{
	pthread_t threads[THREADS];
	int fds[THREADS][2];

	for (int i = 0; i < count; i++) {
		ck_assert_int_eq(pipe2(fds[i], O_CLOEXEC), 0);
		ck_assert_int_eq(pthread_create(&threads[i], NULL, read_late, fds[i]), 0);
	}
	for (int i = 0; i < count; i++) {
		usleep(PAUSE_US);
		ck_assert_int_eq(write(fds[i][1], "1234", (size_t)i + 1), i + 1);
	}
	for (int i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
		close(fds[i][0]);
		close(fds[i][1]);
	}
}

/* ---- sessions -------------------------------------------------------------------------------- */

static struct peat_session *session;
static struct peat_where *where;

#define FIELDS(...)                                                                                \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/* Events of this process that `expression` selects. */
static void add(const char *source, const char *const *fields, const char *expression)
{
	struct peat_session_opts opts = {
		.sz = sizeof(opts),
		.pid = (uint32_t)getpid(),
		.measure = true,
	};
	struct peat_function_opts function = { .sz = sizeof(function), .fields = fields };

	peat_set_print(keep_messages);
	*messages = '\0';
	while (fields[function.field_count])
		function.field_count++;
	opts.where = where = expression ? peat_where__parse(expression) : NULL;
	session = peat_session__new(&opts);
	ck_assert_msg(session, "%s", messages);
	ck_assert_msg(!peat_session__add_functions(session, source, &function), "%s", messages);
}

static void start(void)
{
	ck_assert_msg(!peat_session__start(session, NULL), "%s", messages);
}

static uint64_t number(const struct peat_event *event, const char *name)
{
	const struct peat_field *field = peat_schema__find(event->schema, name, NULL);
	uint64_t value;

	ck_assert_msg(field, "no field %s", name);
	ck_assert(peat_field__number(field, event->data, event->size, &value));
	return value;
}

static uint64_t no_return; /* calls of the last run */

/* Counts the events, after `check` of each; nothing else happened. */
static uint64_t finish_run(void (*check)(const struct peat_event *event, uint64_t i))
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	struct peat_reader *from = peat_session__reader(session);
	const struct peat_event *event;
	uint64_t count = 0;

	peat_session__stop(session);
	peat_reader__flush(from);
	while (peat_reader__next(from, &event) > 0)
		if (event->kind == PEAT_EVENT_DATA)
			check(event, count++);
	ck_assert_int_eq(peat_reader__ledger(from, PEAT_ALL_CPUS, &ledger), 0);
	ck_assert_uint_eq(ledger.calls_full, 0);
	ck_assert_uint_eq(ledger.no_call, 0);
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 0);
	no_return = ledger.no_return;
	peat_session__free(session);
	peat_where__free(where);
	return count;
}

/* One program with one link, if the kernel has sessions. */
static void check_links(bool is_of_user)
{
	struct session_calls calls;

	if (session_links__find(&calls, is_of_user))
		ck_assert_uint_eq(session->link_count, 1);
	else
		ck_assert_uint_eq(session->link_count, 2);
}

/* ---- functions of programs ------------------------------------------------------------------- */

static void check_sum(const struct peat_event *event, uint64_t i)
{
	ck_assert_uint_eq(number(event, "result"), i + 1000000);
	ck_assert_uint_gt(number(event, "latency"), 0);
}

static void check_argument(const struct peat_event *event, uint64_t i)
{
	check_sum(event, i);
	ck_assert_uint_eq(number(event, "arg1"), i);
	ck_assert_uint_eq(number(event, "arg2"), 1000000);
}

static uint64_t count_runs(void)
{
	struct peat_program_stats stats = { .sz = sizeof(stats) };
	uint64_t runs = 0;

	for (uint32_t i = 0; peat_session__program(session, i, &stats) > 0; i++)
		runs += stats.runs;
	return runs;
}

/*
 * Calls of another process are not counted as returns without a call; by links of many places, it
 * has no breakpoint.
 */
static void check_user(const char *const *fields,
		       void (*check)(const struct peat_event *event, uint64_t i))
{
	pin_to(0);
	add(own_program__source("uretprobe", "linked_sum"), fields, NULL);
	start();
	check_links(true);
	call_sum(NULL);
	process__do(call_sum, NULL);
	if (uprobe_multi__is_supported())
		ck_assert_uint_eq(count_runs(), 2 * CALLS);
	ck_assert_uint_eq(finish_run(check), CALLS);
}

START_TEST(test_user_results)
{
	check_user(FIELDS("result", "latency"), check_sum);
}
END_TEST

START_TEST(test_user_arguments)
{
	check_user(FIELDS("arg1", "arg2", "result", "latency"), check_argument);
}
END_TEST

static void check_tenth(const struct peat_event *event, uint64_t i)
{
	ck_assert_uint_eq(number(event, "arg1"), 10 * i);
	ck_assert_uint_eq(number(event, "result"), 10 * i);
}

/* On s390x, the kernel returns to the wrong caller after a longjmp() (Linux 7.2). */
#ifdef __s390x__
#define LONGJMP_IS_WRONG true
#else
#define LONGJMP_IS_WRONG false
#endif

START_TEST(test_calls_without_return)
{
	if (LONGJMP_IS_WRONG)
		skip("return probes and longjmp() do not go together on s390x");
	pin_to(0);
	add(own_program__source("uretprobe", "linked_jump"), FIELDS("arg1", "result"), NULL);
	start();
	call_jump();
	ck_assert_uint_eq(finish_run(check_tenth), CALLS / 10);
	ck_assert_uint_eq(no_return, CALLS - CALLS / 10);
}
END_TEST

/* ---- functions of the kernel ----------------------------------------------------------------- */

#define NEED_KPROBES()                                                                             \
	do {                                                                                       \
		if (!tracefs__has_kprobes())                                                       \
			skip("this kernel has no kprobes");                                        \
	} while (0)

/* Linux 5.17 */
#define NEED_FENTRY()                                                                              \
	do {                                                                                       \
		if (!fentry_links__are_supported())                                                \
			skip("this kernel does not load fentry programs with arguments");          \
	} while (0)

static void check_result(const struct peat_event *event, uint64_t i)
{
	(void)i;
	ck_assert_uint_eq(number(event, "result"), READ_LEN);
	ck_assert_uint_gt(number(event, "latency"), 0);
}

static void check_count(const struct peat_event *event, uint64_t i)
{
	(void)i;
	ck_assert_uint_eq(number(event, "count"), READ_LEN);
}

static void check_all(const struct peat_event *event, uint64_t i)
{
	check_result(event, i);
	check_count(event, i);
}

static void check_reads(const char *source, const char *const *fields, const char *expression,
			bool by_fentry, void (*check)(const struct peat_event *event, uint64_t i))
{
	add(source, fields, expression);
	session->parts[0].functions->by_fentry = by_fentry;
	start();
	ck_assert_int_eq(read_zeros(NULL), 0);
	process__do(read_zeros, NULL);
	ck_assert_uint_eq(finish_run(check), CALLS);
}

START_TEST(test_kernel_results)
{
	NEED_KPROBES();
	check_reads("kretprobe:vfs_read", FIELDS("result", "latency"), "result == 12345", false,
		    check_result);
}
END_TEST

START_TEST(test_kernel_arguments)
{
	NEED_KPROBES();
	check_reads("kretprobe:vfs_read", FIELDS("count", "result", "latency"), "count == 12345",
		    false, check_all);
}
END_TEST

START_TEST(test_fentry_calls)
{
	NEED_FENTRY();
	check_reads("kprobe:vfs_read", FIELDS("count"), "count == 12345", true, check_count);
}
END_TEST

START_TEST(test_fexit_returns)
{
	NEED_FENTRY();
	check_reads("kretprobe:vfs_read", FIELDS("count", "result", "latency"), "count == 12345",
		    true, check_all);
}
END_TEST

static uint64_t late; /* bits of the threads whose events came */

/* The first pause may be shorter. */
static void check_late(const struct peat_event *event, uint64_t i)
{
	uint64_t bytes = number(event, "result");

	(void)i;
	ck_assert_uint_ge(bytes, 1);
	ck_assert_uint_le(bytes, THREADS);
	ck_assert_uint_ge(number(event, "latency"), (bytes - 1) * PAUSE_US * 1000);
	late |= 1U << bytes;
}

static void check_pipes(const char *const *fields, bool by_fentry)
{
	int count = thread_count();

	late = 0;
	add("kretprobe:vfs_read", fields, "result >= 1 && result <= 4");
	session->parts[0].functions->by_fentry = by_fentry;
	start();
	read_pipes(count);
	ck_assert_uint_eq(finish_run(check_late), count);
	ck_assert_uint_eq(late, (2U << count) - 2);
}

START_TEST(test_waiting_threads)
{
	NEED_KPROBES();
	check_pipes(FIELDS("result", "latency"), false);
	check_pipes(FIELDS("count", "result", "latency"), false);
}
END_TEST

START_TEST(test_waiting_threads_by_fexit)
{
	NEED_FENTRY();
	check_pipes(FIELDS("count", "result", "latency"), true);
}
END_TEST

static Suite *function_links_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("function links", 60, &tests);

	tcase_add_test(tests, test_user_results);
	tcase_add_test(tests, test_user_arguments);
	tcase_add_test(tests, test_calls_without_return);
	tcase_add_test(tests, test_kernel_results);
	tcase_add_test(tests, test_kernel_arguments);
	tcase_add_test(tests, test_fentry_calls);
	tcase_add_test(tests, test_fexit_returns);
	tcase_add_test(tests, test_waiting_threads);
	tcase_add_test(tests, test_waiting_threads_by_fexit);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { function_links_suite };

	return harness__main(argc, argv, suites, 1);
}
