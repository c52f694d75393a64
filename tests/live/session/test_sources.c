// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sources.c: sources of peat trace: files, kinds, several at once; and its filters. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(stranger)
EMBED_OBJECT(where)

#define PEAT command__peat()

static const char *decimal(long long number)
{
	static char text[4][24];
	static unsigned next;
	char *chosen = text[next++ % 4];

	snprintf(chosen, sizeof(text[0]), "%lld", number);
	return chosen;
}

/* ---- files ----------------------------------------------------------------------------------- */

/*
 * Writes the object to a file.  Sets the argument of peat trace: the file, with options for this
 * process.
 */
static const char *file_of(const struct object_file *object, char *with_options, size_t room)
{
	static char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/peat-%s-%d.bpf.o", object->name, (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(object->bytes, *object->count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(with_options, room, "%s,only_pid=%d,getpgid_number=%d", path, (int)getpid(),
		 (int)SYS_getpgid);
	return path;
}

static const char *stranger_file(char *with_options, size_t room)
{
	return file_of(&stranger_object, with_options, room);
}

/* The first line of text with events of several types: the heading.  Returns the second line. */
static const char *after_heading(const char *text)
{
	ck_assert_msg(!strncmp(text, "TYPE ", 5), "%s", text);
	return strchr(text, '\n') + 1;
}

START_TEST(test_file_in_json)
{
	char source[128];
	const char *path = stranger_file(source, sizeof(source)), *event;
	struct tracing tracing;

	tracing__start(&tracing, TRACE(source));
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	event = tracing__only(&tracing, "stranger", getpid());
	ck_assert_uint_eq(tracing.events.count, 1);
	expect_member(event, "color", "\"BLUE\"");
	expect_member(event, "to", "{\"address\":\"2001::1\",\"port\":443}");
	expect_text(event, "to.address", "2001::1");
	expect_member(event, "to.port", "443");
	expect_member(event, "balance", "-9223372036854775808");
	expect_member(event, "small", "5");
	expect_member(event, "large", "8000");
	expect_member(event, "took", "1500000");
	expect_member(event, "text", "{\"hex\":\"7461620968657265202271756f7465642220ff\"}");
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

/* Whether an element of the JSON array has the name of this function. */
static bool has_function(const char *array, const char *name)
{
	size_t bytes = strlen(name);

	for (const char *at = array; (at = strstr(at, name)); at++)
		if (at[-1] == '"' && (at[bytes] == '+' || at[bytes] == '"'))
			return true;
	return false;
}

/* The functions that call a tracepoint of system calls, in various kernels. */
START_TEST(test_kernel_symbols)
{
	static const char *const entries[] = { "do_syscall_64",
					       "syscall_trace_enter",
					       "syscall_enter_from_user_mode",
					       "el0_svc_common",
					       "el0_svc",
					       "__do_syscall" };
	char source[128];
	const char *path = file_of(&where_object, source, sizeof(source)), *event;
	struct tracing tracing;
	bool found = false;

	/* An expression needs the type of events before the map of stacks exists. */
	if (_i)
		tracing__start(&tracing, TRACE(source, "--where", "pid > 0"));
	else
		tracing__start(&tracing, TRACE(source));
	syscall(SYS_getpgid, 0);
	tracing__stop(&tracing);
	event = tracing__only(&tracing, "where", getpid());
	expect_text(event, "function.symbol", "schedule");
	expect_member(event, "functions[0]", "{\"address\":\"0x0\"}");
	expect_text(event, "functions[1].symbol", "schedule");
	ck_assert_int_eq(json_lines__number(event, "functions[1].offset"), 1);
	ck_assert_int_eq(strncmp(json_lines__text(event, "functions[1].address"), "0x", 2), 0);
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++)
		found |= has_function(event, entries[i]);
	ck_assert_msg(found, "%s", event);
	tracing__free(&tracing);
	unlink(path);
}
END_TEST

static void run_with_stranger(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "attached");
	syscall(SYS_getpgid, 0);
	command__finish(peat);
	ck_assert_msg(peat->status == 0, "%s", peat->err_text);
}

