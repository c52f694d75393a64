// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_trace.c: peat trace, run as a user runs it. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "object/map_memory.h"
#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/paranoid.h"
#include "support/machine/process.h"

#define PEAT command__peat()

/* Starts peat with -v, and returns after its programs are attached. */
static void start(struct command *peat, const char *const *argv)
{
	const char *with_v[16];
	size_t count = 0;

	for (; argv[count]; count++)
		with_v[count] = argv[count];
	with_v[count] = "-v";
	with_v[count + 1] = NULL;
	command__start(peat, ALL_CAPS, with_v);
	command__expect(peat->err, "attached");
}

static void stop(struct command *peat, int signal)
{
	kill(peat->pid, signal);
	command__finish(peat);
}

/* The name of the program's task: the first 15 bytes of the file name. */
static const char *comm_of(const char *path)
{
	static char comm[16];

	snprintf(comm, sizeof(comm), "%s", strrchr(path, '/') + 1);
	return comm;
}

/* Number of lines that contain `text`. */
static unsigned count_lines(const char *output, const char *text)
{
	unsigned count = 0;

	for (const char *line = output; (line = strstr(line, text)); count++) {
		line += strcspn(line, "\n");
		if (!*line)
			return count + 1;
	}
	return count;
}

/* ---- events ---------------------------------------------------------------------------------- */

#define PROCESSES 500

/* Joins blanks, and removes the CPU, "[001] ", which can be any. */
static void squeeze(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (!strncmp(text, "[0", 2) && text[4] == ']')
			text += 4 + strspn(text + 5, " ");
		else if (*text != ' ' || text[1] != ' ')
			*to++ = *text;
	*to = '\0';
}

static bool has_line(const char *output, const char *path, pid_t pid, unsigned number)
{
	char wanted[256], args[32];

	snprintf(args, sizeof(args), "name %u", number);
	snprintf(wanted, sizeof(wanted), "\n %d %.15s %d %u %zu %s %s\n", pid, comm_of(path),
		 getpid(), getuid(), strlen(args) + 1, path, args);
	return strstr(output, wanted);
}

START_TEST(test_500_processes)
{
	const char *path = process__program();
	static pid_t pids[PROCESSES];
	unsigned lines, right = 0, processes = amount__at_most("PEAT_TEST_PROCESSES", PROCESSES);
	struct command peat;

	start(&peat, ARGV(PEAT, "trace", "exec"));
	for (unsigned i = 0; i < processes; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%u", i);
		pids[i] = process__run(path, ARGV("name", number));
	}
	stop(&peat, SIGINT);
	ck_assert_int_eq(peat.status, 0);
	lines = count_lines(peat.out_text, path);
	squeeze(peat.out_text);
	for (unsigned i = 0; i < processes; i++)
		right += has_line(peat.out_text, path, pids[i], i);
	if (right != lines || right + command__missed(&peat) < processes)
		fputs(peat.out_text, stderr);
	ck_assert_uint_eq(right, lines);
	ck_assert_uint_ge(right + command__missed(&peat), processes);
	ck_assert_msg(strstr(peat.err_text, " 0 lost"), "%s", peat.err_text);
	command__free(&peat);
	unlink(path);
}
END_TEST

START_TEST(test_arguments_are_quoted)
{
	const char *path = process__program();
	char lots[6000];
	struct command peat;

	memset(lots, 'x', sizeof(lots) - 1);
	lots[sizeof(lots) - 1] = '\0';
	start(&peat, ARGV(PEAT, "trace", "exec"));
	process__run(path, ARGV("t", "a b", "", "q\"q", "esc\x1b[31m", "Gr\xc3\xbc\xc3\x9f"));
	process__run(path, ARGV("t", lots, "end"));
	stop(&peat, SIGTERM);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.out_text,
			     "  t \"a b\" \"\" \"q\\\"q\" esc\\x1b[31m Gr\xc3\xbc\xc3\x9f\n"),
		      "%s", peat.out_text);
	/* 2 + 6000 + 4 bytes, cut to 2048. */
	ck_assert_ptr_nonnull(strstr(peat.out_text, " 5.9K "));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "xxx\n"));
	ck_assert_ptr_null(strstr(peat.out_text, "end"));
	command__free(&peat);
	unlink(path);
}
END_TEST

