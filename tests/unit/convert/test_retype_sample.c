// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_retype_sample.c: the payload is replaced, other fields stay the same. */
#include <errno.h>

#include "support/machine/harness.h"
#include "convert/retype_sample.h"
#include "unit/record/sample_shape.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

#define ID 40123

struct event {
	uint32_t first;
	uint16_t second;
	uint8_t rest[26];
};

static struct peat_field fields[] = { FIELD(struct event, first, PEAT_FIELD_UNSIGNED),
				      FIELD(struct event, second, PEAT_FIELD_UNSIGNED),
				      FIELD(struct event, rest, PEAT_FIELD_BYTES) };
static struct peat_field text_alone[] = {
	{ .name = "text", .kind = PEAT_FIELD_STRING, .span = 1, .bytes = 60000 }
};
static const struct peat_schema schema = SCHEMA("event", fields);
static const struct peat_schema text_schema = SCHEMA("event", text_alone);

static struct payload_format format;
static uint64_t room[RETYPE_ROOM / 8];
static uint8_t *const out = (uint8_t *)room;

static void setup(void)
{
	ck_assert_int_eq(payload__init(&format, &schema, "event", ID), 0);
}

static void teardown(void)
{
	payload__free(&format);
}

/* The record ends where its memory ends, at any alignment. */
static int retype(const struct bytes *b, const struct peat_layout *layout, size_t offset)
{
	struct placed placed = place(b, b->len, offset);
	int size;

	memset(room, 0xaa, sizeof(room));
	size = retype_sample__convert(&format, layout, placed.at, (uint32_t)placed.len, out);
	free(placed.mem);
	return size;
}

#define UP_TO_CALLCHAIN                                                                            \
	(PEAT_SAMPLE_IDS | PEAT_SAMPLE_IP | PEAT_SAMPLE_ADDR | PEAT_SAMPLE_PERIOD |                \
	 PEAT_SAMPLE_READ | PEAT_SAMPLE_CALLCHAIN)

/* The offset of the raw bytes, computed here. */
static size_t head_of(const struct sample_shape *sh)
{
	struct sample_shape head = *sh;
	static struct bytes b;

	head.layout.sample_type &= UP_TO_CALLCHAIN;
	build_sample(&b, &head);
	return b.len;
}

static void check_payload(const uint8_t *raw, uint32_t raw_bytes, uint64_t has)
{
	uint32_t bytes, tid;
	uint16_t id;

	memcpy(&bytes, raw - 4, sizeof(bytes));
	ck_assert_uint_eq((bytes + 4) % 8, 0);
	ck_assert_uint_ge(bytes, format.fixed_bytes);
	memcpy(&id, raw, sizeof(id));
	memcpy(&tid, raw + 4, sizeof(tid));
	ck_assert_uint_eq(id, ID);
	ck_assert_uint_eq(tid, has & PEAT_SAMPLE_TID ? 0x05060708 : 0);
	check_bytes(raw + 8, raw_bytes < 6 ? raw_bytes / 4 * 4 : 6, 0x40);
	for (uint32_t i = format.fixed_bytes; i < bytes; i++)
		ck_assert_uint_eq(raw[i], 0);
}

static void check(uint64_t sample_type, uint32_t raw_bytes)
{
	struct sample_shape sh = usual(sample_type | PEAT_SAMPLE_RAW, false);
	size_t head, tail, tail_bytes;
	static struct bytes b;
	int size;

	sh.layout.read_format = PEAT_READ_ALL;
	sh.raw_bytes = raw_bytes;
	build_sample(&b, &sh);
	head = head_of(&sh);
	tail = head + (4 + raw_bytes + 7) / 8 * 8;
	tail_bytes = b.len - tail;
	size = retype(&b, &sh.layout, raw_bytes % 8);
	ck_assert_int_gt(size, 0);
	ck_assert_int_eq(!!(size & RETYPE_SHORT), raw_bytes < 32);
	ck_assert(!(size & RETYPE_CUT));
	size &= RETYPE_BYTES;
	ck_assert_int_eq(size % 8, 0);
	ck_assert(!memcmp(out + 6, &(uint16_t){ (uint16_t)size }, 2));
	ck_assert(!memcmp(out, b.at, 6) && !memcmp(out + 8, b.at + 8, head - 8));
	ck_assert(!memcmp(out + size - tail_bytes, b.at + tail, tail_bytes));
	check_payload(out + head + 4, raw_bytes, sample_type);
}

