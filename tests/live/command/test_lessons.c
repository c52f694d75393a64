// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_lessons.c: the commands of the tables in user/doc/functions.md, each beside a workload with
 * known numbers.
 *
 * The workload is this program, with an argument.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>
#include <sys/utsname.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/own_program.h"
#include "support/machine/process.h"

#define DOCUMENT "user/doc/functions.md"
#define MISSING	 "/nothing/of/this/name"
#define CALLS	 1000
#define BYTES	 12345 /* of each read() and malloc() */

/* ---- the workload ---------------------------------------------------------------------------- */

/* BPF programs read only names in memory: those of this array are, of constants perhaps not yet. */
static bool read_zeroes(void)
{
	static char bytes[BYTES];
	const char name[] = "/dev/zero";
	int fd = open(name, O_RDONLY);

	for (int i = 0; i < CALLS; i++)
		if (read(fd, bytes, BYTES) != BYTES)
			return false;
	return !close(fd);
}

/* The malloc() and free() of libc.so.6: sanitizers put their own in their place. */
void *__libc_malloc(size_t bytes);
void __libc_free(void *bytes);

static bool allocate(void)
{
	for (int i = 0; i < CALLS; i++) {
		volatile char *bytes = __libc_malloc(BYTES);

		if (!bytes)
			return false;
		*bytes = 1;
		__libc_free((void *)bytes);
	}
	return true;
}

/* Each sleep switches to another task. */
static int run_workload(void)
{
	const char missing[] = MISSING;

	if (!read_zeroes() || !allocate() || open(missing, O_RDONLY) >= 0)
		return EXIT_FAILURE;
	for (int i = 0; i < 10; i++)
		usleep(1000);
	return 0;
}

/* ---- running --------------------------------------------------------------------------------- */

static char comm[16];

static void setup(void)
{
	snprintf(comm, sizeof(comm), "%.15s", strrchr(own_program__path(), '/') + 1);
}

static bool has_kprobes(void)
{
	return !access("/sys/bus/event_source/devices/kprobe/type", R_OK);
}

/* Linux 5.15 */
static bool has_cookies(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL) == 1;
}

/* They skip the test that names them. */
#define need_kprobes()                                                                             \
	do {                                                                                       \
		if (!has_kprobes())                                                                \
			skip("this kernel has no kprobes");                                        \
	} while (0)
#define need_cookies()                                                                             \
	do {                                                                                       \
		if (!has_cookies())                                                                \
			skip("this kernel has no cookies of attachments (Linux 5.15)");            \
	} while (0)

static bool is_kernel(unsigned major, unsigned minor)
{
	struct utsname names;
	unsigned has_major, has_minor;

	ck_assert_int_eq(uname(&names), 0);
	ck_assert_int_eq(sscanf(names.release, "%u.%u", &has_major, &has_minor), 2);
	return has_major > major || (has_major == major && has_minor >= minor);
}

/* The document has the command in a table; it is not there in virtual machines. */
static void check_document(const char *line)
{
	static char text[64 << 10];
	FILE *document = fopen(DOCUMENT, "re");
	size_t bytes = document ? fread(text, 1, sizeof(text) - 1, document) : 0;

	if (!document)
		return;
	ck_assert_int_eq(fclose(document), 0);
	text[bytes] = '\0';
	ck_assert_msg(strstr(text, line) != NULL, "%s does not have %s", DOCUMENT, line);
}

/* Runs a command of the document, "peat hist ...", by a shell; `more` are further arguments. */
static void run_lesson(struct command *peat, const char *line, const char *more)
{
	char text[2 * PATH_MAX];

	check_document(line);
	ck_assert(!strncmp(line, "peat ", 5));
	snprintf(text, sizeof(text), "exec %s %s %s", command__peat(), line + 5, more);
	command__run(peat, ALL_CAPS, ARGV("sh", "-c", text));
	ck_assert_msg(!peat->status, "%s: %s", line, peat->err_text);
}

