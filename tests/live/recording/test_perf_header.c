// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_perf_header.c: headers that stock perf prints of a file it has just written, compared with
 * peat's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/recording/sections.h"
#include "support/perf/stock_perf.h"
#include "perf_data/describe/features.h"
#include "perf_data/tool_record.h"

#define PERF(...) ARGV("perf", ##__VA_ARGS__)

static char path[] = "/tmp/perf-header-XXXXXX";

/* Fails the test if perf fails. */
static void run(struct command *perf, const char *const *argv)
{
	command__run(perf, ALL_CAPS, argv);
	ck_assert_msg(perf->status == 0, "%s %s: status %d: %s", argv[0], argv[1], perf->status,
		      perf->err_text);
}

/* Records with perf into `path`, with these arguments. */
static void record(struct sections *file, const char *const *argv)
{
	struct command perf;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	run(&perf, argv);
	command__free(&perf);
	sections__read(file, path);
}

static void drop(struct sections *file)
{
	char old[sizeof(path) + 4];

	snprintf(old, sizeof(old), "%s.old", path);
	unlink(old);
	unlink(path);
	sections__free(file);
}

struct told {
	struct perf_features features;
	struct strbuf out;
};

static void tell_feature(uint64_t id, const uint8_t *at, size_t bytes, void *arg)
{
	struct told *told = arg;
	struct emit emit = emit__lines(&told->out);
	const char *why;

	ck_assert_int_eq(features__emit(&told->features, id, at, bytes, &emit, &why), 0);
}

/*
 * The length of the part of a line that old and new versions of perf print alike: a newer perf adds
 * to features and to attrs of events.
 */
static size_t comparable(const char *line, size_t bytes)
{
	const char *ids = strstr(line, " }, ");

	if (!strncmp(line, "# event : ", 10) && ids && ids < line + bytes)
		return (size_t)(ids - line);
	return bytes;
}

/* Each line of perf's that begins with `start` is a line of peat's. */
static unsigned int check_lines(const char *theirs, const char *ours, const char *start)
{
	unsigned int count = 0;

	for (const char *line = theirs; *line; line += strcspn(line, "\n") + 1) {
		size_t bytes = comparable(line, strcspn(line, "\n"));
		char text[4096];

		if (strncmp(line, start, strlen(start)) != 0)
			continue;
		ck_assert_uint_lt(bytes, sizeof(text));
		memcpy(text, line, bytes);
		text[bytes] = '\0';
		ck_assert_msg(strstr(ours, text), "perf says '%s', but not: %s", text, ours);
		count++;
	}
	return count;
}

START_TEST(test_features_as_perf_says)
{
	static const char *const starts[] = {
		"# hostname : ",
		"# os release : ",
		"# perf version : ",
		"# arch : ",
		"# nrcpus online : ",
		"# nrcpus avail : ",
		"# total memory : ",
		"# cmdline : ",
		"# event : name = cpu-clock",
		"# time of first sample : ",
		"# time of last sample : ",
		"# sample duration : ",
		"# pmu mappings: ",
	};
	/* Not all machines have these. */
	static const char *const others[] = { "# cpudesc : ", "# cpuid : ", "# CPU cache", "# node",
					      "#  L" };
	struct told told = { 0 };
	struct command perf;
	struct sections file;

	need_perf();
	record(&file, PERF("record", "-o", path, "-e", "cpu-clock", "--", "true", "it's"));
	run(&perf, PERF("report", "--header-only", "-I", "-i", path));
	sections__each_feature(&file, tell_feature, &told);
	strbuf__char(&told.out, 0);
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		ck_assert_msg(check_lines(perf.out_text, told.out.bytes, starts[i]),
			      "perf does not say '%s'", starts[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		check_lines(perf.out_text, told.out.bytes, others[i]);
	strbuf__free(&told.out);
	command__free(&perf);
	drop(&file);
}
END_TEST

/* ---- records --------------------------------------------------------------------------------- */

static void tell_name(const uint8_t *at, size_t bytes, void *arg)
{
	struct tool_record rec;
	uint32_t type;

	memcpy(&type, at, sizeof(type));
	if (type < TOOL_HEADER_ATTR)
		return;
	ck_assert_int_eq(tool_record__parse(at, bytes, false, &rec), 0);
	strbuf__text(arg, ": PERF_RECORD_");
	strbuf__text(arg, tool_record__name(type));
	strbuf__char(arg, '\n');
}

static unsigned int count_of(const char *text, const char *part)
{
	unsigned int count = 0;

	while ((text = strstr(text, part)) != NULL) {
		text += strlen(part);
		count += *text != '_' && *text != '2'; /* otherwise it is part of a longer name */
	}
	return count;
}

/* For each of its own record types, perf counts as many as peat. */
static unsigned int check_names(const char *theirs, const char *ours)
{
	unsigned int types = 0;

	for (uint32_t type = TOOL_HEADER_ATTR; type <= TOOL_SCHEDSTAT_DOMAIN; type++) {
		char name[64];

		snprintf(name, sizeof(name), "PERF_RECORD_%s", tool_record__name(type));
		ck_assert_msg(count_of(theirs, name) == count_of(ours, name), "%s: %u, not %u",
			      name, count_of(ours, name), count_of(theirs, name));
		types += count_of(ours, name) > 0;
	}
	return types;
}

static void check_records(const char *const *argv, unsigned int least)
{
	struct strbuf out = { 0 };
	struct command perf;
	struct sections file;

	record(&file, argv);
	run(&perf, PERF("script", "-D", "-i", path));
	sections__each_record(&file, tell_name, &out);
	strbuf__char(&out, 0);
	ck_assert_uint_ge(check_names(perf.out_text, out.bytes), least);
	strbuf__free(&out);
	command__free(&perf);
	drop(&file);
}

START_TEST(test_records_as_perf_says)
{
	need_perf();
	check_records(PERF("record", "-o", path, "-e", "cpu-clock", "-a", "--", "true"), 4);
}
END_TEST

START_TEST(test_counts_as_perf_says)
{
	need_perf();
	check_records(PERF("stat", "record", "-o", path, "-e", "cpu-clock", "--", "true"), 6);
}
END_TEST

static Suite *perf_header_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("perf_header", 60, &tests);

	tcase_add_test(tests, test_features_as_perf_says);
	tcase_add_test(tests, test_records_as_perf_says);
	tcase_add_test(tests, test_counts_as_perf_says);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { perf_header_suite };

	return harness__main(argc, argv, suites, 1);
}
