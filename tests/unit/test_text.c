// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_text.c: events as text for people. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "sink_output.h"
#include "suites.h"

struct from {
	uint32_t port;
	char host[8];
};

struct opened {
	uint32_t uid;
	char file[40];
	struct from from;
	uint16_t list[2];
	char path[64];
};

static struct peat_field fields[] = {
	FIELD(struct opened, uid, PEAT_FIELD_UNSIGNED),
	FIELD(struct opened, file, PEAT_FIELD_STRING),
	{ .name = "from", .kind = PEAT_FIELD_STRUCT, .span = 3, .offset = 44, .bytes = 12 },
	FIELD(struct from, port, PEAT_FIELD_UNSIGNED),
	FIELD(struct from, host, PEAT_FIELD_STRING),
	{ .name = "list",
	  .kind = PEAT_FIELD_ARRAY,
	  .span = 2,
	  .offset = 56,
	  .bytes = 4,
	  .count = 2 },
	{ .name = "", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 2 },
	FIELD(struct opened, path, PEAT_FIELD_STRING),
};

static const struct peat_schema schema = SCHEMA("open", fields);
static const struct opened opened = { 1000, "a b", { 443, "local" }, { 1, 2 }, "/etc/hostname" };

static struct peat_sink *sink;
static int fd;

static void open_sink(const struct peat_sink_opts *opts)
{
	fd = new_output();
	sink = peat_sink__new_text(fd, opts);
	ck_assert_ptr_nonnull(sink);
}

static void close_sink(void)
{
	peat_sink__free(sink);
	close(fd);
}

static void put(const struct peat_event *event)
{
	ck_assert_int_eq(peat_sink__write(sink, event), 0);
}

static void put_opened(const char *file, const char *path)
{
	struct opened copy = opened;
	struct peat_event event = an_event(&schema, &copy, sizeof(copy));

	memcpy(copy.file, file, strnlen(file, sizeof(copy.file) - 1) + 1);
	memcpy(copy.path, path, strnlen(path, sizeof(copy.path) - 1) + 1);
	put(&event);
}

static struct peat_sink_opts in_columns(uint32_t width)
{
	return (struct peat_sink_opts){ .sz = sizeof(struct peat_sink_opts),
					.columns = &schema,
					.width = width };
}

static size_t characters(const char *line, size_t bytes)
{
	size_t count = 0;

	for (size_t i = 0; i < bytes; i++)
		count += (line[i] & 0xc0) != 0x80;
	return count;
}

/* No line is wider or ends in a blank, and no byte of them could act on a terminal. */
static void check_lines(const char *text, size_t width)
{
	for (const char *end; *text; text = end + 1) {
		end = strchr(text, '\n');
		ck_assert_ptr_nonnull(end);
		ck_assert_uint_le(characters(text, (size_t)(end - text)), width);
		ck_assert(end == text || end[-1] != ' ');
		for (const char *p = text; p < end; p++)
			ck_assert((unsigned char)*p >= ' ' && *p != 0x7f);
	}
}

START_TEST(test_lines)
{
	struct peat_event event = an_event(&schema, &opened, sizeof(opened));

	open_sink(NULL);
	put(&event);
	event.tid = 42;
	event.size = 44;
	event.comm = NULL;
	put(&event);
	event.comm = "my \x1b";
	event.size = 0;
	event.data = NULL;
	put(&event);
	ck_assert_str_eq(
		output(sink, fd),
		"open          41 bash             uid=1000 file=\"a b\" "
		"from={port=443 host=local} list=[1 2] path=/etc/hostname\n"
		"open       41/42 -                uid=1000 file=\"a b\" "
		"from=- list=- path=-\n"
		"open       41/42 \"my \\x1b\"        uid=- file=- from=- list=- path=-\n");
	close_sink();
}
END_TEST

/* Types, processes and names stand below each other; a wider one moves those after it. */
START_TEST(test_lines_line_up)
{
	static const struct peat_schema long_name = { .name = "connection", .stacks_fd = -1 };
	struct peat_event event = an_event(&long_name, "", 0), raw = an_event(NULL, "\1\2", 2);
	struct peat_record record = { .type = PEAT_RECORD_MMAP2 };

	open_sink(NULL);
	put(&raw);
	put(&event);
	raw.pid = raw.tid = UINT32_MAX - 1;
	put(&raw);
	raw.kind = PEAT_EVENT_RECORD;
	raw.record = &record;
	raw.pid = raw.tid = 1;
	put(&raw);
	ck_assert_str_eq(output(sink, fd),
			 "raw           41 bash             size=2 bytes=0102 |..|\n"
			 "connection      41 bash\n"
			 "raw        4294967294 bash             size=2 bytes=0102 |..|\n"
			 "record              1 bash             record=MMAP2\n");
	close_sink();
}
END_TEST