/* With the workload, as JSON. */
static void run_beside_workload(struct command *peat, const char *line)
{
	char more[PATH_MAX + 32];

	snprintf(more, sizeof(more), "-q -j -- '%s' workload", own_program__path());
	run_lesson(peat, line, more);
}

/* The row of a table whose column has this text. */
static unsigned long long count_of(const struct command *peat, const char *column, const char *text)
{
	int row = json_table__find(peat->out_text, column, text);

	ck_assert_msg(row >= 0, "no %s is %s in %s", column, text, peat->out_text);
	return json_table__number(peat->out_text, row, "count");
}

/* Events whose JSON has this text. */
static unsigned count_events(const struct command *peat, const char *text)
{
	unsigned count = 0;

	for (const char *at = peat->out_text; (at = strstr(at, text)); at += strlen(text))
		count++;
	return count;
}

/* The number of events in the slot of row 0 that has the value. */
static unsigned long long count_in_slot(const struct command *peat, unsigned long long value)
{
	char path[64];

	for (unsigned slot = 0;; slot++) {
		snprintf(path, sizeof(path), "rows[0].slots[%u].max", slot);
		if (!json_event__has(peat->out_text, path))
			return 0;
		if (json_event__number(peat->out_text, path) < value)
			continue;
		snprintf(path, sizeof(path), "rows[0].slots[%u].count", slot);
		return json_event__number(peat->out_text, path);
	}
}

/* ---- lessons --------------------------------------------------------------------------------- */

START_TEST(test_lesson_1_lists_tracepoints)
{
	struct command peat;

	run_lesson(&peat, "peat list 'tracepoint:syscalls:sys_enter_*'", "");
	ck_assert_ptr_nonnull(strstr(peat.out_text, "tracepoint:syscalls:sys_enter_openat\n"));
	ck_assert_ptr_null(strstr(peat.out_text, "sys_exit"));
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_3_has_names_of_files)
{
	struct command peat;

	run_beside_workload(
		&peat, "peat trace tracepoint:syscalls:sys_enter_openat --fields comm,filename");
	ck_assert_uint_eq(count_events(&peat, "\"filename\":\"/dev/zero\""), 1);
	ck_assert_uint_eq(count_events(&peat, "\"filename\":\"" MISSING "\""), 1);
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_4_counts_system_calls)
{
	struct command peat;

	run_beside_workload(&peat, "peat count tracepoint:raw_syscalls:sys_enter --by comm");
	ck_assert_uint_ge(count_of(&peat, "comm", comm), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_5_has_bytes_of_reads)
{
	struct command peat;

	run_beside_workload(&peat, "peat hist tracepoint:syscalls:sys_exit_read ret");
	ck_assert_uint_eq(count_in_slot(&peat, BYTES), CALLS);
	command__free(&peat);
}
END_TEST

/* The last of its 64 bars has all that is larger. */
START_TEST(test_lesson_6_has_linear_bars)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat hist kretprobe:vfs_read result --linear=0:200");
	ck_assert_uint_eq(count_in_slot(&peat, BYTES), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_7_has_latencies)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat hist kretprobe:vfs_read latency --by comm");
	ck_assert_uint_ge(count_of(&peat, "comm", comm), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_8_counts_tracepoints)
{
	struct command peat;

	need_cookies();
	run_lesson(&peat, "peat count 'tracepoint:sched:sched*' --by event -d 5s",
		   "-q -j -d 500ms");
	ck_assert_uint_gt(count_of(&peat, "event", "sched_switch"), 0);
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_9_counts_stacks)
{
	struct command peat;

	run_lesson(&peat, "peat count profile --by stack --stacks kernel", "-q -j -d 300ms");
	ck_assert(json_event__has(peat.out_text, "rows"));
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_10_has_stacks_of_switches)
{
	struct command peat;

	run_beside_workload(&peat,
			    "peat count tracepoint:sched:sched_switch --by stack --stacks kernel");
	ck_assert_uint_ge(json_table__total(peat.out_text), 10);
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\"symbol\":\"schedule\""));
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_11_has_sizes_of_requests)
{
	struct command peat;

	run_lesson(&peat, "peat hist tracepoint:block:block_rq_issue bytes", "-q -j -d 300ms");
	command__free(&peat);
}
END_TEST

