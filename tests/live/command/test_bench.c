// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_bench.c: peat bench measures all its workloads.  The values are not tested. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/machine/process.h"

#define BENCH(...) ARGV(command__peat(), "bench", ##__VA_ARGS__)

/* Number of transports of a workload that have the metric. */
struct wanted {
	const char *workload, *metric;
	size_t peat, perf_buffer, ring_buffer, stage_ringbuf;
};

static const struct wanted table[] = {
	{ "sweep perf_buffer", "delivered", 0, 6, 0, 0 },
	{ "sweep ring_buffer", "delivered", 0, 0, 5, 0 },
	{ "sweep stage+ringbuf", "delivered", 0, 0, 0, 5 },
	{ "cost", "added", 4, 2, 3, 2 },
	{ "cost", "lost", 4, 2, 3, 2 },
	{ "saturated", "delivered", 4, 2, 3, 2 },
	{ "saturated", "lost", 4, 2, 3, 2 },
	{ "saturated", "reader", 4, 2, 3, 2 },
	{ "latency 0 ms", "p50", 1, 1, 2, 1 },
	{ "latency 1 ms", "p99", 1, 1, 1, 1 },
	{ "latency 10 ms", "max", 1, 1, 1, 1 },
	{ "latency 100 ms", "p99", 1, 1, 1, 1 },
	{ "producers 1", "delivered", 4, 2, 3, 2 },
	{ "idle", "reader CPU", 4, 2, 3, 2 },
	{ "memory", "rings", 4, 2, 3, 2 },
	{ "memory", "stage", 4, 2, 3, 2 },
	{ "memory", "process", 4, 2, 3, 2 },
	{ "select", "added", 13, 0, 0, 0 },
	{ "select", "lost", 13, 0, 0, 0 },
	{ "select 1 M/s", "reader CPU", 4, 0, 0, 0 },
};

/* ---- rows ------------------------------------------------------------------------------------ */

static char **rows;
static size_t row_count;

/* Extracts the objects of the array from the document. */
static void split_rows(char *document)
{
	for (char *at = document; (at = strstr(at, "{\"workload\"")); at++) {
		rows = realloc(rows, (row_count + 1) * sizeof(*rows));
		ck_assert_ptr_nonnull(rows);
		rows[row_count++] = at;
		at = strchr(at, '}');
		ck_assert_ptr_nonnull(at);
		*++at = '\0';
	}
}

static bool is(const char *row, const char *path, const char *text)
{
	const char *found = json_lines__text(row, path);

	ck_assert_msg(found && *found, "no %s in %s", path, row);
	return !strcmp(found, text);
}

static size_t count_rows(const char *workload, const char *metric, const char *transport)
{
	size_t count = 0;

	for (size_t i = 0; i < row_count; i++)
		count += is(rows[i], "workload", workload) && is(rows[i], "metric", metric) &&
			 is(rows[i], "transport", transport);
	return count;
}

static void check_wanted(const struct wanted *wanted)
{
	const struct {
		const char *transport;
		size_t count;
	} each[] = { { "peat", wanted->peat },
		     { "perf_buffer", wanted->perf_buffer },
		     { "ring_buffer", wanted->ring_buffer },
		     { "stage+ringbuf", wanted->stage_ringbuf } };

	for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++) {
		size_t count = count_rows(wanted->workload, wanted->metric, each[i].transport);

		ck_assert_msg(count == each[i].count, "%s, %s: %zu rows of %s, not %zu",
			      wanted->workload, wanted->metric, count, each[i].transport,
			      each[i].count);
	}
}

static double number(const char *row, const char *path)
{
	ck_assert_msg(json_lines__kind(row, path) == JSON_NUMBER, "no number %s in %s", path, row);
	return strtod(json_lines__raw(row, path), NULL);
}

/* Metrics that can be 0, or negative because of noise. */
static bool can_be_nothing(const char *row)
{
	return is(row, "metric", "added") || is(row, "metric", "a clock read") ||
	       is(row, "metric", "lost") || is(row, "metric", "stage") ||
	       is(row, "metric", "process");
}