static void check_frames(const char *path, const char *option, const char *frame)
{
	struct command peat;
	const char *stack;

	run_with_stranger(&peat, ARGV(PEAT, "trace", "-v", "-n1", option, path));
	stack = strstr(peat.out_text, "\n    stack:\n        ");
	ck_assert_msg(stack && strstr(stack, frame) && !strchr(stack, ';'), "no %s: %s", frame,
		      peat.out_text);
	ck_assert_msg(strstr(peat.out_text, "STACK"), "%s", peat.out_text);
	command__free(&peat);
}

/* A line per frame below the event, whose line has the id of the stack. */
START_TEST(test_stack_lines)
{
	char source[128];
	const char *path = file_of(&where_object, source, sizeof(source));

	check_frames(source, "-T", "+0x");
	check_frames(source, "--no-symbols", "        0x");
	unlink(path);
}
END_TEST

START_TEST(test_file_in_columns)
{
	static const char *const heading[] = { "PID",	     "COMM",	"CPU",	   "COLOR",
					       "TO.ADDRESS", "TO.PORT", "BALANCE", "SMALL",
					       "LARGE",	     "TOOK",	"TEXT" };
	static const char *const values[] = {
		"BLUE", "2001::1", "443", "-9223372036854775808", "5", "8000", "1.5ms",
	};
	char source[128], *word, *rest = NULL;
	const char *path = stranger_file(source, sizeof(source));
	struct command peat;

	prctl(PR_SET_NAME, "calls");
	run_with_stranger(&peat, ARGV(PEAT, "trace", "-v", source, "-n", "1"));
	word = strtok_r(peat.out_text, " \n", &rest);
	for (size_t i = 0; i < 11; i++, word = strtok_r(NULL, " \n", &rest))
		ck_assert_str_eq(word, heading[i]);
	ck_assert_str_eq(word, decimal(getpid()));
	ck_assert_str_eq(strtok_r(NULL, " \n", &rest), "calls");
	ck_assert_int_eq(*strtok_r(NULL, " \n", &rest), '[');
	for (size_t i = 0; i < 7; i++)
		ck_assert_str_eq(strtok_r(NULL, " \n", &rest), values[i]);
	ck_assert_str_eq(rest + strspn(rest, " "), "tab\\there \"quoted\" \\xff\n");
	command__free(&peat);
	unlink(path);
}
END_TEST

START_TEST(test_file_beside_others)
{
	char source[128], start[64];
	const char *path = stranger_file(source, sizeof(source));
	struct command peat;

	prctl(PR_SET_NAME, "calls");
	run_with_stranger(&peat, ARGV(PEAT, "trace", "-v", source, "exit", "-p", decimal(getpid()),
				      "-n", "1"));
	snprintf(start, sizeof(start), "stranger %7d calls ", (int)getpid());
	ck_assert_msg(!strncmp(after_heading(peat.out_text), start, strlen(start)), "%s",
		      peat.out_text);
	ck_assert_msg(strstr(peat.out_text,
			     " color=BLUE to={address=2001::1 port=443} "
			     "balance=-9223372036854775808 small=5 large=8000 took=1.5ms "
			     "text=\"tab\\there \\\"quoted\\\" \\xff\"\n"),
		      "%s", peat.out_text);
	command__free(&peat);
	unlink(path);
}
END_TEST

static void check_refused(const char *source, int status, const char *word)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-d", "1", source));
	ck_assert_msg(peat.status == status, "%s: status %d", source, peat.status);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_msg(strstr(peat.err_text, word), "'%s' does not say '%s'", peat.err_text, word);
	command__free(&peat);
}

