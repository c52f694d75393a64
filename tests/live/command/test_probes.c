// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_probes.c: the events of each probe, through peat trace. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/openat2.h>

#include "support/machine/amount.h"
#include "support/machine/harness.h"
#include "support/machine/tracing.h"

#define ALPHABET "abcdefghijklmnopqrstuvwxyz"

static const char *own_pid(void)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return pid;
}

/* Traces this process alone, on one CPU, so that its events are in order. */
static void start_in_order(struct tracing *tracing, const char *probe)
{
	tracing__start(tracing, TRACE(probe, "-p", own_pid()));
	process__pin();
}

static const char *only(const struct tracing *tracing, const char *type, pid_t pid)
{
	const char *event = tracing__only(tracing, type, pid);

	expect_number(event, "tid", pid);
	ck_assert_int_gt(json_lines__number(event, "time_ns"), 0);
	ck_assert_int_ge(json_lines__number(event, "cpu"), 0);
	return event;
}

/* ---- exec ------------------------------------------------------------------------------------ */

#define PROCESSES 500

static void check_exec(const char *event, const char *path, int number)
{
	char name[16], args[64];

	snprintf(name, sizeof(name), "%s", strrchr(path, '/') + 1); /* at most 15 bytes */
	snprintf(args, sizeof(args), "[\"name\",\"%d\",\"\",\"a b\"]", number);
	expect_text(event, "comm", name);
	expect_text(event, "filename", path);
	expect_member(event, "args", args);
	expect_number(event, "ppid", getpid());
	expect_number(event, "uid", (long long)getuid());
}