START_TEST(test_timestamps_are_the_time_of_day)
{
	const char *path = process__program();
	struct command peat;
	char before[16], after[16];
	const char *line;
	time_t now = time(NULL);

	strftime(before, sizeof(before), "%T", localtime(&now));
	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "trace", "exec", "-v", "-T", "-n1", "--comm", comm_of(path)));
	command__expect(peat.err, "attached");
	process__run(path, ARGV("t"));
	command__finish(&peat);
	now = time(NULL);
	strftime(after, sizeof(after), "%T", localtime(&now));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_int_eq(strncmp(peat.out_text, "TIME", 4), 0);
	line = strchr(peat.out_text, '\n') + 1;
	ck_assert_int_eq(line[8], '.');
	if (strcmp(before, after) <= 0) /* else midnight was in between */
		ck_assert(strncmp(line, before, 8) >= 0 && strncmp(line, after, 8) <= 0);
	command__free(&peat);
	unlink(path);
}
END_TEST

/* ---- filters and ends ------------------------------------------------------------------------ */

START_TEST(test_filters_by_task_and_cpu)
{
	const char *path = process__program();
	const char *comm = comm_of(path);
	char pid[16], name[16];
	struct command by_pid, by_comm, by_cpu;
	int go[2];
	pid_t child;

	ck_assert_int_eq(pipe(go), 0);
	child = fork();
	if (!child) {
		char c;

		if (read(go[0], &c, 1) == 1)
			execl(path, "chosen", NULL);
		_exit(127);
	}
	snprintf(pid, sizeof(pid), "%d", child);
	snprintf(name, sizeof(name), "%s", comm); /* names have at most 15 bytes */
	start(&by_pid, ARGV(PEAT, "trace", "exec", "-p", pid, "-n", "1"));
	start(&by_comm, ARGV(PEAT, "trace", "exec", "--comm", name));
	start(&by_cpu, ARGV(PEAT, "trace", "exec", "-C", "0"));
	process__run("/bin/sh", ARGV("sh", "-c", "exit 0"));
	ck_assert_int_eq(write(go[1], "g", 1), 1);
	waitpid(child, NULL, 0);
	command__finish(&by_pid);
	stop(&by_comm, SIGINT);
	stop(&by_cpu, SIGINT);
	ck_assert_uint_eq(count_lines(by_pid.out_text, path), 1);
	ck_assert_uint_eq(count_lines(by_pid.out_text, " "), 2); /* with the heading */
	ck_assert_uint_eq(count_lines(by_comm.out_text, path), 1);
	ck_assert_ptr_null(strstr(by_comm.out_text, "/bin/sh"));
	ck_assert_int_eq(by_pid.status | by_comm.status | by_cpu.status, 0);
	command__free(&by_pid);
	command__free(&by_comm);
	command__free(&by_cpu);
	unlink(path);
}
END_TEST

/* Events of other CPUs are neither printed nor counted as lost. */
START_TEST(test_cpu_filter)
{
	const char *path = process__program();
	struct command peat;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip("one CPU only");
	start(&peat, ARGV(PEAT, "trace", "exec", "-C", "0", "--comm", comm_of(path)));
	for (int i = 0; i < 20; i++) {
		ck_assert_int_eq(process__pin_to(i % 2), 0);
		process__run(path, ARGV(i % 2 ? "elsewhere" : "here"));
	}
	stop(&peat, SIGINT);
	ck_assert_uint_eq(count_lines(peat.out_text, "  here"), 10);
	ck_assert_msg(strstr(peat.err_text, " 0 lost"), "%s", peat.err_text);
	command__free(&peat);
	unlink(path);
}
END_TEST

START_TEST(test_count_and_duration_stop)
{
	const char *path = process__program();
	struct command peat;

	start(&peat, ARGV(PEAT, "trace", "exec", "-n", "3", "--comm", comm_of(path)));
	for (int i = 0; i < 10; i++)
		process__run(path, ARGV("t"));
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_uint_eq(count_lines(peat.out_text, path), 3);
	ck_assert_msg(strstr(peat.err_text, "3 events"), "%s", peat.err_text);
	command__free(&peat);

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "exec", "-d", "300ms", "-p", "1"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, "0 events in"), "%s", peat.err_text);
	command__free(&peat);
	unlink(path);
}
END_TEST

START_TEST(test_quiet_prints_nothing_else)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "exec", "-q", "-d", "100ms", "-p", "1"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_str_eq(peat.err_text, "");
	command__free(&peat);
}
END_TEST

START_TEST(test_output_file)
{
	const char *path = process__program();
	char file[64], text[256] = "";
	struct command peat;
	FILE *written;

	snprintf(file, sizeof(file), "/tmp/peat-test-%d.out", (int)getpid());
	command__start(
		&peat, ALL_CAPS,
		ARGV(PEAT, "trace", "exec", "-v", "-o", file, "-n", "1", "--comm", comm_of(path)));
	command__expect(peat.err, "attached");
	process__run(path, ARGV("t"));
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_str_eq(peat.out_text, "");
	written = fopen(file, "re");
	ck_assert_ptr_nonnull(written);
	ck_assert_uint_gt(fread(text, 1, sizeof(text) - 1, written), 0);
	ck_assert_msg(strstr(text, path) && strstr(text, "FILENAME"), "%s", text);
	fclose(written);
	unlink(file);
	unlink(path);
	command__free(&peat);
}
END_TEST