START_TEST(test_unknown_sources)
{
	char source[128];
	const char *path = stranger_file(source, sizeof(source));

	check_refused("nothing", 64, "unknown probe 'nothing'");
	check_refused("@nothing", 64, "unknown kind of kernel records '@nothing'");
	check_refused("@other", 64, "@other exists only in recordings: use peat replay");
	check_refused("@tool", 64, "@tool exists only in recordings: use peat replay");
	check_refused("./no/such/file.bpf.o", 1, "./no/such/file.bpf.o");
	check_refused("/proc/self/status", 1, "/proc/self/status cannot be used as a BPF object");
	check_refused("exec,nothing=1", 64, "exec has no option 'nothing'");
	check_refused("@task,nothing", 64, "@task has no option 'nothing'");
	check_refused("sched,min", 64, "min needs a value");
	check_refused("open,failed=perhaps", 64, "true or false");
	snprintf(source, sizeof(source), "%s,only_pid=x", path);
	check_refused(source, 64, "only_pid=x: the value is not a number");
	snprintf(source, sizeof(source), "%s,only_pid=-1", path);
	check_refused(source, 64, "only_pid=-1 does not fit: its range is 0 to 4294967295");
	check_refused("sched,min=9999999h", 64, "min=9999999h does not fit");
	unlink(path);
}
END_TEST

/* ---- the kernel's own records ---------------------------------------------------------------- */

static int wait_for_go(void *go)
{
	char byte;

	prctl(PR_SET_NAME, "before");
	if (read(*(int *)go, &byte, 1) != 1)
		return 1;
	execv("/bin/sh", (char *const *)ARGV("sh", "-c", "exit 0"));
	return 127;
}

/* A child forks, sets its name, executes a program, which changes the name, and exits. */
START_TEST(test_task_and_comm)
{
	struct tracing tracing;
	const char *event;
	size_t from = 0;
	int go[2];
	pid_t child;

	ck_assert_int_eq(pipe(go), 0);
	prctl(PR_SET_NAME, "the parent");
	tracing__start(&tracing, TRACE("@task", "@comm"));
	process__pin();
	child = process__start(wait_for_go, &go[0]);
	ck_assert_int_eq(write(go[1], "g", 1), 1);
	ck_assert_int_eq(process__wait(child), 0);
	tracing__stop(&tracing);
	while ((event = tracing__next(&tracing, "@fork", getpid(), &from)) &&
	       json_lines__number(event, "child") != child)
		;
	ck_assert_msg(event, "no fork event");
	expect_number(event, "child_tid", child);
	expect_text(event, "comm", "the parent");
	from = 0;
	event = tracing__next(&tracing, "@comm", child, &from);
	ck_assert_msg(event, "no comm event");
	expect_text(event, "comm", "before");
	event = tracing__next(&tracing, "@comm", child, &from);
	ck_assert_msg(event, "no second comm event");
	expect_text(event, "comm", "sh");
	ck_assert_ptr_null(tracing__next(&tracing, "@comm", child, &from));
	event = tracing__only(&tracing, "@exit", child);
	expect_text(event, "comm", "sh");
	expect_number(event, "ppid", getpid());
	tracing__free(&tracing);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

static int open_under_names(void *unused)
{
	static const char *const names[] = { "first", "second", "th\"ird", "\x1b[31m" };

	(void)unused;
	for (size_t i = 0; i < 4; i++) {
		char path[32];

		prctl(PR_SET_NAME, names[i]);
		snprintf(path, sizeof(path), "/no/%zu", i);
		open(path, O_RDONLY);
	}
	return 0;
}

/* An event has the name that its task had at the time, not its present one. */
START_TEST(test_names_by_time)
{
	static const char *const names[] = { "first", "second", "th\"ird", "\x1b[31m" };
	struct tracing tracing;
	size_t from = 0;
	pid_t child;

	tracing__start(&tracing, TRACE("open"));
	process__pin();
	child = process__do(open_under_names, NULL);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing__count(&tracing, "open", child), 4);
	for (size_t i = 0; i < 4; i++) {
		const char *event = tracing__next(&tracing, "open", child, &from);
		char path[32];

		snprintf(path, sizeof(path), "/no/%zu", i);
		expect_text(event, "path", path);
		expect_text(event, "comm", names[i]);
	}
	tracing__free(&tracing);
}
END_TEST

/* ---- text ------------------------------------------------------------------------------------ */

