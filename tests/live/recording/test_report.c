// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_report.c: pages of peat report, used in a browser. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/page.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"

#define do_shell(...) free(stock_perf__shellf(__VA_ARGS__))

__asm__(".pushsection .rodata\n"
	"report_browse: .incbin \"tests/live/recording/browse.js\"\n"
	".byte 0\n"
	"report_check: .incbin \"tests/live/recording/report_check.js\"\n"
	".byte 0\n"
	".popsection\n");
extern const char report_browse[], report_check[];

static char program[4096];

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void setup(void)
{
	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	stock_perf__setup();
	write_file("browse.js", report_browse);
	write_file("check.js", report_check);
}

#define need_browser()                                                                             \
	do {                                                                                       \
		if (system("command -v chromium >/dev/null"))                                      \
			skip("no chromium on this machine");                                       \
		if (system("command -v node >/dev/null"))                                          \
			skip("no node on this machine");                                           \
	} while (0)

/* Uses the page; `stats` is a file with the counts of its recording, or "". */
static void check_page(const char *path, const char *stats, int width, const char *scheme)
{
	char *findings = stock_perf__shellf(
		"STATS=%s timeout 300 node browse.js %s check.js %d 800 %s 2>&1; true", stats, path,
		width, scheme);

	ck_assert_msg(!strstr(findings, "FAILED") &&
			      strstr(findings, "passed: nothing was requested"),
		      "%s", findings);
	free(findings);
}

static void check_recording(const char *path)
{
	do_shell("%s report -q %s -o made.html", program, path);
	do_shell("%s replay --stats -j %s >stats.json", program, path);
	check_page("made.html", "stats.json", 1280, "light");
}

/* ---- recordings ------------------------------------------------------------------------------ */

START_TEST(test_browser_shows_recording)
{
	need_browser();
	do_shell("%s record -q --stacks user exec exit syscall,min=0 -o run.data -- "
		 "sh -c 'for i in 1 2 3; do ls -l /usr >list; done; cat /nowhere 2>list; true'",
		 program);
	check_recording("run.data");
	check_page("made.html", "stats.json", 2560, "dark");
}
END_TEST

START_TEST(test_browser_shows_recording_of_perf)
{
	need_browser();
	need_perf();
	do_shell("perf record -q --no-buildid --no-bpf-event -e cpu-clock -g -o cpu.data -- "
		 "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; ls -lR /usr/share/doc "
		 ">/dev/null'");
	check_recording("cpu.data");
}
END_TEST

/* Events that are selected are in the page; --to html makes the same page as report. */
START_TEST(test_selected_events)
{
	char *same, *count;

	do_shell("%s record -q exec exit -o run.data -- sh -c 'ls >list; ls >list; true'", program);
	do_shell("%s convert -q run.data -o convert.html; %s report -q run.data -o report.html; "
		 "%s convert -q run.data --to html -o to.html",
		 program, program, program);
	same = stock_perf__shellf("cmp convert.html report.html && cmp to.html report.html && "
				  "echo same");
	ck_assert_str_eq(same, "same\n");
	free(same);
	count = stock_perf__shellf("%s report run.data exec --comm ls -o ls.html 2>&1", program);
	ck_assert_msg(strstr(count, "2 events, 0 lost"), "%s", count);
	free(count);
}
END_TEST

START_TEST(test_cut_recording)
{
	char *message;

	need_browser();
	do_shell("%s record -q syscall,min=0 -o run.data -- ls -l /usr >list", program);
	do_shell("head -c $(($(stat -c %%s run.data) * 2 / 3)) run.data >cut.data");
	message = stock_perf__shellf("%s report -q cut.data -o cut.html 2>&1 || echo status $?",
				     program);
	ck_assert_msg(strstr(message, "status 1\n"), "%s", message);
	free(message);
	check_page("cut.html", "", 1280, "light");
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

static void write_sample(struct peat_sink *sink, const char *comm, uint64_t i)
{
	const uint64_t chain[] = { PEAT_CONTEXT_USER, 0x400000 + i % 3, 0x600000 };
	struct peat_record rec = { .type = PEAT_RECORD_SAMPLE, .has = PEAT_SAMPLE_CALLCHAIN };
	struct peat_event event = {
		.pid = 1, .tid = 1, .comm = comm, .time_ns = 1000000 * (i + 1)
	};

	rec.sample.callchain = (struct peat_words){ (const uint8_t *)chain, 3, false };
	event.record = &rec;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
}

static void write_page(const char *path, const char *const *comms, const char *title)
{
	struct peat_page_opts opts = { .sz = sizeof(opts), .title = title };
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	struct peat_sink *sink = peat_sink__new_page(fd, &opts);

	ck_assert_ptr_nonnull(sink);
	for (uint64_t i = 0; *comms; comms++)
		for (int j = 0; j < 60; j++)
			write_sample(sink, *comms, i++);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
	ck_assert_int_eq(close(fd), 0);
}

/* Names of tasks are foreign text, and no code. */
START_TEST(test_hostile_names_are_no_code)
{
	static const char *const comms[] = { "</script><script>throw 1</script>",
					     "<img src=x onerror='throw 3'>",
					     "]]>&lt;\"'\x01\xff",
					     "\xe2\x80\xae\xf0\x9f\x90\x9d",
					     "__proto__",
					     NULL };

	need_browser();
	write_page("made.html", comms, "</title></script><script>throw 2</script>");
	check_page("made.html", "", 1000, "light");
}
END_TEST

START_TEST(test_empty_page_says_so)
{
	static const char *const comms[] = { NULL };

	need_browser();
	write_page("made.html", comms, NULL);
	check_page("made.html", "", 1000, "dark");
}
END_TEST

static Suite *report_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("report", 600, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_browser_shows_recording);
	tcase_add_test(tests, test_browser_shows_recording_of_perf);
	tcase_add_test(tests, test_selected_events);
	tcase_add_test(tests, test_cut_recording);
	tcase_add_test(tests, test_hostile_names_are_no_code);
	tcase_add_test(tests, test_empty_page_says_so);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { report_suite };

	return harness__main(argc, argv, suites, 1);
}
