// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_syscall.c: the probe syscall: slow and failing calls, with counts of each. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <netinet/in.h>

#include "support/machine/harness.h"
#include "support/machine/scratch.h"
#include "support/machine/tracing.h"

#define PAGES 100

static const char *own_pid(void)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return pid;
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int slow_pipe[2];

static int write_late(void *unused)
{
	(void)unused;
	usleep(50000);
	return write(slow_pipe[1], "slow", 4) != 4;
}

/* A read that takes 50 ms at least.  Returns the time that it took, seen from here. */
static long long read_slowly(int (*meanwhile)(void *), char *buffer)
{
	long long before;
	pid_t child;

	ck_assert_int_eq(pipe(slow_pipe), 0);
	child = process__start(meanwhile, NULL);
	before = now_ns();
	ck_assert_int_eq(syscall(SYS_read, slow_pipe[0], buffer, 64), 4);
	before = now_ns() - before;
	process__wait(child);
	return before;
}

/* The only event of this process with this call. */
static const char *only_call(const struct tracing *tracing, const char *call)
{
	const char *event, *found = NULL;
	size_t from = 0;

	while ((event = tracing__next(tracing, "syscall", getpid(), &from))) {
		if (strcmp(json_lines__text(event, "call"), call))
			continue;
		ck_assert_msg(!found, "two events of %s", call);
		found = event;
	}
	ck_assert_msg(found, "no event of %s", call);
	return found;
}

/* ---- slow calls ------------------------------------------------------------------------------ */

START_TEST(test_slow_call)
{
	struct tracing tracing;
	char buffer[64];
	const char *event;
	long long took;

	tracing__start(&tracing, TRACE("syscall,min=40ms", "-p", own_pid()));
	took = read_slowly(write_late, buffer);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 1);
	event = only_call(&tracing, "read");
	expect_number(event, "tid", getpid());
	expect_number(event, "result", 4);
	expect_number(event, "args[0]", slow_pipe[0]);
	expect_number(event, "args[1]", (long long)(uintptr_t)buffer);
	expect_number(event, "args[2]", 64);
	ck_assert_int_ge(json_lines__number(event, "latency"), 40000000);
	ck_assert_int_le(json_lines__number(event, "latency"), took);
	tracing__free(&tracing);
}
END_TEST

/* Calls made in order to wait are slow by their nature. */
START_TEST(test_waits_are_left_out)
{
	struct timespec time = { 0, 50000000 };
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("syscall,min=40ms", "-p", own_pid()));
	syscall(SYS_nanosleep, &time, NULL);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
	tracing__start(&tracing, TRACE("syscall,min=40ms,waits", "-p", own_pid()));
	syscall(SYS_nanosleep, &time, NULL);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 1);
	event = only_call(&tracing, "nanosleep");
	expect_number(event, "result", 0);
	ck_assert_int_ge(json_lines__number(event, "latency"), 50000000);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_no_slow_call)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "trace", "syscall,min=1h", "-d", "200ms"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, "0 events in"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

#define LIMITED                                                                                    \
	"peat: syscall has min=10ms by default, only calls that took at least this: use syscall,"

/* The default limit is named, unless the user has set an option.  No task has this name. */
START_TEST(test_default_limit_is_named)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "trace", "syscall", "--comm", "none", "-d", "50ms"));
	ck_assert_msg(strstr(peat.err_text, LIMITED "min=0 for all\n"), "%s", peat.err_text);
	ck_assert_ptr_nonnull(
		strstr(peat.err_text, "peat: syscall,waits adds calls made in order"));
	command__free(&peat);
	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "count", "syscall", "--by", "call", "--comm", "none",
			  "-d", "50ms"));
	ck_assert_msg(strstr(peat.err_text, LIMITED), "%s", peat.err_text);
	command__free(&peat);
	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "trace", "syscall,min=1h", "-d", "50ms"));
	ck_assert_ptr_null(strstr(peat.err_text, "by default"));
	command__free(&peat);
	command__run(
		&peat, ALL_CAPS,
		ARGV(command__peat(), "trace", "-q", "syscall", "--comm", "none", "-d", "50ms"));
	ck_assert_ptr_null(strstr(peat.err_text, "by default"));
	command__free(&peat);
	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "trace", "syscall", "exec", "--", "true"));
	ck_assert_ptr_null(strstr(peat.err_text, "by default"));
	command__free(&peat);
}
END_TEST