START_TEST(test_500_processes)
{
	const char *path = process__program();
	static pid_t pids[PROCESSES];
	struct tracing tracing;
	size_t ours = 0, wanted = 0;
	int processes = (int)amount__at_most("PEAT_TEST_PROCESSES", PROCESSES);

	tracing__start(&tracing, TRACE("exec", "-d", "60"));
	for (int i = 0; i < processes; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%d", i);
		pids[i] = process__run(path, ARGV("name", number, "", "a b"));
	}
	tracing__stop(&tracing);
	for (int i = 0; i < processes; i++) {
		if (!tracing__count(&tracing, "exec", pids[i]))
			continue;
		check_exec(only(&tracing, "exec", pids[i]), path, i);
		wanted++;
	}
	ck_assert_uint_ge(wanted + command__missed(&tracing.peat), processes);
	for (size_t i = 0; i < tracing.events.count; i++)
		ours += !strcmp(json_lines__text(tracing.events.lines[i], "filename"), path);
	ck_assert_uint_eq(ours, wanted);
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

START_TEST(test_exec_arguments)
{
	const char *path = process__program(), *event;
	char lots[6000];
	struct tracing tracing;
	pid_t odd, many;

	memset(lots, 'x', sizeof(lots) - 1);
	lots[sizeof(lots) - 1] = '\0';
	tracing__start(&tracing, TRACE("exec"));
	odd = process__run(path, ARGV("t", "q\"q\\", "\x1b[31m\n", "Gr\xc3\xbc\xc3\x9f", "\xc3("));
	many = process__run(path, ARGV("t", lots, "end"));
	tracing__stop(&tracing);
	event = only(&tracing, "exec", odd);
	expect_text(event, "args[1]", "q\"q\\");
	expect_text(event, "args[2]", "\x1b[31m\n");
	expect_text(event, "args[3]", "Gr\xc3\xbc\xc3\x9f");
	expect_member(event, "args[4]", "{\"hex\":\"c328\"}");
	event = only(&tracing, "exec", many);
	expect_number(event, "args_bytes", 2 + 6000 + 4);
	ck_assert_uint_eq(strlen(json_lines__text(event, "args[1]")), 2048 - 2);
	ck_assert_int_eq(json_lines__kind(event, "args[2]"), JSON_NOTHING);
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

/* ---- exit ------------------------------------------------------------------------------------ */

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int return_code(void *code)
{
	return *(int *)code;
}

static int sleep_20ms(void *unused)
{
	(void)unused;
	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	return 0;
}

static int die_by(void *number)
{
	prctl(PR_SET_NAME, "dies");
	prctl(PR_SET_DUMPABLE, 0);
	signal(*(int *)number, SIG_DFL);
	kill(getpid(), *(int *)number);
	return 0;
}

START_TEST(test_exit_code_and_duration)
{
	int code = 3;
	long long before, longest;
	struct tracing tracing;
	pid_t coded, slept;
	const char *event;

	tracing__start(&tracing, TRACE("exit"));
	coded = process__do(return_code, &code);
	before = now_ns();
	slept = process__do(sleep_20ms, NULL);
	longest = now_ns() - before;
	tracing__stop(&tracing);
	event = only(&tracing, "exit", coded);
	expect_number(event, "code", 3);
	expect_number(event, "signal", 0);
	expect_member(event, "core", "false");
	event = only(&tracing, "exit", slept);
	expect_number(event, "code", 0);
	ck_assert_int_ge(json_lines__number(event, "duration"), 20000000);
	ck_assert_int_le(json_lines__number(event, "duration"), longest);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_exit_by_signal)
{
	static const struct {
		int number;
		const char *name;
	} signals[] = { { SIGTERM, "SIGTERM" }, { SIGSEGV, "SIGSEGV" }, { SIGKILL, "SIGKILL" } };
	struct tracing tracing;
	pid_t pids[3];

	tracing__start(&tracing, TRACE("exit"));
	for (int i = 0; i < 3; i++)
		pids[i] = process__do(die_by, (void *)&signals[i].number);
	tracing__stop(&tracing);
	for (int i = 0; i < 3; i++) {
		const char *event = only(&tracing, "exit", pids[i]);

		expect_text(event, "comm", "dies");
		expect_text(event, "signal", signals[i].name);
		expect_number(event, "code", 0);
		expect_member(event, "core", "false");
	}
	tracing__free(&tracing);
}
END_TEST

#define THREADS 4

/* Ends the thread alone, without libc's handlers at the end of a process, even if it is the last.
 */
static void *end_thread(int code)
{
	syscall(SYS_exit, code);
	return NULL;
}

static void *wait_for_end(void *go)
{
	char byte;

	if (read(*(int *)go, &byte, 1))
		abort();
	return end_thread(1);
}

/* The last thread, which is not the first one, sets the exit status of the process. */
static void *end_all(void *unused)
{
	(void)unused;
	usleep(1000);
	_exit(7);
}

static int end_by_another_thread(void *unused)
{
	pthread_t thread;

	(void)unused;
	if (pthread_create(&thread, NULL, end_all, NULL))
		return 1;
	end_thread(5);
	return 1;
}

/* Ends all threads at once or, if `each` is not NULL, one after another. */
static int end_with_threads(void *each)
{
	static int go[2]; /* static: a thread may read it after this function has returned */
	pthread_t threads[THREADS];

	if (pipe(go))
		return 1;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, wait_for_end, &go[0]))
			return 1;
	if (!each)
		return 9;
	close(go[1]);
	end_thread(5);
	return 1;
}

START_TEST(test_one_exit_of_many_threads)
{
	struct tracing tracing;
	pid_t together[20], each[20], another;
	int statuses[20];

	tracing__start(&tracing, TRACE("exit"));
	for (int i = 0; i < 20; i++) {
		together[i] = process__do(end_with_threads, NULL);
		each[i] = process__start(end_with_threads, &tracing);
		statuses[i] = process__wait(each[i]);
	}
	another = process__do(end_by_another_thread, NULL);
	tracing__stop(&tracing);
	for (int i = 0; i < 20; i++) {
		expect_number(tracing__only(&tracing, "exit", together[i]), "code", 9);
		/* The kernel uses the status of the first or of the last thread. */
		expect_number(tracing__only(&tracing, "exit", each[i]), "code",
			      WEXITSTATUS(statuses[i]));
	}
	expect_number(tracing__only(&tracing, "exit", another), "code", 7);
	tracing__free(&tracing);
}
END_TEST

/* ---- open ------------------------------------------------------------------------------------ */

static const char *new_path(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/peat-open-%d", (int)getpid());
	unlink(path);
	return path;
}

