// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flamegraph.c: the SVG of a flame graph.  tests/live/recording/test_flamegraph.c opens it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit/stacks/stack_maker.h"
#include "unit/stacks/xml_check.h"
#include "unit/suite.h"

/* The whole picture; the caller frees it. */
static char *picture_of(const struct counted_stacks *stacks)
{
	int fd = memfd_create("picture", MFD_CLOEXEC);
	char *text;
	off_t bytes;

	ck_assert_int_eq(flamegraph__write(stacks, fd), 0);
	bytes = lseek(fd, 0, SEEK_END);
	text = calloc(1, (size_t)bytes + 1);
	ck_assert_int_eq(pread(fd, text, (size_t)bytes, 0), bytes);
	close(fd);
	return text;
}

static void check_has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in: %.3000s", part, strstr(text, "</style>"));
}

static void check_lacks(const char *text, const char *part)
{
	ck_assert_msg(!strstr(text, part), "'%s' is in it", part);
}

static void check_xml(const char *text)
{
	const char *fault = xml_check(text);

	ck_assert_msg(!fault, "not XML: %.200s", fault);
}

/* The check of the other tests finds faults. */
START_TEST(test_xml_check)
{
	ck_assert_ptr_null(xml_check("<?xml?>\n<a b=\"c\"><d/>&lt;<![CDATA[<&]]></a>\n"));
	ck_assert_ptr_nonnull(xml_check("<?xml?>\n<a>"));
	ck_assert_ptr_nonnull(xml_check("<?xml?>\n<a></b>"));
	ck_assert_ptr_nonnull(xml_check("<?xml?>\n<a b=c></a>"));
	ck_assert_ptr_nonnull(xml_check("<?xml?>\n<a b=\"<\"></a>"));
	ck_assert_ptr_nonnull(xml_check("<?xml?>\n<a>\x01</a>"));
	ck_assert_ptr_nonnull(xml_check("<?xml?>\n<a>& b</a>"));
	ck_assert_ptr_nonnull(xml_check("<?xml?>\n</a>"));
}
END_TEST

/* ---- pictures -------------------------------------------------------------------------------- */

START_TEST(test_picture_of_stacks)
{
	struct counted_stacks stacks = { .event = "cpu-clock", .title = "perf record -g ls" };
	char *text, *again;

	make_stack(&stacks, "ls|u main|i inner|k vfs_read", 300, 0);
	make_stack(&stacks, "ls|u main|u a_function_with_a_name_that_does_not_fit", 100, 0);
	make_stack(&stacks, "ls|u main|b bpf_prog_1", 1600, 0);
	text = picture_of(&stacks);
	again = picture_of(&stacks);
	ck_assert_str_eq(text, again);
	check_xml(text);
	check_has(text, ">perf record -g ls</text>");
	check_has(text, ">cpu-clock: 2,000 samples</text>");
	check_has(text, "<title>all\ntask\n2,000 samples, 100.00 %</title>"
			"<rect x=\"10.00\" y=\"140\" width=\"1180.00\"");
	check_has(text, "<g data-x=\"0\" data-w=\"100\">"
			"<title>a_function_with_a_name_that_does_not_fit\nlibc.so.6\n"
			"100 samples, 5.00 %</title>"
			"<rect x=\"10.00\" y=\"92\" width=\"59.00\" height=\"15\"");
	check_has(text, ">a_func…</text>");
	check_has(text, "<title>inner\nlibc.so.6, inlined\n300 samples, 15.00 %</title>");
	check_has(text, "<title>vfs_read\n[kernel]\n");
	check_has(text, "<title>bpf_prog_1\n[bpf]\n1,600 samples, 80.00 %</title>");
	check_lacks(text, "left out");
	check_lacks(text, "http://www.w3.org/1999/xlink"); /* nothing else is loaded */
	free(text);
	free(again);
	free_stacks(&stacks);
}
END_TEST

/* Names are foreign text. */
START_TEST(test_hostile_names_are_escaped)
{
	struct counted_stacks stacks = { .event = "a<b", .title = "\"><script>alert(1)</script>" };
	char *text;

	make_stack(&stacks, "</svg>|u ]]></script>&|u \x01\xff\n\xe2\x80\xae|u &lt;", 1, 0);
	text = picture_of(&stacks);
	check_xml(text);
	check_lacks(text, "<script>alert");
	check_has(text, "<title>]]&gt;&lt;/script&gt;&amp;\n");
	check_has(text, "<title>\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\nlibc");
	check_has(text, "<title>&amp;lt;\n");
	free(text);
	free_stacks(&stacks);
}
END_TEST