static unsigned count_lines(const char *text)
{
	unsigned count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

/*
 * Emits slowly enough for peat to read every event while other tests run: losses would be printed.
 */
static void pipe_into_head(struct command *peat, const char *script)
{
	command__start(peat, ALL_CAPS, ARGV("/bin/sh", "-c", script, PEAT));
	while (command__is_running(peat)) {
		close(open("/proc/self/stat", O_RDONLY));
		usleep(200);
	}
	command__finish(peat);
	ck_assert_int_eq(peat->status, 0);
	ck_assert_msg(count_lines(peat->out_text) == 5, "%s", peat->out_text);
}

START_TEST(test_pipe_into_head)
{
	struct command peat;

	pipe_into_head(&peat, "{ \"$0\" trace open; echo status $? >&2; } | head -n 5");
	ck_assert_msg(strstr(peat.out_text, "PID") && strstr(peat.out_text, "PATH"), "%s",
		      peat.out_text);
	ck_assert_msg(strstr(peat.err_text, "status 0\n"), "%s", peat.err_text);
	ck_assert_msg(!strncmp(peat.err_text, "peat: ", 6) &&
			      strstr(peat.err_text, " events in ") &&
			      count_lines(peat.err_text) == 2,
		      "more than the summary: %s", peat.err_text);
	command__free(&peat);
	pipe_into_head(&peat, "\"$0\" trace -q open | head -n 5");
	ck_assert_str_eq(peat.err_text, "");
	command__free(&peat);
}
END_TEST

START_TEST(test_json_into_head)
{
	struct command peat;
	struct json_lines events;

	pipe_into_head(&peat, "\"$0\" trace -q -j open | head -n 5");
	ck_assert_str_eq(peat.err_text, "");
	events = json_lines__split(peat.out_text);
	ck_assert_uint_eq(events.count, 5);
	json_lines__free(&events);
	command__free(&peat);
}
END_TEST

/*
 * Checks a line like "exec        4711 sh   ...": type, process id and name are in their columns.
 */
static const char *check_line(const char *line, unsigned *of_ours, pid_t ours)
{
	static const char *const types[] = { "exec", "exit", "@fork", "@exit" };
	char type[16], name[8];
	const char *end = strchr(line, '\n');
	int pid, bytes = 0;

	ck_assert_msg(end, "no newline behind: %s", line);
	ck_assert_msg(sscanf(line, "%15s %d %7s%n", type, &pid, name, &bytes) == 3 &&
			      line + bytes <= end,
		      "%s", line);
	for (size_t i = 0; i < 4; i++) {
		if (strcmp(type, types[i]))
			continue;
		of_ours[i] += pid == ours || (i == 2 && pid == getpid());
		return end + 1;
	}
	ck_abort_msg("no such type: %s", line);
}

START_TEST(test_several_in_text)
{
	unsigned of_ours[4] = { 0 };
	struct command peat;
	const char *line;
	pid_t child;

	command__start(&peat, ALL_CAPS, ARGV(PEAT, "trace", "-v", "exec", "exit", "@task"));
	command__expect(peat.err, "attached");
	child = process__run("/bin/sh", ARGV("sh", "-c", "exit 0"));
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	for (line = after_heading(peat.out_text); *line;)
		line = check_line(line, of_ours, child);
	ck_assert_uint_eq(of_ours[0], 1); /* exec */
	ck_assert_uint_eq(of_ours[1], 1); /* the exit of the probe */
	ck_assert_uint_eq(of_ours[2], 1); /* the kernel's records */
	ck_assert_uint_eq(of_ours[3], 1);
	command__free(&peat);
}
END_TEST

/* ---- filters --------------------------------------------------------------------------------- */

static int fork_some(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		process__run("/bin/sh", ARGV("sh", "-c", "exit 0"));
	return 0;
}

/* The kernel's records of all tasks are written; those that match the filter are printed. */
START_TEST(test_kinds_are_filtered_too)
{
	struct command peat;
	unsigned lines = 0;
	int pid;

	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "trace", "-v", "@task", "-p", decimal(getpid())));
	command__expect(peat.err, "attached");
	process__do(fork_some, NULL);
	kill(peat.pid, SIGINT);
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	for (const char *at = after_heading(peat.out_text); *at; at = strchr(at, '\n') + 1, lines++)
		ck_assert_msg(sscanf(at, "@fork %d", &pid) == 1 && pid == getpid(), "%s", at);
	ck_assert_uint_eq(lines, 1); /* forks of the child are not printed */
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "@task", "-u", "0"));
	ck_assert_int_eq(peat.status, 64);
	ck_assert_msg(strstr(peat.err_text, "cannot be used with @KIND"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

#define CALLS 3

static void open_nothing(void)
{
	for (int i = 0; i < CALLS; i++)
		open("/no/such/file", O_RDONLY);
}

static int open_there(void *unused)
{
	(void)unused;
	open_nothing();
	return 0;
}

struct thread {
	pid_t tid;
	int ready[2], go[2];
};

static void *open_in_thread(void *arg)
{
	struct thread *thread = arg;
	char byte = 0;

	thread->tid = (pid_t)syscall(SYS_gettid);
	if (write(thread->ready[1], &byte, 1) == 1 && read(thread->go[0], &byte, 1) == 1)
		open_nothing();
	return NULL;
}

START_TEST(test_by_thread)
{
	struct thread thread;
	struct tracing tracing;
	pthread_t handle;
	char byte;

	ck_assert_int_eq(pipe(thread.ready) | pipe(thread.go), 0);
	ck_assert_int_eq(pthread_create(&handle, NULL, open_in_thread, &thread), 0);
	ck_assert_int_eq(read(thread.ready[0], &byte, 1), 1);
	tracing__start(&tracing, TRACE("open", "-t", decimal(thread.tid)));
	open_nothing();
	ck_assert_int_eq(write(thread.go[1], "g", 1), 1);
	pthread_join(handle, NULL);
	process__do(open_there, NULL);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < CALLS; i++) {
		expect_number(tracing.events.lines[i], "pid", getpid());
		expect_number(tracing.events.lines[i], "tid", thread.tid);
	}
	tracing__free(&tracing);
}
END_TEST

#define UID 12345

static int open_and_execute_as_user(void *unused)
{
	(void)unused;
	if (setresuid(UID, UID, UID))
		return 1;
	open_nothing();
	execv("/bin/sh", (char *const *)ARGV("sh", "-c", "exit 0"));
	return 127;
}

START_TEST(test_by_user)
{
	struct tracing tracing;
	const char *event;
	pid_t child, root;

	tracing__start(&tracing, TRACE("exec", "open,failed", "-u", decimal(UID)));
	open_nothing();
	root = process__run("/bin/sh", ARGV("sh", "-c", "exit 0"));
	child = process__start(open_and_execute_as_user, NULL);
	ck_assert_int_eq(process__wait(child), 0);
	tracing__stop(&tracing);
	event = tracing__only(&tracing, "exec", child);
	expect_number(event, "uid", UID);
	ck_assert_uint_ge(tracing__count(&tracing, "open", child), CALLS);
	ck_assert_uint_eq(tracing__count(&tracing, "exec", root), 0);
	ck_assert_uint_eq(tracing__count(&tracing, "open", getpid()), 0);
	for (size_t i = 0; i < tracing.events.count; i++)
		expect_number(tracing.events.lines[i], "pid", child);
	tracing__free(&tracing);
}
END_TEST

static int open_in_cgroup(void *path)
{
	mounts__enter_cgroup(path);
	open_nothing();
	return 0;
}

/*
 * Processes in the cgroup and below it match, whether it is given by path or as in
 * /proc/PID/cgroup.
 */
static void check_cgroup(const char *name, const char *path, const char *below)
{
	struct tracing tracing;
	pid_t child, grandchild;

	tracing__start(&tracing, TRACE("open,failed", "--cgroup", name));
	open_nothing();
	child = process__do(open_in_cgroup, (void *)path);
	grandchild = process__do(open_in_cgroup, (void *)below);
	process__do(open_there, NULL);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing__count(&tracing, "open", child), CALLS);
	ck_assert_uint_eq(tracing__count(&tracing, "open", grandchild), CALLS);
	ck_assert_uint_eq(tracing.events.count, 2 * CALLS);
	tracing__free(&tracing);
}

