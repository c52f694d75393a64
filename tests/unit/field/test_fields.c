// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_fields.c: fields found by name, and read from whole and cut events. */
#include <errno.h>
#include <string.h>

#include "field/fields.h"
#include "support/machine/harness.h"
#include "schema/plan.h"
#include "unit/suite.h"

static uint64_t number(const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t value;

	ck_assert(peat_field__number(field, data, bytes, &value));
	return value;
}

static bool has_number(const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t value;

	return peat_field__number(field, data, bytes, &value);
}

START_TEST(test_whole_numbers)
{
	const struct {
		uint8_t pad;
		int8_t one;
		int16_t two;
		int32_t four;
		int64_t eight;
	} data = { 0xff, -3, -300, -70000, -5000000000 };
	const int64_t values[] = { data.one, data.two, data.four, data.eight };
	const uint32_t offsets[] = { 1, 2, 4, 8 };

	for (int i = 0; i < 4; i++) {
		struct peat_field field = { .kind = PEAT_FIELD_SIGNED,
					    .is_signed = true,
					    .offset = offsets[i],
					    .bytes = 1U << i };

		ck_assert_int_eq((int64_t)number(&field, &data, sizeof(data)), values[i]);
		field.is_signed = false;
		ck_assert_uint_eq(number(&field, &data, sizeof(data)),
				  (uint64_t)values[i] & (UINT64_MAX >> (64 - 8 * field.bytes)));
	}
}
END_TEST

START_TEST(test_network_order)
{
	const uint8_t data[] = { 0, 1, 0xbb, 4, 5, 6, 7, 8, 9 };
	struct peat_field field = {
		.kind = PEAT_FIELD_PORT, .offset = 1, .bytes = 2, .big_endian = true
	};

	ck_assert_uint_eq(number(&field, data, sizeof(data)), 443);
	field.bytes = 8;
	ck_assert_uint_eq(number(&field, data, sizeof(data)), 0x01bb040506070809);
}
END_TEST

START_TEST(test_fields_without_number)
{
	static const enum peat_field_kind kinds[] = { PEAT_FIELD_FLOAT,	  PEAT_FIELD_STRING,
						      PEAT_FIELD_STRINGS, PEAT_FIELD_BYTES,
						      PEAT_FIELD_IPV4,	  PEAT_FIELD_IPV6,
						      PEAT_FIELD_MAC,	  PEAT_FIELD_STRUCT,
						      PEAT_FIELD_UNION,	  PEAT_FIELD_ARRAY };
	const uint64_t data[2] = { 0 };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct peat_field field = { .kind = kinds[i], .bytes = 4 };

		ck_assert(!has_number(&field, data, sizeof(data)));
	}
	ck_assert(!has_number(&(struct peat_field){ .bytes = 3 }, data, sizeof(data)));
	ck_assert(!has_number(&(struct peat_field){ .bytes = 1, .bits = 5, .bit_offset = 4 }, data,
			      sizeof(data)));
}
END_TEST

START_TEST(test_cut_events)
{
	const char data[] = "0123456789";
	struct peat_field field = { .kind = PEAT_FIELD_UNSIGNED, .offset = 4, .bytes = 4 };
	uint32_t count;

	ck_assert(has_number(&field, data, 8));
	ck_assert(!has_number(&field, data, 7));
	ck_assert(!has_number(&field, data, 3));
	field.kind = PEAT_FIELD_STRING;
	ck_assert_ptr_eq(fields__bytes(&field, data, 6, &count), data + 4);
	ck_assert_uint_eq(count, 2);
	ck_assert_ptr_null(fields__bytes(&field, data, 4, &count));
	ck_assert_ptr_null(fields__bytes(&field, data, 0, &count));
	field.bytes = 0; /* the rest */
	ck_assert_ptr_eq(fields__bytes(&field, data, 10, &count), data + 4);
	ck_assert_uint_eq(count, 6);
	ck_assert_ptr_eq(fields__bytes(&field, data, 2, &count), data + 2);
	ck_assert_uint_eq(count, 0);
}
END_TEST