/* ---- failing calls --------------------------------------------------------------------------- */

/* Six arguments, the last of which a call has on any architecture. */
START_TEST(test_failing_calls)
{
	static const long args[6] = { -1, 0x1111, -1, 0x2222, 0x3333, 0x4444 };
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("syscall,failed", "-p", own_pid()));
	ck_assert_int_lt(syscall(SYS_openat, AT_FDCWD, "/no/such/file", O_RDONLY), 0);
	ck_assert_int_ge(syscall(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY), 0);
	ck_assert_int_lt(
		syscall(SYS_copy_file_range, args[0], args[1], args[2], args[3], args[4], args[5]),
		0);
	tracing__stop(&tracing);
	event = only_call(&tracing, "openat");
	expect_text(event, "result", "ENOENT");
	expect_number(event, "args[2]", O_RDONLY);
	ck_assert_int_lt(json_lines__number(event, "latency"), 10000000000);
	event = only_call(&tracing, "copy_file_range");
	for (int i = 0; i < 6; i++) {
		char path[16], digits[32];

		snprintf(path, sizeof(path), "args[%d]", i);
		snprintf(digits, sizeof(digits), "%lu", (unsigned long)args[i]);
		expect_member(event, path, digits);
	}
	ck_assert_uint_eq(tracing.events.count, 2);
	tracing__free(&tracing);
}
END_TEST

static void connect_to(int family, const void *address, socklen_t bytes)
{
	int fd = socket(family, SOCK_STREAM, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_lt(connect(fd, address, bytes), 0);
	close(fd);
}

/* Address 8 is no path. */
static void fail_calls(void)
{
	struct sockaddr_in closed = { .sin_family = AF_INET,
				      .sin_port = htons(1),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un missing = { .sun_family = AF_UNIX, .sun_path = "/no/such/socket" };
	struct sockaddr_un abstract = { .sun_family = AF_UNIX, .sun_path = "\0no such name" };

	syscall(SYS_openat, AT_FDCWD, "/no/such\nfile", O_RDONLY | O_CLOEXEC);
	syscall(SYS_openat, AT_FDCWD, "/no/new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	syscall(SYS_openat, AT_FDCWD, 8, O_RDONLY);
	syscall(SYS_renameat2, AT_FDCWD, "/no/a", -1, "/no/b", 1);
	syscall(SYS_mprotect, 0x1001, 4096, PROT_READ | PROT_WRITE);
	syscall(SYS_kill, 0x7ffffff0, SIGTERM);
	syscall(SYS_fcntl, -1, F_SETFL, O_NONBLOCK);
	syscall(SYS_setsockopt, -1, SOL_SOCKET, SO_REUSEADDR, NULL, 4);
	syscall(SYS_execve, "/no/program", NULL, NULL);
	connect_to(AF_INET, &closed, sizeof(closed));
	connect_to(AF_UNIX, &missing, sizeof(missing));
	connect_to(AF_UNIX, &abstract,
		   (socklen_t)offsetof(struct sockaddr_un, sun_path) + sizeof("no such name"));
}

static const char *const failed_calls[] = {
	"dfd=AT_FDCWD filename=\"/no/such\\nfile\" flags=O_RDONLY|O_CLOEXEC",
	"dfd=AT_FDCWD filename=\"/no/new\" flags=O_WRONLY|O_CREAT|O_TRUNC mode=0644",
	"dfd=AT_FDCWD filename=0x8 flags=O_RDONLY",
	"olddfd=AT_FDCWD oldname=\"/no/a\" newdfd=-1 newname=\"/no/b\" flags=RENAME_NOREPLACE",
	"start=0x1001 len=4096 prot=PROT_READ|PROT_WRITE",
	"pid=2147483632 sig=SIGTERM",
	"fd=-1 cmd=F_SETFL arg=O_RDONLY|O_NONBLOCK",
	"fd=-1 level=SOL_SOCKET optname=SO_REUSEADDR optval=NULL optlen=4",
	"filename=\"/no/program\" argv=NULL envp=NULL",
	" addr=127.0.0.1:1 addrlen=16",
	" addr=\"/no/such/socket\" addrlen=110",
	" addr=\"@no such name\" addrlen=15",
};

#define FAILED_CALLS (sizeof(failed_calls) / sizeof(*failed_calls))

START_TEST(test_arguments_by_name)
{
	struct tracing tracing;
	const char *event;
	size_t from = 0, seen = 0;

	tracing__start(&tracing, TRACE("syscall,failed", "-p", own_pid(), "--ordered"));
	fail_calls();
	tracing__stop(&tracing);
	while ((event = tracing__next(&tracing, "syscall", getpid(), &from))) {
		const char *text = json_lines__text(event, "args_text");

		ck_assert_uint_lt(seen, FAILED_CALLS);
		ck_assert_msg(strstr(text, failed_calls[seen]), "%s instead of %s", text,
			      failed_calls[seen]);
		seen++;
	}
	ck_assert_uint_eq(seen, FAILED_CALLS);
	tracing__free(&tracing);
}
END_TEST

/* Runs a command that attaches programs, while the calls fail. */
static void run_meanwhile(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "attached");
	fail_calls();
	kill(peat->pid, SIGINT);
	command__finish(peat);
	ck_assert_msg(!peat->status, "%s", peat->err_text);
}

static void expect_failed_calls(const char *text)
{
	for (size_t i = 0; i < FAILED_CALLS; i++) {
		const char *found = strstr(text, failed_calls[i]);

		ck_assert_msg(found, "no %s in:\n%s", failed_calls[i], text);
		found += strlen(failed_calls[i]);
		ck_assert_msg(*found == '\n', "%.40s", found);
	}
}

/* Columns live, and of a recording. */
START_TEST(test_arguments_in_columns)
{
	const char *path = scratch__path("calls.data");
	struct command peat;

	run_meanwhile(&peat,
		      ARGV(command__peat(), "trace", "syscall,failed", "-v", "-p", own_pid()));
	expect_failed_calls(peat.out_text);
	command__free(&peat);
	run_meanwhile(&peat, ARGV(command__peat(), "record", "syscall,failed", "-v", "-o", path,
				  "-p", own_pid()));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "replay", path));
	expect_failed_calls(peat.out_text);
	command__free(&peat);
}
END_TEST