static void check_row(const char *row)
{
	double median = number(row, "median");

	ck_assert_msg(*json_lines__text(row, "setting") && *json_lines__text(row, "unit"), "%s",
		      row);
	ck_assert_msg(number(row, "p25") <= median && median <= number(row, "p75"), "%s", row);
	ck_assert_msg(can_be_nothing(row) || median > 0, "%s", row);
	ck_assert_msg(json_lines__kind(row, "ratio") == JSON_NULL || can_be_nothing(row) ||
			      number(row, "ratio") > 0,
		      "%s", row);
	if (is(row, "metric", "lost"))
		ck_assert_msg(median >= 0 && median <= 100, "%s", row);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_prints_json)
{
	struct command peat;
	const char *wrong;
	char workload[32];
	size_t at, clock_reads = 0;

	if (geteuid() != 0)
		skip("no root");
	command__run(&peat, ALL_CAPS, BENCH("--quick", "-j"));
	ck_assert_msg(peat.status == 0, "status %d: %s", peat.status, peat.err_text);
	wrong = json_lines__check(peat.out_text, strlen(peat.out_text), &at);
	ck_assert_msg(!wrong, "%s: %.300s", wrong, peat.out_text + at);
	ck_assert_str_eq(json_lines__raw(peat.out_text, "quick"), "true");
	ck_assert_int_eq(json_lines__kind(peat.out_text, "rows[0]"), JSON_OBJECT);
	split_rows(peat.out_text);
	for (size_t i = 0; i < row_count; i++) {
		check_row(rows[i]);
		clock_reads += is(rows[i], "metric", "a clock read");
	}
	ck_assert_uint_eq(clock_reads, 1);
	ck_assert_uint_eq(count_rows("select", "added", "by hand"), 5);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		check_wanted(&table[i]);
	for (unsigned bytes = 16; bytes <= 1024; bytes *= 4)
		for (unsigned i = 0; i < 3; i++) {
			static const char *const rates[] = { "100 k/s", "1 M/s", "5 M/s" };

			snprintf(workload, sizeof(workload), "%s of %u B", rates[i], bytes);
			check_wanted(&(struct wanted){ workload, "emitted", 4, 2, 3, 2 });
			check_wanted(&(struct wanted){ workload, "lost", 4, 2, 3, 2 });
			check_wanted(&(struct wanted){ workload, "reader CPU", 4, 2, 3, 2 });
		}
	free(rows);
	command__free(&peat);
}
END_TEST

/* One workload, and the peers' best settings, which it needs. */
START_TEST(test_one_workload)
{
	struct command peat;

	if (geteuid() != 0)
		skip("no root");
	command__run(&peat, ALL_CAPS, BENCH("--quick", "-j", "idle"));
	ck_assert_msg(peat.status == 0, "status %d: %s", peat.status, peat.err_text);
	split_rows(peat.out_text);
	for (size_t i = 0; i < row_count; i++)
		ck_assert_msg(is(rows[i], "workload", "idle") ||
				      is(rows[i], "workload", "sweep perf_buffer") ||
				      is(rows[i], "workload", "sweep ring_buffer") ||
				      is(rows[i], "workload", "sweep stage+ringbuf"),
			      "%s", rows[i]);
	ck_assert(is(rows[row_count - 1], "workload", "idle"));
	free(rows);
	command__free(&peat);
}
END_TEST

/* Events that end in programs: none is lost, and transports of other workloads are left out. */
START_TEST(test_selects_transports_by_name)
{
	struct command peat;
	size_t found = 0;

	if (geteuid() != 0)
		skip("no root");
	command__run(&peat, ALL_CAPS, BENCH("--quick", "-j", "--transport", "by number", "select"));
	ck_assert_msg(peat.status == 0, "status %d: %s", peat.status, peat.err_text);
	split_rows(peat.out_text);
	for (size_t i = 0; i < row_count; i++) {
		if (!is(rows[i], "metric", "lost"))
			continue;
		ck_assert(strstr(json_lines__text(rows[i], "setting"), "by number"));
		ck_assert_msg(number(rows[i], "median") == 0, "%s", rows[i]);
		found++;
	}
	ck_assert_uint_eq(found, 4 + 2);
	free(rows);
	rows = NULL;
	row_count = 0;
	command__free(&peat);
}
END_TEST