START_TEST(test_by_cgroup)
{
	char name[64], path[512], below[600];

	snprintf(name, sizeof(name), "/peat-test-%d", (int)getpid());
	snprintf(path, sizeof(path), "%s%s", mounts__cgroup2(), name);
	snprintf(below, sizeof(below), "%s/below", path);
	ck_assert_msg(!mkdir(path, 0755) && !mkdir(below, 0755), "%s: %s", path, strerror(errno));
	check_cgroup(path, path, below);
	check_cgroup(name, path, below);
	ck_assert_msg(!rmdir(below) && !rmdir(path), "%s: %s", path, strerror(errno));
}
END_TEST

START_TEST(test_no_such_cgroup)
{
	struct command peat;

	mounts__cgroup2();
	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "exec", "-d", "1", "--cgroup", "/no/such/cgroup"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, "'/no/such/cgroup' is not a cgroup"), "%s",
		      peat.err_text);
	command__free(&peat);
}
END_TEST

/*
 * The command starts after all programs are attached, so its own exec is traced, and the trace ends
 * with it.
 */
START_TEST(test_with_a_command)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "exec", "-j", "--", "sh", "-c", "sh -c :; exit 3"));
	ck_assert_int_eq(peat.status, 3);
	ck_assert_msg(strstr(peat.out_text, "\"args\":\"sh -c sh -c :; exit 3\"") ||
			      strstr(peat.out_text, "sh -c :; exit 3"),
		      "%s", peat.out_text);
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\"comm\":\"sh\""));
	command__free(&peat);
}
END_TEST

