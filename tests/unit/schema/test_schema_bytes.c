// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_schema_bytes.c: schemas as bytes, and bytes that are of no schema. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <peat/reader.h>

#include "schema/schema_bytes.h"
#include "support/recording/every_kind.h"
#include "unit/schema/event_btf.h"
#include "unit/suite.h"

static ptrdiff_t index_of(const struct peat_schema *schema, const struct peat_field *field)
{
	return field ? field - schema->fields : -1;
}

static void check_same_names(const struct peat_field *one, const struct peat_field *other)
{
	ck_assert_uint_eq(one->name_count, other->name_count);
	for (uint32_t i = 0; i < one->name_count; i++) {
		ck_assert_uint_eq(one->names[i].value, other->names[i].value);
		ck_assert_str_eq(one->names[i].name, other->names[i].name);
	}
}

static void check_same_field(const struct peat_schema *one, const struct peat_schema *other,
			     uint32_t i)
{
	const struct peat_field *a = &one->fields[i], *b = &other->fields[i];

	ck_assert_str_eq(a->name, b->name);
	ck_assert_pstr_eq(a->doc, b->doc);
	ck_assert_int_eq(a->kind, b->kind);
	ck_assert_int_eq(a->place, b->place);
	ck_assert_uint_eq(a->span, b->span);
	ck_assert_uint_eq(a->offset, b->offset);
	ck_assert_uint_eq(a->bytes, b->bytes);
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->bit_offset, b->bit_offset);
	ck_assert_uint_eq(a->bits, b->bits);
	ck_assert_int_eq(a->is_signed, b->is_signed);
	ck_assert_int_eq(a->big_endian, b->big_endian);
	ck_assert_int_eq(a->is_minor, b->is_minor);
	ck_assert_int_eq(a->is_rare, b->is_rare);
	ck_assert_int_eq(a->is_hidden, b->is_hidden);
	ck_assert_int_eq(index_of(one, a->length), index_of(other, b->length));
	ck_assert_int_eq(index_of(one, a->presence), index_of(other, b->presence));
	ck_assert_ptr_eq(b->schema, other);
	check_same_names(a, b);
}

static void check_same(const struct peat_schema *one, const struct peat_schema *other)
{
	ck_assert_str_eq(one->name, other->name);
	ck_assert_pstr_eq(one->doc, other->doc);
	ck_assert_pstr_eq(one->subject, other->subject);
	ck_assert_pstr_eq(one->like_tools, other->like_tools);
	ck_assert_uint_eq(one->bytes, other->bytes);
	ck_assert_uint_eq(one->sampled, other->sampled);
	ck_assert_uint_eq(one->unknown, other->unknown);
	ck_assert_int_eq(one->expects_appended, other->expects_appended);
	ck_assert_int_eq(one->has_text_lengths, other->has_text_lengths);
	ck_assert_pstr_eq(one->appended.name, other->appended.name);
	ck_assert_int_eq(index_of(one, one->call.args), index_of(other, other->call.args));
	ck_assert_int_eq(index_of(one, one->call.endpoint), index_of(other, other->call.endpoint));
	ck_assert_uint_eq(one->count, other->count);
	for (uint32_t i = 0; i < one->count; i++)
		check_same_field(one, other, i);
}

/* Writes the schema, reads it and compares both. */
static void check_round_trip(const struct peat_schema *schema)
{
	struct strbuf bytes = { 0 };
	struct peat_schema *read;

	schema_bytes__put(schema, &bytes);
	ck_assert(!bytes.failed);
	read = schema_bytes__read(bytes.bytes, bytes.count);
	ck_assert_msg(read, "%s", schema->name);
	check_same(schema, read);
	peat_schema__free(read);
	strbuf__free(&bytes);
}

static int add_enum(void)
{
	int id = known(btf__add_enum(btf, "state", 4));

	ck_assert(!btf__add_enum_value(btf, "IDLE", 0));
	ck_assert(!btf__add_enum_value(btf, "BUSY", 1));
	ck_assert(!btf__add_enum_value(btf, "LOST", -1));
	return id;
}

/* Two enums, a struct in an array, a bit-field, an address, texts with lengths. */
static struct peat_schema *all_fields(void)
{
	int state = add_enum(), texts = array(letter, 16), inner = begin("inner", 8);
	int inners, id;