START_TEST(test_lost)
{
	struct peat_event event = { .kind = PEAT_EVENT_LOST, .cpu = 1, .lost = 123 };
	struct peat_sink_opts opts = in_columns(0);

	open_sink(NULL);
	put(&event);
	event.lost = 1;
	put(&event);
	ck_assert_str_eq(output(sink, fd), "# 123 events lost on CPU 1\n# 1 event lost on CPU 1\n");
	close_sink();
	opts.no_heading = true;
	open_sink(&opts);
	put_opened("f", "p");
	put(&event);
	ck_assert_str_eq(
		output(sink, fd),
		"     41  bash               1000  f                    443  local    [1 2]"
		"             p\n# 1 event lost on CPU 1\n");
	close_sink();
}
END_TEST

/* What is not told is "-", of a thread as well. */
START_TEST(test_not_told)
{
	struct peat_event event = an_event(NULL, "\1", 1);
	struct peat_sink_opts opts = in_columns(0);

	open_sink(NULL);
	event.tid = PEAT_NO_TASK;
	put(&event);
	event.pid = PEAT_NO_TASK;
	event.comm = NULL;
	put(&event);
	event.kind = PEAT_EVENT_LOST;
	event.cpu = PEAT_NO_CPU;
	event.lost = 2;
	put(&event);
	ck_assert_str_eq(output(sink, fd), "raw         41/- bash             size=1 bytes=01 |.|\n"
					   "raw            - -                size=1 bytes=01 |.|\n"
					   "# 2 events lost\n");
	close_sink();
	opts.no_heading = true;
	open_sink(&opts);
	event.kind = PEAT_EVENT_DATA;
	event.schema = &schema;
	event.size = 0;
	put(&event);
	ck_assert_int_eq(strncmp(output(sink, fd), "      -  -  ", 12), 0);
	close_sink();
}
END_TEST

/* Of a recording of another machine: the same columns, other names of numbers. */
START_TEST(test_rows_of_other_machines)
{
	static const struct peat_name names[] = { { 1000, "ours" } };
	struct peat_field other_fields[sizeof(fields) / sizeof(*fields)];
	struct peat_schema other = schema;
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event event = an_event(&other, &opened, sizeof(opened));

	memcpy(other_fields, fields, sizeof(fields));
	other_fields[0].kind = PEAT_FIELD_ENUM;
	other_fields[0].names = names;
	other_fields[0].name_count = 1;
	other.fields = other_fields;
	other.like = &schema;
	opts.no_heading = true;
	open_sink(&opts);
	put_opened("f", "p");
	put(&event);
	ck_assert_str_eq(
		output(sink, fd),
		"     41  bash               1000  f                    443  local    [1 2]"
		"             p\n"
		"     41  bash               ours  a b                  443  local    [1 2]"
		"             /etc/hostname\n");
	close_sink();
}
END_TEST

START_TEST(test_columns)
{
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event event = an_event(&schema, &opened, 44);

	open_sink(&opts);
	ck_assert_str_eq(output(sink, fd), ""); /* no rows yet that could say how wide */
	put_opened("a file of 24 characters.", "/etc/hostname");
	put(&event);
	ck_assert_str_eq(
		output(sink, fd),
		"    PID  COMM                UID  FILE                     FROM.PORT  FROM.HOST  "
		"LIST              PATH\n"
		"     41  bash               1000  a file of 24 characters.       443  local      "
		"[1 2]             /etc/hostname\n"
		"     41  bash               1000  a b                              -  -          "
		"-                 -\n");
	close_sink();
}
END_TEST

static size_t column_of(const char *text, const char *what)
{
	const char *at = strstr(text, what);

	ck_assert_ptr_nonnull(at);
	while (at > text && at[-1] != '\n')
		at--;
	return characters(at, (size_t)(strstr(at, what) - at));
}

