// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_keys.c: keys of every kind, in their columns. */
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct every {
	uint8_t u8;
	int16_t s16;
	uint32_t u32;
	uint64_t u64;
	uint64_t hex;
	uint8_t yes;
	float real;
	double wide_real;
	int32_t reason;
	uint32_t flags;
	char path[20];
	char several[12];
	uint8_t digest[6];
	uint8_t ip4[4], ip6[16], mac[6];
	uint16_t port;
	int32_t error;
	uint32_t signal;
	uint64_t delay, size, kaddr;
	int32_t stack;
	struct {
		uint16_t port;
	} from;
	uint32_t bits;
	uint32_t digest_len;
	struct {
		uint8_t address[16], port[2];
	} peer;
	uint32_t loc;
	char tail[8];
};

static const struct peat_name reasons[] = { { 1, "NO_SOCKET" }, { (uint64_t)-1, "NONE" } };
static const struct peat_name flag_names[] = { { 1, "READ" }, { 4, "WRITE" } };

static struct peat_field every_fields[] = {
	FIELD(every, u8, UNSIGNED),
	FIELD(every, s16, SIGNED, .is_signed = true),
	FIELD(every, u32, UNSIGNED, .doc = "a number"),
	FIELD(every, u64, UNSIGNED),
	FIELD(every, hex, HEX),
	FIELD(every, yes, BOOL),
	FIELD(every, real, FLOAT),
	FIELD(every, wide_real, FLOAT),
	FIELD(every, reason, ENUM, .is_signed = true, .names = reasons, .name_count = 2),
	FIELD(every, flags, FLAGS, .names = flag_names, .name_count = 2),
	FIELD(every, path, STRING),
	FIELD(every, several, STRINGS),
	FIELD(every, digest, BYTES),
	FIELD(every, ip4, IPV4),
	FIELD(every, ip6, IPV6),
	FIELD(every, mac, MAC),
	FIELD(every, port, PORT, .big_endian = true),
	FIELD(every, error, ERRNO, .is_signed = true),
	FIELD(every, signal, SIGNAL),
	FIELD(every, delay, DURATION),
	FIELD(every, size, SIZE),
	FIELD(every, kaddr, KADDR),
	FIELD(every, stack, KSTACK, .is_signed = true),
	{ .name = "from",
	  .kind = PEAT_FIELD_STRUCT,
	  .span = 2,
	  .offset = offsetof(struct every, from),
	  .bytes = 2 },
	{ .name = "port", .kind = PEAT_FIELD_PORT, .span = 1, .bytes = 2, .big_endian = true },
	{ .name = "peer",
	  .kind = PEAT_FIELD_ENDPOINT,
	  .span = 3,
	  .offset = offsetof(struct every, peer),
	  .bytes = 18 },
	{ .name = "address", .kind = PEAT_FIELD_IPV6, .span = 1, .bytes = 16 },
	{ .name = "port",
	  .kind = PEAT_FIELD_PORT,
	  .span = 1,
	  .offset = 16,
	  .bytes = 2,
	  .big_endian = true },
	FIELD(every, bits, SIGNED, .bit_offset = 4, .bits = 3, .is_signed = true),
	FIELD(every, digest_len, UNSIGNED),
	{ .name = "dynamic",
	  .kind = PEAT_FIELD_STRING,
	  .span = 1,
	  .offset = offsetof(struct every, loc),
	  .place = PEAT_PLACE_DATA_LOC },
	FIELD(every, tail, STRING),
};
static const struct peat_schema every_schema = SCHEMA(every, every_fields);

static const struct every an_event = {
	.u8 = 200,
	.s16 = -300,
	.u32 = 4000000000,
	.u64 = UINT64_MAX,
	.hex = 0xabc,
	.yes = 1,
	.real = 0.5,
	.wide_real = -2.25,
	.reason = -1,
	.flags = 5,
	.path = "/etc/passwd\0left",
	.several = "ls\0-l",
	.digest = { 1, 2, 0, 0xff },
	.ip4 = { 192, 0, 2, 1 },
	.ip6 = { 0x20, 1, 0xd, 0xb8, [15] = 1 },
	.mac = { 2, 0, 0, 0, 0, 9 },
	.port = 0xbb01, /* 443 in network order */
	.error = -2,
	.signal = 9,
	.delay = 1500000,
	.size = 4096,
	.kaddr = 0xffffffff81000000,
	.stack = -17,
	.from = { 0x5000 }, /* 80 */
	.bits = 5 << 4,
	.peer = { { [10] = 0xff, 0xff, 192, 0, 2, 7 }, { 1, 187 } },
	.loc = 3 << 16 | offsetof(struct every, tail),
	.tail = "abcdefg",
};