START_TEST(test_lesson_12_follows_pointers)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat trace kprobe:vfs_open --fields path.dentry.d_name.name");
	ck_assert_uint_eq(count_events(&peat, "\"path.dentry.d_name.name\":\"zero\""), 1);
	command__free(&peat);
}
END_TEST

/* ---- tools of bcc ---------------------------------------------------------------------------- */

/* 71 functions of Linux 6.1 need links of many functions. */
START_TEST(test_funccount_of_the_kernel)
{
	struct command peat;

	need_kprobes();
	if (!is_kernel(6, 12))
		skip("Debian's kernels have kprobe.multi from Linux 6.12 on");
	run_beside_workload(&peat, "peat count 'kprobe:vfs_*' --by function");
	ck_assert_uint_ge(count_of(&peat, "function", "vfs_read"), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_funccount_of_a_library)
{
	struct command peat;

	need_cookies();
	run_beside_workload(&peat, "peat count 'uprobe:libc.so.6:*alloc' --by function");
	ck_assert_uint_ge(count_of(&peat, "function", "malloc"), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_funccount_of_tracepoints)
{
	struct command peat;

	need_cookies();
	run_lesson(&peat, "peat count 'tracepoint:sched:*' --by event -i 1s",
		   "-q -j -i 200ms -n 2");
	ck_assert_ptr_nonnull(strstr(peat.out_text, "sched_switch"));
	command__free(&peat);
}
END_TEST

START_TEST(test_funclatency_of_the_kernel)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat hist kretprobe:vfs_read");
	ck_assert_uint_ge(json_table__total(peat.out_text), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_funclatency_by_function)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat hist 'kretprobe:vfs_[ro]*' latency --by function");
	ck_assert_uint_ge(count_of(&peat, "function", "vfs_read"), CALLS);
	ck_assert_uint_ge(count_of(&peat, "function", "vfs_open"), 1);
	command__free(&peat);
}
END_TEST

START_TEST(test_funclatency_of_a_library)
{
	struct command peat;

	run_beside_workload(&peat, "peat hist uretprobe:libc.so.6:malloc");
	ck_assert_uint_ge(json_table__total(peat.out_text), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_stackcount_of_the_kernel)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat count kprobe:vfs_read --by stack --stacks both");
	ck_assert_uint_eq(json_table__number(peat.out_text, 0, "count"), CALLS);
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\"symbol\":\"ksys_read\""));
	command__free(&peat);
}
END_TEST

START_TEST(test_stackcount_of_a_library)
{
	struct command peat;

	run_beside_workload(&peat, "peat count uprobe:libc.so.6:malloc --by stack --stacks user");
	ck_assert_uint_eq(json_table__number(peat.out_text, 0, "count"), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_argdist_counts_values)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat count kprobe:vfs_read --by count");
	ck_assert_uint_eq(json_table__number(peat.out_text, 0, "count_"), BYTES);
	ck_assert_uint_eq(json_table__number(peat.out_text, 0, "count"), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_argdist_of_results)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat hist kretprobe:vfs_read result");
	ck_assert_uint_eq(count_in_slot(&peat, BYTES), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_argdist_of_a_library)
{
	struct command peat;

	run_beside_workload(&peat, "peat hist uprobe:libc.so.6:malloc arg1");
	ck_assert_uint_eq(count_in_slot(&peat, BYTES), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_trace_reads_user_text)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat trace kprobe:do_sys_openat2 --fields filename");
	ck_assert_uint_eq(count_events(&peat, "\"filename\":\"/dev/zero\""), 1);
	ck_assert_uint_eq(count_events(&peat, "\"filename\":\"" MISSING "\""), 1);
	command__free(&peat);
}
END_TEST

START_TEST(test_trace_selects_results)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat trace kretprobe:do_sys_openat2 --fields filename,result "
				   "--where 'result < 0'");
	ck_assert_uint_eq(count_events(&peat, "\"filename\":\"/dev/zero\""), 0);
	ck_assert_uint_eq(count_events(&peat, "\"filename\":\"" MISSING "\""), 1);
	command__free(&peat);
}
END_TEST

