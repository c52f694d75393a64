// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_text.c: the text sink: lines and tables. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <peat/object_file.h>

#include "field/appended.h"
#include "probes/probe.h"
#include "support/machine/harness.h"
#include "sink_output.h"
#include "unit/no_fields.h"
#include "unit/suite.h"

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

/* Lines have no heading. */
static void open_sink(const struct peat_sink_opts *opts)
{
	struct peat_sink_opts ours = { .sz = sizeof(ours) };

	if (opts)
		ours = *opts;
	ours.no_heading |= !ours.columns;
	fd = new_output();
	sink = peat_sink__new_text(fd, &ours);
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

/* No line is too wide, ends in a blank, or has terminal control bytes. */
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

START_TEST(test_prints_lines)
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
		"open          41 bash            [003] uid=1000 file=\"a b\" "
		"from={port=443 host=local} list=[1 2] path=/etc/hostname\n"
		"open       41/42 -               [003] uid=1000 file=\"a b\" "
		"from=- list=- path=-\n"
		"open       41/42 \"my \\x1b\"       [003] uid=- file=- from=- list=- path=-\n");
	close_sink();
}
END_TEST

/* Bytes after the struct are at the end of the line, also of a table's. */
START_TEST(test_appended_bytes)
{
	struct peat_schema longer = schema;
	struct peat_sink_opts opts = in_columns(0);
	struct {
		struct opened opened;
		unsigned char packet[4];
	} data = { opened, { 0x45, 0, 0, 0x54 } };
	struct peat_event event = an_event(&longer, &data, sizeof(data));

	longer.bytes = sizeof(opened);
	appended__init(&longer);
	open_sink(NULL);
	put(&event);
	ck_assert_ptr_nonnull(
		strstr(output(sink, fd), " path=/etc/hostname payload_bytes=4 payload=45000054\n"));
	close_sink();
	opts.columns = &longer;
	open_sink(&opts);
	put(&event);
	event.size = sizeof(opened);
	put(&event);
	ck_assert_ptr_nonnull(
		strstr(output(sink, fd), " /etc/hostname payload_bytes=4 payload=45000054\n"));
	close_sink();
}
END_TEST

static void check_heading(const struct peat_sink_opts *opts, const char *wanted)
{
	static const struct peat_schema long_name = { .name = "connection",
						      .fields = no_fields,
						      .stacks_fd = -1 };
	struct peat_event event = an_event(&long_name, "", 0);

	fd = new_output();
	sink = peat_sink__new_text(fd, opts);
	ck_assert_ptr_nonnull(sink);
	event.pid = event.tid = 123456789;
	put(&event);
	put(&event);
	ck_assert_str_eq(output(sink, fd), wanted);
	close_sink();
}

START_TEST(test_heading_of_lines)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .seconds = true };

	check_heading(NULL, "TYPE             PID COMM            CPU\n"
			    "connection 123456789 bash            [003]\n"
			    "connection 123456789 bash            [003]\n");
	check_heading(&opts, "          TIME  TYPE             PID COMM            CPU\n"
			     "      1.000000  connection 123456789 bash            [003]\n"
			     "      1.000000  connection 123456789 bash            [003]\n");
	opts.seconds = false;
	opts.width = 20;
	check_heading(&opts, "TYPE             PI\xe2\x80\xa6\n"
			     "connection 12345678\xe2\x80\xa6\n"
			     "connection 12345678\xe2\x80\xa6\n");
	opts.no_heading = true;
	check_heading(&opts, "connection 12345678\xe2\x80\xa6\n"
			     "connection 12345678\xe2\x80\xa6\n");
}
END_TEST

/* In lines and in columns. */
START_TEST(test_prints_cpus)
{
	static const struct peat_schema empty = { .name = "open",
						  .fields = no_fields,
						  .stacks_fd = -1 };
	static const uint32_t cpus[] = { 0, 1234, PEAT_NO_CPU };
	static const char *const cells[] = { " [000]\n", " [1234]\n", " -\n" };
	struct peat_sink_opts opts = { .sz = sizeof(opts) };
	struct peat_event event = an_event(&empty, "", 0);

	for (int i = 0; i < 6; i++) {
		opts.columns = i % 2 ? &empty : NULL;
		event.cpu = cpus[i / 2];
		open_sink(&opts);
		put(&event);
		ck_assert_ptr_nonnull(strstr(output(sink, fd), cells[i / 2]));
		close_sink();
	}
}
END_TEST

/* Types, pids and names are aligned; a wider one widens the column. */
START_TEST(test_alignment_of_lines)
{
	static const struct peat_schema long_name = { .name = "connection",
						      .fields = no_fields,
						      .stacks_fd = -1 };
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
			 "raw           41 bash            [003] size=2 bytes=0102 |..|\n"
			 "connection      41 bash            [003]\n"
			 "raw        4294967294 bash            [003] size=2 bytes=0102 |..|\n"
			 "record              1 bash            [003] record=MMAP2\n");
	close_sink();
}
END_TEST

