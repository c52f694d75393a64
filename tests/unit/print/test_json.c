// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_json.c: events as lines of JSON. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "support/machine/harness.h"
#include "support/recording/json_check.h"
#include "field/appended.h"
#include "sink_output.h"
#include "unit/fail_alloc.h"
#include "unit/no_fields.h"
#include "unit/suite.h"

#define HEAD "\"time_ns\":1000000007,\"cpu\":3,\"pid\":41,\"tid\":41,\"comm\":\"bash\""

static struct peat_sink *sink;
static int fd;

static void open_sink(void)
{
	fd = new_output();
	sink = peat_sink__new_json(fd, NULL);
	ck_assert_ptr_nonnull(sink);
}

static void close_sink(void)
{
	peat_sink__free(sink);
	close(fd);
}

static void check_event(const struct peat_event *event, const char *wanted)
{
	const char *text;

	ck_assert_int_eq(peat_sink__write(sink, event), 0);
	text = output(sink, fd);
	ck_assert_str_eq(text, wanted);
	ck_assert_msg(json_lines(text), "no JSON: %s", text);
}

/* Checks the JSON of a single field of at most 8 bytes. */
static void check_value(struct peat_field field, const void *data, size_t bytes, const char *wanted)
{
	struct peat_schema schema = { .name = "t", .fields = &field, .count = 1, .stacks_fd = -1 };
	struct peat_event event = an_event(&schema, data, bytes);
	char line[512];

	field.name = "x";
	field.span = 1;
	open_sink(); /* the schema is on the stack, at the address of the previous one */
	snprintf(line, sizeof(line), "{\"type\":\"t\"," HEAD ",\"x\":%s}\n", wanted);
	check_event(&event, line);
	close_sink();
	field.schema = &schema;
	ck_assert_int_eq(peat_field__json(&field, data, (uint32_t)bytes, line, sizeof(line)),
			 strlen(wanted));
	ck_assert_str_eq(line, wanted);
	ck_assert_int_eq(peat_field__json(&field, data, (uint32_t)bytes, NULL, 0), strlen(wanted));
}

#define CHECK_NUMBER(of_kind, of_sign, value, wanted)                                              \
	check_value((struct peat_field){ .kind = (of_kind), .is_signed = (of_sign), .bytes = 8 },  \
		    &(uint64_t){ (uint64_t)(value) }, 8, wanted)

START_TEST(test_checker_finds_errors)
{
	ck_assert(json_lines("{\"a\":[1,-2.5e+3,{},[],null,\"\\u001b\"]}\n{}\n"));
	ck_assert(!json_lines("{\"a\":01}\n"));
	ck_assert(!json_lines("{\"a\":1,}\n"));
	ck_assert(!json_lines("{\"a\" 1}\n"));
	ck_assert(!json_lines("{\"a\":\"\x1b\"}\n"));
	ck_assert(!json_lines("{\"a\":\"\\x1b\"}\n"));
	ck_assert(!json_lines("{\"a\":nan}\n"));
	ck_assert(!json_lines("{\"a\":1}"));
}
END_TEST

/* A sink keeps the text of the last task: each line is as if the event were the only one. */
START_TEST(test_tasks_in_turn)
{
	static const struct {
		uint32_t pid, tid;
		const char *comm;
	} tasks[] = {
		{ 1, 1, "init" },
		{ 1, 1, "init" },
		{ 1, 2, "init" },
		{ 2, 2, "init" },
		{ 2, 2, "i\"t" },
		{ 2, 2, "\xff" },
		{ 2, 2, NULL },
		{ 2, 2, "\xff" },
		{ 2, 2, "fifteen letters" },
		{ 2, 2, "a longer name" },
		{ 2, 2, "more than fifteen letters" },
		{ 2, 2, "" },
		{ PEAT_NO_TASK, PEAT_NO_TASK, "" },
		{ 3, 3, "more than fifteen letters" },
		{ 3, 3, "" },
	};
	struct peat_schema schema = { .name = "t", .fields = no_fields, .stacks_fd = -1 };
	char line[512];

	open_sink();
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
		struct peat_event event = an_event(&schema, NULL, 0);

		event.pid = tasks[i].pid;
		event.tid = tasks[i].tid;
		event.comm = tasks[i].comm;
		ck_assert_int_gt(peat_event__json(&event, line, sizeof(line)), 0);
		strcat(line, "\n");
		check_event(&event, line);
	}
	close_sink();
}
END_TEST

