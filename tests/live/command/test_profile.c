// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_profile.c: the probes profile and offcpu, which show where the time goes. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <peat/stacks.h>

#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/tracing.h"
#include "support/recording/pprof_file.h"

#define MS 1000000LL

static int ready[2], wakeup[2];

static void say_ready(void)
{
	ck_assert_int_eq(write(ready[1], "r", 1), 1);
}

static pid_t start_child(int (*function)(void *), void *arg)
{
	char byte;
	pid_t child;

	ck_assert_int_eq(pipe(ready), 0);
	child = process__start(function, arg);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	process__wait(child);
	close(ready[0]);
	close(ready[1]);
}

static const char *text_of(pid_t pid)
{
	static char texts[4][16];
	static unsigned next;
	char *text = texts[next++ % 4];

	snprintf(text, sizeof(texts[0]), "%d", (int)pid);
	return text;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Whether a frame of the event's stack has this function. */
static bool has_frame(const char *event, const char *function)
{
	char path[32];

	for (int i = 0; i < 512; i++) {
		const char *symbol;

		snprintf(path, sizeof(path), "stack[%d].symbol", i);
		symbol = json_lines__text(event, path);
		if (symbol && !strcmp(symbol, function))
			return true;
		snprintf(path, sizeof(path), "stack[%d]", i);
		if (json_lines__kind(event, path) == JSON_NOTHING)
			return false;
	}
	return false;
}

/* Compilers of s390x do not keep frame pointers. */
#ifdef __s390x__
#define has_user_frame(event, function) true
#else
#define has_user_frame(event, function) has_frame(event, function)
#endif

/* ---- profile --------------------------------------------------------------------------------- */

static volatile unsigned long counted;

__attribute__((noinline)) static void count_for_profile(void)
{
	for (int i = 0; i < 1000000; i++)
		counted++;
}

/* A function that calls none has no frame pointer, and hides its caller. */
__attribute__((noinline)) static void count_often(void)
{
	for (;;)
		count_for_profile();
}

static int be_busy(void *name)
{
	prctl(PR_SET_NAME, name);
	process__pin();
	say_ready();
	count_often();
	return 0;
}

START_TEST(test_busy_process)
{
	pid_t busy = start_child(be_busy, (void *)"busy-child");
	struct tracing tracing;
	const char *event;
	size_t from = 0, in_user = 0, named = 0;

	tracing__start(&tracing, TRACE("profile,freq=500", "-p", text_of(busy), "-n", "30"));
	tracing__finish(&tracing);
	end_child(busy);
	ck_assert_uint_eq(tracing__count(&tracing, "profile", busy), 30);
	ck_assert_uint_eq(tracing.events.count, 30);
	while ((event = tracing__next(&tracing, "profile", busy, &from))) {
		expect_text(event, "comm", "busy-child");
		in_user += !strcmp(json_lines__text(event, "mode"), "user");
		named += has_frame(event, "count_for_profile") && has_user_frame(event, "be_busy");
	}
	ck_assert_uint_gt(in_user, 15);
	ck_assert_msg(named > 15, "%zu: %s", named, tracing.events.lines[0]);
	tracing__free(&tracing);
}
END_TEST

/* Idle CPUs have no samples, unless they are asked for. */
START_TEST(test_idle_cpus)
{
	static const char *const options[] = { "profile,freq=500", "profile,freq=500,idle" };

	for (int i = 0; i < 2; i++) {
		struct tracing tracing;
		size_t from = 0;

		tracing__start(&tracing, TRACE(options[i], "-d", "300ms"));
		tracing__finish(&tracing);
		if (!i)
			ck_assert_ptr_null(tracing__next(&tracing, "profile", 0, &from));
		tracing__free(&tracing);
	}
}
END_TEST

START_TEST(test_profile_counts)
{
	pid_t busy = start_child(be_busy, (void *)"busy-child");
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "count", "profile,freq=500", "--by", "comm,mode", "-d",
			  "300ms", "--comm", "busy-child"));
	end_child(busy);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.out_text, "busy-child"), "%s%s", peat.out_text, peat.err_text);
	ck_assert_msg(strstr(peat.out_text, "user"), "%s", peat.out_text);
	command__free(&peat);
}
END_TEST