	member("a", u32, 0);
	member("state", state, 4);
	inners = array(inner, 3);
	id = begin("all", 100);
	member("state", state, 0);
	member("port", be16, 4);
	member("on", truth, 6);
	bit_member("low", u32, 64, 3);
	bit_member("high", s32, 67, 29);
	member("inners", inners, 12);
	member("address", be32, 36);
	member("text_len", u32, 40);
	member("text", texts, 44);
	member("inner", inner, 60);
	member("value", u64, 72);
	known(btf__add_decl_tag(btf, "peat:len:text_len", id, 8));
	known(btf__add_decl_tag(btf, "peat:present:text_len", id, 10));
	known(btf__add_decl_tag(btf, "peat:rare", id, 10));
	known(btf__add_decl_tag(btf, "peat:hidden", id, 2));
	known(btf__add_decl_tag(btf, "peat:doc:its value", id, 10));
	known(btf__add_decl_tag(btf, "peat:doc:all fields", id, -1));
	known(btf__add_decl_tag(btf, "peat:subject:fields", id, -1));
	return peat_schema__new(btf, (uint32_t)id);
}

START_TEST(test_all_fields_stay_the_same)
{
	struct peat_schema *schema = all_fields();

	ck_assert_ptr_nonnull(schema);
	check_round_trip(schema);
	schema->sampled = 5;
	schema->unknown = 3;
	schema->expects_appended = true;
	check_round_trip(schema);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_every_kind)
{
	struct peat_schema *schema = every_kind__schema(true);

	check_round_trip(schema);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_records_of_the_kernel)
{
	const struct peat_schema *schema;

	for (uint32_t kind = 1; kind <= PEAT_SIDE_BAND_TOOL; kind <<= 1)
		for (uint32_t i = 0; (schema = peat_side_band__schema(kind, i)); i++)
			check_round_trip(schema);
}
END_TEST

START_TEST(test_cut_bytes_are_refused)
{
	struct peat_schema *schema = all_fields();
	struct strbuf bytes = { 0 };

	schema_bytes__put(schema, &bytes);
	for (size_t count = 0; count < bytes.count; count++) {
		char *copy = malloc(count + !count);

		memcpy(copy, bytes.bytes, count);
		ck_assert_ptr_null(schema_bytes__read(copy, count));
		ck_assert_int_eq(errno, EBADMSG);
		free(copy);
	}
	strbuf__char(&bytes, 0);
	ck_assert_ptr_null(schema_bytes__read(bytes.bytes, bytes.count));
	strbuf__free(&bytes);
	peat_schema__free(schema);
}
END_TEST

/* Prints an event by any schema that is not refused: no byte beyond the event is read. */
static void use(const struct peat_schema *schema)
{
	char data[100] = "", text[256];

	for (uint32_t i = 0; i < schema->count; i += schema->fields[i].span)
		peat_field__text(&schema->fields[i], data, sizeof(data), text, sizeof(text));
}

START_TEST(test_damaged_bytes_are_refused_or_harmless)
{
	static const uint8_t changes[] = { 1, 2, 4, 8, 16, 32, 64, 128, 255 };
	struct peat_schema *schema = all_fields();
	struct strbuf bytes = { 0 };

	schema_bytes__put(schema, &bytes);
	for (size_t i = 0; i < bytes.count * sizeof(changes); i++) {
		size_t at = i / sizeof(changes);
		struct peat_schema *read;

		bytes.bytes[at] ^= (char)changes[i % sizeof(changes)];
		read = schema_bytes__read(bytes.bytes, bytes.count);
		if (read)
			use(read);
		else
			ck_assert_int_eq(errno, EBADMSG);
		peat_schema__free(read);
		bytes.bytes[at] ^= (char)changes[i % sizeof(changes)];
	}
	strbuf__free(&bytes);
	peat_schema__free(schema);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_all_fields_stay_the_same);
	tcase_add_test(tests, test_every_kind);
	tcase_add_test(tests, test_records_of_the_kernel);
	tcase_add_test(tests, test_cut_bytes_are_refused);
	tcase_add_test(tests, test_damaged_bytes_are_refused_or_harmless);
}