/* Hidden fields select events, with stacks too. */
START_TEST(test_calls_by_path_and_peer)
{
	struct command peat;

	run_meanwhile(&peat, ARGV(command__peat(), "trace", "syscall,failed", "-v", "-p", own_pid(),
				  "--stacks", "user", "--where",
				  "path ~ \"*socket\" || peer.port == 1 || args[1] == 8"));
	ck_assert_ptr_nonnull(strstr(peat.out_text, failed_calls[2]));
	ck_assert_ptr_nonnull(strstr(peat.out_text, failed_calls[9]));
	ck_assert_ptr_nonnull(strstr(peat.out_text, failed_calls[10]));
	ck_assert_ptr_null(strstr(peat.out_text, failed_calls[0]));
	ck_assert_ptr_null(strstr(peat.out_text, failed_calls[11]));
	command__free(&peat);
}
END_TEST

/* Texts of 255 bytes or more end with dots. */
START_TEST(test_long_paths_are_cut)
{
	char longer[256], fits[255], expected[600];
	struct tracing tracing;

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	snprintf(fits, sizeof(fits), "%.254s", longer);
	tracing__start(&tracing, TRACE("syscall,failed", "-p", own_pid()));
	syscall(SYS_renameat2, AT_FDCWD, fits, AT_FDCWD, longer, 0);
	tracing__stop(&tracing);
	snprintf(expected, sizeof(expected),
		 "olddfd=AT_FDCWD oldname=\"%s\" newdfd=AT_FDCWD newname=\"%.252s...\" flags=0",
		 fits, longer);
	expect_text(only_call(&tracing, "renameat2"), "args_text", expected);
	tracing__free(&tracing);
}
END_TEST

/* Texts after more than 256 bytes of texts are not read. */
START_TEST(test_later_texts_are_addresses)
{
	char path[201];
	struct tracing tracing;

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	tracing__start(&tracing, TRACE("syscall,failed", "-p", own_pid()));
	syscall(SYS_mount, path, path, "none", 0, NULL);
	tracing__stop(&tracing);
	ck_assert_ptr_nonnull(
		strstr(json_lines__text(only_call(&tracing, "mount"), "args_text"), "x\" type=0x"));
	tracing__free(&tracing);
}
END_TEST

/* The page of the path is there: the parent has written it. */
static int execute_true(void *path)
{
	return execl(path, "true", (char *)NULL);
}