START_TEST(test_prints_numbers)
{
	double tenth = 0.1, nan = NAN;
	float half = 0.5f;

	CHECK_NUMBER(PEAT_FIELD_UNSIGNED, false, UINT64_MAX, "18446744073709551615");
	CHECK_NUMBER(PEAT_FIELD_SIGNED, true, INT64_MIN, "-9223372036854775808");
	CHECK_NUMBER(PEAT_FIELD_HEX, false, 255, "255");
	CHECK_NUMBER(PEAT_FIELD_DURATION, false, 1500, "1500");
	CHECK_NUMBER(PEAT_FIELD_SIZE, false, 4096, "4096");
	CHECK_NUMBER(PEAT_FIELD_BOOL, false, 1, "true");
	CHECK_NUMBER(PEAT_FIELD_BOOL, false, 0, "false");
	check_value((struct peat_field){ .kind = PEAT_FIELD_FLOAT, .bytes = 8 }, &tenth, 8,
		    "0.10000000000000001");
	check_value((struct peat_field){ .kind = PEAT_FIELD_FLOAT, .bytes = 4 }, &half, 4, "0.5");
	check_value((struct peat_field){ .kind = PEAT_FIELD_FLOAT, .bytes = 8 }, &nan, 8, "null");
	check_value((struct peat_field){ .kind = PEAT_FIELD_UNSIGNED, .bytes = 16 },
		    "0123456789abcdef", 16, "\"30313233343536373839616263646566\"");
}
END_TEST

/* Numbers of each size, next to others, at addresses that are not aligned; and cut by a byte. */
START_TEST(test_numbers_of_each_size)
{
	static const char *const wanted[2][4] = {
		{ "254", "65278", "4278124286", "18374403900871474942" },
		{ "-2", "-258", "-16843010", "-72340172838076674" },
	};
	uint8_t data[9];

	memset(data, 0xfe, sizeof(data));
	for (uint32_t i = 0; i < 8; i++) {
		struct peat_field field = { .kind = i / 4 ? PEAT_FIELD_SIGNED : PEAT_FIELD_UNSIGNED,
					    .is_signed = i / 4,
					    .offset = 1,
					    .bytes = 1 << i % 4 };
		const char *text = wanted[i / 4][i % 4];

		check_value(field, data, 1 + field.bytes, text);
		check_value(field, data, field.bytes, "null");
		field.big_endian = true;
		check_value(field, data, 1 + field.bytes, text);
		check_value(field, data, 1, "null");
	}
}
END_TEST

START_TEST(test_prints_names_of_enums)
{
	static const struct peat_name names[] = { { 1, "ONE" }, { 2, "T\"WO" }, { 4, "FOUR" } };
	struct peat_field field = {
		.kind = PEAT_FIELD_ENUM, .bytes = 4, .names = names, .name_count = 3
	};

	check_value(field, &(int){ 1 }, 4, "\"ONE\"");
	check_value(field, &(int){ 2 }, 4, "2"); /* not a C identifier */
	check_value(field, &(int){ 7 }, 4, "7");
	field.kind = PEAT_FIELD_FLAGS;
	check_value(field, &(int){ 5 }, 4, "\"ONE|FOUR\"");
	check_value(field, &(int){ 9 }, 4, "\"ONE|0x8\"");
	check_value(field, &(int){ 8 }, 4, "8");
	check_value(field, &(int){ 0 }, 4, "0");
	CHECK_NUMBER(PEAT_FIELD_ERRNO, true, -13, "\"EACCES\"");
	CHECK_NUMBER(PEAT_FIELD_ERRNO, true, -4096, "-4096");
	CHECK_NUMBER(PEAT_FIELD_ERRNO, true, 13, "13");
	CHECK_NUMBER(PEAT_FIELD_SIGNAL, true, 9, "\"SIGKILL\"");
	CHECK_NUMBER(PEAT_FIELD_SIGNAL, true, 0, "0");
	CHECK_NUMBER(PEAT_FIELD_KADDR, false, 16, "{\"address\":\"0x10\"}");
	CHECK_NUMBER(PEAT_FIELD_KSTACK, false, -14, "\"EFAULT\"");
	CHECK_NUMBER(PEAT_FIELD_KSTACK, false, 5, "5");
}
END_TEST

