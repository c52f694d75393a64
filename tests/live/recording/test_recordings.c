// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_recordings.c: recordings that stock perf makes on this machine, read by peat as by stock
 * perf.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "perf_data/read/file.h"
#include "support/perf/perf_types.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"

#define EVENTS_MAX 8

/* Uses a CPU for some time and starts some processes. */
#define WORK "sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; ls / >/dev/null; true'"

struct counts {
	unsigned long types[PERF_TYPES], samples[EVENTS_MAX], nobodys;
};

static void count(struct counts *counts, const struct perf_entry *entry)
{
	struct peat_record rec = { .sz = sizeof(rec) };

	ck_assert_uint_lt(entry->type, PERF_TYPES);
	counts->types[entry->type]++;
	if (entry->type >= 64)
		return;
	ck_assert_ptr_nonnull(entry->layout);
	ck_assert_int_eq(peat_record__decode(entry->layout, entry->bytes, entry->size, &rec), 1);
	if (entry->type == PEAT_RECORD_SAMPLE && entry->attr)
		counts->samples[entry->attr->index < EVENTS_MAX ? entry->attr->index : 0]++;
	else if (entry->type == PEAT_RECORD_SAMPLE)
		counts->nobodys++;
}

static struct counts read_all(struct perf_file *file)
{
	struct counts counts = { 0 };
	struct perf_entry entry;
	int ret;

	while ((ret = perf_file__next(file, &entry)) > 0)
		count(&counts, &entry);
	ck_assert_int_eq(ret, 0);
	return counts;
}

static struct perf_file *open_recording(void)
{
	struct perf_file *file;
	const char *why;
	int err = perf_file__open(&file, "recording", &why);

	ck_assert_msg(!err, "%s", why ?: strerror(-err));
	return file;
}

/* perf has other names for some of its own types. */
static uint32_t type_of(const char *name)
{
	if (!strcmp(name, "ATTR"))
		return TOOL_HEADER_ATTR;
	if (!strcmp(name, "FEATURE"))
		return 80;
	for (uint32_t type = 1; type < PERF_TYPES; type++)
		if (perf_type_name(type) && !strcmp(perf_type_name(type), name))
			return type;
	ck_abort_msg("perf has a type %s", name);
}

/* Reads lines of "   12  PERF_RECORD_COMM". */
static struct counts counts_of_perf(void)
{
	char *text = stock_perf__shell("perf script -D -i recording 2>/dev/null | "
				       "grep -o 'PERF_RECORD_[A-Z0-9_]*' | sort | uniq -c"),
	     *save = NULL;
	struct counts counts = { 0 };

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long of_type;
		char name[64];

		ck_assert_int_eq(sscanf(line, "%lu PERF_RECORD_%63s", &of_type, name), 2);
		counts.types[type_of(name)] = of_type;
	}
	free(text);
	return counts;
}

/* perf's dump has the decompressed records instead of the COMPRESSED ones. */
static void check_types(struct counts *ours)
{
	struct counts perfs = counts_of_perf();
	char *wanted, *got;

	ours->types[TOOL_COMPRESSED] = ours->types[TOOL_COMPRESSED2] = 0;
	perfs.types[TOOL_COMPRESSED] = perfs.types[TOOL_COMPRESSED2] = 0;
	wanted = perf_types_text(perfs.types);
	got = perf_types_text(ours->types);
	ck_assert_str_eq(got, wanted);
	ck_assert_uint_gt(ours->types[PEAT_RECORD_SAMPLE], 0);
	free(wanted);
	free(got);
}

/* Records with these options; perf and peat have to read the same. */
static struct counts compare(const char *options, enum perf_file_mode mode)
{
	struct perf_file *file;
	struct counts counts;
	char line[400];

	snprintf(line, sizeof(line), "perf record -q --no-bpf-event %s -- " WORK, options);
	free(stock_perf__shell(line));
	file = open_recording();
	ck_assert_int_eq(perf_file__info(file)->mode, mode);
	counts = read_all(file);
	ck_assert_int_eq(perf_file__end(file)->how, PERF_END_WHOLE);
	ck_assert_ptr_null(perf_file__end(file)->why);
	ck_assert_uint_eq(counts.nobodys, 0);
	perf_file__close(file);
	check_types(&counts);
	return counts;
}

START_TEST(test_reads_file)
{
	need_perf();
	compare("-e cpu-clock -o recording", PERF_FILE_SECTIONS);
}
END_TEST

/* With -s, each thread's counts at its end are records too. */
START_TEST(test_reads_callchains)
{
	need_perf();
	ck_assert_uint_gt(compare("-e cpu-clock -g -s -o recording", PERF_FILE_SECTIONS)
				  .types[PEAT_RECORD_READ],
			  0);
}
END_TEST

