// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_deferred.c: samples whose user callchain the kernel defers (Linux 6.19), in a recording as
 * perf record --call-graph fp,defer makes it: peat replay and peat convert show whole stacks.
 *
 * The sampled command is this program, with the argument "work".
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"
#include "unit/perf_data/read/perf_maker.h"

/* ---- the command ----------------------------------------------------------------------------- */

/* On a busy host, a guest has few samples in this time: so there is a least number of rounds. */
#define WORK_SECONDS 0.4
#define WORK_ROUNDS  60

/* The address of its frame makes the compiler use frame pointers, the result makes it no jump. */
#define USE_FRAME void *volatile frame = __builtin_frame_address(0)

static double cpu_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* read() has no frame, so that its caller is not found by frame pointers. */
__attribute__((noinline)) static bool read_zeroes(int fd)
{
	static char memory[1 << 18];
	USE_FRAME;

	return read(fd, memory, sizeof(memory)) == sizeof(memory) && frame;
}

/* In user space, and in the kernel. */
__attribute__((noinline)) static long innermost_function(void)
{
	volatile unsigned long sum = 0;
	int fd = open("/dev/zero", O_RDONLY);
	USE_FRAME;

	for (int round = 0; round < WORK_ROUNDS || cpu_seconds() < WORK_SECONDS; round++) {
		for (unsigned long i = 0; i < 300000; i++)
			sum += i;
		for (int i = 0; i < 20; i++)
			if (!read_zeroes(fd))
				return 1;
	}
	close(fd);
	return frame == NULL || !sum;
}

__attribute__((noinline)) static long middle_function(void)
{
	USE_FRAME;

	return innermost_function() + (frame == NULL);
}

__attribute__((noinline)) static long outermost_function(void)
{
	USE_FRAME;

	return middle_function() + (frame == NULL);
}

/* ---- recording ------------------------------------------------------------------------------- */

/* Bits of struct perf_event_attr that the headers of Linux 6.18 do not have. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FLAG(bit) (1ULL << (bit))
#else
#define FLAG(bit) (1ULL << (63 - (bit)))
#endif
#define DEFER_CALLCHAIN 38
#define DEFER_OUTPUT	39

/* The bit-fields follow read_format. */
#define FLAGS_AT (offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t))

#define SAMPLED                                                                                    \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CPU)

#define RING_PAGES 512

static struct perf_event_attr clock_attr(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.freq = 1,
					.sample_freq = 999,
					.sample_type = SAMPLED,
					.disabled = 1,
					.enable_on_exec = 1,
					.comm = 1,
					.mmap = 1,
					.mmap2 = 1,
					.task = 1,
					.sample_id_all = 1,
					.use_clockid = 1,
					.clockid = CLOCK_MONOTONIC };
	uint64_t flags;

	memcpy(&flags, (char *)&attr + FLAGS_AT, sizeof(flags));
	flags |= FLAG(DEFER_CALLCHAIN) | FLAG(DEFER_OUTPUT);
	memcpy((char *)&attr + FLAGS_AT, &flags, sizeof(flags));
	return attr;
}

static int open_clock(pid_t pid)
{
	struct perf_event_attr attr = clock_attr();

	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Starts the command, which waits until it is let go by a byte in the pipe. */
static pid_t start_work(int *go)
{
	int fds[2];
	pid_t pid;

	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		char byte;

		if (read(fds[0], &byte, 1) == 1)
			execl("/proc/self/exe", "test_deferred", "work", NULL);
		_exit(127);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static void wait_for_work(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

static bool is_deferred(const struct maker *made)
{
	for (size_t at = 0; at + 8 <= made->len;) {
		struct perf_event_header header;

		memcpy(&header, made->at + at, sizeof(header));
		if (header.type == 22)
			return true;
		at += header.size;
	}
	return false;
}

static void write_recording(const char *path, uint64_t id, const struct maker *records)
{
	const struct made_attr attr = { PERF_TYPE_SOFTWARE, 136, PERF_COUNT_SW_CPU_CLOCK, SAMPLED,
					1ULL << 18 | 1ULL << DEFER_CALLCHAIN |
						1ULL << DEFER_OUTPUT };
	struct maker made = { 0 };
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	make_pipe_header(&made);
	make_pipe_attr(&made, &attr, id);
	make_bytes(&made, records->at, records->len);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, made.at, made.len), (ssize_t)made.len);
	close(fd);
	free(made.at);
}

/* Writes the records of the ring, which has not wrapped.  True: callchains were deferred. */
static bool write_ring(const struct perf_event_mmap_page *page, size_t page_bytes, uint64_t id)
{
	struct maker records = { 0 };
	bool deferred;

	ck_assert_uint_le(page->data_head, RING_PAGES * page_bytes);
	make_bytes(&records, (const char *)page + page_bytes, page->data_head);
	deferred = is_deferred(&records);
	write_recording("x.data", id, &records);
	free(records.at);
	return deferred;
}

static bool record_work(int fd, pid_t pid, int go)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), bytes = (1 + RING_PAGES) * page_bytes;
	void *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	uint64_t id = 0;
	bool deferred;

	ck_assert_ptr_ne(ring, MAP_FAILED);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_ID, &id), 0);
	ck_assert_int_eq(write(go, "", 1), 1);
	wait_for_work(pid);
	deferred = write_ring(ring, page_bytes, id);
	munmap(ring, bytes);
	close(fd);
	return deferred;
}

