// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_examples.c: peat examples: each command answers its question beside a workload.
 *
 * The workload is this program, with the number of the example as argument.  It follows "--" on the
 * command line, so that the events are its own.
 */
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <bpf/libbpf.h>
#include <zlib.h>

#include "support/load/file_lock.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/loop_disk.h"
#include "support/machine/memory_cgroup.h"
#include "support/machine/mounts.h"
#include "support/machine/netns.h"
#include "support/machine/own_program.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "support/machine/slow_memory.h"
#include "support/machine/tcp_pair.h"

#define MISSING "/nothing/of/this/name"
#define SLOW_US 50000
#define MIB	(1024 * 1024)

/* ---- workloads ------------------------------------------------------------------------------- */

static int open_files(void)
{
	int fd = open("/etc/hostname", O_RDONLY);

	if (fd >= 0)
		close(fd);
	return open(MISSING, O_RDONLY) >= 0;
}

static int delete_file(void)
{
	int fd = open("unwanted", O_WRONLY | O_CREAT | O_EXCL, 0600);

	return fd < 0 || close(fd) || unlink("unwanted");
}

static int write_slowly(void)
{
	int fd = open("written", O_WRONLY | O_CREAT, 0600);
	struct slow_memory memory;
	ssize_t bytes;

	slow_memory__make(&memory, "abc", SLOW_US, NULL, NULL);
	bytes = write(fd, memory.page, 3);
	slow_memory__free(&memory);
	return bytes != 3 || close(fd);
}

static int do_nothing(void)
{
	return 0;
}

static int kill_child(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		for (;;)
			pause();
	}
	return child < 0 || kill(child, SIGKILL) || waitpid(child, &status, 0) != child ||
	       !WIFSIGNALED(status);
}

/* Half a second of CPU time: some dozen samples.  clock() is a system call. */
__attribute__((noinline, noclone)) int spin_in_example(void);
int spin_in_example(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 2;

	while (clock() < end)
		for (volatile int i = 0; i < 1000000; i++)
			;
	return 0;
}

static int sleep_often(void)
{
	for (int i = 0; i < 20; i++)
		usleep(5000);
	return 0;
}

static int write_disk(void)
{
	struct loop_disk disk;
	void *block;
	int status;

	loop_disk__open(&disk, 4 * MIB);
	if (posix_memalign(&block, 4096, 65536))
		return 1;
	memset(block, 'x', 65536);
	status = pwrite(disk.fd, block, 65536, 0) != 65536;
	free(block);
	loop_disk__close(&disk);
	return status;
}

/* The malloc() of libc.so.6: sanitizers put their own in its place. */
void *__libc_malloc(size_t bytes);

__attribute__((noinline, noclone)) int forget_in_example(void);
int forget_in_example(void)
{
	for (int i = 0; i < 10; i++) {
		char *volatile forgotten = __libc_malloc(54321);

		if (!forgotten)
			return 1;
		*forgotten = 1;
	}
	return 0;
}

#define CGROUP "peat-test-examples"

/* In a cgroup with less memory. */
static void use_memory(const char *cgroup)
{
	char *memory;

	mounts__enter_cgroup(cgroup);
	memory = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory != MAP_FAILED)
		memset(memory, 1, 64 * MIB);
	_exit(1);
}

static int run_out_of_memory(void)
{
	const char *cgroup = memory_cgroup__make(CGROUP, 32 * MIB);
	pid_t child = fork();
	int status;

	if (!child)
		use_memory(cgroup);
	status = child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status);
	memory_cgroup__remove(cgroup);
	return status;
}

static int wait_for_lock(void)
{
	struct file_lock_wait waits[FILE_LOCK_WAITS];

	file_lock__wait(waits);
	return 0;
}

static int connect_to_self(void)
{
	struct tcp_pair pair;
	uint16_t port;

	netns__enter();
	pair = tcp_pair__connect(AF_INET, tcp_pair__listen(AF_INET, &port));
	close(pair.client);
	tcp_pair__close_last(pair.server);
	return 0;
}

/* In the network namespace of peat. */
static int send_packets(void)
{
	struct tcp_pair pair;
	uint16_t port;

	pair = tcp_pair__connect(AF_INET, tcp_pair__listen(AF_INET, &port));
	return write(pair.client, "a question", 10) != 10;
}

static int be_refused(void)
{
	netns__enter();
	netns__be_refused();
	return 0;
}

static int look_up(void)
{
	struct addrinfo *found;

	if (!getaddrinfo("localhost", NULL, NULL, &found))
		freeaddrinfo(found);
	return 0;
}