/* 0.1 of 1180 pixels. */
START_TEST(test_narrow_boxes_are_left_out)
{
	struct counted_stacks stacks = { .event = "cpu-clock" };
	char *text;

	make_stack(&stacks, "a|u wide", 11799 * 2, 0);
	make_stack(&stacks, "b|u narrow", 1, 0);
	text = picture_of(&stacks);
	check_has(text, ">cpu-clock: 23,599 samples; 2 boxes narrower than 0.1 pixels are left "
			"out</text>");
	check_lacks(text, "narrow\n");
	free(text);
	make_stack(&stacks, "b|u narrow", 1, 0);
	text = picture_of(&stacks);
	check_has(text, "narrow\n");
	check_lacks(text, "left out");
	free(text);
	free_stacks(&stacks);
}
END_TEST

START_TEST(test_weighted_by_duration)
{
	struct counted_stacks stacks = { .event = "offcpu",
					 .is_weighted = true,
					 .weight = "duration",
					 .unit.kind = PEAT_FIELD_DURATION };
	char *text;

	make_stack(&stacks, "a|u main", 1, 1ULL << 60);
	make_stack(&stacks, "b|u main", 9, 3ULL << 60);
	text = picture_of(&stacks);
	check_has(text, ">offcpu: 10 samples, duration 4611686018s</text>");
	check_has(text, "1152921505s, 25.00 %</title>");
	/* The script's numbers are exact up to 2^53. */
	check_has(text, "<g data-x=\"0\" data-w=\"4503599627370496\">");
	check_has(text, "<g data-x=\"1125899906842624\" data-w=\"3377699720527872\">");
	free(text);
	free_stacks(&stacks);
}
END_TEST

START_TEST(test_nothing_to_draw)
{
	struct counted_stacks stacks = { .title = "x" };
	char *text = picture_of(&stacks);

	check_xml(text);
	check_has(text, ">no stacks</text>");
	free(text);
}
END_TEST

/* The script is inside CDATA, and nothing in it is. */
START_TEST(test_script_is_in_cdata)
{
	struct counted_stacks stacks = { .title = "x" };
	char *text = picture_of(&stacks), *end = strstr(text, "]]>");

	check_has(text, "<script><![CDATA[\n// SPDX-License-Identifier");
	ck_assert_str_eq(end, "]]></script>\n</svg>\n");
	free(text);
}
END_TEST

START_TEST(test_full_disk_fails)
{
	struct counted_stacks stacks = { .title = "x" };
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	ck_assert_int_eq(flamegraph__write(&stacks, fd), -ENOSPC);
	ck_assert_int_eq(folded__write(&stacks, fd), 0); /* nothing to write */
	ck_assert_int_eq(pprof__write(&stacks, fd), -ENOSPC);
	make_stack(&stacks, "a|u main", 1, 1);
	ck_assert_int_eq(folded__write(&stacks, fd), -ENOSPC);
	close(fd);
	free_stacks(&stacks);
}
END_TEST

/* An icicle: the rows are from the top on. */
START_TEST(test_inverted_picture)
{
	struct counted_stacks stacks = { .event = "cpu-clock", .inverted = true };
	char *text;

	make_stack(&stacks, "ls|u main", 3, 0);
	text = picture_of(&stacks);
	check_xml(text);
	check_has(text, " data-inverted=\"\"");
	check_has(text, "100.00 %</title><rect x=\"10.00\" y=\"76\"");	/* all */
	check_has(text, "100.00 %</title><rect x=\"10.00\" y=\"108\""); /* main */
	free(text);
	free_stacks(&stacks);
}
END_TEST

/* Innermost functions are one box each, and above it its callers. */
START_TEST(test_reversed_picture)
{
	struct counted_stacks stacks = { .event = "cpu-clock", .reversed = true };
	char *text;

	make_stack(&stacks, "ls|u main|u read", 3, 0);
	make_stack(&stacks, "sh|u start|u read", 1, 0);
	make_stack(&stacks, "sh|u start", 4, 0);
	text = picture_of(&stacks);
	check_xml(text);
	check_has(text, "<title>all\ntask\n8 samples, 100.00 %</title>");
	check_has(text, "<title>read\nlibc.so.6\n4 samples, 50.00 %</title>");
	check_has(text, "<title>main\nlibc.so.6\n3 samples, 37.50 %</title>");
	check_has(text, "<title>ls\ntask\n3 samples, 37.50 %</title>");
	free(text);
	free_stacks(&stacks);
}
END_TEST