START_TEST(test_trace_selects_arguments)
{
	struct command peat;

	need_kprobes();
	run_beside_workload(&peat, "peat trace kprobe:vfs_read --fields comm,count "
				   "--where 'count > 12000'");
	ck_assert_uint_eq(count_events(&peat, "\"count\":12345"), CALLS);
	command__free(&peat);
}
END_TEST

START_TEST(test_trace_has_stacks)
{
	struct command peat;

	run_beside_workload(&peat,
			    "peat trace tracepoint:sched:sched_process_exec --stacks kernel");
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\"type\":\"sched_process_exec\""));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "execve"));
	command__free(&peat);
}
END_TEST

/* The kernel reads the first page of the workload's program by the page cache. */
START_TEST(test_cachestat_counts_accesses)
{
	struct command peat;

	need_kprobes();
	if (!is_kernel(6, 1))
		skip("these functions have other names on Linux 5.10");
	run_beside_workload(&peat, "peat count kprobe:folio_mark_accessed kprobe:filemap_add_folio "
				   "kprobe:mark_buffer_dirty "
				   "tracepoint:writeback:writeback_dirty_folio --by type -i 1s");
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\"folio_mark_accessed\""));
	command__free(&peat);
}
END_TEST

static void add_lessons(TCase *tests)
{
	tcase_add_test(tests, test_lesson_1_lists_tracepoints);
	tcase_add_test(tests, test_lesson_3_has_names_of_files);
	tcase_add_test(tests, test_lesson_4_counts_system_calls);
	tcase_add_test(tests, test_lesson_5_has_bytes_of_reads);
	tcase_add_test(tests, test_lesson_6_has_linear_bars);
	tcase_add_test(tests, test_lesson_7_has_latencies);
	tcase_add_test(tests, test_lesson_8_counts_tracepoints);
	tcase_add_test(tests, test_lesson_9_counts_stacks);
	tcase_add_test(tests, test_lesson_10_has_stacks_of_switches);
	tcase_add_test(tests, test_lesson_11_has_sizes_of_requests);
	tcase_add_test(tests, test_lesson_12_follows_pointers);
}

static void add_tools(TCase *tests)
{
	tcase_add_test(tests, test_funccount_of_the_kernel);
	tcase_add_test(tests, test_funccount_of_a_library);
	tcase_add_test(tests, test_funccount_of_tracepoints);
	tcase_add_test(tests, test_funclatency_of_the_kernel);
	tcase_add_test(tests, test_funclatency_by_function);
	tcase_add_test(tests, test_funclatency_of_a_library);
	tcase_add_test(tests, test_stackcount_of_the_kernel);
	tcase_add_test(tests, test_stackcount_of_a_library);
	tcase_add_test(tests, test_argdist_counts_values);
	tcase_add_test(tests, test_argdist_of_results);
	tcase_add_test(tests, test_argdist_of_a_library);
	tcase_add_test(tests, test_trace_reads_user_text);
	tcase_add_test(tests, test_trace_selects_results);
	tcase_add_test(tests, test_trace_selects_arguments);
	tcase_add_test(tests, test_trace_has_stacks);
	tcase_add_test(tests, test_cachestat_counts_accesses);
}

static Suite *lessons_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("lessons", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	add_lessons(tests);
	add_tools(tests);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { lessons_suite };

	if (argc == 2 && !strcmp(argv[1], "workload"))
		return run_workload();
	return harness__main(argc, argv, suites, 1);
}