START_TEST(test_prints_text_and_bytes)
{
	struct peat_field string = { .kind = PEAT_FIELD_STRING, .bytes = 8 };
	struct peat_field strings = { .kind = PEAT_FIELD_STRINGS };

	check_value(string, "a\"\\\x1b\x7f\0..", 8, "\"a\\\"\\\\\\u001b\\u007f\"");
	check_value(string, "\xc3\x28\0.....", 8, "{\"hex\":\"c328\"}");
	check_value(string, "ab", 2, "\"ab\"");
	check_value(string, "", 0, "null");
	check_value(strings, "ls\0\0\xff\0\"", 7, "[\"ls\",\"\",{\"hex\":\"ff\"},\"\\\"\"]");
	check_value(strings, "", 0, "[]");
	check_value((struct peat_field){ .kind = PEAT_FIELD_BYTES, .bytes = 3 }, "\0\xff\n", 3,
		    "\"00ff0a\"");
	check_value((struct peat_field){ .kind = PEAT_FIELD_IPV4, .bytes = 4 }, "\x7f\0\0\x01", 4,
		    "\"127.0.0.1\"");
	check_value((struct peat_field){ .kind = PEAT_FIELD_MAC, .bytes = 6 }, "abcdef", 6,
		    "\"61:62:63:64:65:66\"");
	check_value((struct peat_field){ .kind = PEAT_FIELD_PORT, .bytes = 2, .big_endian = true },
		    "\0\x50", 2, "80");
}
END_TEST

struct inner {
	uint16_t port, rest;
};

struct outer {
	uint32_t a, b, c;
	struct inner from, to[2];
};

static struct peat_field outer_fields[] = {
	FIELD(struct outer, a, PEAT_FIELD_UNSIGNED),
	FIELD(struct outer, b, PEAT_FIELD_UNSIGNED),
	FIELD(struct outer, c, PEAT_FIELD_UNSIGNED),
	{ .name = "from", .kind = PEAT_FIELD_STRUCT, .span = 3, .offset = 12, .bytes = 4 },
	FIELD(struct inner, port, PEAT_FIELD_UNSIGNED),
	FIELD(struct inner, rest, PEAT_FIELD_UNSIGNED),
	{ .name = "to", .kind = PEAT_FIELD_ARRAY, .span = 4, .offset = 16, .bytes = 8, .count = 2 },
	{ .name = "", .kind = PEAT_FIELD_STRUCT, .span = 3, .bytes = 4 },
	FIELD(struct inner, port, PEAT_FIELD_UNSIGNED),
	FIELD(struct inner, rest, PEAT_FIELD_UNSIGNED),
};

static const struct peat_schema outer_schema = SCHEMA("outer", outer_fields);