/* Its arguments are gone when it returns. */
static void expect_executed(char *path, const char *expected)
{
	struct tracing tracing;
	const char *event;
	size_t from = 0;
	pid_t child;

	tracing__start(&tracing, TRACE("syscall,min=0", "--where", "call == \"execve\""));
	child = process__start(execute_true, path);
	ck_assert_int_eq(process__wait(child), 0);
	tracing__stop(&tracing);
	event = tracing__next(&tracing, "syscall", child, &from);
	ck_assert_ptr_nonnull(event);
	expect_number(event, "result", 0);
	ck_assert_msg(strstr(json_lines__text(event, "args_text"), expected), "%s", event);
	tracing__free(&tracing);
}

START_TEST(test_executed_program)
{
	char path[] = "/bin/true", cut[400], expected[300];

	expect_executed(path, "filename=\"/bin/true\" argv=0x");
	memset(cut, '/', sizeof(cut));
	memcpy(cut + sizeof(cut) - sizeof(path), path, sizeof(path));
	snprintf(expected, sizeof(expected), "filename=\"%.252s...\" argv=0x", cut);
	expect_executed(cut, expected);
}
END_TEST

START_TEST(test_call_by_name)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("syscall,failed", "-p", own_pid(), "--where",
				       "call == \"close\" && result == EBADF"));
	ck_assert_int_lt(syscall(SYS_openat, AT_FDCWD, "/no/such/file", O_RDONLY), 0);
	ck_assert_int_lt(syscall(SYS_close, -1L), 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 1);
	expect_text(only_call(&tracing, "close"), "result", "EBADF");
	tracing__free(&tracing);
}
END_TEST

static void ignore(int signal)
{
	(void)signal;
}

/* The end of the handler is no failing call, though its result is that of the interrupted one. */
START_TEST(test_interrupted_call)
{
	const struct itimerval in_20ms = { .it_value.tv_usec = 20000 };
	struct sigaction action = { .sa_handler = ignore };
	struct tracing tracing;
	int fds[2];
	char byte;

	ck_assert_int_eq(pipe(fds), 0);
	sigaction(SIGALRM, &action, NULL);
	tracing__start(&tracing, TRACE("syscall,failed", "-p", own_pid()));
	setitimer(ITIMER_REAL, &in_20ms, NULL);
	ck_assert_int_lt(syscall(SYS_read, fds[0], &byte, 1), 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 1);
	expect_text(only_call(&tracing, "read"), "result", "EINTR");
	tracing__free(&tracing);
}
END_TEST

#define CLOSE_OF_32_BIT_PROGRAMS 6 /* lstat in those of 64 bits */

#ifdef __x86_64__
#define HAS_32_BIT_CALLS true

static int close_by_32_bit_call(void *unused)
{
	long result = CLOSE_OF_32_BIT_PROGRAMS;

	(void)unused;
	signal(SIGSEGV, SIG_DFL); /* sanitizers catch the refusal of a kernel without such calls */
	__asm__ volatile("int $0x80"
			 : "+a"(result)
			 : "b"(-1L)
			 : "memory", "r8", "r9", "r10", "r11");
	return result != -EBADF;
}
#else
#define HAS_32_BIT_CALLS false

static int close_by_32_bit_call(void *unused)
{
	(void)unused;
	return CLOSE_OF_32_BIT_PROGRAMS;
}
#endif

/* Its number has another name. */
START_TEST(test_32_bit_call_is_left_out)
{
	struct tracing tracing;
	size_t from = 0;
	const char *event;
	pid_t child;
	int status;

	if (!HAS_32_BIT_CALLS)
		skip("no 32-bit calls of x86 on this machine");
	tracing__start(&tracing, TRACE("syscall,failed"));
	child = process__start(close_by_32_bit_call, NULL);
	status = process__wait(child);
	tracing__stop(&tracing);
	if (WIFSIGNALED(status)) {
		tracing__free(&tracing);
		skip("this kernel has no system calls of 32-bit programs");
	}
	ck_assert_int_eq(status, 0);
	while ((event = tracing__next(&tracing, "syscall", child, &from)))
		ck_assert_msg(strcmp(json_lines__text(event, "call"), "lstat"), "%s", event);
	tracing__free(&tracing);
}
END_TEST

/* ---- denied calls ---------------------------------------------------------------------------- */

#define DENIALS 10