START_TEST(test_prints_losses)
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
		"     41  bash             [003]    1000  f                    443  local    [1 2]"
		"             p\n# 1 event lost on CPU 1\n");
	close_sink();
}
END_TEST

/* Unknown values are "-", also a thread id. */
START_TEST(test_unknown_values)
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
	ck_assert_str_eq(output(sink, fd),
			 "raw         41/- bash            [003] size=1 bytes=01 |.|\n"
			 "raw            - -               [003] size=1 bytes=01 |.|\n"
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

/* A recording of another machine: the same columns, other names of values. */
START_TEST(test_rows_of_another_machine)
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
		"     41  bash             [003]    1000  f                    443  local    [1 2]"
		"             p\n"
		"     41  bash             [003]    ours  a b                  443  local    [1 2]"
		"             /etc/hostname\n");
	close_sink();
}
END_TEST

START_TEST(test_prints_columns)
{
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event event = an_event(&schema, &opened, 44);

	open_sink(&opts);
	ck_assert_str_eq(output(sink, fd), ""); /* no rows yet to compute the widths from */
	put_opened("a file of 24 characters.", "/etc/hostname");
	put(&event);
	ck_assert_str_eq(output(sink, fd), "    PID  COMM             CPU       UID  FILE          "
					   "           FROM.PORT  FROM.HOST  "
					   "LIST              PATH\n"
					   "     41  bash             [003]    1000  a file of 24 "
					   "characters.       443  local      "
					   "[1 2]             /etc/hostname\n"
					   "     41  bash             [003]    1000  a b           "
					   "                   -  -          "
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

START_TEST(test_columns_widen)
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
	ck_assert_uint_eq(grown, first + 5); /* 21 characters instead of 16 */
	ck_assert_uint_eq(column_of(text, "/p3"), grown);
	put_opened("\xc3\xbc\xc3\xbc\xe2\x82\xac", "/p4"); /* characters, not bytes */
	ck_assert_uint_eq(column_of(output(sink, fd), "/p4"), grown);
	close_sink();
}
END_TEST

/* Buffered rows are written without a flush if there are too many. */
START_TEST(test_bounded_buffer)
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

/* Columns that do not fit are left out; of the others, blanks shrink first, then the widest text.
 */
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
		"    PID  COMM  UID  FILE               FROM.PORT  PATH\n"
		"     41  bash 1000  a rather long nam…       443  /a/path/that/has/no/end/at/all\n"
		"     41  bash 1000  f                        443  /p\n");
	check_lines(text, 80);
	put_opened("f", "/p");
	check_lines(output(sink, fd), 80);
	close_sink();
}
END_TEST

struct timed {
	uint32_t uid;
	uint32_t took;
};

static struct peat_field timed_fields[] = {
	FIELD(struct timed, uid, PEAT_FIELD_UNSIGNED),
	FIELD(struct timed, took, PEAT_FIELD_UNSIGNED),
};

static const struct peat_schema timed_schema = SCHEMA("timed", timed_fields);

static void put_timed(uint32_t uid, uint32_t took)
{
	const struct timed timed = { uid, took };
	struct peat_event event = an_event(&timed_schema, &timed, sizeof(timed));

	put(&event);
}

/* A member that is 0 in most events has a column from its first value on. */
START_TEST(test_rare_member)
{
	struct peat_sink_opts opts = in_columns(80);
	char names[16];

	timed_fields[1].is_minor = timed_fields[1].is_rare = true;
	opts.columns = &timed_schema;
	open_sink(&opts);
	put_timed(7, 0);
	ck_assert_str_eq(output(sink, fd), "    PID  COMM             CPU       UID\n"
					   "     41  bash             [003]       7\n");
	ck_assert_int_eq(peat_sink__hidden_columns(sink, names, sizeof(names)), 0);
	put_timed(8, 5);
	put_timed(9, 0);
	ck_assert_str_eq(output(sink, fd), "    PID  COMM             CPU       UID    TOOK\n"
					   "     41  bash             [003]       8       5\n"
					   "     41  bash             [003]       9       0\n");
	close_sink();
	open_sink(&opts); /* rows before it that wait for their widths have the column, too */
	put_timed(7, 0);
	put_timed(8, 5);
	ck_assert_str_eq(output(sink, fd), "    PID  COMM             CPU       UID    TOOK\n"
					   "     41  bash             [003]       7       0\n"
					   "     41  bash             [003]       8       5\n");
	close_sink();
	opts.fields = "took";
	open_sink(&opts);
	put_timed(7, 0);
	ck_assert_str_eq(output(sink, fd), "   TOOK\n      0\n");
	close_sink();
}
END_TEST

