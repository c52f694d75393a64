// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_count.c: peat count and peat hist of live events, run as a user runs them. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "support/load/renames.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(renames)

#define PEAT command__peat()

#define RUNS 40

/* Starts peat with -v, and returns after its programs are attached. */
static void start(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "attached");
}

static void stop(struct command *peat, int signal)
{
	kill(peat->pid, signal);
	command__finish(peat);
	ck_assert_msg(peat->status == 0, "status %d: %s", peat->status, peat->err_text);
	ck_assert_msg(strstr(peat->err_text, " 0 lost"), "%s", peat->err_text);
}

/* The name of the program's task: the first 15 bytes of the file name. */
static const char *comm_of(const char *path)
{
	static char comm[16];

	snprintf(comm, sizeof(comm), "%s", strrchr(path, '/') + 1);
	return comm;
}

/* ARGS_BYTES is 2 or 18. */
static void run_programs(const char *path)
{
	for (int i = 0; i < RUNS; i++)
		process__run(path, i % 4 ? ARGV("t") : ARGV("t", "fifteen letters"));
}

/* Runs the programs while peat runs, and splits its output, which has to be one table. */
static const char *count_programs(struct command *peat, struct json_lines *tables,
				  const char *const *argv)
{
	const char *path = process__program();

	start(peat, argv);
	run_programs(path);
	stop(peat, SIGINT);
	unlink(path);
	*tables = json_lines__split(peat->out_text);
	ck_assert_uint_eq(tables->count, 1);
	return tables->lines[0];
}

static char *own_comm(void)
{
	static char comm[32];

	snprintf(comm, sizeof(comm), "run-%d-of-peat", (int)getpid());
	comm[15] = 0;
	return comm;
}

/* ---- count ----------------------------------------------------------------------------------- */

/* The count is the number of events that peat trace prints at the same time. */
START_TEST(test_count_is_that_of_trace)
{
	const char *path = process__program();
	struct command count, trace;
	struct json_lines tables, events;
	unsigned long long traced = 0, counted;

	start(&trace, ARGV(PEAT, "trace", "exec", "-v", "-j", "--comm", comm_of(path)));
	start(&count, ARGV(PEAT, "count", "exec", "-v", "-j", "--by", "comm"));
	run_programs(path);
	stop(&count, SIGINT);
	stop(&trace, SIGINT);
	tables = json_lines__split(count.out_text);
	events = json_lines__split(trace.out_text);
	traced = events.count;
	ck_assert_uint_eq(tables.count, 1);
	ck_assert_str_eq(json_event__text(tables.lines[0], "type"), "count");
	counted = json_table__number(
		tables.lines[0], json_table__find(tables.lines[0], "comm", comm_of(path)), "count");
	ck_assert_uint_ge(counted + command__missed(&count), RUNS);
	ck_assert_uint_ge(traced + command__missed(&trace), RUNS);
	ck_assert_uint_le(counted, RUNS);
	if (!command__missed(&count) && !command__missed(&trace))
		ck_assert_uint_eq(counted, traced);
	json_lines__free(&tables);
	json_lines__free(&events);
	command__free(&count);
	command__free(&trace);
	unlink(path);
}
END_TEST

START_TEST(test_counts_values)
{
	struct command peat;
	struct json_lines tables;
	const char *table = count_programs(
		&peat, &tables,
		ARGV(PEAT, "count", "exec", "-v", "-j", "--comm", own_comm(), "--by",
		     "comm,args_bytes", "--sum", "args_bytes", "--avg", "args_bytes", "--min",
		     "args_bytes", "--max", "args_bytes", "--sort", "args_bytes"));

	if (command__missed(&peat))
		skip("the kernel skipped runs of the program");
	ck_assert_uint_eq(json_table__rows(table), 2);
	ck_assert_str_eq(json_event__text(table, "rows[0].comm"), own_comm());
	json_event__check(table, "rows[0].args_bytes", 2);
	json_event__check(table, "rows[0].count", RUNS * 3 / 4);
	json_event__check(table, "rows[0].sum", RUNS * 3 / 4 * 2);
	json_event__check(table, "rows[1].args_bytes", 18);
	json_event__check(table, "rows[1].count", RUNS / 4);
	json_event__check(table, "rows[1].sum", RUNS / 4 * 18);
	json_event__check(table, "rows[1].average", 18);
	json_event__check(table, "rows[1].min", 18);
	json_event__check(table, "rows[1].max", 18);
	json_lines__free(&tables);
	command__free(&peat);
}
END_TEST