START_TEST(test_reads_group)
{
	need_perf();
	compare("-e '{cpu-clock,task-clock,context-switches}:S' -a -o recording",
		PERF_FILE_SECTIONS);
}
END_TEST

START_TEST(test_reads_compressed_recording)
{
	need_perf();
	compare("-z -e cpu-clock -a -g -o recording", PERF_FILE_SECTIONS);
}
END_TEST

START_TEST(test_compressed_pipe)
{
	need_perf();
	compare("-z -e cpu-clock -a -g -o - > recording", PERF_FILE_PIPE);
}
END_TEST

START_TEST(test_reads_directory)
{
	need_perf();
	compare("--threads -e cpu-clock -a -o recording", PERF_FILE_DIRECTORY);
}
END_TEST

START_TEST(test_compressed_threads)
{
	need_perf();
	compare("-z --threads -e cpu-clock -a -o recording", PERF_FILE_DIRECTORY);
}
END_TEST

START_TEST(test_reads_tracepoint)
{
	need_perf();
	mounts__need_tracefs();
	compare("-e sched:sched_switch -a -o recording", PERF_FILE_SECTIONS);
}
END_TEST

START_TEST(test_tracepoint_pipe)
{
	need_perf();
	mounts__need_tracefs();
	ck_assert_uint_eq(compare("-e sched:sched_switch -a -o - > recording", PERF_FILE_PIPE)
				  .types[TOOL_TRACING_DATA],
			  1);
}
END_TEST

/* Reads lines of "   12  cpu-clock:", the number of samples of each event. */
static void check_samples(struct perf_file *file, const struct counts *counts)
{
	char *text = stock_perf__shell(
		     "perf script -F event -i recording 2>/dev/null | sort | uniq -c"),
	     *save = NULL;
	struct perf_attrs *attrs = perf_file__attrs(file);
	unsigned long all = 0;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long samples;
		char name[64];
		bool found = false;

		ck_assert_int_eq(sscanf(line, "%lu %63[^: ]", &samples, name), 2);
		for (uint32_t i = 0; i < attrs->count; i++) {
			if (strcmp(attrs->at[i]->name ?: "", name))
				continue;
			ck_assert_uint_eq(counts->samples[i], samples);
			found = true;
		}
		ck_assert_msg(found, "no event %s", name);
		all += samples;
	}
	ck_assert_uint_eq(all, counts->types[PEAT_RECORD_SAMPLE]);
	free(text);
}

/* Samples are assigned to their event by id, and named by records in the pipe. */
START_TEST(test_two_events)
{
	struct perf_file *file;
	struct counts counts;

	need_perf();
	compare("-e cpu-clock,task-clock -a -o - > recording", PERF_FILE_PIPE);
	file = open_recording();
	counts = read_all(file);
	check_samples(file, &counts);
	ck_assert_uint_gt(counts.samples[0], 0);
	ck_assert_uint_gt(counts.samples[1], 0);
	perf_file__close(file);
}
END_TEST

static void wait_for_bytes(const char *path, off_t bytes)
{
	struct stat status;

	while (stat(path, &status) || status.st_size < bytes)
		usleep(10000);
}

/* The header does not have the size of the data. */
START_TEST(test_reads_killed_recording)
{
	struct perf_file *file;
	struct command perf;
	struct counts counts;

	need_perf();
	command__start(&perf, ALL_CAPS,
		       ARGV("perf", "record", "-q", "-e", "cpu-clock", "-a", "-o", "recording",
			    "sleep", "2"));
	wait_for_bytes("recording", 8192);
	ck_assert_int_eq(kill(perf.pid, SIGKILL), 0);
	command__finish(&perf);
	file = open_recording();
	ck_assert(perf_file__info(file)->crashed);
	counts = read_all(file);
	ck_assert_uint_gt(counts.types[PEAT_RECORD_MMAP], 0);
	ck_assert_int_eq(perf_file__end(file)->how, PERF_END_CUT);
	perf_file__close(file);
	command__free(&perf);
}
END_TEST

static Suite *recordings_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("recordings", 60, &tests);

	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_test(tests, test_reads_file);
	tcase_add_test(tests, test_reads_callchains);
	tcase_add_test(tests, test_reads_group);
	tcase_add_test(tests, test_reads_compressed_recording);
	tcase_add_test(tests, test_compressed_pipe);
	tcase_add_test(tests, test_reads_directory);
	tcase_add_test(tests, test_compressed_threads);
	tcase_add_test(tests, test_reads_tracepoint);
	tcase_add_test(tests, test_tracepoint_pipe);
	tcase_add_test(tests, test_two_events);
	tcase_add_test(tests, test_reads_killed_recording);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { recordings_suite };

	return harness__main(argc, argv, suites, 1);
}