START_TEST(test_prints_nested_structs)
{
	struct outer outer = { 1, 2, 3, { 4, 5 }, { { 6, 7 }, { 8, 9 } } };
	struct peat_event event = an_event(&outer_schema, &outer, sizeof(outer));

	open_sink();
	check_event(&event, "{\"type\":\"outer\"," HEAD ",\"a\":1,\"b\":2,\"c\":3,"
			    "\"from\":{\"port\":4,\"rest\":5},"
			    "\"to\":[{\"port\":6,\"rest\":7},{\"port\":8,\"rest\":9}]}\n");
	event.size = 22;
	check_event(&event, "{\"type\":\"outer\"," HEAD ",\"a\":1,\"b\":2,\"c\":3,"
			    "\"from\":{\"port\":4,\"rest\":5},"
			    "\"to\":[{\"port\":6,\"rest\":7},{\"port\":8,\"rest\":null}]}\n");
	event.size = 14;
	check_event(&event, "{\"type\":\"outer\"," HEAD ",\"a\":1,\"b\":2,\"c\":3,"
			    "\"from\":{\"port\":4,\"rest\":null},\"to\":null}\n");
	event.size = 0;
	event.data = NULL;
	check_event(&event, "{\"type\":\"outer\"," HEAD ",\"a\":null,\"b\":null,"
			    "\"c\":null,\"from\":null,\"to\":null}\n");
	close_sink();
}
END_TEST

/* An endpoint is an object; an IPv4 address in it is text as any other. */
START_TEST(test_prints_endpoint_as_object)
{
	struct peat_field fields[] = {
		{ .name = "to", .kind = PEAT_FIELD_ENDPOINT, .span = 3, .bytes = 18 },
		{ .name = "address", .kind = PEAT_FIELD_IPV6, .span = 1, .bytes = 16 },
		{ .name = "port",
		  .kind = PEAT_FIELD_PORT,
		  .span = 1,
		  .offset = 16,
		  .bytes = 2,
		  .big_endian = true },
	};
	struct peat_schema schema = {
		.name = "t", .bytes = 18, .fields = fields, .count = 3, .stacks_fd = -1
	};
	struct peat_event event =
		an_event(&schema, "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\2\1\1\xbb", 18);

	open_sink();
	check_event(&event, "{\"type\":\"t\"," HEAD ",\"to\":{\"address\":\"192.0.2.1\","
			    "\"port\":443}}\n");
	event.size = 17;
	check_event(&event, "{\"type\":\"t\"," HEAD ",\"to\":null}\n");
	close_sink();
}
END_TEST

/* Several strings in an array of characters are one string of JSON. */
START_TEST(test_several_strings)
{
	struct peat_field length = {
		.name = "n", .kind = PEAT_FIELD_UNSIGNED, .bytes = 1, .offset = 6
	};
	struct peat_field text = { .kind = PEAT_FIELD_STRING, .bytes = 6, .length = &length };

	check_value(text, "ls\0-l\0\6", 7, "\"ls\\u0000-l\"");
	check_value(text, "ls\0-l\0\3", 7, "\"ls\"");
}
END_TEST

/* Bytes after the struct, in hexadecimal. */
START_TEST(test_appended_bytes)
{
	struct peat_field field = {
		.name = "payload", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 1
	};
	struct peat_schema schema = {
		.name = "t", .bytes = 1, .fields = &field, .count = 1, .stacks_fd = -1
	};
	struct peat_event event = an_event(&schema, "\7\x45\0\x54", 4);

	appended__init(&schema);
	open_sink();
	check_event(&event, "{\"type\":\"t\"," HEAD ",\"payload\":7,\"payload_\":\"450054\"}\n");
	event.size = 1;
	check_event(&event, "{\"type\":\"t\"," HEAD ",\"payload\":7}\n");
	close_sink();
}
END_TEST