START_TEST(test_counts_matching_events)
{
	struct command peat;
	struct json_lines tables;
	const char *table = count_programs(
		&peat, &tables,
		ARGV(PEAT, "count", "exec", "-v", "-j", "--comm", own_comm(), "--where",
		     "args_bytes > 2 && filename ~ \"/tmp/run-*-of-peat\""));

	ck_assert_uint_eq(json_table__rows(table), 1);
	ck_assert_uint_ge(json_event__number(table, "rows[0].count") + command__missed(&peat),
			  RUNS / 4);
	ck_assert_uint_le(json_event__number(table, "rows[0].count"), RUNS / 4);
	json_lines__free(&tables);
	command__free(&peat);
}
END_TEST

/* The tables of all intervals, and that of the rest, have each event once. */
START_TEST(test_intervals_add_up)
{
	const char *path = process__program();
	unsigned long long total = 0;
	struct json_lines tables;
	struct command peat;

	start(&peat,
	      ARGV(PEAT, "count", "exec", "-v", "-j", "-T", "-i", "1ms", "--comm", comm_of(path)));
	for (int i = 0; i < 10; i++) {
		run_programs(path);
		usleep(10000);
	}
	stop(&peat, SIGTERM);
	tables = json_lines__split(peat.out_text);
	ck_assert_uint_gt(tables.count, 2);
	for (size_t i = 0; i < tables.count; i++) {
		total += json_table__total(tables.lines[i]);
		ck_assert(json_event__has(tables.lines[i], "time"));
		ck_assert(json_event__has(tables.lines[i], "seconds"));
		json_event__check(tables.lines[i], "lost", 0);
	}
	ck_assert_uint_le(total, 10 * RUNS);
	ck_assert_uint_ge(total + command__missed(&peat), 10 * RUNS);
	json_lines__free(&tables);
	command__free(&peat);
	unlink(path);
}
END_TEST

/* A signal interrupts no write to a pipe that is full: all tables are whole. */
START_TEST(test_signal_while_the_pipe_is_full)
{
	struct json_lines tables;
	struct command peat;
	int bytes = 0, room;

	start(&peat, ARGV(PEAT, "count", "exec", "-v", "-j", "-i", "1ms", "-p", "1"));
	room = fcntl(fileno(peat.out), F_GETPIPE_SZ);
	ck_assert_int_gt(room, 0);
	while (bytes + 4096 < room) {
		usleep(10000);
		ck_assert_int_eq(ioctl(fileno(peat.out), FIONREAD, &bytes), 0);
	}
	usleep(100000); /* it blocks by now */
	stop(&peat, SIGINT);
	tables = json_lines__split(peat.out_text);
	ck_assert_uint_gt(tables.count, (size_t)room / 4096);
	json_lines__free(&tables);
	command__free(&peat);
}
END_TEST

/* Without an event, the only row is 0. */
START_TEST(test_no_event)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "count", "exec", "-q", "-d", "10ms", "-p", "1"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_str_eq(peat.err_text, "");
	ck_assert_str_eq(peat.out_text, "    0\n");
	command__free(&peat);
	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "count", "exec", "-d", "10ms", "-p", "1", "--by", "comm,uid",
			  "--sum", "args_bytes"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_str_eq(peat.out_text, "COMM  UID  COUNT  SUM\n");
	command__free(&peat);
}
END_TEST

START_TEST(test_text_and_rows)
{
	const char *path = process__program();
	struct command peat;
	char wanted[256];

	start(&peat, ARGV(PEAT, "count", "exec", "-v", "--by", "filename,args_bytes", "--comm",
			  comm_of(path), "-r", "1", "--max", "args_bytes"));
	run_programs(path);
	stop(&peat, SIGINT);
	if (command__missed(&peat))
		skip("the kernel skipped runs of the program");
	snprintf(wanted, sizeof(wanted), "%-*s  %10s  %5s  %3s\n%s  %10u  %5d  %3u\n",
		 (int)strlen(path), "FILENAME", "ARGS_BYTES", "COUNT", "MAX", path, 2, RUNS * 3 / 4,
		 2);
	ck_assert_str_eq(peat.out_text, wanted);
	command__free(&peat);
	unlink(path);
}
END_TEST