/* The bench runs in a cpuset, which loses a CPU once a round has threads. */
static const char lost_cpu[] =
	"set -e; all=/sys/fs/cgroup/cpuset; own=$all/peat.bench; mkdir $own; "
	"trap 'rmdir $own' EXIT; cat $all/cpuset.mems >$own/cpuset.mems; "
	"cat $all/cpuset.cpus >$own/cpuset.cpus; "
	"sh -c 'echo $$ >$0/cgroup.procs; exec \"$1\" bench --quick' $own \"$1\" >/dev/null & "
	"while read -r _ _ state _ </proc/$!/stat && test $state != Z && "
	"test $(ls /proc/$!/task | wc -l) -lt 2; do sleep 0.01; done; "
	"echo 0 >$own/cpuset.cpus; status=0; wait $! || status=$?; "
	"exit $status";

START_TEST(test_lost_cpu_is_named)
{
	struct command run;

	if (geteuid() != 0)
		skip("no root");
	if (access("/sys/fs/cgroup/cpuset/cpuset.cpus", W_OK))
		skip("no cpusets of cgroup version 1");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip("one CPU only");
	command__run(&run, ALL_CAPS, ARGV("/bin/sh", "-c", lost_cpu, "sh", command__peat()));
	ck_assert_msg(run.status == 1, "status %d: %s", run.status, run.err_text);
	ck_assert_msg(strstr(run.err_text, "cannot run on CPU "), "%s", run.err_text);
	ck_assert_ptr_nonnull(strstr(run.err_text, "run peat bench again"));
	command__free(&run);
}
END_TEST

/* An exact name, or part of several names; and only the settings that these need. */
START_TEST(test_one_transport)
{
	static const struct {
		const char *text, *transport, *setting;
		size_t rows;
	} cases[] = {
		{ "peat time", "peat", "time", 4 },
		{ "unstaged", "peat", "unstaged, time, ids", 4 },
		{ "buffer default", NULL, "default", 8 },
	};

	if (geteuid() != 0)
		skip("no root");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct command peat;
		size_t found = 0;

		command__run(&peat, ALL_CAPS,
			     BENCH("--quick", "-j", "--transport", cases[i].text, "saturated"));
		ck_assert_msg(peat.status == 0, "status %d: %s", peat.status, peat.err_text);
		split_rows(peat.out_text);
		for (size_t j = 0; j < row_count; j++) {
			if (!is(rows[j], "workload", "saturated"))
				continue;
			ck_assert(is(rows[j], "setting", cases[i].setting));
			ck_assert(!cases[i].transport ||
				  is(rows[j], "transport", cases[i].transport));
			found++;
		}
		ck_assert_uint_eq(found, cases[i].rows);
		ck_assert(!cases[i].transport || found == row_count);
		free(rows);
		rows = NULL;
		row_count = 0;
		command__free(&peat);
	}
}
END_TEST

START_TEST(test_refusals_name_reason)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, BENCH("--transport", "pigeon"));
	ck_assert_int_eq(peat.status, 64);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "no transport matches 'pigeon'"));
	command__free(&peat);

	command__run(&peat, ALL_CAPS, BENCH("exec"));
	ck_assert_int_eq(peat.status, 64);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "unknown workload 'exec'"));
	command__free(&peat);
	command__run(&peat, 0, BENCH("--quick"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "CAP_BPF"));
	command__free(&peat);
}
END_TEST

static Suite *bench_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("bench", 600, &tests);

	tcase_add_test(tests, test_prints_json);
	tcase_add_test(tests, test_one_workload);
	tcase_add_test(tests, test_lost_cpu_is_named);
	tcase_add_test(tests, test_one_transport);
	tcase_add_test(tests, test_selects_transports_by_name);
	tcase_add_test(tests, test_refusals_name_reason);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { bench_suite };

	return harness__main(argc, argv, suites, 1);
}