START_TEST(test_untyped_events)
{
	struct peat_record record = { .type = PEAT_RECORD_MMAP2 };
	struct peat_event event = an_event(NULL, "\x01\xff", 2);

	open_sink();
	check_event(&event, "{\"type\":\"raw\"," HEAD ",\"size\":2,\"bytes\":\"01ff\"}\n");
	event.map = "events";
	check_event(&event, "{\"type\":\"raw\"," HEAD
			    ",\"map\":\"events\",\"size\":2,\"bytes\":\"01ff\"}\n");
	event.map = "\"\xff";
	check_event(&event, "{\"type\":\"raw\"," HEAD
			    ",\"map\":{\"hex\":\"22ff\"},\"size\":2,\"bytes\":\"01ff\"}\n");
	event.kind = PEAT_EVENT_RECORD;
	event.record = &record;
	event.comm = NULL;
	check_event(&event, "{\"type\":\"record\",\"time_ns\":1000000007,\"cpu\":3,\"pid\":41,"
			    "\"tid\":41,\"comm\":null,\"record\":\"MMAP2\"}\n");
	record.type = 4711;
	event.comm = "a\xff";
	check_event(&event, "{\"type\":\"record\",\"time_ns\":1000000007,\"cpu\":3,\"pid\":41,"
			    "\"tid\":41,\"comm\":{\"hex\":\"61ff\"},\"record\":4711}\n");
	event.comm = NULL;
	event.late = true;
	check_event(&event, "{\"type\":\"record\",\"time_ns\":1000000007,\"cpu\":3,\"late\":true,"
			    "\"pid\":41,\"tid\":41,\"comm\":null,\"record\":4711}\n");
	event = (struct peat_event){
		.kind = PEAT_EVENT_LOST, .cpu = 1, .time_ns = 7, .lost = UINT64_MAX
	};
	check_event(&event, "{\"type\":\"lost\",\"time_ns\":7,\"cpu\":1,"
			    "\"events\":18446744073709551615}\n");
	close_sink();
}
END_TEST

/* Unknown values are null. */
START_TEST(test_unknown_values)
{
	struct peat_event event = an_event(NULL, "\x01", 1);

	event.cpu = PEAT_NO_CPU;
	event.pid = event.tid = PEAT_NO_TASK;
	event.comm = NULL;
	open_sink();
	check_event(&event, "{\"type\":\"raw\",\"time_ns\":1000000007,\"cpu\":null,\"pid\":null,"
			    "\"tid\":null,\"comm\":null,\"size\":1,\"bytes\":\"01\"}\n");
	event.pid = 7;
	check_event(&event, "{\"type\":\"raw\",\"time_ns\":1000000007,\"cpu\":null,\"pid\":7,"
			    "\"tid\":null,\"comm\":null,\"size\":1,\"bytes\":\"01\"}\n");
	event.kind = PEAT_EVENT_LOST;
	event.lost = 2;
	check_event(&event,
		    "{\"type\":\"lost\",\"time_ns\":1000000007,\"cpu\":null,\"events\":2}\n");
	close_sink();
}
END_TEST

START_TEST(test_time_of_day)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .wall_clock_ns = 1795252352123456789 };
	struct peat_event event = { .kind = PEAT_EVENT_LOST, .time_ns = 1000000000 };

	fd = new_output();
	sink = peat_sink__new_json(fd, &opts);
	check_event(&event,
		    "{\"type\":\"lost\",\"time_ns\":1000000000,"
		    "\"time\":\"2026-11-21T09:12:33.123456789Z\",\"cpu\":0,\"events\":0}\n");
	event.time_ns += 900000000;
	check_event(&event,
		    "{\"type\":\"lost\",\"time_ns\":1900000000,"
		    "\"time\":\"2026-11-21T09:12:34.023456789Z\",\"cpu\":0,\"events\":0}\n");
	event.time_ns = 0;
	check_event(&event,
		    "{\"type\":\"lost\",\"time_ns\":0,\"time\":null,\"cpu\":0,\"events\":0}\n");
	close_sink();
	opts.seconds = true;		  /* no effect */
	opts.wall_clock_ns = -1000000001; /* before 1970 */
	sink = peat_sink__new_json(fd = new_output(), &opts);
	event.time_ns = 1000000000;
	check_event(&event,
		    "{\"type\":\"lost\",\"time_ns\":1000000000,"
		    "\"time\":\"1969-12-31T23:59:59.999999999Z\",\"cpu\":0,\"events\":0}\n");
	close_sink();
}
END_TEST