/* Kernel records are filtered by peat itself. */
START_TEST(test_kernel_records)
{
	const char *path = process__program();
	struct command peat;
	struct json_lines tables;

	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "count", "@comm", "-j", "--by", "comm", "--comm", comm_of(path),
			  "--", "/bin/sh", "-c", "for i in 1 2 3 4 5; do \"$0\"; done", path));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	tables = json_lines__split(peat.out_text);
	ck_assert_uint_eq(tables.count, 1);
	ck_assert_uint_eq(json_table__rows(tables.lines[0]), 1);
	ck_assert_str_eq(json_event__text(tables.lines[0], "rows[0].comm"), comm_of(path));
	json_event__check(tables.lines[0], "rows[0].count", 5);
	json_lines__free(&tables);
	command__free(&peat);
	unlink(path);
}
END_TEST

static void write_renames(char path[64])
{
	FILE *file;

	snprintf(path, 64, "/tmp/peat-renames-%d.bpf.o", (int)getpid());
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(renames_object.bytes, *renames_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

/* Events of programs that do not use peat are counted by the reader. */
START_TEST(test_plain_object)
{
	struct json_lines tables;
	struct command peat;
	char where[32], path[64];

	write_renames(path);
	snprintf(where, sizeof(where), "pid == %d", (int)getpid());
	start(&peat, ARGV(PEAT, "count", path, "-v", "-j", "--as", "raw", "--by", "pid,comm",
			  "--where", where));
	renames__emit(0, RUNS);
	stop(&peat, SIGINT);
	unlink(path);
	tables = json_lines__split(peat.out_text);
	ck_assert_uint_eq(tables.count, 1);
	ck_assert_uint_eq(json_table__total(tables.lines[0]) + command__missed(&peat), RUNS);
	json_event__check(tables.lines[0], "rows[0].pid", (unsigned long long)getpid());
	json_lines__free(&tables);
	command__free(&peat);
}
END_TEST

START_TEST(test_command_and_its_status)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "count", "exec", "--comm", "true", "-q", "--", "/bin/sh", "-c",
			  "/bin/true; exit 3"));
	ck_assert_int_eq(peat.status, 3);
	ck_assert_str_eq(peat.out_text, "    1\n");
	ck_assert_str_eq(peat.err_text, "");
	command__free(&peat);
}
END_TEST

/* ---- hist ------------------------------------------------------------------------------------ */

START_TEST(test_prints_histogram_as_json)
{
	struct command peat;
	struct json_lines tables;
	const char *table = count_programs(&peat, &tables,
					   ARGV(PEAT, "hist", "exec", "args_bytes", "-v", "-j",
						"--by", "comm", "--comm", own_comm()));

	if (command__missed(&peat))
		skip("the kernel skipped runs of the program");
	ck_assert_str_eq(json_event__text(table, "type"), "hist");
	ck_assert_str_eq(json_event__text(table, "rows[0].comm"), own_comm());
	json_event__check(table, "rows[0].count", RUNS);
	json_event__check(table, "rows[0].slots[0].min", 2);
	json_event__check(table, "rows[0].slots[0].max", 3);
	json_event__check(table, "rows[0].slots[0].count", RUNS * 3 / 4);
	json_event__check(table, "rows[0].slots[1].count", 0);
	json_event__check(table, "rows[0].slots[3].min", 16);
	json_event__check(table, "rows[0].slots[3].count", RUNS / 4);
	ck_assert(!json_event__has(table, "rows[0].slots[4]"));
	json_lines__free(&tables);
	command__free(&peat);
}
END_TEST

/* Without a field, it is the first duration. */
START_TEST(test_default_field)
{
	struct command peat;
	const char *table;

	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "hist", "exit", "-v", "-j", "--", "sh", "-c", "sleep 0.02"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_msg(strstr(peat.err_text, "histogram of duration"), "%s", peat.err_text);
	table = strchr(peat.out_text, '{');
	ck_assert_msg(table && strstr(table, "\"type\":\"hist\""), "%s", peat.out_text);
	command__free(&peat);
}
END_TEST