START_TEST(test_least_percent)
{
	struct counted_stacks stacks = { .event = "cpu-clock", .min_percent = 2.5 };
	char *text;

	make_stack(&stacks, "ls|u main", 97, 0);
	make_stack(&stacks, "ls|u small", 2, 0);
	make_stack(&stacks, "ls|u smaller", 1, 0);
	text = picture_of(&stacks);
	check_has(text, "; 2 boxes narrower than 2.5 % are left out");
	check_lacks(text, "small");
	free(text);
	free_stacks(&stacks);
}
END_TEST

/* The boxes of now, coloured by the change. */
static void make_compared(struct counted_stacks *stacks, struct counted_stacks *before)
{
	make_stack(before, "ls|u main|u slow", 60, 0);
	make_stack(before, "ls|u main|u same", 20, 0);
	make_stack(before, "sh|u gone", 20, 0);
	make_stack(stacks, "ls|u main|u slow", 20, 0);
	make_stack(stacks, "ls|u main|u same", 10, 0);
	make_stack(stacks, "ls|u main|u new", 20, 0);
	stacks->before = before;
}

START_TEST(test_compared_pictures)
{
	struct counted_stacks before = { 0 }, stacks = { .event = "cpu-clock" };
	char *text;

	make_compared(&stacks, &before);
	text = picture_of(&stacks);
	check_xml(text);
	check_has(text,
		  ">cpu-clock: 50 samples; before: 100 samples; red: a larger part than before, "
		  "blue: a smaller one; 20.00 % of before is in no box<");
	check_has(text, "<title>all\ntask\n50 samples, 100.00 %, 100.00 % before</title>");
	check_has(text, "<title>slow\nlibc.so.6\n20 samples, 40.00 %, 60.00 % before</title>");
	check_has(text, "<title>same\nlibc.so.6\n10 samples, 20.00 %, 20.00 % before</title>");
	check_has(text, "<title>new\nlibc.so.6\n20 samples, 40.00 %, 0 % before</title>");
	ck_assert_ptr_nonnull(strstr(strstr(text, "<title>new\n"), "fill=\"#ff5f50\""));
	check_lacks(text, "gone");
	free(text);
	free_stacks(&stacks);
	free_stacks(&before);
}
END_TEST

START_TEST(test_compared_reversed_pictures)
{
	struct counted_stacks before = { 0 }, stacks = { .event = "cpu-clock", .reversed = true };
	char *text;

	make_compared(&stacks, &before);
	text = picture_of(&stacks);
	check_xml(text);
	check_has(text, "<title>slow\nlibc.so.6\n20 samples, 40.00 %, 60.00 % before</title>");
	check_has(text, "<title>new\nlibc.so.6\n20 samples, 40.00 %, 0 % before</title>");
	check_has(text, "; 20.00 % of before is in no box<");
	free(text);
	free_stacks(&stacks);
	free_stacks(&before);
}
END_TEST

START_TEST(test_compared_with_nothing)
{
	struct counted_stacks before = { 0 }, stacks = { .event = "cpu-clock", .before = &before };
	char *text;

	make_stack(&stacks, "ls|u main", 1, 0);
	text = picture_of(&stacks);
	check_xml(text);
	check_has(text, ">cpu-clock: 1 sample; before: 0 samples; red");
	check_has(text, "<title>main\nlibc.so.6\n1 sample, 100.00 %, 0 % before</title>");
	free(text);
	free_stacks(&stacks);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_compared_pictures);
	tcase_add_test(tests, test_compared_reversed_pictures);
	tcase_add_test(tests, test_compared_with_nothing);
	tcase_add_test(tests, test_inverted_picture);
	tcase_add_test(tests, test_reversed_picture);
	tcase_add_test(tests, test_least_percent);
	tcase_add_test(tests, test_xml_check);
	tcase_add_test(tests, test_picture_of_stacks);
	tcase_add_test(tests, test_hostile_names_are_escaped);
	tcase_add_test(tests, test_narrow_boxes_are_left_out);
	tcase_add_test(tests, test_weighted_by_duration);
	tcase_add_test(tests, test_nothing_to_draw);
	tcase_add_test(tests, test_script_is_in_cdata);
	tcase_add_test(tests, test_full_disk_fails);
}