/* NULL: the samples are in x.data; otherwise the reason why there are none. */
static const char *try_to_record(void)
{
	int go, fd;
	pid_t pid = start_work(&go);
	bool deferred;

	fd = open_clock(pid);
	if (fd < 0) {
		ck_assert_int_eq(errno, EINVAL);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return "this kernel does not defer callchains (Linux 6.19)";
	}
	deferred = record_work(fd, pid, go);
	close(go);
	return deferred ? NULL : "this kernel does not defer callchains on this architecture";
}

#define need_recording()                                                                           \
	do {                                                                                       \
		const char *reason = try_to_record();                                              \
		if (reason)                                                                        \
			skip("%s", reason);                                                        \
	} while (0)

/* ---- stacks ---------------------------------------------------------------------------------- */

#define FUNCTIONS 3

static const char *const functions[FUNCTIONS] = { "innermost_function", "middle_function",
						  "outermost_function" };

static bool is_function(const char *event, unsigned frame, const char *wanted)
{
	const char *symbol;
	char path[64];

	snprintf(path, sizeof(path), "stack[%u].symbol", frame);
	symbol = json_lines__text(event, path);
	return symbol && !strncmp(symbol, wanted, strlen(wanted));
}

/* False: the sample was taken outside of our functions. */
static bool check_stack(const char *event)
{
	unsigned first = 0;

	while (first < 64 && !is_function(event, first, functions[0]))
		first++;
	if (first == 64)
		return false;
	for (unsigned i = 1; i < FUNCTIONS; i++)
		ck_assert_msg(is_function(event, first + i, functions[i]), "%s", event);
	ck_assert_msg(!strstr(event, "callchain_cookie"), "%s", event);
	return true;
}

START_TEST(test_replay_joins_stacks)
{
	unsigned whole = 0, of_kernel = 0;
	struct json_lines events;
	char *output;

	need_recording();
	output = recorded_run__replay("x.data");
	events = json_lines__split(output);
	for (size_t i = 0; i < events.count; i++) {
		if (!check_stack(events.lines[i]))
			continue;
		whole++;
		of_kernel += json_event__number(events.lines[i], "ip.address") >> 63;
	}
	printf("  %u whole stacks of %zu samples, %u of them begin in the kernel\n", whole,
	       events.count, of_kernel);
	ck_assert_uint_gt(whole, of_kernel);
	ck_assert_uint_gt(of_kernel, 0);
	json_lines__free(&events);
	free(output);
}
END_TEST

#define FOLDED "main;outermost_function;middle_function;innermost_function"

START_TEST(test_folded_stacks_are_joined)
{
	char *output;

	need_recording();
	output = stock_perf__shell("$PEAT convert x.data --to folded -o -");
	ck_assert_msg(strstr(output, FOLDED " "), "%s", output);
	ck_assert_msg(strstr(output, FOLDED ";"), "%s", output); /* and on into the kernel */
	free(output);
}
END_TEST

/* In file order, the kernel part and the cookie are shown; the parts are records. */
START_TEST(test_unordered_stacks_are_not_joined)
{
	char *output;

	need_recording();
	output = stock_perf__shell("$PEAT replay -q -j --unordered x.data @sample @other");
	ck_assert_uint_gt(recorded_run__count(output, "\"callchain_cookie\":"), 0);
	ck_assert_uint_gt(recorded_run__count(output, "{\"type\":\"@callchain_deferred\""), 0);
	free(output);
}
END_TEST

static Suite *deferred_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("deferred", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_replay_joins_stacks);
	tcase_add_test(tests, test_folded_stacks_are_joined);
	tcase_add_test(tests, test_unordered_stacks_are_not_joined);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { deferred_suite };

	if (argc > 1 && !strcmp(argv[1], "work"))
		return (int)outermost_function();
	return harness__main(argc, argv, suites, 1);
}