/* The heading is not repeated for a column that does not fit. */
START_TEST(test_rare_member_without_room)
{
	struct peat_sink_opts opts = in_columns(40);

	timed_fields[1].is_minor = timed_fields[1].is_rare = true;
	opts.columns = &timed_schema;
	open_sink(&opts);
	put_timed(7, 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	put_timed(8, 5);
	put_timed(9, 5);
	ck_assert_str_eq(output(sink, fd), "    PID  COMM             CPU       UID\n"
					   "     41  bash             [003]       7\n"
					   "     41  bash             [003]       8\n"
					   "     41  bash             [003]       9\n");
	close_sink();
}
END_TEST

START_TEST(test_rare_member_in_lines)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .width = 100 };

	timed_fields[1].is_minor = timed_fields[1].is_rare = true;
	open_sink(&opts);
	put_timed(7, 0);
	put_timed(8, 5);
	ck_assert_str_eq(output(sink, fd), "timed         41 bash            [003] uid=7\n"
					   "timed         41 bash            [003] uid=8 took=5\n");
	close_sink();
	open_sink(NULL); /* no terminal: always */
	put_timed(7, 0);
	ck_assert_str_eq(output(sink, fd), "timed         41 bash            [003] uid=7 took=0\n");
	close_sink();
}
END_TEST

struct said {
	uint32_t uid;
	char text[8];
	unsigned char address[4];
};

static struct peat_field said_fields[] = {
	FIELD(struct said, uid, PEAT_FIELD_UNSIGNED),
	FIELD(struct said, text, PEAT_FIELD_STRING, .is_rare = true),
	FIELD(struct said, address, PEAT_FIELD_IPV4, .is_rare = true),
};

static const struct peat_schema said_schema = SCHEMA("said", said_fields);

static void put_said(const struct said *said)
{
	struct peat_event event = an_event(&said_schema, said, sizeof(*said));

	put(&event);
}

/* Texts and addresses are shown unless they are empty; bytes after the NUL are no text. */
START_TEST(test_rare_text_and_address)
{
	const struct said nothing = { 7, "\0rubbis", { 0 } }, text = { 8, "a", { 0 } },
			  address = { 9, "", { 127, 0, 0, 1 } };
	struct peat_sink_opts opts = in_columns(100);

	opts.columns = &said_schema;
	open_sink(&opts);
	put_said(&nothing);
	ck_assert_str_eq(output(sink, fd), "    PID  COMM             CPU       UID\n"
					   "     41  bash             [003]       7\n");
	put_said(&text);
	ck_assert_str_eq(output(sink, fd), "    PID  COMM             CPU       UID  TEXT\n"
					   "     41  bash             [003]       8  a\n");
	put_said(&address);
	ck_assert_str_eq(output(sink, fd),
			 "    PID  COMM             CPU       UID  TEXT     ADDRESS\n"
			 "     41  bash             [003]       9           127.0.0.1\n");
	close_sink();
	opts.columns = NULL;
	open_sink(&opts);
	put_said(&nothing);
	put_said(&text);
	put_said(&address);
	ck_assert_str_eq(output(sink, fd),
			 "said          41 bash            [003] uid=7\n"
			 "said          41 bash            [003] uid=8 text=a\n"
			 "said          41 bash            [003] uid=9 address=127.0.0.1\n");
	close_sink();
}
END_TEST

/* Headings of the columns of a probe's events, without values, in lines of `width` characters. */
static const char *headings(const char *name, uint32_t width)
{
	const struct probe *probe = probe__find(name);
	struct peat_object *object =
		peat_object__open(probe->object, probe->object_bytes, probe->name);
	const struct peat_schema *type = object ? peat_object__type(object, 0) : NULL;
	struct peat_sink_opts opts = in_columns(width);
	static char text[256];
	struct peat_event event;
	const char *line;
	void *values;

	ck_assert_ptr_nonnull(type);
	values = calloc(1, peat_schema__bytes(type));
	event = an_event(type, values, peat_schema__bytes(type));
	opts.columns = type;
	open_sink(&opts);
	put(&event);
	line = output(sink, fd);
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
	close_sink();
	free(values);
	peat_object__free(object);
	return text;
}

static void check_headings(const char *probe, uint32_t width, const char *wanted)
{
	char list[128], *rest = strcpy(list, wanted), *name;
	const char *text = headings(probe, width);

	while ((name = strsep(&rest, " ")))
		ck_assert_msg(strstr(text, name), "%s, %u: no %s: %s", probe, width, name, text);
}