static int fetch_page(void)
{
	execlp("sh", "sh", "-c",
	       "openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 "
	       "-subj /CN=localhost 2> /dev/null || exit\n"
	       "ip link set lo up\n"
	       "openssl s_server -accept 4433 -key key -cert cert -www -quiet > /dev/null & "
	       "tries=0\n"
	       "until curl -sk -o page https://127.0.0.1:4433/ || [ $((tries += 1)) = 100 ]; do "
	       "sleep 0.1; done\n"
	       "kill $!\n"
	       "test -s page",
	       NULL);
	return 1;
}

static int change_root(void)
{
	return chroot("/");
}

static int lack_capability(void)
{
	command__limit_caps(0);
	return !chroot("/");
}

static int compress_text(void)
{
	unsigned char out[256];
	z_stream stream = { .next_in = (unsigned char *)(uintptr_t) "text",
			    .avail_in = 4,
			    .next_out = out,
			    .avail_out = sizeof(out) };

	return deflateInit(&stream, 6) || deflate(&stream, Z_FINISH) != Z_STREAM_END ||
	       deflateEnd(&stream);
}

static int read_environment(void)
{
	volatile const char *value = getenv("PEAT_IN_EXAMPLE");

	return value != NULL;
}

static int read_file(void)
{
	int fd = open("/proc/self/stat", O_RDONLY);
	char byte;

	return fd < 0 || read(fd, &byte, 1) != 1;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static const char *lacks_cgroup(void)
{
	const char *cgroup = memory_cgroup__make(CGROUP, 32 * MIB);

	if (cgroup)
		memory_cgroup__remove(cgroup);
	return cgroup ? NULL : "this kernel has no controller of memory";
}

static const char *lacks_lock_events(void)
{
	mounts__need_tracefs();
	return access("/sys/kernel/tracing/events/lock/contention_begin/id", F_OK)
		       ? "no tracepoint lock/contention_begin (Linux 5.19)"
		       : NULL;
}

static const char *lacks_tls_programs(void)
{
	return command__exists("openssl") && command__exists("curl") && command__exists("ip")
		       ? NULL
		       : "no openssl, curl or ip on this machine";
}

static const char *lacks_cookies(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL) == 1
		       ? NULL
		       : "this kernel has no cookies of attachments (Linux 5.15)";
}

static const char *lacks_kprobes(void)
{
	return access("/sys/bus/event_source/devices/kprobe/type", R_OK)
		       ? "this kernel has no kprobes"
		       : NULL;
}

/* ---- examples -------------------------------------------------------------------------------- */