START_TEST(test_closed_pipe_ends_quietly)
{
	struct command peat;

	start(&peat, ARGV(PEAT, "trace", "exec"));
	fclose(peat.out);
	peat.out = fopen("/dev/null", "re");
	command__finish(&peat); /* also without any event */
	ck_assert_int_eq(peat.status, 0);
	ck_assert_ptr_null(strstr(peat.err_text, "rror"));
	ck_assert_ptr_null(strstr(peat.err_text, "cannot"));
	command__free(&peat);

	command__start(&peat, ALL_CAPS,
		       ARGV("/bin/sh", "-c", "\"$0\" trace exec -q | head -n 5", PEAT));
	while (command__is_running(&peat))
		process__run("/bin/sh", ARGV("sh", "-c", "exit 0"));
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_uint_eq(count_lines(peat.out_text, " "), 5);
	ck_assert_str_eq(peat.err_text, "");
	command__free(&peat);
}
END_TEST

START_TEST(test_full_disk_is_an_error)
{
	struct command peat;

	start(&peat, ARGV(PEAT, "trace", "exec", "-o", "/dev/full"));
	process__run("/bin/sh", ARGV("sh", "-c", "exit 0"));
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, "/dev/full: No space left"), "%s", peat.err_text);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "exec", "-o", "/no/such/dir/x"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, "/no/such/dir/x: No such file"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

/* With rings of a page and peat stopped, each lost event is counted. */
START_TEST(test_loss_is_reported)
{
	const char *path = process__program();
	long runs = sysconf(_SC_PAGESIZE) / 40; /* an event is larger */
	unsigned long long printed, lost;
	struct command peat;
	double seconds;

	start(&peat, ARGV(PEAT, "trace", "exec", "--memory", "1", "--comm", comm_of(path)));
	kill(peat.pid, SIGSTOP);
	process__pin(); /* as many events in one ring */
	for (long i = 0; i < runs; i++)
		process__run(path, ARGV("t"));
	kill(peat.pid, SIGCONT);
	stop(&peat, SIGINT);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_int_eq(sscanf(peat.err_text, "peat: %llu events in %lf s, %*[^0-9]%llu lost",
				&printed, &seconds, &lost) == 3 ||
				 sscanf(peat.err_text, "peat: %llu events in %lf s, %llu lost",
					&printed, &seconds, &lost) == 3,
			 1);
	if (strstr(peat.err_text, "at least"))
		skip("this kernel has no PERF_FORMAT_LOST");
	ck_assert_uint_gt(lost, 0);
	ck_assert_uint_eq(printed + lost, runs);
	ck_assert_uint_eq(printed, count_lines(peat.out_text, path));
	ck_assert_ptr_nonnull(strstr(peat.err_text, "--memory"));
	command__free(&peat);
	unlink(path);
}
END_TEST

/* ---- messages -------------------------------------------------------------------------------- */

static void check_usage(const char *const *argv, const char *word)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == 64, "%s: status %d", word, peat.status);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_msg(strstr(peat.err_text, word), "'%s' does not say '%s'", peat.err_text, word);
	command__free(&peat);
}

START_TEST(test_usage_errors)
{
	check_usage(ARGV(PEAT), "Usage");
	check_usage(ARGV(PEAT, "dance"), "dance");
	check_usage(ARGV(PEAT, "trace"), "no source");
	check_usage(ARGV(PEAT, "trace", "nothing"), "peat list");
	check_usage(ARGV(PEAT, "trace", "@nothing"), "peat list");
	check_usage(ARGV(PEAT, "trace", "exec", "-t", "x"), "process id");
	check_usage(ARGV(PEAT, "trace", "exec", "-u", "no-such-user"), "no-such-user");
	check_usage(ARGV(PEAT, "trace", "sched,min=5"), "5ms");
	check_usage(ARGV(PEAT, "trace", "sched,min"), "value");
	check_usage(ARGV(PEAT, "trace", "sched,max_delay=5ms"), "max_delay");
	check_usage(ARGV(PEAT, "trace", "exec", "-p", "0"), "process id");
	check_usage(ARGV(PEAT, "trace", "exec", "-d", "1y"), "1y");
	check_usage(ARGV(PEAT, "trace", "exec", "-n", "-1"), "-1");
	check_usage(ARGV(PEAT, "trace", "exec", "--memory", "0"), "memory");
	check_usage(ARGV(PEAT, "trace", "exec", "--frobnicate"), "frobnicate");
}
END_TEST