/* The numbers of this architecture alone are used. */
static int deny_getpgid(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int be_denied(void *unused)
{
	(void)unused;
	if (deny_getpgid())
		return 1;
	for (long i = 0; i < DENIALS; i++)
		if (syscall(SYS_getpgid, 0x5ecc + i) != -1 || errno != EXDEV)
			return 2;
	return 0;
}

static void expect_denials(const char *probe)
{
	struct tracing tracing;
	size_t from = 0, seen = 0;
	const char *event;
	pid_t child;

	tracing__start(&tracing, TRACE(probe, "--ordered"));
	child = process__start(be_denied, NULL);
	ck_assert_int_eq(process__wait(child), 0);
	tracing__stop(&tracing);
	while ((event = tracing__next(&tracing, "syscall", child, &from))) {
		if (strcmp(json_lines__text(event, "call"), "getpgid"))
			continue;
		expect_text(event, "result", "EXDEV");
		expect_number(event, "args[0]", 0x5ecc + (long)seen);
		expect_number(event, "latency", 0);
		seen++;
	}
	ck_assert_uint_eq(seen, DENIALS);
	tracing__free(&tracing);
}

/* The kernel skips sys_enter for such calls. */
START_TEST(test_calls_denied_by_seccomp)
{
	expect_denials("syscall,failed");
}
END_TEST

START_TEST(test_denied_calls_among_all)
{
	expect_denials("syscall,min=0");
}
END_TEST

/* ---- counts ---------------------------------------------------------------------------------- */

static char *new_pages(void)
{
	size_t bytes = (size_t)(PAGES * sysconf(_SC_PAGESIZE));
	char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(pages, MAP_FAILED);
	madvise(pages, bytes, MADV_NOHUGEPAGE);
	return pages;
}

/* The kernel faults in each page that it writes to.  Events that every machine has take part. */
START_TEST(test_counts_of_a_call)
{
	long bytes = PAGES * sysconf(_SC_PAGESIZE);
	int zeros = open("/dev/zero", O_RDONLY);
	struct tracing tracing;
	char *pages = new_pages();
	const char *event;
	char where[64];

	snprintf(where, sizeof(where), "call == \"read\" && result == %ld", bytes);
	tracing__start(&tracing,
		       TRACE("syscall,min=0ns", "-p", own_pid(), "--where", where, "--set",
			     "cycles=page-faults", "--set", "instructions=cpu-clock"));
	ck_assert_int_eq(syscall(SYS_read, zeros, pages, bytes), bytes);
	tracing__stop(&tracing);
	event = only_call(&tracing, "read");
	expect_number(event, "result", bytes);
	expect_number(event, "cycles", PAGES);
	ck_assert_int_gt(json_lines__number(event, "instructions"), 0);
	ck_assert_int_le(json_lines__number(event, "instructions"),
			 2 * json_lines__number(event, "latency"));
	tracing__free(&tracing);
}
END_TEST

/* Faults as long as the reader waits, on its CPU. */
static int fault_meanwhile(void *unused)
{
	char *pages = new_pages();

	for (long i = 0; i < PAGES; i++)
		pages[i * sysconf(_SC_PAGESIZE)] = 1;
	return write_late(unused);
}

START_TEST(test_counts_leave_out_other_tasks)
{
	struct tracing tracing;
	char buffer[64] = "";
	const char *event;

	tracing__start(&tracing, TRACE("syscall,min=40ms", "-p", own_pid(), "--set",
				       "cycles=page-faults", "--set", "instructions=cpu-clock"));
	process__pin();
	read_slowly(fault_meanwhile, buffer);
	tracing__stop(&tracing);
	event = only_call(&tracing, "read");
	/* The kernel may copy the page of the buffer, which fork() has left to both. */
	ck_assert_int_le(json_lines__number(event, "cycles"), 2);
	ck_assert_int_gt(json_lines__number(event, "instructions"), 0);
	ck_assert_int_lt(json_lines__number(event, "instructions"),
			 json_lines__number(event, "latency") / 2);
	tracing__free(&tracing);
}
END_TEST

static void check_absent(const char *cycles, const char *instructions, const char *counts)
{
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing,
		       TRACE(counts, "-p", own_pid(), "--set", cycles, "--set", instructions));
	ck_assert_int_lt(syscall(SYS_close, -1L), 0);
	tracing__stop(&tracing);
	event = only_call(&tracing, "close");
	expect_member(event, "args[0]", "18446744073709551615");
	ck_assert_int_eq(json_lines__kind(event, "cycles"),
			 strstr(cycles, "nosuch") || strstr(counts, "false") ? JSON_NULL
									     : JSON_NUMBER);
	ck_assert_int_eq(json_lines__kind(event, "instructions"), JSON_NULL);
	tracing__free(&tracing);
}