START_TEST(test_linear_histogram)
{
	struct command peat;
	struct json_lines tables;
	const char *table = count_programs(&peat, &tables,
					   ARGV(PEAT, "hist", "exec", "args_bytes", "-v", "-j",
						"--linear=3:5", "--comm", own_comm()));

	if (command__missed(&peat))
		skip("the kernel skipped runs of the program");
	ck_assert(json_lines__is(table, "rows[0].slots[0].min", "null"));
	json_event__check(table, "rows[0].slots[0].max", 7);
	json_event__check(table, "rows[0].slots[0].count", RUNS * 3 / 4);
	json_event__check(table, "rows[0].slots[3].min", 18);
	json_event__check(table, "rows[0].slots[3].max", 22);
	json_event__check(table, "rows[0].slots[3].count", RUNS / 4);
	ck_assert(!json_event__has(table, "rows[0].slots[4]"));
	json_lines__free(&tables);
	command__free(&peat);
}
END_TEST

START_TEST(test_prints_histogram_as_bars)
{
	const char *path = process__program();
	struct command peat;

	start(&peat, ARGV(PEAT, "hist", "exec", "args_bytes", "-v", "--by", "uid", "--comm",
			  comm_of(path)));
	run_programs(path);
	stop(&peat, SIGINT);
	if (command__missed(&peat))
		skip("the kernel skipped runs of the program");
	ck_assert_str_eq(
		peat.out_text,
		"uid=0\n"
		"[2, 4)                   30 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
		"[4, 8)                    0 |                                        |\n"
		"[8, 16)                   0 |                                        |\n"
		"[16, 32)                 10 |@@@@@@@@@@@@@                           |\n");
	command__free(&peat);
	unlink(path);
}
END_TEST

/* -n ends the run after so many tables, without a further one at the end. */
START_TEST(test_number_of_tables)
{
	struct json_lines tables;
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "count", "exec", "-j", "-i", "20ms", "-n", "3"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	tables = json_lines__split(peat.out_text);
	ck_assert_uint_eq(tables.count, 3);
	json_lines__free(&tables);
	command__free(&peat);
}
END_TEST

/* ---- messages -------------------------------------------------------------------------------- */

static void check_refused(int status, const char *const *argv, const char *word)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == status, "%s: status %d: %s", word, peat.status, peat.err_text);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_msg(strstr(peat.err_text, word), "'%s' does not say '%s'", peat.err_text, word);
	command__free(&peat);
}

/* The sum of a member of all rows. */
static unsigned long long sum_of(const char *text, const char *member)
{
	unsigned long long sum = 0;

	for (const char *at = text; (at = strstr(at, member)); at += strlen(member))
		sum += strtoull(at + strlen(member), NULL, 10);
	return sum;
}

static unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;

	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		count++;
	return count;
}

/*
 * Opens 200 names that nobody has opened before.  A redirection that fails ends dash if it is of a
 * special built-in, such as ":".
 */
#define OPEN_NAMES                                                                                 \
	"sh", "-c",                                                                                \
		"i=0; while [ $i -lt 200 ]; do command : 2>/dev/null < /nowhere/$i; i=$((i + "     \
		"1)); done"

static void check_others(const char *text, unsigned long long events)
{
	ck_assert_msg(count_of(text, "{\"others\":true,\"path\":null,\"count\":") == 1, "%s", text);
	ck_assert_uint_eq(count_of(text, "\"path\":"), 11);
	ck_assert_uint_eq(sum_of(text, "\"count\":"), events);
}

START_TEST(test_max_rows)
{
	struct command count;

	command__run(&count, ALL_CAPS,
		     ARGV(PEAT, "count", "open", "-j", "--by", "path", "--max-rows", "10", "--",
			  OPEN_NAMES));
	ck_assert_ptr_nonnull(strstr(count.err_text, "more than 10 keys"));
	check_others(count.out_text, sum_of(strstr(count.err_text, "--max-rows\n"), "peat: "));
	ck_assert_uint_ge(sum_of(count.out_text, "\"count\":"), 200);
	command__free(&count);
}
END_TEST