/* The only event with this path. */
static const char *open_of(const struct tracing *tracing, const char *path)
{
	const char *event, *found = NULL;
	size_t from = 0;

	while ((event = tracing__next(tracing, "open", getpid(), &from))) {
		if (json_lines__kind(event, "path") != JSON_STRING ||
		    strcmp(json_lines__text(event, "path"), path))
			continue;
		ck_assert_msg(!found, "two events of %s", path);
		found = event;
	}
	ck_assert_msg(found, "no event of %s", path);
	return found;
}

START_TEST(test_traces_open)
{
	const char *path = new_path(), *event;
	struct tracing tracing;
	int fd;

	start_in_order(&tracing, "open");
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	ck_assert_int_lt(open("/no/such/file", O_RDONLY | O_CLOEXEC), 0);
	ck_assert_int_lt(open(path, O_WRONLY | O_CREAT | O_EXCL, 0600), 0);
	tracing__stop(&tracing);
	ck_assert_int_ge(fd, 0);
	ck_assert_uint_eq(tracing.events.count, 3);
	event = tracing.events.lines[0];
	expect_number(event, "result", fd);
	expect_text(event, "flags", "O_RDWR|O_CREAT|O_EXCL");
	expect_text(event, "path", path);
	event = open_of(&tracing, "/no/such/file");
	expect_text(event, "result", "ENOENT");
	expect_text(event, "flags", "O_CLOEXEC");
	expect_text(tracing.events.lines[2], "result", "EEXIST");
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

#define SLOW_NS 10000000

/* A process that opens a FIFO for writing waits until another opens it for reading. */
static void read_fifo_later(const char *path)
{
	pid_t child;

	ck_assert_int_eq(mkfifo(path, 0600), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child)
		return;
	usleep(300000);
	_exit(open(path, O_RDONLY) < 0);
}

static long long open_and_close(const char *path, int flags)
{
	struct timespec start, end;
	int fd;

	clock_gettime(CLOCK_MONOTONIC, &start);
	fd = open(path, flags);
	clock_gettime(CLOCK_MONOTONIC, &end);
	ck_assert_int_ge(fd, 0);
	close(fd);
	return (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec - start.tv_nsec;
}

START_TEST(test_open_slow)
{
	const char *path = new_path(), *event;
	long long slow, fast;
	struct tracing tracing;
	size_t from = 0;

	tracing__start(&tracing, TRACE("open,slow=10ms", "-p", own_pid()));
	read_fifo_later(path);
	slow = open_and_close(path, O_WRONLY);
	fast = open_and_close("/proc/self/stat", O_RDONLY);
	tracing__stop(&tracing);
	unlink(path);
	ck_assert_int_gt(wait(NULL), 0);

	event = open_of(&tracing, path);
	ck_assert_int_ge(json_lines__number(event, "latency"), SLOW_NS);
	ck_assert_int_le(json_lines__number(event, "latency"), slow);
	while ((event = tracing__next(&tracing, "open", getpid(), &from)))
		if (fast < SLOW_NS)
			ck_assert_str_ne(json_lines__text(event, "path"), "/proc/self/stat");
	tracing__free(&tracing);
}
END_TEST

/* The programs of the probe are attached one by one; the first sees no file that peat opens then.
 */
START_TEST(test_no_open_of_peat)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("open"));
	ck_assert_int_lt(open("/no/such/file", O_RDONLY | O_CLOEXEC), 0);
	tracing__stop(&tracing);
	open_of(&tracing, "/no/such/file");
	ck_assert_uint_eq(tracing__count(&tracing, "open", tracing.peat.pid), 0);
	tracing__free(&tracing);
}
END_TEST