/* A number in the event is the position of the bytes: any number is safe. */
START_TEST(test_dynamic_arrays)
{
	char event[16] = "....abcdefgh";
	struct peat_field field = { .kind = PEAT_FIELD_STRING, .place = PEAT_PLACE_DATA_LOC };
	uint32_t count = 7;

	memcpy(event, &(uint32_t){ 3 << 16 | 6 }, 4);
	ck_assert_ptr_eq(fields__bytes(&field, event, 12, &count), event + 6);
	ck_assert_uint_eq(count, 3);
	field.place = PEAT_PLACE_REL_LOC;
	ck_assert_ptr_eq(fields__bytes(&field, event, 12, &count), event + 10);
	ck_assert_uint_eq(count, 2); /* cut */
	ck_assert_ptr_null(fields__bytes(&field, event, 10, &count));
	ck_assert_uint_eq(count, 0);
	ck_assert_ptr_null(fields__bytes(&field, event, 3, &count));
	field.offset = 2;
	ck_assert_ptr_null(fields__bytes(&field, event, 5, &count));
	field.offset = UINT32_MAX;
	ck_assert_ptr_null(fields__bytes(&field, event, 12, &count));
	ck_assert(!has_number(&field, event, 12));

	field.offset = 0;
	field.place = PEAT_PLACE_DATA_LOC;
	memset(event, 0, 4); /* as of an empty string */
	ck_assert_ptr_eq(fields__bytes(&field, event, 12, &count), event);
	ck_assert_uint_eq(count, 0);
	memset(event, 0xff, 4);
	ck_assert_ptr_null(fields__bytes(&field, event, 12, &count));
}
END_TEST

START_TEST(test_find_by_path)
{
	struct peat_field fields[] = {
		{ .name = "a", .span = 1, .bytes = 4 },
		{ .name = "from", .kind = PEAT_FIELD_STRUCT, .span = 4, .offset = 4, .bytes = 12 },
		{ .name = "a", .span = 1, .bytes = 2 },
		{ .name = "deep", .kind = PEAT_FIELD_UNION, .span = 2, .offset = 4, .bytes = 8 },
		{ .name = "port", .span = 1, .offset = 2, .bytes = 2 },
		{ .name = "list", .kind = PEAT_FIELD_ARRAY, .span = 2, .offset = 16, .bytes = 8 },
		{ .name = "", .span = 1, .bytes = 4 },
		{ .name = "from2", .span = 1, .offset = 24, .bytes = 4 },
	};
	const struct peat_schema schema = { .fields = fields, .count = 8, .bytes = 28 };
	uint32_t offset;

	ck_assert_ptr_eq(peat_schema__find(&schema, "a", &offset), &fields[0]);
	ck_assert_ptr_eq(peat_schema__find(&schema, "from2", &offset), &fields[7]);
	ck_assert_ptr_eq(peat_schema__find(&schema, "from.a", &offset), &fields[2]);
	ck_assert_uint_eq(offset, 4);
	ck_assert_ptr_eq(peat_schema__find(&schema, "from.deep.port", &offset), &fields[4]);
	ck_assert_uint_eq(offset, 8);
	errno = 0;
	ck_assert_ptr_null(peat_schema__find(&schema, "fro", &offset));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_null(peat_schema__find(&schema, "port", &offset));
	ck_assert_ptr_null(peat_schema__find(&schema, "a.b", &offset));
	ck_assert_ptr_null(peat_schema__find(&schema, "list.", &offset));
	ck_assert_ptr_null(peat_schema__find(&schema, "", &offset));
	ck_assert_ptr_eq(peat_schema__find(&schema, "from.a", NULL), &fields[2]);
	ck_assert_ptr_null(peat_schema__find(&schema, "fro", NULL));
	ck_assert_ptr_eq(peat_schema__fields(&schema, NULL), fields);
}
END_TEST

/* ---- bit-fields ------------------------------------------------------------------------------ */

/* The number in the other byte order, if the field has it. */
static uint64_t load(const uint8_t *data, uint32_t bytes, bool big_endian)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < bytes; i++)
		value |= (uint64_t)data[i] << 8 * (big_endian ? bytes - 1 - i : i);
	return value;
}

/* Bit `bit` in BTF's numbering. */
static void set_bit(uint8_t *data, uint32_t bit, bool big_endian)
{
	data[bit / 8] |= (uint8_t)(1U << (big_endian ? 7 - bit % 8 : bit % 8));
}