/* The sums of others are those of the rows that are not printed by themselves. */
START_TEST(test_max_rows_of_a_recording)
{
	char file[] = "/tmp/peat-max-rows-XXXXXX";
	struct command record, all, few;
	int fd = mkstemp(file);

	ck_assert_int_ge(fd, 0);
	close(fd);
	command__run(&record, ALL_CAPS, ARGV(PEAT, "record", "open", "-o", file, "--", OPEN_NAMES));
	command__run(&all, ALL_CAPS,
		     ARGV(PEAT, "count", file, "-j", "--by", "path", "--sum", "flags", "--max-rows",
			  "0"));
	command__run(&few, ALL_CAPS,
		     ARGV(PEAT, "count", file, "-j", "--by", "path", "--sum", "flags", "--max-rows",
			  "10"));
	unlink(file);
	ck_assert_uint_eq(count_of(all.out_text, "\"others\""), 0);
	ck_assert_uint_ge(count_of(all.out_text, "\"path\":"), 200);
	check_others(few.out_text, sum_of(all.out_text, "\"count\":"));
	ck_assert_uint_eq(sum_of(few.out_text, "\"sum\":"), sum_of(all.out_text, "\"sum\":"));
	command__free(&record);
	command__free(&all);
	command__free(&few);
}
END_TEST

START_TEST(test_usage_errors)
{
	check_refused(64, ARGV(PEAT, "count"), "no source");
	check_refused(64, ARGV(PEAT, "count", "nothing"), "peat list");
	check_refused(64, ARGV(PEAT, "count", "exec", "-n", "3"), "-r");
	check_refused(64, ARGV(PEAT, "count", "exec", "-r", "0"), "rows");
	check_refused(64, ARGV(PEAT, "count", "exec", "-i", "0"), "1ms");
	check_refused(64, ARGV(PEAT, "count", "exec", "--time", "1,2"), "-d");
	check_refused(64, ARGV(PEAT, "count", "exec", "--sum", "uid", "--max", "ppid"),
		      "same field");
	check_refused(64, ARGV(PEAT, "hist", "exec"), "no field");
	check_refused(64, ARGV(PEAT, "hist", "open"), "peat list -v open shows the fields");
	check_refused(64, ARGV(PEAT, "hist", "uprobe:libc.so:malloc"),
		      "use uretprobe:libc.so:malloc, which has latency");
	check_refused(64, ARGV(PEAT, "hist", "exec", "uid", "--linear=5"), "FIRST:WIDTH");
	check_refused(64, ARGV(PEAT, "hist", "exec", "uid", "--linear=0:0"), "FIRST:WIDTH");
	check_refused(64, ARGV(PEAT, "count", "exec", "--where", "a", "--where", "b"), "&&");
}
END_TEST

/* Unknown fields are found when the types are known; nothing is attached then. */
START_TEST(test_unknown_fields)
{
	check_refused(1, ARGV(PEAT, "count", "exec", "--by", "nothing"), "nothing");
	check_refused(1, ARGV(PEAT, "count", "exec", "--sum", "filename"), "filename");
	check_refused(1, ARGV(PEAT, "hist", "exec", "nothing"), "nothing");
	check_refused(1, ARGV(PEAT, "count", "@comm", "--by", "nothing", "-p", "1"), "nothing");
}
END_TEST

static Suite *count_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("count", 60, &tests);

	tcase_add_test(tests, test_count_is_that_of_trace);
	tcase_add_test(tests, test_counts_values);
	tcase_add_test(tests, test_counts_matching_events);
	tcase_add_test(tests, test_intervals_add_up);
	tcase_add_test(tests, test_signal_while_the_pipe_is_full);
	tcase_add_test(tests, test_no_event);
	tcase_add_test(tests, test_text_and_rows);
	tcase_add_test(tests, test_kernel_records);
	tcase_add_test(tests, test_plain_object);
	tcase_add_test(tests, test_command_and_its_status);
	tcase_add_test(tests, test_prints_histogram_as_json);
	tcase_add_test(tests, test_default_field);
	tcase_add_test(tests, test_linear_histogram);
	tcase_add_test(tests, test_prints_histogram_as_bars);
	tcase_add_test(tests, test_number_of_tables);
	tcase_add_test(tests, test_max_rows);
	tcase_add_test(tests, test_max_rows_of_a_recording);
	tcase_add_test(tests, test_usage_errors);
	tcase_add_test(tests, test_unknown_fields);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { count_suite };

	return harness__main(argc, argv, suites, 1);
}