static void check_said(const char *const *argv, const char *word)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_int_eq(peat.status, 0);
	ck_assert_str_eq(peat.err_text, "");
	ck_assert_msg(strstr(peat.out_text, word), "'%s' does not say '%s'", peat.out_text, word);
	command__free(&peat);
}

START_TEST(test_help_and_version)
{
	check_said(ARGV(PEAT, "-h"), "trace");
	check_said(ARGV(PEAT, "trace", "-h"), "--comm");
	check_said(ARGV(PEAT, "trace", "--help"), "--comm");
	check_said(ARGV(PEAT, "-V"), "peat 0.");
	check_said(ARGV(PEAT, "trace", "-V"), "peat 0.");
}
END_TEST

static void check_failure(const char *const *argv, uint64_t caps, const char *word)
{
	struct command peat;

	command__run(&peat, caps, argv);
	ck_assert_int_eq(peat.status, 1);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_msg(strstr(peat.err_text, word), "'%s' does not say '%s'", peat.err_text, word);
	ck_assert_msg(count_lines(peat.err_text, "peat:") == 1 &&
			      strchr(peat.err_text, '\n') == strrchr(peat.err_text, '\n'),
		      "more than one line: %s", peat.err_text);
	command__free(&peat);
}

#define CAP_PERFMON_BIT (1ULL << 38)
#define CAP_BPF_BIT	(1ULL << 39)

START_TEST(test_failures_name_the_remedy)
{
	const char *const *plain = ARGV(PEAT, "trace", "exec");

	check_failure(plain, 0, "CAP_BPF and CAP_PERFMON are missing: run it as root");
	check_failure(plain, CAP_BPF_BIT, "CAP_PERFMON is missing: run it as root");
	check_failure(plain, CAP_PERFMON_BIT, "CAP_BPF is missing: run it as root");
	check_failure(ARGV(PEAT, "trace", "exec", "-C", "7-"), ALL_CAPS,
		      "'7-' is not a list of CPUs");
	check_failure(ARGV(PEAT, "trace", "exec", "--comm", "a-name-of-sixteen"), ALL_CAPS,
		      "15 bytes");
}
END_TEST

/* CAP_BPF and CAP_PERFMON are enough. */
START_TEST(test_two_capabilities_are_enough)
{
	const char *path;
	struct command peat;

	if (!perfmon_is_enough())
		skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON opens no perf event");
	path = process__program();
	command__start(&peat, CAP_BPF_BIT | CAP_PERFMON_BIT,
		       ARGV(PEAT, "trace", "exec", "-v", "-n", "1", "--memory", "8K", "--comm",
			    comm_of(path)));
	command__expect(peat.err, "attached");
	process__run(path, ARGV("with two capabilities"));
	command__finish(&peat);
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_msg(strstr(peat.out_text, "with two capabilities"), "%s", peat.out_text);
	command__free(&peat);
	unlink(path);
}
END_TEST

/* Before Linux 5.11. */
static void limit_map_memory(rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = { soft, hard };

	ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
}

START_TEST(test_limit_of_map_memory)
{
	const char *const *exec = ARGV(PEAT, "trace", "exec", "--memory", "8K", "-d", "0.01");
	const uint64_t caps = CAP_BPF_BIT | CAP_PERFMON_BIT;
	struct command peat;

	if (!map_memory__is_limited())
		skip("no limit of BPF maps by RLIMIT_MEMLOCK (Linux 5.11)");
	limit_map_memory(65536, 64 << 20); /* peat raises the soft limit */
	command__run(&peat, caps, exec);
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	command__free(&peat);
	limit_map_memory(65536, 65536);
	check_failure(exec, caps, "RLIMIT_MEMLOCK (ulimit -l)");
}
END_TEST

static Suite *trace_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("trace", 60, &tests);

	tcase_add_test(tests, test_500_processes);
	tcase_add_test(tests, test_arguments_are_quoted);
	tcase_add_test(tests, test_timestamps_are_the_time_of_day);
	tcase_add_test(tests, test_filters_by_task_and_cpu);
	tcase_add_test(tests, test_cpu_filter);
	tcase_add_test(tests, test_count_and_duration_stop);
	tcase_add_test(tests, test_quiet_prints_nothing_else);
	tcase_add_test(tests, test_output_file);
	tcase_add_test(tests, test_closed_pipe_ends_quietly);
	tcase_add_test(tests, test_full_disk_is_an_error);
	tcase_add_test(tests, test_loss_is_reported);
	tcase_add_test(tests, test_usage_errors);
	tcase_add_test(tests, test_help_and_version);
	tcase_add_test(tests, test_failures_name_the_remedy);
	tcase_add_test(tests, test_two_capabilities_are_enough);
	tcase_add_test(tests, test_limit_of_map_memory);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { trace_suite };

	return harness__main(argc, argv, suites, 1);
}