/* Expectations: a line of the output, or of `file`, has these two texts. */
static const struct {
	const char *command;
	int (*workload)(void); /* NULL: the command has its own, or needs none */
	const char *has, *and;
	const char *file;
	const char *(*lacks)(void); /* NULL: nothing is missing; else the reason to skip */
} rows[] = {
	{ "peat trace open --where 'path == \"/etc/hostname\"'", open_files, "test_examples",
	  "/etc/hostname", NULL, NULL },
	{ "peat count open,failed --by comm,path,result", open_files, MISSING, "ENOENT", NULL,
	  NULL },
	{ "peat trace filechange", delete_file, "unlink", "/unwanted", NULL, NULL },
	{ "peat trace fileslow,min=10ms", write_slowly, "write", "/written", NULL, NULL },
	{ "peat count fileslow,min=0 --by path,op --sum bytes", write_slowly, "/written", "write",
	  NULL, NULL },
	{ "peat trace exec", do_nothing, "test_examples", "/test_examples", NULL, NULL },
	{ "peat trace exit --where 'code != 0 || signal != 0'", kill_child, "test_examples",
	  "SIGKILL", NULL, NULL },
	{ "peat trace signal --where 'signal in (SIGKILL, SIGTERM)'", kill_child, "test_examples",
	  "SIGKILL", NULL, NULL },
	{ "peat hist sched,min=0 delay", sleep_often, "us)", "|@", NULL, NULL },
	{ "peat profile -d 10", spin_in_example, "%", "spin_in_example", NULL, NULL },
	{ "peat profile -d 10 -o cpu.svg", spin_in_example, "spin_in_example", "", "cpu.svg",
	  NULL },
	{ "peat profile --offcpu -d 10", sleep_often, "%", "nanosleep", NULL, NULL },
	{ "peat trace syscall,min=10ms", write_slowly, "write", "test_examples", NULL, NULL },
	{ "peat count syscall,failed --by comm,call,result", open_files, "openat", "ENOENT", NULL,
	  NULL },
	{ "peat stat -e 'syscalls:sys_enter_*' -- ls", NULL, "1 ", "syscalls:sys_enter_exit_group",
	  NULL, NULL },
	{ "peat hist bio latency --by dev,op", write_disk, "loop", "write", NULL, NULL },
	{ "peat count leak -p 1234 -d 60", forget_in_example, "forget_in_example", "", NULL, NULL },
	{ "peat trace oom", run_out_of_memory, "test_examples", CGROUP, NULL, lacks_cgroup },
	{ "peat count lock,min=0 --by caller --sum wait", wait_for_lock, "file_write_iter", "ms",
	  NULL, lacks_lock_events },
	{ "peat trace tcp", connect_to_self, "connect", "127.0.0.1:", NULL, NULL },
	{ "peat trace resolve", look_up, "getaddrinfo", "localhost", NULL, NULL },
	{ "peat trace listen", connect_to_self, "listen", "127.0.0.1:", NULL, NULL },
	{ "peat count drop --by reason,location", be_refused, "+0x", "", NULL, NULL },
	{ "peat trace ssl --comm curl", fetch_page, "curl", "HTTP/1.0 200 ok", NULL,
	  lacks_tls_programs },
	{ "peat trace packet,proto=tcp --if lo -o lo.pcapng", send_packets, "a question", "",
	  "lo.pcapng", NULL },
	{ "peat trace guard", change_root, "chroot", "/", NULL, NULL },
	{ "peat trace capable,failed", lack_capability, "SYS_CHROOT", "EPERM", NULL, NULL },
	{ "peat count 'uretprobe:libz.so.1:*flate' --by function --sum latency --max latency",
	  compress_text, "deflate", " 1 ", NULL, lacks_cookies },
	{ "peat hist uretprobe:libc.so.6:getaddrinfo latency --by comm", look_up, "test_examples",
	  "", NULL, NULL },
	{ "peat trace uprobe:libc.so.6:getenv --fields comm,arg1.text", read_environment,
	  "test_examples", "PEAT_IN_EXAMPLE", NULL, NULL },
	{ "peat hist kretprobe:vfs_read latency --by comm", read_file, "test_examples", "", NULL,
	  lacks_kprobes },
	{ "peat count tracepoint:sched:sched_switch --by stack --stacks kernel", sleep_often,
	  "schedule", "", NULL, NULL },
	{ "peat record exec exit -o events.data", do_nothing, "PERFILE2", "", "events.data", NULL },
	{ "peat replay events.data", NULL, "exec", "/test_examples", NULL, NULL },
	{ "peat trace exec -j", do_nothing, "{\"type\":\"exec\",", "/test_examples\"", NULL, NULL },
};
#define ROWS (sizeof(rows) / sizeof(*rows))

static char peat_path[PATH_MAX];

/* Files are written to the scratch directory. */
static void setup(void)
{
	ck_assert_ptr_nonnull(realpath(command__peat(), peat_path));
	scratch__make();
	ck_assert_int_eq(chdir(scratch__dir()), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	scratch__remove();
}

static size_t read_whole(const char *name, char *bytes, size_t room)
{
	FILE *file = fopen(name, "re");
	size_t count;

	ck_assert_msg(file != NULL, "no file %s", name);
	count = fread(bytes, 1, room, file);
	ck_assert_int_eq(fclose(file), 0);
	return count;
}

static bool has_line(const char *text, size_t bytes, const char *has, const char *and)
{
	const char *end = text + bytes;

	for (const char *line = text, *next; line < end; line = next) {
		size_t length;

		next = memchr(line, '\n', (size_t)(end - line));
		next = next ? next + 1 : end;
		length = (size_t)(next - line);
		if (memmem(line, length, has, strlen(has)) &&
		    memmem(line, length, and, strlen(and)))
			return true;
	}
	return false;
}

static void check_output(size_t i, const struct command *peat)
{
	static char content[16 * MIB];
	/* peat stat prints on stderr, as perf does. */
	const char *text = *peat->out_text ? peat->out_text : peat->err_text;
	size_t bytes = strlen(text);

	if (rows[i].file) {
		text = content;
		bytes = read_whole(rows[i].file, content, sizeof(content));
	}
	ck_assert_msg(has_line(text, bytes, rows[i].has, rows[i].and),
		      "%s: no %s and %s in %.1500s%.500s", rows[i].command, rows[i].has,
		      rows[i].and, peat->out_text, peat->err_text);
}

/* The number that stands for any process: the workload is the command. */
#define ANY_PROCESS "-p 1234 "

static void run_example(struct command *peat, size_t i)
{
	char words[1024], line[3 * PATH_MAX], *any;

	snprintf(words, sizeof(words), "%s", rows[i].command + strlen("peat "));
	any = strstr(words, ANY_PROCESS);
	if (any)
		memmove(any, any + strlen(ANY_PROCESS), strlen(any + strlen(ANY_PROCESS)) + 1);
	snprintf(line, sizeof(line), "exec '%s' %s", peat_path, words);
	if (rows[i].workload)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), " -- '%s' %zu",
			 own_program__path(), i);
	command__run(peat, ALL_CAPS, ARGV("sh", "-c", line));
	ck_assert_msg(!peat->status, "%s: status %d: %s", rows[i].command, peat->status,
		      peat->err_text);
}