START_TEST(test_profile_refusals)
{
	static const char *const wrong[][2] = {
		{ "profile,event=nosuch", "no event nosuch" },
		{ "profile,event=sched:sched_switch", "is a tracepoint: its programs have" },
		{ "profile,freq=0", "freq=0: the kernel allows 1 to " },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct command peat;

		command__run(&peat, ALL_CAPS,
			     ARGV(command__peat(), "trace", wrong[i][0], "-d", "100ms"));
		ck_assert_int_eq(peat.status, 1);
		ck_assert_msg(strstr(peat.err_text, wrong[i][1]), "%s", peat.err_text);
		command__free(&peat);
	}
}
END_TEST

/* ---- offcpu ---------------------------------------------------------------------------------- */

__attribute__((noinline)) static void sleep_for_offcpu(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 50 * MS }, NULL);
	counted++;
}

static int sleep_often(void *name)
{
	prctl(PR_SET_NAME, name);
	say_ready();
	for (;;)
		sleep_for_offcpu();
	return 0;
}

static void check_times(const char *event, long long least)
{
	ck_assert_int_ge(json_lines__number(event, "duration"), least);
	ck_assert_int_ge(json_lines__number(event, "delay"), 0);
	ck_assert_int_le(json_lines__number(event, "delay"), json_lines__number(event, "duration"));
}

START_TEST(test_offcpu_of_sleeper)
{
	pid_t sleeper = start_child(sleep_often, (void *)"sleeps-50-ms");
	struct tracing tracing;
	const char *event;
	size_t from = 0, sleeps = 0;

	tracing__start(&tracing, TRACE("offcpu,min=20ms", "-p", text_of(sleeper), "-n", "5"));
	tracing__finish(&tracing);
	end_child(sleeper);
	ck_assert_uint_eq(tracing.events.count, 5);
	while ((event = tracing__next(&tracing, "offcpu", sleeper, &from))) {
		expect_text(event, "comm", "sleeps-50-ms");
		if (strcmp(json_lines__text(event, "state"), "sleeping") != 0)
			continue; /* preempted by other tasks of this machine */
		/* The sleep begins before the thread leaves the CPU. */
		check_times(event, 40 * MS);
		/* nanosleep() of the C library has no frame pointer, and hides its caller. */
		ck_assert_msg(has_user_frame(event, "sleep_often"), "%s", event);
		ck_assert_msg(has_frame(event, "hrtimer_nanosleep"), "%s", event);
		sleeps++;
	}
	ck_assert_uint_gt(sleeps, 0);
	tracing__free(&tracing);
}
END_TEST

/* User stacks are by frame pointers, whichever kind was asked for. */
START_TEST(test_user_stacks_of_sleeper)
{
	static const char *const options[] = { "--stacks=both", "--stacks=user", "--stacks=dwarf",
					       "--stacks=dwarf,64", "--stack-depth=8" };
	pid_t sleeper = start_child(sleep_often, (void *)"sleeps-50-ms");

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		struct tracing tracing;
		size_t from = 0, named = 0;
		const char *event;

		tracing__start(&tracing, TRACE("offcpu,min=20ms", options[i], "-p",
					       text_of(sleeper), "-n", "3"));
		tracing__finish(&tracing);
		while ((event = tracing__next(&tracing, "offcpu", sleeper, &from))) {
			named += has_user_frame(event, "sleep_often");
			ck_assert(!json_event__has(event, "stack[16]") ||
				  strcmp(options[i], "--stack-depth=8") != 0);
		}
		ck_assert_msg(named, "%s: %s", options[i], tracing.events.lines[0]);
		tracing__free(&tracing);
	}
	end_child(sleeper);
}
END_TEST

__attribute__((noinline)) static void wait_for_offcpu(void)
{
	char byte;

	ck_assert_int_eq(read(wakeup[0], &byte, 1), 1);
	say_ready();
	counted++;
}

static bool is_asleep(pid_t pid)
{
	char path[32], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
	fclose(file);
	return state == 'S';
}

/* On a busy machine, the waiter runs late: it has to sleep before, and to be awake afterwards. */
static void wake_sleeper(pid_t waiter)
{
	char byte;

	while (!is_asleep(waiter))
		usleep(1000);
	usleep(30000);
	ck_assert_int_eq(write(wakeup[1], "w", 1), 1);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
}

static int wait_often(void *name)
{
	prctl(PR_SET_NAME, name);
	say_ready();
	for (;;)
		wait_for_offcpu();
	return 0;
}