/* More types than the initial table of plans has places, alternating. */
START_TEST(test_many_types)
{
	struct peat_schema schemas[100];
	char names[100][8], line[256];

	open_sink();
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 100; i++) {
			struct peat_event event = an_event(&schemas[i], "", 0);

			snprintf(names[i], sizeof(names[i]), "t%d", i);
			schemas[i] = (struct peat_schema){ .name = names[i],
							   .fields = no_fields,
							   .stacks_fd = -1 };
			snprintf(line, sizeof(line), "{\"type\":\"t%d\"," HEAD "}\n", i);
			check_event(&event, line);
		}
	}
	close_sink();
}
END_TEST

/* Events are buffered: writes only when enough are there. */
START_TEST(test_buffers_events)
{
	struct peat_event event = { .kind = PEAT_EVENT_LOST };
	struct stat stat;
	int events = 0;

	open_sink();
	for (; events < 500; events++)
		ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(fstat(fd, &stat), 0);
	ck_assert_int_eq(stat.st_size, 0);
	for (; events < 5000; events++)
		ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(fstat(fd, &stat), 0);
	ck_assert_int_ge(stat.st_size, 64 << 10);
	ck_assert(json_lines(output(sink, fd)));
	close_sink();
}
END_TEST

START_TEST(test_errors_are_returned)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .fields = "a,,b" };
	struct peat_event event = { .kind = PEAT_EVENT_LOST };
	int fds[2], err = 0;

	ck_assert_ptr_null(peat_sink__new_json(1, &opts));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(peat_sink__new_json(-1, NULL));
	ck_assert_int_eq(errno, EINVAL);
	opts = (struct peat_sink_opts){ .sz = 3 };
	ck_assert_ptr_null(peat_sink__new_json(1, &opts));

	ck_assert_int_eq(pipe(fds), 0);
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	sink = peat_sink__new_json(fds[1], NULL);
	ck_assert_int_eq(peat_sink__flush(sink), 0); /* nothing to write */
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__flush(sink), -EPIPE);
	for (int i = 0; i < 5000 && !err; i++)
		err = peat_sink__write(sink, &event);
	ck_assert_int_eq(err, -EPIPE);
	peat_sink__free(sink);
	peat_sink__free(NULL);
}
END_TEST

/* A line may have been cut: nothing is written after it, and the last call returns the error. */
START_TEST(test_error_stays)
{
	struct peat_event event = { .kind = PEAT_EVENT_LOST };

	open_sink();
	redirect(fd, open("/dev/full", O_WRONLY));
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__flush(sink), -ENOSPC);
	redirect(fd, new_output()); /* there is room again */
	errno = 0;
	ck_assert_int_eq(peat_sink__write(sink, &event), -ENOSPC);
	ck_assert_int_eq(errno, ENOSPC);
	errno = 0;
	ck_assert_int_eq(peat_sink__finish(sink), -ENOSPC);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0);
	close_sink();
}
END_TEST

/* Without memory an event is dropped: later ones are written, and the last call returns it. */
START_TEST(test_no_memory_for_an_event)
{
	struct peat_event event = { .kind = PEAT_EVENT_LOST };

	int err;

	open_sink();
	fail_alloc__begin(1);
	err = peat_sink__write(sink, &event);
	if (!fail_alloc__end()) { /* with a sanitizer */
		close_sink();
		return;
	}
	ck_assert_int_eq(err, -ENOMEM);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__finish(sink), -ENOMEM);
	ck_assert(json_lines(output(sink, fd)));
	close_sink();
}
END_TEST

struct counter {
	struct peat_sink sink;
	int events;
};

static int count(struct peat_sink *base, const struct peat_event *event)
{
	return (int)event->lost + ((struct counter *)base)->events++;
}