/* The rows of a table by one field, of this event twice and another one. */
static const char *rows_by(const char *by)
{
	struct peat_table *table = new_table(by, NULL, 0);
	struct peat_event event = EVENT(&every_schema, &an_event);
	const char *text;

	ck_assert_int_eq(peat_table__add(table, &event), 1);
	ck_assert_int_eq(peat_table__add(table, &event), 1);
	text = rows_of(table);
	ck_assert_uint_eq(peat_table__keys(table), 1);
	ck_assert_str_eq(messages, "");
	peat_table__free(table);
	return text;
}

START_TEST(test_keys_of_each_kind)
{
	static const char *const cases[][2] = {
		{ "u8", "200 2" },
		{ "s16", "-300 2" },
		{ "u32", "4000000000 2" },
		{ "u64", "18446744073709551615 2" },
		{ "hex", "0xabc 2" },
		{ "yes", "true 2" },
		{ "real", "0.5 2" },
		{ "wide_real", "-2.25 2" },
		{ "reason", "NONE 2" },
		{ "flags", "READ|WRITE 2" },
		{ "path", "/etc/passwd 2" },
		{ "digest", "010200ff0000 2" },
		{ "ip4", "192.0.2.1 2" },
		{ "ip6", "2001:db8::1 2" },
		{ "peer", "192.0.2.7:443 2" },
		{ "peer.address", "192.0.2.7 2" },
		{ "mac", "02:00:00:00:00:09 2" },
		{ "error", "ENOENT 2" },
		{ "signal", "SIGKILL 2" },
		{ "delay", "1.5ms 2" },
		{ "size", "4.0K 2" },
		{ "stack", "EEXIST 2" },
		{ "bits", "-3 2" },
		{ "dynamic", "abc 2" },
		{ "tail", "abcdefg 2" },
		{ "pid", "70 2" },
		{ "tid", "71 2" },
		{ "cpu", "2 2" },
		{ "comm", "nginx 2" },
		{ "type", "every 2" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		ck_assert_str_eq(rows_by(cases[i][0]), cases[i][1]);
	ck_assert_int_eq(strncmp(rows_by("several"), "ls -l", 5), 0);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	ck_assert_str_eq(rows_by("port"), "443 2");
	ck_assert_str_eq(rows_by("from.port"), "80 2");
#endif
}
END_TEST

/* A column has the name, the kind and the description of its field, and numbers have 8 bytes. */
START_TEST(test_columns_describe_fields)
{
	struct peat_table *table = new_table("u32,from.port,path,comm", NULL, 0);
	const struct peat_field *fields;
	uint32_t count;

	ck_assert_int_eq(peat_table__add_type(table, &every_schema), 1);
	ck_assert_ptr_null(peat_table__schema(table));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(peat_table__read(table), 0);
	fields = peat_schema__fields(peat_table__schema(table), &count);
	ck_assert_uint_eq(count, 5);
	ck_assert_uint_eq(peat_table__keys(table), 4);
	ck_assert_str_eq(fields[0].name, "u32");
	ck_assert_str_eq(fields[0].doc, "a number");
	ck_assert_uint_eq(fields[0].bytes, 8);
	ck_assert_str_eq(fields[1].name, "from.port");
	ck_assert_int_eq(fields[1].kind, PEAT_FIELD_PORT);
	ck_assert_str_eq(fields[2].name, "path");
	ck_assert_int_eq(fields[2].place, PEAT_PLACE_DATA_LOC);
	ck_assert_uint_eq(fields[2].bytes, 0);
	ck_assert_str_eq(fields[3].name, "comm");
	ck_assert_str_eq(fields[4].name, "count");
	peat_table__free(table);
}
END_TEST

/* Strings are compared up to their NUL, bytes as a whole. */
START_TEST(test_strings_end_at_nul)
{
	struct every one = { .path = "ab\0x", .digest = { 1 } };
	struct every two = { .path = "ab\0y", .digest = { 1, 0, 2 } };
	struct every three = { .path = "12345678901234567890", .digest = { 1 } };
	const struct every *const events[] = { &one, &two, &three };
	struct peat_table *by_path = new_table("path", NULL, 0);
	struct peat_table *by_digest = new_table("digest", NULL, 0);

	memcpy(three.path, "12345678901234567890", 20); /* no NUL */
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(peat_table__add(by_path, &EVENT(&every_schema, events[i])), 1);
		ck_assert_int_eq(peat_table__add(by_digest, &EVENT(&every_schema, events[i])), 1);
	}
	ck_assert_str_eq(rows_of(by_path), "ab 2;12345678901234567890 1");
	ck_assert_str_eq(rows_of(by_digest), "010000000000 2;010002000000 1");
	peat_table__free(by_path);
	peat_table__free(by_digest);
}
END_TEST

/* Strings that together are the same bytes are different keys. */
START_TEST(test_two_strings)
{
	struct every one = { .path = "ab", .tail = "c" }, two = { .path = "a", .tail = "bc" };
	struct every three = { .path = "", .tail = "abc" };
	struct peat_table *table = new_table("path, tail", NULL, 0);

	ck_assert_int_eq(peat_table__add(table, &EVENT(&every_schema, &one)), 1);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&every_schema, &two)), 1);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&every_schema, &three)), 1);
	ck_assert_str_eq(rows_of(table), " abc 1;a bc 1;ab c 1");
	peat_table__free(table);
}
END_TEST