/* Sets exactly the bits of the bit-field, then all others. */
static void check_bits(uint32_t bit, uint32_t bits, uint32_t limit, bool big_endian)
{
	uint64_t ones = UINT64_MAX >> (64 - bits), value;
	uint8_t inside[32] = { 0 }, outside[32] = { 0 };
	struct peat_field field = { 0 };

	if (!plan__place_bits(&field, bit, bits, limit, big_endian)) {
		uint32_t covered = (bit + bits + 7) / 8 - bit / 8;

		ck_assert(covered > 8 || (covered > 4 && limit < 8) || (covered > 2 && limit < 4));
		ck_assert_uint_eq(field.offset, bit / 8);
		ck_assert_uint_eq(field.bytes, covered);
		return;
	}
	for (uint32_t i = 0; i < limit * 8; i++)
		set_bit(i >= bit && i < bit + bits ? inside : outside, i, big_endian);
	ck_assert_uint_le(field.offset + field.bytes, limit);
	ck_assert_uint_eq(field.bits, bits);
	value = load(inside + field.offset, field.bytes, big_endian) >> field.bit_offset;
	ck_assert_msg((value & ones) == ones, "bits %u+%u of %u: %#lx", bit, bits, limit,
		      (unsigned long)value);
	value = load(outside + field.offset, field.bytes, big_endian) >> field.bit_offset;
	ck_assert_uint_eq(value & ones, 0);
}

START_TEST(test_bit_fields_everywhere)
{
	for (uint32_t limit = 1; limit <= 12; limit++)
		for (uint32_t bits = 1; bits <= 64; bits++)
			for (uint32_t bit = 0; bit + bits <= limit * 8; bit++) {
				check_bits(bit, bits, limit, false);
				check_bits(bit, bits, limit, true);
			}
}
END_TEST

/* Members of structs are not found, nor is the stack at the end. */
START_TEST(test_fields_of_event)
{
	struct peat_field fields[] = {
		{ .name = "pid", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 4 },
		{ .name = "to", .kind = PEAT_FIELD_STRUCT, .span = 2, .bytes = 4 },
		{ .name = "port", .kind = PEAT_FIELD_PORT, .span = 1, .bytes = 2 },
		{ .name = "stack", .kind = PEAT_FIELD_STACK, .span = 1, .bytes = 8 },
	};
	struct peat_schema schema = { .fields = fields, .count = 4 };

	ck_assert_ptr_eq(fields__find(&schema, "pid"), &fields[0]);
	ck_assert_ptr_eq(fields__find(&schema, "to"), &fields[1]);
	ck_assert_ptr_null(fields__find(&schema, "port"));
	ck_assert_ptr_null(fields__find(&schema, "stack"));
	ck_assert_ptr_null(fields__find(NULL, "pid"));
	schema.count = 3;
	ck_assert_ptr_null(fields__find(&schema, "stack"));
}
END_TEST

/* struct { u32 a : 3, b : 29; } by gcc of both kinds of machines */
START_TEST(test_lowest_bit)
{
	struct peat_field field = { 0 };

	ck_assert(plan__place_bits(&field, 3, 29, 4, false));
	ck_assert_uint_eq(field.bit_offset, 3);
	ck_assert(plan__place_bits(&field, 3, 29, 4, true));
	ck_assert_uint_eq(field.bit_offset, 0);
	ck_assert(plan__place_bits(&field, 0, 3, 4, true));
	ck_assert_uint_eq(field.bytes, 1);
	ck_assert_uint_eq(field.bit_offset, 5);
}
END_TEST

/* Bytes 1 to 3 are read with byte 0, not with byte 4, which a cut event may lack. */
START_TEST(test_bit_fields_stay_in_their_unit)
{
	struct peat_field field = { 0 };

	ck_assert(plan__place_bits(&field, 8, 24, 8, false));
	ck_assert_uint_eq(field.offset, 0);
	ck_assert_uint_eq(field.bytes, 4);
	ck_assert_uint_eq(field.bit_offset, 8);
}
END_TEST

START_TEST(test_signed_bit_fields)
{
	const uint8_t data[] = { 0x5a };
	struct peat_field field = {
		.kind = PEAT_FIELD_SIGNED, .is_signed = true, .bytes = 1, .bits = 4, .bit_offset = 0
	};

	ck_assert_int_eq((int64_t)number(&field, data, 1), -6);
	field.bit_offset = 4;
	ck_assert_int_eq((int64_t)number(&field, data, 1), 5);
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_whole_numbers);
	tcase_add_test(tests, test_network_order);
	tcase_add_test(tests, test_fields_without_number);
	tcase_add_test(tests, test_cut_events);
	tcase_add_test(tests, test_dynamic_arrays);
	tcase_add_test(tests, test_find_by_path);
	tcase_add_test(tests, test_fields_of_event);
	tcase_add_test(tests, test_bit_fields_everywhere);
	tcase_add_test(tests, test_lowest_bit);
	tcase_add_test(tests, test_bit_fields_stay_in_their_unit);
	tcase_add_test(tests, test_signed_bit_fields);
}