/* Each system call that opens a file by its name. */
START_TEST(test_open_by_each_call)
{
	struct open_how how = { .flags = O_RDONLY | O_DIRECTORY, .resolve = RESOLVE_NO_SYMLINKS };
	struct tracing tracing;
	const char *event;
	long fd;

	tracing__start(&tracing, TRACE("open", "-p", own_pid()));
	fd = syscall(SYS_openat2, AT_FDCWD, "/proc", &how, sizeof(how));
#ifdef SYS_open
	syscall(SYS_open, "/no/such/open", O_WRONLY | O_APPEND);
#endif
#ifdef SYS_creat
	syscall(SYS_creat, "/no/such/creat", 0600);
#endif
	tracing__stop(&tracing);
	ck_assert_int_ge(fd, 0);
	event = open_of(&tracing, "/proc");
	expect_number(event, "result", fd);
	expect_text(event, "flags", "O_DIRECTORY");
#ifdef SYS_open
	event = open_of(&tracing, "/no/such/open");
	expect_text(event, "flags", "O_WRONLY|O_APPEND");
#endif
#ifdef SYS_creat
	event = open_of(&tracing, "/no/such/creat");
	expect_text(event, "flags", "O_WRONLY|O_CREAT|O_TRUNC");
#endif
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_open_failed)
{
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("open,failed", "-p", own_pid()));
	ck_assert_int_ge(open("/proc/self/stat", O_RDONLY), 0);
	ck_assert_int_lt(open("/proc/self/no", O_RDONLY), 0);
	ck_assert_int_ge(open("/proc/self/stat", O_RDONLY), 0);
	ck_assert_int_lt(open("/proc/self/stat", O_RDONLY | O_DIRECTORY), 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2);
	event = open_of(&tracing, "/proc/self/no");
	expect_text(event, "result", "ENOENT");
	expect_text(event, "flags", "O_RDONLY");
	event = open_of(&tracing, "/proc/self/stat");
	expect_text(event, "result", "ENOTDIR");
	expect_text(event, "flags", "O_DIRECTORY");
	tracing__free(&tracing);
}
END_TEST

#define ODD_UTF8 "/no/new\nline\x1b[31m\x7f\xc2\x9b\"\\Gr\xc3\xbc\xc3\x9f"
#define NO_UTF8	 "/no/\n\x1b[31m\xff"

static void open_odd_paths(void)
{
	ck_assert_int_lt(open(ODD_UTF8, O_RDONLY), 0);
	ck_assert_int_lt(open(NO_UTF8, O_RDONLY), 0);
}

/* Whether the text has no C0 characters except newlines, no DEL, and only valid UTF-8. */
static void check_harmless(const char *text)
{
	for (; *text; text++)
		ck_assert_msg(*text == '\n' || ((unsigned char)*text >= 0x20 &&
						(unsigned char)*text != 0x7f &&
						(unsigned char)*text != 0xff &&
						strncmp(text, "\xc2\x9b", 2)),
			      "byte %#x before: %s", (unsigned char)*text, text + 1);
}

START_TEST(test_odd_paths_in_json)
{
	struct tracing tracing;

	start_in_order(&tracing, "open");
	open_odd_paths();
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2);
	expect_text(tracing.events.lines[0], "path", ODD_UTF8);
	expect_member(tracing.events.lines[1], "path", "{\"hex\":\"2f6e6f2f0a1b5b33316dff\"}");
	check_harmless(tracing.events.lines[0]);
	check_harmless(tracing.events.lines[1]);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_odd_paths_in_text)
{
	struct command peat;

	command__start(&peat, ALL_CAPS,
		       ARGV(command__peat(), "trace", "-v", "open", "-p", own_pid(), "-n", "2"));
	command__expect(peat.err, "attached");
	open_odd_paths();
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	check_harmless(peat.out_text);
	ck_assert_msg(strstr(peat.out_text, "/no/new\\nline\\x1b[31m\\x7f\\xc2\\x9b\"\\\\Gr"
					    "\xc3\xbc\xc3\x9f\n"),
		      "%s", peat.out_text);
	ck_assert_msg(strstr(peat.out_text, "/no/\\n\\x1b[31m\\xff\n"), "%s", peat.out_text);
	command__free(&peat);
}
END_TEST

