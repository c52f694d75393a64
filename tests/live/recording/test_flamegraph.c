// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flamegraph.c: flame graphs in a browser: it shows them, zooms and searches. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/stacks.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"

#define do_shell(...) free(stock_perf__shellf(__VA_ARGS__))

__asm__(".pushsection .rodata\n"
	"flamegraph_check: .incbin \"tests/live/recording/flamegraph_check.js\"\n"
	".byte 0\n"
	".popsection\n");
extern const char flamegraph_check[];

static char program[4096];

static void setup(void)
{
	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	stock_perf__setup();
}

#define need_browser()                                                                             \
	do {                                                                                       \
		if (system("command -v chromium >/dev/null"))                                      \
			skip("no chromium on this machine");                                       \
	} while (0)

/* ---- the browser ----------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
	return stock_perf__shellf("cat %s", path);
}

/* Inserts a script that notes errors before all others, and the check after them. */
static void insert_check(const char *path, const char *into)
{
	char *picture = read_file(path);
	char *style = strstr(picture, "<style>"), *end = strstr(picture, "</svg>");
	FILE *file = fopen(into, "we");

	ck_assert(file && style && end && style < end);
	fprintf(file, "%.*s", (int)(style - picture), picture);
	fprintf(file, "<script>window.errors = [];"
		      "window.onerror = (message) => { window.errors.push(message); };</script>\n");
	fprintf(file, "%.*s", (int)(end - style), style);
	fprintf(file, "<script><![CDATA[\n%s]]></script>\n%s", flamegraph_check, end);
	ck_assert_int_eq(fclose(file), 0);
	free(picture);
}

/* The document after its scripts ran; the caller frees it. */
static char *open_in_browser(const char *path, int width, int height)
{
	return stock_perf__shellf(
		"HOME=$PWD timeout 60 chromium --headless --no-sandbox --disable-gpu "
		"--user-data-dir=$PWD/browser --disable-extensions --no-first-run "
		"--proxy-server=127.0.0.1:9 --window-size=%d,%d --dump-dom file://$PWD/%s "
		"2>browser.log",
		width, height, path);
}

/* The check found no fault.  The caller frees the document. */
static char *check_picture(const char *path, int width, int height)
{
	const char *begin = "<desc id=\"findings\">";
	char *document, *findings;

	insert_check(path, "checked.svg");
	document = open_in_browser("checked.svg", width, height);
	findings = strstr(document, begin);
	ck_assert_msg(findings, "the check did not run: %.2000s", document);
	findings = strndup(findings + strlen(begin), strcspn(findings + strlen(begin), "<"));
	ck_assert_msg(!strstr(findings, "FAILED") && strstr(findings, "passed: no script failed"),
		      "%s", findings);
	free(findings);
	return document;
}

static void check_has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in: %.3000s", part, text);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* A sample with the chain of program `which`, and kernel frames in every other. */
static void write_sample(struct peat_sink *sink, const char *comm, uint64_t which)
{
	const uint64_t chain[] = { PEAT_CONTEXT_KERNEL,	 0xffffffff81000010,   PEAT_CONTEXT_USER,
				   0x400000 + which % 3, 0x500000 + which % 2, 0x600000 };
	struct peat_record rec = { .type = PEAT_RECORD_SAMPLE, .has = PEAT_SAMPLE_CALLCHAIN };
	struct peat_event event = {
		.kind = PEAT_EVENT_DATA, .pid = 1, .tid = 1, .comm = comm, .record = &rec
	};

	rec.sample.callchain = (struct peat_words){ (const uint8_t *)(chain + 2 * (which & 1)),
						    6 - 2 * (which & 1), false };
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
}

static void write_picture(const char *path, const char *const *comms, const char *title)
{
	struct peat_stacks_opts opts = { .sz = sizeof(opts), .title = title };
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	struct peat_sink *sink = peat_sink__new_stacks(fd, PEAT_STACKS_FLAMEGRAPH, &opts);

	ck_assert_ptr_nonnull(sink);
	for (; *comms; comms++)
		for (uint64_t i = 0; i < 60; i++)
			write_sample(sink, *comms, i);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
	close(fd);
}