START_TEST(test_command_killed_by_signal)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "exec", "-q", "--", "sh", "-c", "kill -9 $$"));
	ck_assert_int_eq(peat.status, 128 + 9);
	command__free(&peat);
}
END_TEST

/* peat ends the command after it has printed enough events. */
START_TEST(test_command_is_ended)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "exec", "-q", "-n", "1", "--", "sleep", "1000"));
	ck_assert_int_eq(peat.status, 0);
	command__free(&peat);
}
END_TEST

START_TEST(test_no_such_command)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "exec", "--", "/no/such/command"));
	ck_assert_int_eq(peat.status, 127);
	ck_assert_msg(strstr(peat.err_text, "cannot run /no/such/command: No such file"), "%s",
		      peat.err_text);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", "exec", "--"));
	ck_assert_int_eq(peat.status, 64);
	command__free(&peat);
}
END_TEST

static Suite *sources_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("sources", 60, &tests);

	tcase_add_test(tests, test_file_in_json);
	tcase_add_loop_test(tests, test_kernel_symbols, 0, 2);
	tcase_add_test(tests, test_stack_lines);
	tcase_add_test(tests, test_kinds_are_filtered_too);
	tcase_add_test(tests, test_file_in_columns);
	tcase_add_test(tests, test_file_beside_others);
	tcase_add_test(tests, test_unknown_sources);
	tcase_add_test(tests, test_task_and_comm);
	tcase_add_test(tests, test_names_by_time);
	tcase_add_test(tests, test_pipe_into_head);
	tcase_add_test(tests, test_json_into_head);
	tcase_add_test(tests, test_several_in_text);
	tcase_add_test(tests, test_by_thread);
	tcase_add_test(tests, test_by_user);
	tcase_add_test(tests, test_by_cgroup);
	tcase_add_test(tests, test_no_such_cgroup);
	tcase_add_test(tests, test_with_a_command);
	tcase_add_test(tests, test_command_killed_by_signal);
	tcase_add_test(tests, test_command_is_ended);
	tcase_add_test(tests, test_no_such_command);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { sources_suite };

	return harness__main(argc, argv, suites, 1);
}