/* Each field before or after the raw bytes: alone, with all others, and in pairs. */
START_TEST(test_fields_around_raw)
{
	for (int i = 0; i < 25; i++) {
		check(1ULL << i, 36);
		check(PEAT_SAMPLE_ALL & ~(1ULL << i), 36);
		for (int j = 0; j < i; j++)
			check(1ULL << i | 1ULL << j, 4 + (uint32_t)(i + j) % 40);
	}
	check(0, 36);
}
END_TEST

START_TEST(test_sizes_are_padded)
{
	for (uint32_t raw_bytes = 0; raw_bytes < 100; raw_bytes++)
		check(PEAT_SAMPLE_TID | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_REGS_USER, raw_bytes);
}
END_TEST

/* Decodes to the same fields as before, except the payload. */
START_TEST(test_decodes_to_same_fields)
{
	struct sample_shape sh = usual(PEAT_SAMPLE_ALL & ~(uint64_t)PEAT_SAMPLE_WEIGHT, false);
	static struct bytes b;
	struct peat_record rec = { .sz = sizeof(rec) };
	int size;

	build_sample(&b, &sh);
	size = retype(&b, &sh.layout, 3) & RETYPE_BYTES;
	ck_assert_int_eq(peat_record__decode(&sh.layout, out, (size_t)size, &rec), 1);
	check_ids(&rec, sh.layout.sample_type);
	check_hardware(&rec.sample, &sh, sh.layout.sample_type);
	check_branches(&rec.sample.branches, &sh);
	ck_assert_uint_eq(rec.sample.stack_user_bytes, sh.stack_bytes);
	check_bytes(rec.sample.stack_user, sh.stack_bytes, 0x80);
	ck_assert_uint_eq(rec.misc, PEAT_MISC_USER | PEAT_MISC_EXACT_IP);
}
END_TEST

/* Fields after the raw bytes may be unknown. */
START_TEST(test_unknown_fields_after_raw)
{
	struct sample_shape sh = usual(PEAT_SAMPLE_RAW | PEAT_SAMPLE_REGS_USER, false);
	static struct bytes b;
	int size;

	sh.abi_user = 77;
	build_sample(&b, &sh);
	size = retype(&b, &sh.layout, 0);
	ck_assert_int_gt(size, 0);
	ck_assert(!memcmp(out + size - 32, b.at + b.len - 32, 32));
}
END_TEST

START_TEST(test_bad_samples_are_refused)
{
	struct sample_shape sh =
		usual(PEAT_SAMPLE_TID | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_RAW, false);
	static struct bytes b;
	size_t whole;

	build_sample(&b, &sh);
	whole = b.len;
	for (b.len = 0; b.len < whole - 4; b.len++) {
		if (b.len >= 8)
			set_size(&b, b.len);
		ck_assert_int_eq(retype(&b, &sh.layout, 0), -EBADMSG);
	}
	sh.layout.sample_type &= ~(uint64_t)PEAT_SAMPLE_RAW;
	build_sample(&b, &sh);
	ck_assert_int_eq(retype(&b, &sh.layout, 0), -EBADMSG);
	b.at[0] = PEAT_RECORD_COMM;
	ck_assert_int_eq(retype(&b, &sh.layout, 0), -EBADMSG);
	sh = usual(PEAT_SAMPLE_RAW, true);
	build_sample(&b, &sh);
	ck_assert_int_eq(retype(&b, &sh.layout, 0), -EBADMSG);
}
END_TEST