/* A path is cut to 255 bytes. */
START_TEST(test_long_path)
{
	char path[300] = "/";
	struct tracing tracing;

	for (size_t i = 1; i < sizeof(path) - 1; i++)
		path[i] = ALPHABET[i % 26];
	tracing__start(&tracing, TRACE("open", "-p", own_pid()));
	ck_assert_int_lt(open(path, O_RDONLY), 0);
	tracing__stop(&tracing);
	path[255] = '\0';
	expect_text(open_of(&tracing, path), "result", "ENAMETOOLONG");
	tracing__free(&tracing);
}
END_TEST

/* ---- signal ---------------------------------------------------------------------------------- */

static int ready[2];

static void say_ready(void)
{
	ck_assert_int_eq(write(ready[1], "r", 1), 1);
}

static int wait_for_signals(void *unused)
{
	sigset_t blocked;

	(void)unused;
	prctl(PR_SET_NAME, "target");
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	say_ready();
	while (pause())
		;
	return 0;
}

static void check_signal(const char *event, pid_t target, const char *signal, const char *code,
			 const char *result)
{
	expect_number(event, "target", target);
	expect_text(event, "target_comm", "target");
	expect_text(event, "signal", signal);
	expect_text(event, "code", code);
	expect_text(event, "result", result);
}

START_TEST(test_traces_signals)
{
	struct tracing tracing;
	const char **events;
	char byte;
	pid_t child;

	ck_assert_int_eq(pipe(ready), 0);
	child = process__start(wait_for_signals, NULL);
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	start_in_order(&tracing, "signal");
	kill(child, SIGUSR1);
	kill(child, SIGUSR2);
	kill(child, SIGUSR2);
	sigqueue(child, SIGRTMIN, (union sigval){ .sival_int = 1 });
	process__wait(child);
	tracing__stop(&tracing);
	ck_assert_uint_ge(tracing.events.count, 4); /* including the one that stops peat */
	events = tracing.events.lines;
	check_signal(events[0], child, "SIGUSR1", "SI_USER", "ignored");
	check_signal(events[1], child, "SIGUSR2", "SI_USER", "delivered");
	check_signal(events[2], child, "SIGUSR2", "SI_USER", "already_pending");
	expect_number(events[3], "target", child);
	expect_text(events[3], "code", "SI_QUEUE");
	expect_text(events[3], "result", "delivered");
	tracing__free(&tracing);
}
END_TEST

/* Signals without a sending process: SIGCHLD at the end of a child, and signals of the kernel. */
START_TEST(test_signals_of_a_child)
{
	struct tracing tracing;
	int code = 0;
	const char *event;
	pid_t child;

	tracing__start(&tracing, TRACE("signal"));
	child = process__do(return_code, &code);
	tracing__stop(&tracing);
	event = only(&tracing, "signal", child);
	expect_text(event, "signal", "SIGCHLD");
	expect_number(event, "target", getpid());
	expect_number(event, "code", CLD_EXITED);
	tracing__free(&tracing);
}
END_TEST

/* ---- sched ----------------------------------------------------------------------------------- */

static void spin(long ns)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < ns);
}

/*
 * Has the CPU for a while, then passes it on.  With a real-time policy, two of them follow each
 * other whatever else runs; without that privilege, on a machine that has nothing else to do.
 */
static int be_busy(void *name)
{
	const struct sched_param param = { .sched_priority = 1 };

	prctl(PR_SET_NAME, name);
	process__pin();
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		setpriority(PRIO_PROCESS, 0, -20);
	say_ready();
	for (unsigned i = 1; getppid(); i++) {
		spin(300000);
		sched_yield();
		if (i % 10 == 0)
			usleep(2000); /* for the others on that CPU */
	}
	return 0;
}