/* Without results, failures look like successes. */
START_TEST(test_results_and_addresses_stay)
{
	check_headings("guard", 60, "ACT RESULT OBJECT");
	check_headings("listen", 60, "OP ADDRESS RESULT");
	check_headings("tcp", 60, "KIND FROM");
	check_headings("tcp", 80, "KIND FROM TO ERROR");
	check_headings("syscall", 80, "CALL RESULT LATENCY ARGS");
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

/* Lines are cut between characters, at any width. */
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
	opts.seconds = true; /* the time of day has priority */
	open_sink(&opts);
	event.time_ns = 1000000000;
	put(&event);
	ck_assert_int_eq(strncmp(output(sink, fd), "11:12:33.123456  open          41 bash ", 39),
			 0);
	close_sink();
}
END_TEST

/* perf script's format, truncated, not rounded; a wider one widens the column. */
START_TEST(test_prints_seconds)
{
	static const char lines[] = "  12345.678901  open          41 bash            [003]\n"
				    "             -  open          41 bash            [003]\n"
				    "18446744073.709551  open          41 bash            [003]\n"
				    "          0.000001  open          41 bash            [003]\n";
	static const char rows[] = "          TIME     PID  COMM             CPU\n"
				   "  12345.678901      41  bash             [003]\n"
				   "             -      41  bash             [003]\n"
				   "18446744073.709551      41  bash             [003]\n"
				   "          0.000001      41  bash             [003]\n";
	static const struct peat_schema empty = { .name = "open",
						  .fields = no_fields,
						  .stacks_fd = -1 };
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

/* Events of another type are printed between rows, in order. */
START_TEST(test_other_types_between_rows)
{
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event raw = an_event(NULL, "\1", 1);
	const char *text;

	open_sink(&opts);
	put_opened("f", "/p1");
	put(&raw);
	put_opened("f", "/p2");
	text = output(sink, fd);
	ck_assert_ptr_nonnull(
		strstr(text, "/p1\nraw           41 bash            [003] size=1 bytes=01 |.|\n"
			     "     41  bash"));
	close_sink();
}
END_TEST

/* Events without a schema: hexadecimal in groups of four, and text. */
START_TEST(test_prints_bytes_without_schema)
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
	ck_assert_str_eq(
		output(sink, fd),
		"raw           41 bash            [003] size=12 bytes=61620020 7e7f1b5b "
		"324a7c00 |ab. ~..[2J|.|\n"
		"events\\x1b      41 bash            [003] size=5 bytes=61620020 7e |ab. ~|\n"
		"raw             41 bash            [003] size=0 bytes= ||\n");
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
		errno = 0;
		ck_assert_int_eq(peat_sink__finish(sink), -EPIPE);
		ck_assert_int_eq(errno, EPIPE);
		peat_sink__free(sink);
	}
}
END_TEST

/* A line may have been cut: nothing is written after it. */
START_TEST(test_error_stays)
{
	struct peat_sink_opts opts = in_columns(0);
	struct peat_event event = an_event(&schema, &opened, sizeof(opened));

	for (int i = 0; i < 2; i++) {
		open_sink(i ? &opts : NULL);
		redirect(fd, open("/dev/full", O_WRONLY));
		put(&event);
		ck_assert_int_eq(peat_sink__flush(sink), -ENOSPC);
		redirect(fd, new_output()); /* there is room again */
		ck_assert_int_eq(peat_sink__write(sink, &event), -ENOSPC);
		ck_assert_int_eq(peat_sink__finish(sink), -ENOSPC);
		ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0);
		close_sink();
	}
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_prints_lines);
	tcase_add_test(tests, test_appended_bytes);
	tcase_add_test(tests, test_heading_of_lines);
	tcase_add_test(tests, test_prints_cpus);
	tcase_add_test(tests, test_alignment_of_lines);
	tcase_add_test(tests, test_prints_losses);
	tcase_add_test(tests, test_unknown_values);
	tcase_add_test(tests, test_rows_of_another_machine);
	tcase_add_test(tests, test_prints_columns);
	tcase_add_test(tests, test_columns_widen);
	tcase_add_test(tests, test_bounded_buffer);
	tcase_add_test(tests, test_width_80);
	tcase_add_test(tests, test_rare_member);
	tcase_add_test(tests, test_rare_member_without_room);
	tcase_add_test(tests, test_rare_member_in_lines);
	tcase_add_test(tests, test_rare_text_and_address);
	tcase_add_test(tests, test_results_and_addresses_stay);
	tcase_add_test(tests, test_width_200);
	tcase_add_test(tests, test_hostile_text);
	tcase_add_test(tests, test_any_width);
	tcase_add_test(tests, test_time_of_day);
	tcase_add_test(tests, test_prints_seconds);
	tcase_add_test(tests, test_other_types_between_rows);
	tcase_add_test(tests, test_prints_bytes_without_schema);
	tcase_add_test(tests, test_broken_pipe);
	tcase_add_test(tests, test_error_stays);
}