START_TEST(test_unknown_values_are_rows)
{
	struct peat_event event = EVENT(&every_schema, &an_event);
	struct peat_table *table = new_table("comm,pid,tid,cpu", NULL, 0);
	struct peat_table_row row = { .sz = sizeof(row) };
	char json[16];

	event.comm = NULL;
	event.pid = event.tid = PEAT_NO_TASK;
	event.cpu = PEAT_NO_CPU;
	ck_assert_int_eq(peat_table__add(table, &event), 1);
	event.comm = "";
	ck_assert_int_eq(peat_table__add(table, &event), 1);
	event.comm = "-";
	ck_assert_int_eq(peat_table__add(table, &event), 1);
	ck_assert_str_eq(rows_of(table), "- - - - 1; - - - 1;- - - - 1");
	ck_assert_int_eq(peat_table__read(table), 3);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	ck_assert_int_eq(peat_field__json(peat_schema__fields(peat_table__schema(table), NULL),
					  row.data, row.size, json, sizeof(json)),
			 4);
	ck_assert_str_eq(json, "null");
	peat_table__free(table);
}
END_TEST

/* Events that end before a field are not counted; those that cut a string are. */
START_TEST(test_short_events)
{
	struct peat_event event = EVENT(&every_schema, &an_event);
	struct peat_table *table = new_table("path", NULL, 0);
	struct peat_table *of_u64 = new_table("u8", "u64", PEAT_TABLE_SUM);
	struct peat_table *by_ip6 = new_table("ip6", NULL, 0);

	event.size = offsetof(struct every, path) + 4;
	ck_assert_int_eq(peat_table__add(table, &event), 1);
	ck_assert_int_eq(peat_table__add(by_ip6, &event), 0);
	event.size = offsetof(struct every, path);
	ck_assert_int_eq(peat_table__add(table, &event), 0);
	event.size = offsetof(struct every, u64) + 7;
	ck_assert_int_eq(peat_table__add(of_u64, &event), 0);
	ck_assert_str_eq(rows_of(table), "/etc 1");
	ck_assert_str_eq(rows_of(of_u64), "");
	peat_table__free(table);
	peat_table__free(of_u64);
	peat_table__free(by_ip6);
}
END_TEST

START_TEST(test_zeroes_are_equal)
{
	struct every minus = { .real = -0.0f }, plus = { .real = 0.0f };
	struct peat_table *table = new_table("real", NULL, 0);

	ck_assert_int_eq(peat_table__add(table, &EVENT(&every_schema, &minus)), 1);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&every_schema, &plus)), 1);
	ck_assert_str_eq(rows_of(table), "0 2");
	peat_table__free(table);
}
END_TEST