/* ---- large ----------------------------------------------------------------------------------- */

/* A sample with raw bytes and a user stack after them: sizes are multiples of 8. */
static uint8_t large[65536];
static const struct peat_layout large_layout = { .sample_type =
							 PEAT_SAMPLE_RAW | PEAT_SAMPLE_STACK_USER };

static int retype_large(uint32_t raw_bytes, uint64_t stack_bytes)
{
	uint32_t type = PEAT_RECORD_SAMPLE, count = raw_bytes + 4, all;
	uint16_t size;

	all = 8 + 8 + raw_bytes + 8 + (uint32_t)stack_bytes + 8;
	size = (uint16_t)all;
	ck_assert_uint_le(all, 65528);
	memset(large, 'x', sizeof(large));
	memcpy(large, &type, sizeof(type));
	memcpy(large + 6, &size, sizeof(size));
	memcpy(large + 8, &count, sizeof(count));
	memcpy(large + 16 + raw_bytes, &stack_bytes, sizeof(stack_bytes));
	memcpy(large + all - 8, &stack_bytes, sizeof(stack_bytes));
	return retype_sample__convert(&format, &large_layout, large, all, out);
}

/* A text is cut to the room left; a fixed part may not fit at all. */
START_TEST(test_large_payload_is_cut)
{
	struct peat_record rec = { .sz = sizeof(rec) };
	int size;

	size = retype_large(40, 65528 - 32 - 40);
	ck_assert_int_eq(size & RETYPE_BYTES, 65528);
	size = retype_large(32, 65528 - 32 - 32);
	ck_assert_int_eq(size, -ENOSPC);
	size = retype_large(0, 65528 - 32);
	ck_assert_int_eq(size, -ENOSPC);
	payload__free(&format);
	ck_assert_int_eq(payload__init(&format, &text_schema, "event", ID), 0);
	size = retype_large(40000, 20000);
	ck_assert_int_gt(size, 0);
	ck_assert(!(size & RETYPE_CUT));
	size = retype_large(200, 65528 - 32 - 200);
	ck_assert(size & RETYPE_CUT);
	ck_assert_int_eq(size & RETYPE_BYTES, 65528);
	ck_assert_int_eq(peat_record__decode(&large_layout, out, 65528, &rec), 1);
	ck_assert_uint_eq(rec.sample.stack_user_bytes, 65528 - 32 - 200);
	ck_assert_int_eq(((const char *)rec.sample.raw)[rec.sample.raw_bytes - 1], '\0');
}
END_TEST

/* Raw bytes without any, at the end of a record that is full: not even their count has room. */
START_TEST(test_no_room_for_count)
{
	static const struct peat_layout layout = { .sample_type = PEAT_SAMPLE_CALLCHAIN |
								  PEAT_SAMPLE_RAW };
	const uint64_t calls = (65528 - 16) / 8;
	uint32_t type = PEAT_RECORD_SAMPLE, count = 0;
	uint16_t size = 65532;

	memset(large, 'x', sizeof(large));
	memcpy(large, &type, sizeof(type));
	memcpy(large + 6, &size, sizeof(size));
	memcpy(large + 8, &calls, sizeof(calls));
	memcpy(large + 65528, &count, sizeof(count));
	ck_assert_int_eq(retype_sample__convert(&format, &layout, large, size, out), -ENOSPC);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_fields_around_raw);
	tcase_add_test(tests, test_sizes_are_padded);
	tcase_add_test(tests, test_decodes_to_same_fields);
	tcase_add_test(tests, test_unknown_fields_after_raw);
	tcase_add_test(tests, test_bad_samples_are_refused);
	tcase_add_test(tests, test_large_payload_is_cut);
	tcase_add_test(tests, test_no_room_for_count);
}