START_TEST(test_columns_grow)
{
	struct peat_sink_opts opts = in_columns(0);
	const char *text;
	size_t first, grown;

	open_sink(&opts);
	put_opened("short", "/p1");
	first = column_of(output(sink, fd), "/p1");
	put_opened("not so short any more", "/p2");
	put_opened("s", "/p3");
	text = output(sink, fd);
	grown = column_of(text, "/p2");
	ck_assert_uint_eq(grown, first + 5); /* 21 characters, where 16 were */
	ck_assert_uint_eq(column_of(text, "/p3"), grown);
	put_opened("\xc3\xbc\xc3\xbc\xe2\x82\xac", "/p4"); /* characters, not bytes */
	ck_assert_uint_eq(column_of(output(sink, fd), "/p4"), grown);
	close_sink();
}
END_TEST

/* What is held is shown as soon as it is too much, without a flush. */
START_TEST(test_holds_no_more_than_some)
{
	struct peat_sink_opts opts = in_columns(0);
	char text[64];

	open_sink(&opts);
	for (int i = 0; i < 5000; i++)
		put_opened("f", "p");
	ck_assert_int_eq(pread(fd, text, 11, 0), 11);
	text[11] = 0;
	ck_assert_str_eq(text, "    PID  CO");
	close_sink();
}
END_TEST

/* Blanks go first, then text of the widest columns, so that the last one is still seen. */
START_TEST(test_width_80)
{
	struct peat_sink_opts opts = in_columns(80);
	const char *text;

	open_sink(&opts);
	put_opened("a rather long name of a file, 39 chars.", "/a/path/that/has/no/end/at/all");
	put_opened("f", "/p");
	text = output(sink, fd);
	ck_assert_str_eq(
		text,
		"    PID  COMM  UID  FILE         FROM.PORT  FROM.HOST  LIST   PATH\n"
		"     41  bash 1000  a rather lo…       443  local      [1 2]  /a/path/that/has/…\n"
		"     41  bash 1000  f                  443  local      [1 2]  /p\n");
	check_lines(text, 80);
	put_opened("f", "/p");
	check_lines(output(sink, fd), 80);
	close_sink();
}
END_TEST

START_TEST(test_width_200)
{
	struct peat_sink_opts opts = in_columns(200);
	const char *text;

	open_sink(&opts);
	put_opened("a rather long name of a file, 39 chars.", "/a/path/that/has/no/end/at/all");
	text = output(sink, fd);
	check_lines(text, 200);
	ck_assert_ptr_nonnull(strstr(text, "a rather long name of a file, 39 chars. "));
	ck_assert_ptr_nonnull(strstr(text, "/a/path/that/has/no/end/at/all\n"));
	ck_assert_ptr_null(strstr(text, "…"));
	close_sink();
}
END_TEST

START_TEST(test_hostile_text)
{
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event event = an_event(&schema, &opened, sizeof(opened));

	for (int i = 0; i < 2; i++) {
		open_sink(i ? &opts : NULL);
		event.comm = "\x1b]0;x\x07\n\xc2\x9b";
		put(&event);
		put_opened("\x1b[2J\r\n", "\xff\xfe\x7f   ");
		put_opened("\xf0\x9f\x90\x9d\xf0\x9f\x90", "\t");
		check_lines(output(sink, fd), 1000);
		close_sink();
	}
}
END_TEST

/* Cut between characters, at any width. */
START_TEST(test_any_width)
{
	for (uint32_t width = 1; width < 140; width++) {
		struct peat_sink_opts opts = in_columns(width);
		struct peat_event raw = an_event(NULL, "0123456789", 10);

		for (int i = 0; i < 2; i++) {
			const char *text;

			open_sink(&opts);
			put_opened(
				"\xc3\xbc\xe2\x82\xac\xf0\x9f\x90\x9d \xc3\xbc\xe2\x82\xac x y z",
				"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac");
			put(&raw);
			text = output(sink, fd);
			check_lines(text, width);
			ck_assert(width > 60 || strstr(text, "…\n"));
			close_sink();
			opts.columns = NULL;
		}
	}
}
END_TEST

START_TEST(test_time_of_day)
{
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event event = an_event(&schema, &opened, 0);

	setenv("TZ", "UTC-2", 1);
	opts.wall_clock_ns = 1795252352123456789;
	open_sink(&opts);
	event.time_ns = 1000000000;
	put(&event);
	event.time_ns = 0;
	put(&event);
	ck_assert_ptr_nonnull(strstr(output(sink, fd), "TIME                PID  COMM "));
	event.time_ns = 1900000000;
	put(&event);
	ck_assert_int_eq(strncmp(output(sink, fd), "11:12:34.023456      41  bash ", 30), 0);
	close_sink();
	opts.columns = NULL;
	opts.seconds = true; /* the time of day says more */
	open_sink(&opts);
	event.time_ns = 1000000000;
	put(&event);
	ck_assert_int_eq(strncmp(output(sink, fd), "11:12:33.123456  open          41 bash ", 39),
			 0);
	close_sink();
}
END_TEST