/* Fields of a struct in the event are read from there. */
START_TEST(test_nested_fields_are_keys)
{
	struct outer {
		uint64_t pad;
		struct {
			float real;
			uint32_t number;
			char name[8];
			uint8_t address[4];
		} in;
	} data = { UINT64_MAX, { 1.5f, 7, "inner", { 10, 0, 0, 1 } } };
	struct peat_field fields[] = {
		FIELD(outer, pad, UNSIGNED),
		{ .name = "in", .kind = PEAT_FIELD_STRUCT, .span = 5, .offset = 8, .bytes = 20 },
		{ .name = "real", .kind = PEAT_FIELD_FLOAT, .span = 1, .bytes = 4 },
		{ .name = "number", .span = 1, .offset = 4, .bytes = 4 },
		{ .name = "name", .kind = PEAT_FIELD_STRING, .span = 1, .offset = 8, .bytes = 8 },
		{ .name = "address", .kind = PEAT_FIELD_IPV4, .span = 1, .offset = 16, .bytes = 4 },
	};
	const struct peat_schema schema = SCHEMA(outer, fields);
	struct peat_table *table =
		new_table("in.real,in.name,in.address", "in.number", PEAT_TABLE_SUM);
	struct peat_event event = EVENT(&schema, &data);

	ck_assert_int_eq(peat_table__add(table, &event), 1);
	for (event.size = 0; event.size < 8 + 20; event.size += 4)
		ck_assert_int_eq(peat_table__add(table, &event), 0);
	ck_assert_str_eq(rows_of(table), "1.5 inner 10.0.0.1 1 7");
	peat_table__free(table);
}
END_TEST

START_TEST(test_truths_are_equal)
{
	struct every one = { .yes = 1 }, two = { .yes = 2 };
	struct peat_table *table = new_table("yes", NULL, 0);

	ck_assert_int_eq(peat_table__add(table, &EVENT(&every_schema, &one)), 1);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&every_schema, &two)), 1);
	ck_assert_str_eq(rows_of(table), "true 2");
	peat_table__free(table);
}
END_TEST

/* Long strings are keys as a whole, unless a row could not have them. */
START_TEST(test_long_strings)
{
	struct peat_field field = { .name = "text", .kind = PEAT_FIELD_STRING, .span = 1 };
	const struct peat_schema schema = {
		.name = "long", .count = 1, .fields = &field, .stacks_fd = -1
	};
	struct peat_table *table = new_table("text", NULL, 0);
	char *text = malloc(70000);
	struct peat_event event = { .kind = PEAT_EVENT_DATA, .schema = &schema, .data = text };
	const uint32_t most = 65535 - 16;
	char printed[70001];
	struct peat_table_row row = { .sz = sizeof(row) };

	memset(text, 'x', 70000);
	event.size = most;
	ck_assert_int_eq(peat_table__add(table, &event), 1);
	text[most - 1] = 'y';
	ck_assert_int_eq(peat_table__add(table, &event), 1);
	for (event.size = most + 1; event.size <= 70000; event.size += 70000 - most - 1) {
		ck_assert_int_eq(peat_table__add(table, &event), -EMSGSIZE);
		ck_assert_int_eq(errno, EMSGSIZE);
	}
	ck_assert_str_eq(messages, "a table by 'text': events are not counted if their key is "
				   "longer than 65535 bytes\n");
	ck_assert_int_eq(peat_table__read(table), 2);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	ck_assert_uint_eq(row.size, 65535);
	ck_assert_uint_eq(peat_field__text(peat_schema__fields(peat_table__schema(table), NULL),
					   row.data, row.size, printed, sizeof(printed)),
			  most);
	ck_assert_int_eq(memcmp(printed, text, most - 1), 0);
	peat_table__free(table);
	free(text);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_keys_of_each_kind);
	tcase_add_test(tests, test_columns_describe_fields);
	tcase_add_test(tests, test_strings_end_at_nul);
	tcase_add_test(tests, test_two_strings);
	tcase_add_test(tests, test_unknown_values_are_rows);
	tcase_add_test(tests, test_short_events);
	tcase_add_test(tests, test_zeroes_are_equal);
	tcase_add_test(tests, test_nested_fields_are_keys);
	tcase_add_test(tests, test_truths_are_equal);
	tcase_add_test(tests, test_long_strings);
}
