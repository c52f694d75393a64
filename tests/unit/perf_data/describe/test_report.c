// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_report.c: reports on recordings that follow each other: equal events are one. */
#include <stdlib.h>
#include <string.h>

#include <peat/recording.h>

#include "perf_data/attrs.h"
#include "perf_data/features.h"
#include "perf_data/note.h"
#include "unit/replay/replay_run.h"
#include "unit/suite.h"

static struct maker made;
static char printed[1 << 16];

static void setup(void)
{
	begin_replays();
	made = (struct maker){ 0 };
}

static void teardown(void)
{
	free(made.at);
}

static void make_text(uint64_t feature, const char *text)
{
	struct {
		uint32_t bytes;
		char text[12];
	} string = { .bytes = sizeof(string.text) };

	snprintf(string.text, sizeof(string.text), "%s", text);
	make_feature(&made, feature, &string, sizeof(string));
}

/* A recording with samples of both events, and its features. */
static void add_recording(const char *host, uint64_t time)
{
	struct strbuf note = { 0 };

	begin_made_pipe(&made);
	make_text(FEATURE_HOSTNAME, host);
	make_text(FEATURE_ARCH, "x86_64");
	make_event(&made, 100, (struct made_at){ time, 0, 5 }, 1);
	make_event(&made, 200, (struct made_at){ time + 1, 0, 5 }, 1);
	ck_assert_int_eq(note__put(&note, NOTE_LEDGER, "recorded 2\n", 11), 0);
	make_bytes(&made, note.bytes, note.count);
	strbuf__free(&note);
}

/* The text of a report. */
static const char *print(int (*report)(const char *path, int fd, bool json), bool json)
{
	int out = memfd_create("report", MFD_CLOEXEC), fd;
	ssize_t bytes;
	char path[64];

	fd = memory_of(&made, path);
	ck_assert_int_eq(report(path, out, json), 0);
	bytes = pread(out, printed, sizeof(printed) - 1, 0);
	ck_assert_int_ge(bytes, 0);
	printed[bytes] = '\0';
	close(fd);
	close(out);
	ck_assert_str_eq(replay_log, "");
	return printed;
}

START_TEST(test_stats_of_several)
{
	const char *text;

	add_recording("web1", 1000);
	add_recording("web2", 500);
	add_recording("web1", 2000);
	text = print(peat_recording__write_stats, true);
	ck_assert_msg(strstr(text, "\"samples\":{\"made:first\":3,\"made:second\":3}"), "%s", text);
	ck_assert_msg(strstr(text, "\"SAMPLE\":6"), "%s", text);
	ck_assert_msg(strstr(text, "\"first_ns\":500,\"last_ns\":2001"), "%s", text);
	ck_assert_msg(strstr(text, "\"ledger\":{\"recorded\":6}"), "%s", text);
	ck_assert_msg(strstr(text, "\"end\":\"whole\""), "%s", text);
}
END_TEST

/* More recordings than a recording may have events. */
START_TEST(test_stats_of_many)
{
	struct maker one;
	const char *text;

	add_recording("web1", 1000);
	one = made;
	made = (struct maker){ 0 };
	for (unsigned i = 0; i < PERF_ATTRS_MAX / 2 + 10; i++)
		make_bytes(&made, one.at, one.len);
	free(one.at);
	text = print(peat_recording__write_stats, true);
	ck_assert_msg(strstr(text, "\"samples\":{\"made:first\":32778,\"made:second\":32778}"),
		      "%s", text);
	ck_assert_msg(strstr(text, "\"end\":\"whole\""), "%s", text);
}
END_TEST

START_TEST(test_header_has_what_differs)
{
	add_recording("web1", 1000);
	add_recording("web1", 1000);
	add_recording("web2", 1000);
	add_recording("web1", 1000);
	ck_assert_str_eq(print(peat_recording__write_header, false),
			 "# hostname : web1\n# arch : x86_64\n"
			 "# recording : 3\n# hostname : web2\n");
	ck_assert_str_eq(
		print(peat_recording__write_header, true),
		"[{\"feature\":\"HOSTNAME\",\"id\":3,\"hostname\":\"web1\"},"
		"{\"feature\":\"ARCH\",\"id\":6,\"arch\":\"x86_64\"},"
		"{\"feature\":\"HOSTNAME\",\"id\":3,\"recording\":3,\"hostname\":\"web2\"}]\n");
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_stats_of_several);
	tcase_add_test(tests, test_stats_of_many);
	tcase_add_test(tests, test_header_has_what_differs);
}