static size_t row_of(const char *command)
{
	size_t i = 0;

	while (i < ROWS && strcmp(rows[i].command, command) != 0)
		i++;
	return i;
}

START_TEST(test_example_answers_its_question)
{
	size_t i = (size_t)_i;
	const char *reason = rows[i].lacks ? rows[i].lacks() : NULL;
	struct command peat;

	if (reason)
		skip("%s: %s", rows[i].command, reason);
	if (strstr(rows[i].command, "--if lo") || rows[i].workload == fetch_page)
		netns__enter();
	if (strstr(rows[i].command, "replay")) {
		run_example(&peat, row_of("peat record exec exit -o events.data"));
		command__free(&peat);
	}
	run_example(&peat, i);
	check_output(i, &peat);
	command__free(&peat);
}
END_TEST

/* ---- the verb -------------------------------------------------------------------------------- */

static void run_verb(struct command *peat, int status, const char *const *argv)
{
	command__run(peat, 0, argv);
	ck_assert_msg(peat->status == status, "status %d: %s", peat->status, peat->err_text);
}

/* Lines that begin with four blanks are commands. */
START_TEST(test_all_examples_are_tested)
{
	struct command peat;
	size_t count = 0;

	run_verb(&peat, 0, ARGV(peat_path, "examples"));
	for (char *line = strtok(peat.out_text, "\n"); line; line = strtok(NULL, "\n")) {
		if (strncmp(line, "    ", 4) != 0)
			continue;
		ck_assert_msg(row_of(line + 4) < ROWS, "no row of %s", line);
		count++;
	}
	ck_assert_uint_eq(count, ROWS);
	command__free(&peat);
}
END_TEST

START_TEST(test_words_select_examples)
{
	struct command peat;

	run_verb(&peat, 0, ARGV(peat_path, "examples", "FLAME", "graph"));
	ck_assert_str_eq(peat.out_text, "TASKS\n  Where does the CPU time go, as a flame graph?\n"
					"    peat profile -d 10 -o cpu.svg\n");
	command__free(&peat);
	run_verb(&peat, 0, ARGV(peat_path, "examples", "-j", "kretprobe"));
	ck_assert_str_eq(peat.out_text,
			 "[{\"subject\":\"FUNCTIONS\",\"question\":\"How long does a function of "
			 "the kernel take?\",\"command\":\"peat hist kretprobe:vfs_read latency "
			 "--by comm\"}]\n");
	command__free(&peat);
}
END_TEST

START_TEST(test_unknown_word_is_reported)
{
	struct command peat;

	run_verb(&peat, 1, ARGV(peat_path, "examples", "open", "nosuch"));
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_str_eq(peat.err_text, "peat: no example mentions 'open nosuch': peat examples "
					"prints all, peat list --search finds probes\n");
	command__free(&peat);
	run_verb(&peat, 1, ARGV(peat_path, "examples", "-j", "nosuch"));
	ck_assert_str_eq(peat.out_text, "[]\n");
	command__free(&peat);
}
END_TEST

static Suite *examples_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("examples", 120, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_all_examples_are_tested);
	tcase_add_test(tests, test_words_select_examples);
	tcase_add_test(tests, test_unknown_word_is_reported);
	tcase_add_loop_test(tests, test_example_answers_its_question, 0, (int)ROWS);
	return suite;
}

/* Helpers of tests report failures to a running test. */
START_TEST(test_workload_succeeds)
{
	ck_assert_int_eq(rows[_i].workload(), 0);
}
END_TEST

static int run_workload(int i)
{
	Suite *suite = suite_create("workload");
	TCase *tests = tcase_create("workload");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tests, test_workload_succeeds, i, i + 1);
	suite_add_tcase(suite, tests);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { examples_suite };
	char *end;
	unsigned long i = argc == 2 ? strtoul(argv[1], &end, 10) : ROWS;

	if (argc == 2 && !*end && i < ROWS)
		return run_workload((int)i);
	return harness__main(argc, argv, suites, 1);
}