/* Counts that the machine lacks are not 0. */
START_TEST(test_absent_counters)
{
	check_absent("cycles=nosuchpmu/event=1/", "instructions=nosuchpmu/event=1/",
		     "syscall,failed");
	check_absent("cycles=page-faults", "instructions=nosuchpmu/event=1/", "syscall,failed");
	check_absent("cycles=page-faults", "instructions=cpu-clock", "syscall,failed,counts=false");
}
END_TEST

/* Events without the counter have no number for a table, and no key. */
START_TEST(test_tables_of_absent_counters)
{
	static const char *const values[] = { "--sum", "--by" };
	const char *path = scratch__path("absent.data");
	struct command peat;

	run_meanwhile(&peat, ARGV(command__peat(), "record", "syscall,failed", "-v", "-o", path,
				  "-p", own_pid(), "--set", "cycles=nosuchpmu/event=1/"));
	command__free(&peat);
	for (int i = 0; i < 2; i++) {
		const char *rows = i ? "\"rows\":[]" : "\"rows\":[{\"count\":0,\"sum\":null}]";

		run_meanwhile(&peat, ARGV(command__peat(), "count", "syscall,failed", "-v", "-j",
					  "-p", own_pid(), "--set", "cycles=nosuchpmu/event=1/",
					  values[i], "cycles"));
		ck_assert_msg(strstr(peat.out_text, rows), "%s", peat.out_text);
		command__free(&peat);
		command__run(&peat, ALL_CAPS,
			     ARGV(command__peat(), "count", path, "-j", values[i], "cycles"));
		ck_assert_msg(strstr(peat.out_text, rows), "%s", peat.out_text);
		command__free(&peat);
	}
}
END_TEST

static bool has_hardware_event(uint64_t config)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .config = config };
	long fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
}

/* Virtual machines have no hardware counters, or cycles only. */
START_TEST(test_hardware_counters)
{
	bool has_cycles = has_hardware_event(PERF_COUNT_HW_CPU_CYCLES);
	bool has_both = has_cycles && has_hardware_event(PERF_COUNT_HW_INSTRUCTIONS);
	struct tracing tracing;
	const char *event;

	tracing__start(&tracing, TRACE("syscall,failed", "-p", own_pid()));
	ck_assert_int_lt(syscall(SYS_close, -1L), 0);
	tracing__stop(&tracing);
	event = only_call(&tracing, "close");
	if (has_cycles)
		ck_assert_int_gt(json_lines__number(event, "cycles"), 0);
	else
		expect_member(event, "cycles", "null");
	if (has_both)
		ck_assert_int_gt(json_lines__number(event, "instructions"), 0);
	else
		expect_member(event, "instructions", "null");
	printf("# this machine counts %s\n", has_both	  ? "cycles and instructions"
					     : has_cycles ? "cycles"
							  : "neither cycles nor instructions");
	tracing__free(&tracing);
}
END_TEST

static Suite *syscall_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("syscall", 60, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_slow_call);
	tcase_add_test(tests, test_waits_are_left_out);
	tcase_add_test(tests, test_no_slow_call);
	tcase_add_test(tests, test_default_limit_is_named);
	tcase_add_test(tests, test_failing_calls);
	tcase_add_test(tests, test_arguments_by_name);
	tcase_add_test(tests, test_arguments_in_columns);
	tcase_add_test(tests, test_calls_by_path_and_peer);
	tcase_add_test(tests, test_long_paths_are_cut);
	tcase_add_test(tests, test_later_texts_are_addresses);
	tcase_add_test(tests, test_executed_program);
	tcase_add_test(tests, test_call_by_name);
	tcase_add_test(tests, test_interrupted_call);
	tcase_add_test(tests, test_32_bit_call_is_left_out);
	tcase_add_test(tests, test_calls_denied_by_seccomp);
	tcase_add_test(tests, test_denied_calls_among_all);
	tcase_add_test(tests, test_counts_of_a_call);
	tcase_add_test(tests, test_counts_leave_out_other_tasks);
	tcase_add_test(tests, test_absent_counters);
	tcase_add_test(tests, test_tables_of_absent_counters);
	tcase_add_test(tests, test_hardware_counters);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { syscall_suite };

	return harness__main(argc, argv, suites, 1);
}