/* As perf script has them, cut and not rounded; the widest one moves those after it. */
START_TEST(test_seconds)
{
	static const char lines[] = "  12345.678901  open          41 bash\n"
				    "             -  open          41 bash\n"
				    "18446744073.709551  open          41 bash\n"
				    "          0.000001  open          41 bash\n";
	static const char rows[] = "          TIME     PID  COMM\n"
				   "  12345.678901      41  bash\n"
				   "             -      41  bash\n"
				   "18446744073.709551      41  bash\n"
				   "          0.000001      41  bash\n";
	static const struct peat_schema empty = { .name = "open", .stacks_fd = -1 };
	static const uint64_t times[] = { 12345678901999, 0, UINT64_MAX, 1000 };
	struct peat_sink_opts opts = { .sz = sizeof(opts), .seconds = true };

	for (int i = 0; i < 2; i++) {
		opts.columns = i ? &empty : NULL;
		open_sink(&opts);
		for (int n = 0; n < 4; n++) {
			struct peat_event event = an_event(&empty, "", 0);

			event.time_ns = times[n];
			put(&event);
			if (n == 1)
				ck_assert_int_eq(peat_sink__flush(sink), 0);
		}
		ck_assert_str_eq(output(sink, fd), i ? rows : lines);
		close_sink();
	}
}
END_TEST

/* An event of another type, between rows and in order with them. */
START_TEST(test_strangers_between_rows)
{
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event raw = an_event(NULL, "\1", 1);
	const char *text;

	open_sink(&opts);
	put_opened("f", "/p1");
	put(&raw);
	put_opened("f", "/p2");
	text = output(sink, fd);
	ck_assert_ptr_nonnull(strstr(text,
				     "/p1\nraw           41 bash             size=1 bytes=01 |.|\n"
				     "     41  bash"));
	close_sink();
}
END_TEST

/* Bytes that nobody described: hexadecimal in fours, and the text among them. */
START_TEST(test_bytes)
{
	struct peat_event raw = an_event(NULL, "ab\0 ~\x7f\x1b[2J|", 12);

	open_sink(NULL);
	put(&raw);
	raw.map = "events\x1b";
	raw.size = 5;
	put(&raw);
	raw.map = NULL;
	raw.size = 0;
	put(&raw);
	ck_assert_str_eq(output(sink, fd),
			 "raw           41 bash             size=12 bytes=61620020 7e7f1b5b "
			 "324a7c00 |ab. ~..[2J|.|\n"
			 "events\\x1b      41 bash             size=5 bytes=61620020 7e |ab. ~|\n"
			 "raw             41 bash             size=0 bytes= ||\n");
	close_sink();
}
END_TEST

START_TEST(test_broken_pipe)
{
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event event = an_event(&schema, &opened, sizeof(opened));
	int fds[2], err = 0;

	ck_assert_int_eq(pipe(fds), 0);
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < 2; i++, err = 0) {
		sink = peat_sink__new_text(fds[1], i ? &opts : NULL);
		put(&event);
		ck_assert_int_eq(peat_sink__flush(sink), -EPIPE);
		for (int n = 0; n < 5000 && !err; n++)
			err = peat_sink__write(sink, &event);
		ck_assert_int_eq(err, -EPIPE);
		peat_sink__free(sink);
	}
}
END_TEST

Suite *text_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("text", 20, &tests);

	tcase_add_test(tests, test_lines);
	tcase_add_test(tests, test_lines_line_up);
	tcase_add_test(tests, test_lost);
	tcase_add_test(tests, test_not_told);
	tcase_add_test(tests, test_rows_of_other_machines);
	tcase_add_test(tests, test_columns);
	tcase_add_test(tests, test_columns_grow);
	tcase_add_test(tests, test_holds_no_more_than_some);
	tcase_add_test(tests, test_width_80);
	tcase_add_test(tests, test_width_200);
	tcase_add_test(tests, test_hostile_text);
	tcase_add_test(tests, test_any_width);
	tcase_add_test(tests, test_time_of_day);
	tcase_add_test(tests, test_seconds);
	tcase_add_test(tests, test_strangers_between_rows);
	tcase_add_test(tests, test_bytes);
	tcase_add_test(tests, test_broken_pipe);
	return suite;
}