/* Each allocation fails once: the event is not written, and the next time it is whole. */
START_TEST(test_no_memory_for_a_task)
{
	struct peat_schema schema = { .name = "t", .fields = no_fields, .stacks_fd = -1 };
	struct peat_event event = an_event(&schema, NULL, 0);
	bool has_failed = true;

	for (uint32_t n = 1; has_failed; n++) {
		int err;

		open_sink();
		fail_alloc__begin(n);
		err = peat_sink__write(sink, &event);
		has_failed = fail_alloc__end();
		ck_assert_int_eq(err, has_failed ? -ENOMEM : 0);
		output(sink, fd);
		check_event(&event, "{\"type\":\"t\"," HEAD "}\n");
		close_sink();
	}
}
END_TEST

START_TEST(test_custom_sink)
{
	struct counter counter = { .sink = { .sz = sizeof(struct peat_sink), .write = count } };
	struct peat_event event = { .kind = PEAT_EVENT_LOST, .lost = 7 };

	ck_assert_int_eq(peat_sink__write(&counter.sink, &event), 7);
	ck_assert_int_eq(counter.events, 1);
	ck_assert_int_eq(peat_sink__flush(&counter.sink), 0);
	peat_sink__free(&counter.sink);
}
END_TEST

static int fail_to_write(struct peat_sink *base, const struct peat_event *event)
{
	(void)base;
	(void)event;
	return -EIO;
}

static int fail_to_flush(struct peat_sink *base)
{
	(void)base;
	return -EDQUOT;
}

static void check_errno(int result, int err)
{
	ck_assert_int_eq(result, err);
	ck_assert_int_eq(errno, -err);
	errno = 0;
}

/* Functions of the caller need not set errno, and `write` may be missing by mistake. */
START_TEST(test_failing_custom_sink)
{
	struct peat_sink failing = { .sz = sizeof(failing),
				     .write = fail_to_write,
				     .flush = fail_to_flush },
			 empty = { .sz = sizeof(empty) }, unsized = { .write = fail_to_write };
	struct peat_event event = { .kind = PEAT_EVENT_LOST };

	errno = 0;
	check_errno(peat_sink__write(&failing, &event), -EIO);
	check_errno(peat_sink__flush(&failing), -EDQUOT);
	check_errno(peat_sink__finish(&failing), -EDQUOT);
	failing.finish = fail_to_flush;
	check_errno(peat_sink__finish(&failing), -EDQUOT);
	check_errno(peat_sink__write(&empty, &event), -EINVAL);
	ck_assert_int_eq(peat_sink__finish(&empty), 0);
	check_errno(peat_sink__write(&unsized, &event), -EINVAL);
	check_errno(peat_sink__flush(&unsized), -EINVAL);
	check_errno(peat_sink__finish(&unsized), -EINVAL);
	peat_sink__free(&unsized);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_checker_finds_errors);
	tcase_add_test(tests, test_tasks_in_turn);
	tcase_add_test(tests, test_prints_numbers);
	tcase_add_test(tests, test_numbers_of_each_size);
	tcase_add_test(tests, test_prints_names_of_enums);
	tcase_add_test(tests, test_prints_text_and_bytes);
	tcase_add_test(tests, test_prints_nested_structs);
	tcase_add_test(tests, test_prints_endpoint_as_object);
	tcase_add_test(tests, test_several_strings);
	tcase_add_test(tests, test_appended_bytes);
	tcase_add_test(tests, test_untyped_events);
	tcase_add_test(tests, test_unknown_values);
	tcase_add_test(tests, test_time_of_day);
	tcase_add_test(tests, test_many_types);
	tcase_add_test(tests, test_buffers_events);
	tcase_add_test(tests, test_errors_are_returned);
	tcase_add_test(tests, test_error_stays);
	tcase_add_test(tests, test_no_memory_for_an_event);
	tcase_add_test(tests, test_no_memory_for_a_task);
	tcase_add_test(tests, test_custom_sink);
	tcase_add_test(tests, test_failing_custom_sink);
}