START_TEST(test_offcpu_names_waker)
{
	struct tracing tracing;
	const char *event;
	size_t from = 0, woken = 0;
	pid_t waiter;

	ck_assert_int_eq(pipe(wakeup), 0);
	prctl(PR_SET_NAME, "wakes-others");
	waiter = start_child(wait_often, (void *)"waits");
	tracing__start(&tracing, TRACE("offcpu,min=10ms", "-p", text_of(waiter)));
	for (int i = 0; i < 5; i++)
		wake_sleeper(waiter);
	tracing__stop(&tracing);
	end_child(waiter);
	while ((event = tracing__next(&tracing, "offcpu", waiter, &from))) {
		if (strcmp(json_lines__text(event, "state"), "sleeping") != 0)
			continue;
		check_times(event, 10 * MS);
		expect_number(event, "waker", getpid());
		expect_text(event, "waker_comm", "wakes-others");
		ck_assert_msg(has_user_frame(event, "wait_often"), "%s", event);
		woken++;
	}
	/* It left the CPU for the first time before it was traced. */
	ck_assert_uint_ge(woken, 3);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_offcpu_of_preempted_thread)
{
	pid_t first = start_child(be_busy, (void *)"first"), second;
	struct tracing tracing;
	const char *event;
	size_t from = 0, preempted = 0;

	second = process__start(be_busy, (void *)"second");
	tracing__start(&tracing, TRACE("offcpu,min=100us", "-p", text_of(first), "-n", "10"));
	tracing__finish(&tracing);
	kill(second, SIGKILL);
	process__wait(second);
	end_child(first);
	while ((event = tracing__next(&tracing, "offcpu", first, &from))) {
		expect_text(event, "state", "preempted");
		expect_number(event, "waker", 0);
		expect_text(event, "waker_comm", "");
		check_times(event, 100000);
		ck_assert_int_eq(json_lines__number(event, "delay"),
				 json_lines__number(event, "duration"));
		preempted++;
	}
	ck_assert_uint_eq(preempted, 10);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_silence_below_min)
{
	pid_t sleeper = start_child(sleep_often, (void *)"sleeps-50-ms");
	struct tracing tracing;

	tracing__start(&tracing, TRACE("offcpu,min=1h", "-p", text_of(sleeper), "-d", "200ms"));
	tracing__finish(&tracing);
	end_child(sleeper);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

/* ---- other probes ---------------------------------------------------------------------------- */

__attribute__((noinline)) static void call_for_stacks(void)
{
	/* open() of the C library uses the frame pointer for other things. */
	syscall(SYS_openat, AT_FDCWD, "/etc/nosuch-for-stacks", O_RDONLY);
	kill(getpid(), 0);
	signal(SIGUSR1, SIG_IGN);
	kill(getpid(), SIGUSR1);
	counted++;
}

__attribute__((noinline)) static void call_caller(void)
{
	call_for_stacks();
	counted++;
}

static void check_stack_of(const char *probe, const char *type)
{
	struct tracing tracing;
	const char *event;
	size_t from = 0, named = 0;

	tracing__start(&tracing, TRACE(probe, "--stacks", "both", "-p", text_of(getpid())));
	call_caller();
	tracing__stop(&tracing);
	while ((event = tracing__next(&tracing, type, getpid(), &from)))
		named += has_user_frame(event, "call_caller");
	ck_assert_msg(named, "%s: %s", probe, tracing.events.count ? tracing.events.lines[0] : "");
	tracing__free(&tracing);
}

START_TEST(test_stacks_of_probes)
{
	check_stack_of("open", "open");
	check_stack_of("signal", "signal");
	check_stack_of("syscall,min=0", "syscall");
}
END_TEST

static int return_zero(void *unused)
{
	(void)unused;
	return 0;
}

/* Their user code is another program, or gone. */
START_TEST(test_stacks_of_exec_and_exit)
{
	const char *path = process__program();
	struct tracing tracing;
	pid_t ran, ended;

	tracing__start(&tracing, TRACE("exec", "exit", "--stacks", "kernel"));
	ran = process__run(path, ARGV("name", "argument"));
	ended = process__do(return_zero, NULL);
	tracing__stop(&tracing);
	expect_text(tracing__only(&tracing, "exec", ran), "args[1]", "argument");
	ck_assert(json_event__has(tracing__only(&tracing, "exec", ran), "stack[0].symbol"));
	ck_assert(has_frame(tracing__only(&tracing, "exit", ended), "do_exit"));
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

START_TEST(test_stacks_are_left_out)
{
	pid_t busy = start_child(be_busy, (void *)"busy-child");
	struct tracing tracing;

	tracing__start(&tracing, TRACE("profile,freq=500", "--stacks", "none", "-p", text_of(busy),
				       "-n", "3"));
	tracing__finish(&tracing);
	end_child(busy);
	ck_assert_uint_eq(tracing.events.count, 3);
	for (size_t i = 0; i < tracing.events.count; i++)
		ck_assert(!json_event__has(tracing.events.lines[i], "stack"));
	tracing__free(&tracing);
}
END_TEST

/* ---- peat profile ---------------------------------------------------------------------------- */

#define PROFILE(...) ARGV(command__peat(), "profile", __VA_ARGS__)

/* The weight of a function in a report, `name` "self" or "total". */
static long long weight_in(const char *report, const char *function, const char *name)
{
	char path[64];

	for (int i = 0;; i++) {
		const char *symbol;

		snprintf(path, sizeof(path), "functions[%d]", i);
		if (json_lines__kind(report, path) == JSON_NOTHING)
			return 0;
		snprintf(path, sizeof(path), "functions[%d].symbol", i);
		symbol = json_lines__text(report, path);
		if (!symbol || strcmp(symbol, function) != 0)
			continue;
		snprintf(path, sizeof(path), "functions[%d].%s", i, name);
		return json_lines__number(report, path);
	}
}

static void run_profile(struct command *peat, const char *const *argv)
{
	size_t at;

	command__run(peat, ALL_CAPS, argv);
	ck_assert_msg(peat->status == 0, "%d: %s", peat->status, peat->err_text);
	ck_assert_msg(!json_lines__check(peat->out_text, strlen(peat->out_text), &at), "%s",
		      peat->out_text);
}

START_TEST(test_report_of_process)
{
	pid_t busy = start_child(be_busy, (void *)"busy-child");
	struct command peat;
	long long stacks;

	run_profile(&peat, PROFILE("-j", "-F", "500", "-p", text_of(busy), "-d", "400ms"));
	end_child(busy);
	stacks = json_lines__number(peat.out_text, "stacks");
	ck_assert_int_gt(stacks, 0);
	ck_assert_int_eq(json_lines__number(peat.out_text, "weight"), stacks);
	expect_text(peat.out_text, "unit", "samples");
	ck_assert_int_gt(weight_in(peat.out_text, "count_for_profile", "self"), stacks / 2);
	ck_assert_int_le(weight_in(peat.out_text, "be_busy", "self"), stacks / 2);
	command__free(&peat);
}
END_TEST

/* Other processes do not count. */
START_TEST(test_report_of_command)
{
	pid_t busy = start_child(be_busy, (void *)"busy-child");
	struct command peat;

	run_profile(&peat, PROFILE("-j", "-F", "999", "--", "sh", "-c",
				   "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; :"));
	end_child(busy);
	ck_assert_int_gt(json_lines__number(peat.out_text, "stacks"), 0);
	ck_assert_int_eq(weight_in(peat.out_text, "count_for_profile", "total"), 0);
	command__free(&peat);
}
END_TEST

START_TEST(test_report_of_times)
{
	pid_t sleeper = start_child(sleep_often, (void *)"sleeps-50-ms");
	struct command peat;
	long long weight;

	run_profile(&peat, PROFILE("-j", "--offcpu", "--min", "20ms", "-p", text_of(sleeper), "-d",
				   "400ms"));
	end_child(sleeper);
	expect_text(peat.out_text, "unit", "ns");
	weight = json_lines__number(peat.out_text, "weight");
	ck_assert_int_ge(weight, 40 * MS);
	ck_assert_int_ge(weight_in(peat.out_text, "hrtimer_nanosleep", "total"), 40 * MS);
	command__free(&peat);
}
END_TEST

START_TEST(test_prints_table)
{
	pid_t busy = start_child(be_busy, (void *)"busy-child");
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     PROFILE("-F", "500", "-p", text_of(busy), "-d", "300ms", "-r", "2"));
	end_child(busy);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.out_text, "   SELF   TOTAL  SAMPLES  FUNCTION"), "%s",
		      peat.out_text);
	ck_assert_msg(strstr(peat.out_text, "count_for_profile"), "%s", peat.out_text);
	ck_assert_msg(strstr(peat.err_text, " lost"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

static void check_file(pid_t busy, const char *ending)
{
	char path[64], bytes[65536];
	struct command peat;
	size_t count;
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-profile-%d%s", (int)getpid(), ending);
	command__run(&peat, ALL_CAPS,
		     PROFILE("-F", "500", "-p", text_of(busy), "-d", "200ms", "-o", path));
	ck_assert_msg(peat.status == 0, "%s: %s", path, peat.err_text);
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	count = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	unlink(path);
	ck_assert_msg(strstr(ending, ".gz") ? memmem(bytes, count, "\x1f\x8b", 2) == bytes
					    : !!memmem(bytes, count, "count_for_profile", 17),
		      "%s", path);
}

/* The name of the file selects the format. */
START_TEST(test_formats_by_file_name)
{
	pid_t busy = start_child(be_busy, (void *)"busy-child");
	const char *suffix;

	for (enum peat_stacks_format i = 0; (suffix = peat_stacks__suffix(i)); i++)
		check_file(busy, suffix);
	check_file(busy, ".json");
	check_file(busy, ".txt");
	end_child(busy);
}
END_TEST

/* A sample of a clock stands for CPU time; that of a page fault does not. */
START_TEST(test_cpu_time)
{
	pid_t busy = start_child(be_busy, (void *)"busy-child");
	char path[64], name[PATH_MAX];
	Profile__Profile *profile;
	struct command peat;

	snprintf(path, sizeof(path), "/tmp/peat-profile-%d.pb.gz", (int)getpid());
	command__run(&peat, ALL_CAPS,
		     PROFILE("-F", "500", "-p", text_of(busy), "-d", "200ms", "-o", path));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	command__free(&peat);
	profile = pprof_file__read(path);
	ck_assert_uint_eq(profile->n_sample_type, 2);
	ck_assert_str_eq(profile->string_table[profile->sample_type[1]->type], "cpu");
	ck_assert_str_eq(profile->string_table[profile->sample_type[1]->unit], "nanoseconds");
	ck_assert_int_eq(profile->period, 2 * MS);
	ck_assert_int_gt(pprof_file__sum(profile, 0), 0);
	ck_assert_int_eq(pprof_file__sum(profile, 1), 2 * MS * pprof_file__sum(profile, 0));
	ck_assert_ptr_nonnull(realpath("/proc/self/exe", name));
	ck_assert_str_eq(profile->string_table[profile->mapping[0]->filename], name);
	profile__profile__free_unpacked(profile, NULL);

	command__run(&peat, ALL_CAPS,
		     PROFILE("-e", "page-faults", "-F", "500", "-o", path, "--", "ls"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	command__free(&peat);
	end_child(busy);
	profile = pprof_file__read(path);
	ck_assert_uint_eq(profile->n_sample_type, 1);
	profile__profile__free_unpacked(profile, NULL);
	unlink(path);
}
END_TEST

START_TEST(test_wrong_usage)
{
	static const char *const wrong[][4] = {
		{ "-o", "out.xyz", "unknown format: use --to, or a name that ends with .folded" },
		{ "--to", "pdf", "expected text, folded, flamegraph, pprof or json" },
		{ "--min", "1ms", "--min needs --offcpu" },
		{ "--stacks", "none", "peat profile counts stacks" },
		{ "--sort", "name", "expected self or total" },
		{ "profile", "exec", "unexpected argument 'profile': a command follows --" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct command peat;

		command__run(&peat, 0, PROFILE(wrong[i][0], wrong[i][1]));
		ck_assert_int_eq(peat.status, 64);
		ck_assert_msg(strstr(peat.err_text, wrong[i][2]), "%s", peat.err_text);
		command__free(&peat);
	}
}
END_TEST

static Suite *profile_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("profile", 60, &tests);

	tcase_add_test(tests, test_busy_process);
	tcase_add_test(tests, test_idle_cpus);
	tcase_add_test(tests, test_profile_counts);
	tcase_add_test(tests, test_profile_refusals);
	tcase_add_test(tests, test_offcpu_of_sleeper);
	tcase_add_test(tests, test_user_stacks_of_sleeper);
	tcase_add_test(tests, test_offcpu_names_waker);
	tcase_add_test(tests, test_offcpu_of_preempted_thread);
	tcase_add_test(tests, test_silence_below_min);
	tcase_add_test(tests, test_stacks_of_probes);
	tcase_add_test(tests, test_stacks_of_exec_and_exit);
	tcase_add_test(tests, test_stacks_are_left_out);
	tcase_add_test(tests, test_report_of_process);
	tcase_add_test(tests, test_report_of_command);
	tcase_add_test(tests, test_report_of_times);
	tcase_add_test(tests, test_prints_table);
	tcase_add_test(tests, test_formats_by_file_name);
	tcase_add_test(tests, test_cpu_time);
	tcase_add_test(tests, test_wrong_usage);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { profile_suite };

	return harness__main(argc, argv, suites, 1);
}