START_TEST(test_browser_shows_flamegraph)
{
	static const char *const comms[] = { "shell", "a task with a name", "x", NULL };
	char *document;

	need_browser();
	write_picture("made.svg", comms, "a title");
	document = check_picture("made.svg", 1000, 800);
	check_has(document, ">a title</text>");
	check_has(document, ">unknown: 180 samples</text>");
	free(document);
	free(check_picture("made.svg", 500, 300)); /* it is higher than the window */
}
END_TEST

/* Names of tasks are foreign text, and no code. */
START_TEST(test_hostile_names_are_no_code)
{
	static const char *const comms[] = { "</title></svg>",
					     "<script>throw 1</script>",
					     "]]>&lt;\"'\x01\xff",
					     "\xe2\x80\xae\xf0\x9f\x90\x9d",
					     "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97",
					     NULL };
	char *document;

	need_browser();
	write_picture("made.svg", comms, "<script>throw 2</script>");
	document = check_picture("made.svg", 1000, 800);
	check_has(document, ">&lt;script&gt;throw 2&lt;/script&gt;</text>");
	check_has(document, ">&lt;script&gt;throw 1&lt;/script&gt;</text>");
	free(document);
}
END_TEST

START_TEST(test_empty_flamegraph_says_so)
{
	static const char *const comms[] = { NULL };
	char *document;

	need_browser();
	write_picture("made.svg", comms, NULL);
	document = open_in_browser("made.svg", 1000, 800);
	check_has(document, ">no stacks</text>");
	free(document);
}
END_TEST

START_TEST(test_browser_shows_recording)
{
	need_perf();
	need_browser();
	do_shell("perf record -q --no-buildid --no-bpf-event -e cpu-clock -g -o recording -- "
		 "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; ls -lR /usr/share/doc "
		 ">/dev/null'");
	do_shell("%s convert recording --to flamegraph -o made.svg 2>/dev/null", program);
	free(check_picture("made.svg", 1200, 800));
}
END_TEST

/* A recording beside itself has not changed; the other one has. */
START_TEST(test_compared_recordings)
{
	char *picture;

	need_perf();
	do_shell("perf record -q --no-buildid --no-bpf-event -e cpu-clock -g -o one -- "
		 "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'");
	do_shell("perf record -q --no-buildid --no-bpf-event -e cpu-clock -g -o other -- "
		 "ls -lR /usr/share/doc >/dev/null");
	do_shell("%s convert -q one --to flamegraph --diff one -o same.svg 2>/dev/null", program);
	do_shell("%s convert -q other --to flamegraph --diff one -o changed.svg 2>/dev/null",
		 program);
	picture = read_file("same.svg");
	check_has(picture, "; red: a larger part than before, blue: a smaller one");
	ck_assert_ptr_null(strstr(picture, "is in no box"));
	free(picture);
	picture = read_file("changed.svg");
	check_has(picture, " of before is in no box");
	check_has(picture, ", 0 % before</title>");
	free(picture);
	do_shell("%s convert one --to folded --diff one -o x 2>refused || test $? = 64; "
		 "grep -q -- '--diff needs --to flamegraph' refused",
		 program);
	do_shell("%s convert one --to flamegraph --diff none -o x.svg 2>refused || test $? = 1; "
		 "grep -q 'none' refused && test ! -e x.svg",
		 program);
}
END_TEST

/* Both recordings are of the same stripped program. */
START_TEST(test_compared_files_are_reported_once)
{
	need_perf();
	do_shell("cp /bin/sh stripped && objcopy --strip-all stripped");
	do_shell("perf record -q --no-buildid --no-bpf-event -e cpu-clock -g -o one -- "
		 "./stripped -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'");
	do_shell("%s convert one --to flamegraph --diff one -o x.svg 2>warnings; "
		 "test $(grep -c 'have no names: stripped' warnings) = 1",
		 program);
	do_shell("%s convert -v one --to flamegraph --diff one -o x.svg 2>information; "
		 "test $(grep -c 'stripped have no names: stripped' information) = 2",
		 program);
}
END_TEST

static Suite *flamegraph_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("flamegraph", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_browser_shows_flamegraph);
	tcase_add_test(tests, test_hostile_names_are_no_code);
	tcase_add_test(tests, test_empty_flamegraph_says_so);
	tcase_add_test(tests, test_browser_shows_recording);
	tcase_add_test(tests, test_compared_recordings);
	tcase_add_test(tests, test_compared_files_are_reported_once);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { flamegraph_suite };

	return harness__main(argc, argv, suites, 1);
}