START_TEST(test_traces_sched)
{
	pid_t children[2];
	struct tracing tracing;
	char pid[16], byte;
	size_t from = 0, by_other = 0;
	const char *event;

	ck_assert_int_eq(pipe(ready), 0);
	children[0] = process__start(be_busy, (void *)"waits");
	children[1] = process__start(be_busy, (void *)"other");
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	snprintf(pid, sizeof(pid), "%d", children[0]);
	tracing__start(&tracing, TRACE("sched,min=100us", "-p", pid, "-n", "40"));
	tracing__finish(&tracing);
	for (int i = 0; i < 2; i++) {
		kill(children[i], SIGKILL);
		process__wait(children[i]);
	}
	ck_assert_uint_eq(tracing__count(&tracing, "sched", children[0]), 40);
	ck_assert_uint_eq(tracing.events.count, 40);
	while ((event = tracing__next(&tracing, "sched", children[0], &from))) {
		expect_text(event, "comm", "waits");
		ck_assert_int_ge(json_lines__number(event, "delay"), 100000);
		ck_assert_int_ne(json_lines__number(event, "previous"), children[0]);
		if (json_lines__number(event, "previous") != children[1])
			continue;
		expect_text(event, "previous_comm", "other");
		by_other++;
	}
	ck_assert_uint_gt(by_other, 0);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_sched_min_delay)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "trace", "sched,min=1h", "-d", "100ms"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, "0 events in"), "%s", peat.err_text);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "sched,min=100", "-d", "1"));
	ck_assert_int_eq(peat.status, 64);
	ck_assert_msg(strstr(peat.err_text, "min=100"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

/* ---- selection ------------------------------------------------------------------------------- */

/* The verifier accepts the longest terms and keys in each probe. */
static void check_selection(const char *probe, const char *by, const char *where)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "count", probe, "-v", "-d", "1ms", "--by", by, "--where",
			  where, strcmp(probe, "packet") ? NULL : "--if", "lo"));
	ck_assert_msg(peat.status == 0, "%s: %s", probe, peat.err_text);
	ck_assert_msg(strstr(peat.err_text, ": the programs test all of "), "%s: %s", probe,
		      peat.err_text);
	ck_assert_msg(strstr(peat.err_text, ": counted by the programs"), "%s: %s", probe,
		      peat.err_text);
	command__free(&peat);
}

START_TEST(test_selects_in_programs)
{
	/* 16 terms; the name is two of them. */
	static const char where[] =
		"(pid > 1 || tid > 1 || size > 1 || cpu > 1 || pid < 9 || tid < 9 || size < 9 || "
		"cpu < 9 || pid == 3 || tid == 4 || size & 1 || pid & 2) && "
		"(comm == \"0123456789abcde\" || tid & 3 || size > 3)";

	check_selection("exec", "comm,pid,tid,cpu,ppid,uid", where);
	check_selection("exit", "comm,pid,tid,cpu", where);
	check_selection("open", "comm,pid,tid,cpu", where);
	check_selection("sched", "comm,pid,tid,cpu", where);
	check_selection("signal", "comm,pid,tid,cpu", where);
	check_selection("syscall", "comm,pid,tid,cpu,call", where);
	/* Without ids and names, which its programs cannot read on Linux 6.1. */
	check_selection("packet", "from.address,to.address",
			"cpu < 99999 && size > 0 && (to.address == 127.0.0.0/8 || "
			"from.address == 2001:db8::1 || to.port < 1024 || from.port == 53 || "
			"bytes > 5 || ifindex == 1) && bytes < 99999");
}
END_TEST

static Suite *probes_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("probes", 60, &tests);

	tcase_add_test(tests, test_500_processes);
	tcase_add_test(tests, test_exec_arguments);
	tcase_add_test(tests, test_exit_code_and_duration);
	tcase_add_test(tests, test_exit_by_signal);
	tcase_add_test(tests, test_one_exit_of_many_threads);
	tcase_add_test(tests, test_traces_open);
	tcase_add_test(tests, test_no_open_of_peat);
	tcase_add_test(tests, test_open_by_each_call);
	tcase_add_test(tests, test_open_failed);
	tcase_add_test(tests, test_open_slow);
	tcase_add_test(tests, test_odd_paths_in_json);
	tcase_add_test(tests, test_odd_paths_in_text);
	tcase_add_test(tests, test_long_path);
	tcase_add_test(tests, test_traces_signals);
	tcase_add_test(tests, test_signals_of_a_child);
	tcase_add_test(tests, test_traces_sched);
	tcase_add_test(tests, test_sched_min_delay);
	tcase_add_test(tests, test_selects_in_programs);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { probes_suite };

	return harness__main(argc, argv, suites, 1);
}
