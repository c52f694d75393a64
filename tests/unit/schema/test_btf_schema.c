// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_schema.c: BTF types become fields. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/btf.h>

#include "event_btf.h"
#include "field/fields.h"
#include "schema/plan.h"
#include "unit/suite.h"

#define WHOLE (-1) /* member number of a tag on the type itself */

static void tag(int type, int index, const char *text)
{
	known(btf__add_decl_tag(btf, text, type, index));
}

/* Makes the schema and frees its BTF: sanitizers detect any further use. */
static struct peat_schema *schema_of(int id)
{
	struct peat_schema *schema = peat_schema__new(btf, (uint32_t)id);

	ck_assert_msg(schema, "%s", strerror(errno));
	btf__free(btf);
	btf = NULL;
	ck_assert_ptr_eq(schema->fields[0].schema, schema);
	return schema;
}

/* The schema of a struct with one member of this type and tag (NULL: none). */
static struct peat_schema *schema_of_member(int type, uint32_t bytes, const char *text)
{
	int id = begin("event", bytes);

	member("x", type, 0);
	if (text)
		tag(id, 0, text);
	return peat_schema__new(btf, (uint32_t)id);
}

static void check_member(int type, uint32_t bytes, const char *text, enum peat_field_kind kind,
			 uint32_t span)
{
	struct peat_schema *schema = schema_of_member(type, bytes, text);

	ck_assert_msg(schema, "%s: %s", text ? text : "no tag", strerror(errno));
	ck_assert_msg(schema->fields[0].kind == kind, "%s: kind %d, not %d", text ? text : "no tag",
		      (int)schema->fields[0].kind, (int)kind);
	ck_assert_uint_eq(schema->fields[0].bytes, bytes);
	ck_assert_uint_eq(schema->fields[0].span, span);
	ck_assert_uint_eq(schema->count, span);
	peat_schema__free(schema);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

START_TEST(test_c_types)
{
	check_member(u8, 1, NULL, PEAT_FIELD_UNSIGNED, 1);
	check_member(u64, 8, NULL, PEAT_FIELD_UNSIGNED, 1);
	check_member(s32, 4, NULL, PEAT_FIELD_SIGNED, 1);
	check_member(letter, 1, NULL, PEAT_FIELD_SIGNED, 1);
	check_member(truth, 1, NULL, PEAT_FIELD_BOOL, 1);
	check_member(array(letter, 16), 16, NULL, PEAT_FIELD_STRING, 1);
	check_member(array(u8, 16), 16, NULL, PEAT_FIELD_BYTES, 1);
	check_member(array(truth, 16), 16, NULL, PEAT_FIELD_ARRAY, 2);
	check_member(array(u32, 4), 16, NULL, PEAT_FIELD_ARRAY, 2);
	check_member(array(array(letter, 4), 3), 12, NULL, PEAT_FIELD_ARRAY, 2);
	check_member(array(array(u16, 4), 3), 24, NULL, PEAT_FIELD_ARRAY, 3);
	check_member(known(btf__add_ptr(btf, 0)), 8, NULL, PEAT_FIELD_HEX, 1);
	check_member(known(btf__add_float(btf, "double", 8)), 8, NULL, PEAT_FIELD_FLOAT, 1);
	check_member(known(btf__add_float(btf, "long double", 16)), 16, NULL, PEAT_FIELD_BYTES, 1);
	check_member(known(btf__add_int(btf, "__int128", 16, 0)), 16, NULL, PEAT_FIELD_BYTES, 1);
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

START_TEST(test_formats_of_numbers)
{
	check_member(u32, 4, "peat:as:hex", PEAT_FIELD_HEX, 1);
	check_member(u8, 1, "peat:as:bool", PEAT_FIELD_BOOL, 1);
	check_member(u32, 4, "peat:as:ipv4", PEAT_FIELD_IPV4, 1);
	check_member(u16, 2, "peat:as:port", PEAT_FIELD_PORT, 1);
	check_member(s64, 8, "peat:as:errno", PEAT_FIELD_ERRNO, 1);
	check_member(u8, 1, "peat:as:signal", PEAT_FIELD_SIGNAL, 1);
	check_member(u64, 8, "peat:as:duration", PEAT_FIELD_DURATION, 1);
	check_member(u32, 4, "peat:as:size", PEAT_FIELD_SIZE, 1);
	check_member(u64, 8, "peat:as:kaddr", PEAT_FIELD_KADDR, 1);
	check_member(u32, 4, "peat:as:kstack", PEAT_FIELD_KSTACK, 1);
	check_member(u32, 4, "peat:as:ustack", PEAT_FIELD_USTACK, 1);
	check_member(letter, 1, "peat:as:number", PEAT_FIELD_SIGNED, 1);
	check_member(truth, 1, "peat:as:number", PEAT_FIELD_UNSIGNED, 1);
	check_member(known(btf__add_ptr(btf, 0)), 8, "peat:as:kaddr", PEAT_FIELD_KADDR, 1);
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

START_TEST(test_formats_of_arrays)
{
	check_member(array(u8, 16), 16, "peat:as:string", PEAT_FIELD_STRING, 1);
	check_member(array(letter, 16), 16, "peat:as:bytes", PEAT_FIELD_BYTES, 1);
	check_member(array(letter, 16), 16, "peat:as:strings", PEAT_FIELD_STRINGS, 1);
	check_member(array(letter, 16), 16, "peat:as:chars", PEAT_FIELD_CHARS, 1);
	check_member(array(u8, 4), 4, "peat:as:ipv4", PEAT_FIELD_IPV4, 1);
	check_member(array(u8, 16), 16, "peat:as:ipv6", PEAT_FIELD_IPV6, 1);
	check_member(array(u32, 4), 16, "peat:as:ipv6", PEAT_FIELD_IPV6, 1);
	check_member(array(be32, 4), 16, "peat:as:ipv6", PEAT_FIELD_IPV6, 1);
	check_member(array(u8, 6), 6, "peat:as:mac", PEAT_FIELD_MAC, 1);
	check_member(array(u64, 4), 32, "peat:as:kaddr", PEAT_FIELD_ARRAY, 2);
	check_member(array(u8, 4), 4, "peat:as:hex", PEAT_FIELD_ARRAY, 2);
	check_member(array(letter, 4), 4, "peat:as:number", PEAT_FIELD_ARRAY, 2);
	check_member(array(array(u8, 6), 2), 12, "peat:as:mac", PEAT_FIELD_ARRAY, 2);
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

/* As wire.h has it: four numbers, and words without a size. */
static int add_stacks(void)
{
	int words = array(u64, 0), id = begin("peat_stacks", 8);

	member("kernel_bytes", u16, 0);
	member("user_bytes", u16, 2);
	member("regs_bytes", u16, 4);
	member("memory_bytes", u16, 6);
	member("words", words, 8);
	return id;
}

START_TEST(test_stacks_of_the_event)
{
	struct peat_schema *schema;
	int stacks = add_stacks(), id = begin("event", 16);

	member("number", u64, 0);
	member("stack", stacks, 8);
	schema = schema_of(id);
	ck_assert_uint_eq(schema->count, 2);
	ck_assert_int_eq(schema->fields[1].kind, PEAT_FIELD_STACK);
	ck_assert_uint_eq(schema->fields[1].offset, 8);
	ck_assert_uint_eq(schema->fields[1].bytes, 0);
	ck_assert_ptr_eq(fields__stack(schema), &schema->fields[1]);
	ck_assert(!fields__is_number(&schema->fields[1]));
	ck_assert_ptr_null(schema->appended.name);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_stacks_that_are_not_last)
{
	int stacks = add_stacks(), id = begin("event", 16), outer, several;

	member("stack", stacks, 0);
	member("number", u64, 8);
	refused(id, EINVAL);
	id = begin("inner", 8);
	member("stack", stacks, 0);
	outer = begin("outer", 8);
	member("inner", id, 0);
	refused(outer, EINVAL);
	outer = known(btf__add_union(btf, "either", 8));
	member("stack", stacks, 0);
	member("number", u64, 0);
	refused(outer, EINVAL);
	several = array(stacks, 2);
	outer = begin("several", 16);
	member("each", several, 0);
	refused(outer, EINVAL);
}
END_TEST

START_TEST(test_stacks_of_a_map)
{
	int id = begin("event", 4);
	struct peat_schema *schema;

	member("a", u32, 0);
	schema = btf_schema__new(btf, (uint32_t)id, 7, 127);
	ck_assert_int_eq(schema->stacks_fd, 7);
	ck_assert_uint_eq(schema->stack_max, 127);
	peat_schema__free(schema);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_int_eq(schema->stacks_fd, -1);
	peat_schema__free(schema);
	peat_schema__free(NULL);
}
END_TEST

START_TEST(test_formats_apply_to_elements)
{
	struct peat_schema *schema = schema_of_member(array(array(u8, 6), 2), 12, "peat:as:mac");

	ck_assert_int_eq(schema->fields[1].kind, PEAT_FIELD_MAC);
	ck_assert_str_eq(schema->fields[1].name, "");
	ck_assert_uint_eq(schema->fields[1].offset, 0);
	ck_assert_uint_eq(schema->fields[0].count, 2);
	peat_schema__free(schema);
	schema = schema_of_member(array(be16, 3), 6, NULL);
	ck_assert_int_eq(schema->fields[1].kind, PEAT_FIELD_PORT);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_unsuitable_formats)
{
	check_member(u32, 4, "peat:as:mac", PEAT_FIELD_UNSIGNED, 1);
	ck_assert_uint_eq(warnings, 1);
	check_member(u64, 8, "peat:as:ipv4", PEAT_FIELD_UNSIGNED, 1);
	check_member(u32, 4, "peat:as:flags", PEAT_FIELD_UNSIGNED, 1);
	check_member(s32, 4, "peat:as:nonsense", PEAT_FIELD_SIGNED, 1);
	check_member(s32, 4, "peat:as:", PEAT_FIELD_SIGNED, 1);
	check_member(array(u8, 5), 5, "peat:as:ipv4", PEAT_FIELD_BYTES, 1);
	check_member(array(letter, 8), 8, "peat:as:kaddr", PEAT_FIELD_STRING, 1);
	check_member(array(u32, 3), 12, "peat:as:mac", PEAT_FIELD_ARRAY, 2);
	check_member(be16, 2, "peat:as:kaddr", PEAT_FIELD_PORT, 1);
	ck_assert_uint_eq(warnings, 9);
	check_member(u32, 4, "other:as:hex", PEAT_FIELD_UNSIGNED, 1);
	ck_assert_uint_eq(warnings, 9);
}
END_TEST

START_TEST(test_names_of_types)
{
	int bytes = array(u8, 16), addr = begin("in_addr", 4);

	member("s_addr", be32, 0);
	check_member(addr, 4, NULL, PEAT_FIELD_IPV4, 1);
	check_member(array(addr, 2), 8, NULL, PEAT_FIELD_ARRAY, 2);
	addr = begin("in6_addr", 16);
	member("bytes", bytes, 0);
	check_member(addr, 16, NULL, PEAT_FIELD_IPV6, 1);
	check_member(be16, 2, NULL, PEAT_FIELD_PORT, 1);
	check_member(be32, 4, NULL, PEAT_FIELD_IPV4, 1);
	check_member(be64, 8, NULL, PEAT_FIELD_UNSIGNED, 1);
	check_member(known(btf__add_typedef(btf, "peat_hex_t", u64)), 8, NULL, PEAT_FIELD_HEX, 1);
	check_member(known(btf__add_typedef(btf, "peat_hex_t", u64)), 8, "peat:as:duration",
		     PEAT_FIELD_DURATION, 1);
	check_member(known(btf__add_typedef(btf, "peat_mac_t", array(u8, 6))), 6, NULL,
		     PEAT_FIELD_MAC, 1);
	check_member(known(btf__add_const(btf, known(btf__add_typedef(btf, "mine", be32)))), 4,
		     NULL, PEAT_FIELD_IPV4, 1);
	ck_assert_uint_eq(warnings, 0);
	check_member(known(btf__add_typedef(btf, "peat_port_t", u64)), 8, NULL, PEAT_FIELD_UNSIGNED,
		     1);
	ck_assert_uint_eq(warnings, 1);
}
END_TEST

START_TEST(test_network_order_is_kept)
{
	const uint8_t data[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct peat_schema *schema = schema_of_member(be32, 4, "peat:as:number");
	uint64_t value;

	ck_assert(peat_field__number(schema->fields, data, 8, &value));
	ck_assert_uint_eq(value, 0x01020304);
	peat_schema__free(schema);
	schema = schema_of_member(u16, 2, "peat:as:port");
	ck_assert(peat_field__number(schema->fields, data, 8, &value));
	ck_assert_uint_eq(value, 0x0102);
	peat_schema__free(schema);
	schema = schema_of_member(be64, 8, NULL);
	ck_assert(peat_field__number(schema->fields, data, 8, &value));
	ck_assert_uint_eq(value, 0x0102030405060708);
	peat_schema__free(schema);
}
END_TEST

/* ---- enums ----------------------------------------------------------------------------------- */

static int add_enum(uint32_t bytes, const char *const *names, const int64_t *values, int count)
{
	int id = known(btf__add_enum(btf, "e", bytes));

	for (int i = 0; i < count; i++)
		ck_assert_int_eq(btf__add_enum_value(btf, names[i], values[i]), 0);
	return id;
}

START_TEST(test_names_of_enums)
{
	static const char *const names[] = { "C", "A", "MINUS", "A2", "ZERO" };
	struct peat_schema *schema = schema_of_member(
		add_enum(4, names, (const int64_t[]){ 3, 1, -1, 1, 0 }, 5), 4, NULL);
	const struct peat_field *field = schema->fields;

	ck_assert_int_eq(field->kind, PEAT_FIELD_ENUM);
	ck_assert(field->is_signed);
	ck_assert_uint_eq(field->name_count, 4);
	ck_assert_str_eq(field->names[0].name, "ZERO");
	ck_assert_str_eq(field->names[1].name, "A");
	ck_assert_uint_eq(field->names[2].value, 3);
	ck_assert_uint_eq(field->names[3].value, UINT64_MAX);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_flags_are_bits)
{
	static const char *const names[] = { "A", "B", "C", "D" };
	int bits = add_enum(4, names, (const int64_t[]){ 1, 2, 4, INT32_MIN }, 4);
	struct peat_schema *schema = schema_of_member(bits, 4, NULL);

	ck_assert_int_eq(schema->fields->kind, PEAT_FIELD_FLAGS);
	ck_assert(!schema->fields->is_signed);
	ck_assert_uint_eq(schema->fields->names[3].value, 0x80000000);
	peat_schema__free(schema);
	check_member(bits, 4, "peat:as:number", PEAT_FIELD_SIGNED, 1);
	check_member(add_enum(4, names, (const int64_t[]){ 0, 1, 2 }, 3), 4, NULL, PEAT_FIELD_ENUM,
		     1);
	check_member(add_enum(4, names, (const int64_t[]){ 1, 2, 3, 4 }, 4), 4, NULL,
		     PEAT_FIELD_ENUM, 1);
	check_member(add_enum(4, names, (const int64_t[]){ 8, 16, 32 }, 3), 4, NULL,
		     PEAT_FIELD_ENUM, 1);
	check_member(add_enum(4, names, (const int64_t[]){ 8, 16 }, 2), 4, "peat:as:flags",
		     PEAT_FIELD_FLAGS, 1);
	check_member(add_enum(8, names, (const int64_t[]){ 8, 16 }, 2), 8, NULL,
		     PEAT_FIELD_UNSIGNED, 1);
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

START_TEST(test_large_enums)
{
	int large = known(btf__add_enum64(btf, "e", 8, false));
	struct peat_schema *schema;

	ck_assert_int_eq(btf__add_enum64_value(btf, "HIGH", 1ULL << 63), 0);
	ck_assert_int_eq(btf__add_enum64_value(btf, "FIVE", 5), 0);
	schema = schema_of_member(large, 8, NULL);
	ck_assert_int_eq(schema->fields->kind, PEAT_FIELD_ENUM);
	ck_assert(!schema->fields->is_signed);
	ck_assert_uint_eq(schema->fields->names[1].value, 1ULL << 63);
	peat_schema__free(schema);
}
END_TEST

/* ---- structs --------------------------------------------------------------------------------- */

START_TEST(test_structs_outlive_the_btf)
{
	int inner = begin("inner", 8), outer, pair;
	struct peat_schema *schema;
	uint32_t offset, count;

	member("a", u32, 0);
	member("b", u16, 4);
	tag(inner, 1, "peat:doc:second");
	tag(inner, 1, "peat:minor");
	pair = array(inner, 2);
	outer = begin("outer", 24);
	member("first", inner, 0);
	member("both", pair, 8);
	tag(outer, 1, "peat:rare");
	tag(outer, WHOLE, "peat:doc:all of it");
	tag(outer, WHOLE, "peat:subject:parts");
	tag(outer, WHOLE, "peat:like:others");
	schema = schema_of(outer);
	ck_assert_str_eq(peat_schema__name(schema), "outer");
	ck_assert_str_eq(peat_schema__doc(schema), "all of it");
	ck_assert_str_eq(peat_schema__subject(schema), "parts");
	ck_assert_str_eq(peat_schema__like(schema), "others");
	ck_assert_uint_eq(peat_schema__bytes(schema), 24);
	ck_assert_uint_eq(peat_schema__fields(schema, &count)->span, 3);
	ck_assert_uint_eq(count, 7);
	ck_assert_uint_eq(schema->fields[3].span, 4);
	ck_assert_uint_eq(schema->fields[4].bytes, 8);
	ck_assert_str_eq(peat_schema__find(schema, "first.b", &offset)->doc, "second");
	ck_assert(peat_schema__find(schema, "first.b", NULL)->is_minor);
	ck_assert(!peat_schema__find(schema, "first.a", NULL)->is_minor);
	ck_assert(!peat_schema__find(schema, "first", NULL)->is_minor);
	ck_assert(!peat_schema__find(schema, "first", NULL)->is_rare);
	ck_assert(peat_schema__find(schema, "both", NULL)->is_rare);
	ck_assert(peat_schema__find(schema, "both", NULL)->is_minor);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_anonymous_members)
{
	int pair = begin(NULL, 8), either, outer;
	struct peat_schema *schema;

	member("low", u32, 0);
	member("high", u32, 4);
	either = known(btf__add_union(btf, NULL, 8));
	member(NULL, pair, 0);
	member("both", u64, 0);
	outer = begin("outer", 16);
	member("first", u64, 0);
	member(NULL, either, 8);
	schema = schema_of(outer);
	ck_assert_uint_eq(schema->count, 4);
	ck_assert_str_eq(schema->fields[2].name, "high");
	ck_assert_uint_eq(schema->fields[2].offset, 12);
	ck_assert_str_eq(schema->fields[3].name, "both");
	ck_assert_uint_eq(schema->fields[3].offset, 8);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_unions_are_kept)
{
	int either = known(btf__add_union(btf, "either", 8));

	member("a", u32, 0);
	member("b", u64, 0);
	check_member(either, 8, NULL, PEAT_FIELD_UNION, 3);
}
END_TEST

START_TEST(test_arrays_at_the_end_of_an_event)
{
	static const struct {
		const char *tag;
		enum peat_field_kind kind;
		uint32_t span;
	} cases[] = { { NULL, PEAT_FIELD_STRING, 1 },
		      { "peat:as:strings", PEAT_FIELD_STRINGS, 1 },
		      { "peat:as:bytes", PEAT_FIELD_BYTES, 1 },
		      { "peat:as:number", PEAT_FIELD_ARRAY, 2 } };
	int open = array(letter, 0), inner = begin("inner", 4), id;

	member("a", u32, 0);
	member("open", open, 4);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct peat_schema *schema;

		id = begin("event", 8);
		member("nested", inner, 0);
		member("in_between", open, 5);
		member("rest", open, 5);
		if (cases[i].tag)
			tag(id, 2, cases[i].tag);
		schema = peat_schema__new(btf, (uint32_t)id);
		ck_assert_uint_eq(schema->count,
				  2 + cases[i].span); /* the other two are no fields */
		ck_assert_int_eq(schema->fields[2].kind, cases[i].kind);
		ck_assert_uint_eq(schema->fields[2].offset, 5);
		ck_assert_uint_eq(schema->fields[2].bytes, 0);
		ck_assert_uint_eq(schema->fields[2].count, 0);
		peat_schema__free(schema);
	}
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

START_TEST(test_types_that_cannot_be_shown)
{
	int gone = known(btf__add_fwd(btf, "gone", BTF_FWD_STRUCT)), empty = begin("empty", 0);
	int list = array(gone, 3), empties = array(empty, 3), open = array(empty, 0);
	int id = begin("event", 4);
	struct peat_schema *schema;

	member("gone", gone, 0);
	member("nothing", 0, 0);
	member("list", list, 0);
	member("empty", empty, 0);
	member("empties", empties, 0);
	member("x", u32, 0);
	member("open", open, 4);
	schema = schema_of(id);
	ck_assert_uint_eq(schema->count, 1);
	ck_assert_str_eq(schema->fields[0].name, "x");
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_reserved_names)
{
	int inner = begin("inner", 4), id;
	struct peat_schema *schema;

	member("pid", u32, 0);
	id = begin("event", 28);
	member("pid_", u32, 0);
	member("pid", u32, 4);
	member("comm", u32, 8);
	member("pid__x", u32, 12);
	member("in", inner, 16);
	member("time", u32, 20);
	member("late", u32, 24);
	schema = schema_of(id);
	ck_assert_str_eq(schema->fields[7].name, "late_");
	ck_assert_str_eq(schema->fields[6].name, "time_");
	ck_assert_str_eq(schema->fields[0].name, "pid_");
	ck_assert_str_eq(schema->fields[1].name, "pid__");
	ck_assert_str_eq(schema->fields[2].name, "comm_");
	ck_assert_str_eq(schema->fields[3].name, "pid__x");
	ck_assert_str_eq(schema->fields[5].name, "pid");
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_typedefs_of_events)
{
	int inner = begin(NULL, 4), id;
	struct peat_schema *schema;

	member("a", u32, 0);
	id = known(btf__add_typedef(btf, "event_t", inner));
	tag(inner, WHOLE, "peat:doc:words");
	schema = schema_of(id);
	ck_assert_str_eq(peat_schema__name(schema), "event_t");
	ck_assert_str_eq(peat_schema__doc(schema), "words");
	peat_schema__free(schema);
}
END_TEST

/* ---- bit-fields ------------------------------------------------------------------------------ */

#define BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static void check_bits(const struct peat_field *field, const void *data, int64_t wanted)
{
	uint64_t value;

	ck_assert(peat_field__number(field, data, 8, &value));
	ck_assert_msg((int64_t)value == wanted, "%s is %lld, not %lld", field->name,
		      (long long)value, (long long)wanted);
}

/* In the layout of this machine's compiler. */
START_TEST(test_bit_fields)
{
	struct {
		uint32_t a : 3, b : 20;
		int32_t c : 9;
		uint64_t d : 33, whole : 8;
	} data = { 5, 0xabcde, -200, 0x1deadbeef, 200 };
	int id = begin("event", 16);
	struct peat_schema *schema;

	bit_member("a", u32, 0, 3);
	bit_member("b", u32, 3, 20);
	bit_member("c", s32, 23, 9);
	bit_member("d", u64, 64, 33);
	bit_member("whole", u64, 97, 8);
	schema = schema_of(id);
	check_bits(&schema->fields[0], &data, 5);
	check_bits(&schema->fields[1], &data, 0xabcde);
	check_bits(&schema->fields[2], &data, -200);
	check_bits(&(struct peat_field){ .name = "d",
					 .offset = schema->fields[3].offset - 8,
					 .bytes = schema->fields[3].bytes,
					 .bits = schema->fields[3].bits,
					 .bit_offset = schema->fields[3].bit_offset },
		   (const char *)&data + 8, 0x1deadbeef);
	ck_assert_uint_eq(schema->fields[0].bytes, 1);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_bit_fields_with_formats)
{
	int huge = known(btf__add_int(btf, "__int128", 16, 0)), id = begin("event", 8);
	struct peat_schema *schema;

	bit_member("a", u32, 0, 3);
	bit_member("b", u32, 3, 20);
	bit_member("c", be32, 23, 9);
	bit_member("full", u16, 32, 16);
	bit_member("wide", huge, 1, 7);
	tag(id, 0, "peat:as:hex");
	tag(id, 1, "peat:as:ipv4");
	schema = schema_of(id);
	ck_assert_int_eq(schema->fields[0].kind, PEAT_FIELD_HEX);
	ck_assert_int_eq(schema->fields[1].kind, PEAT_FIELD_UNSIGNED);
	ck_assert_int_eq(schema->fields[2].kind, PEAT_FIELD_UNSIGNED);
	ck_assert(!schema->fields[2].big_endian);
	ck_assert_uint_eq(schema->fields[3].bits, 0);
	ck_assert_int_eq(schema->fields[4].kind, PEAT_FIELD_UNSIGNED);
	ck_assert_uint_eq(warnings, 1);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_bit_field_over_nine_bytes)
{
	int id = begin("event", 16);
	struct peat_schema *schema;

	bit_member("a", u64, 7, 64);
	schema = schema_of(id);
	ck_assert_int_eq(schema->fields[0].kind, PEAT_FIELD_BYTES);
	ck_assert_uint_eq(schema->fields[0].offset, 0);
	ck_assert_uint_eq(schema->fields[0].bytes, 9);
	ck_assert_uint_eq(schema->fields[0].bits, 0);
	peat_schema__free(schema);
}
END_TEST

/* An int of 3 bits, 2 bits after the member's offset. */
START_TEST(test_old_bit_fields)
{
	int odd = known(btf__add_int(btf, "odd", 4, 0)), id = begin("event", 4);
	struct btf_type *type = (struct btf_type *)btf__type_by_id(btf, (uint32_t)odd);
	struct peat_schema *schema;

	*(uint32_t *)(type + 1) = 2 << 16 | 3;
	member("a", odd, 0);
	type = (struct btf_type *)btf__type_by_id(btf, (uint32_t)id);
	btf_members(type)->offset = 4;
	schema = schema_of(id);
	ck_assert_uint_eq(schema->fields[0].bits, 3);
	ck_assert_uint_eq(schema->fields[0].bytes, 2);
	ck_assert_uint_eq(schema->fields[0].bit_offset, BIG ? 7 : 6);
	peat_schema__free(schema);
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_test(tests, test_c_types);
	tcase_add_test(tests, test_formats_of_numbers);
	tcase_add_test(tests, test_formats_of_arrays);
	tcase_add_test(tests, test_stacks_of_the_event);
	tcase_add_test(tests, test_stacks_that_are_not_last);
	tcase_add_test(tests, test_formats_apply_to_elements);
	tcase_add_test(tests, test_unsuitable_formats);
	tcase_add_test(tests, test_names_of_types);
	tcase_add_test(tests, test_network_order_is_kept);
	tcase_add_test(tests, test_names_of_enums);
	tcase_add_test(tests, test_flags_are_bits);
	tcase_add_test(tests, test_large_enums);
	tcase_add_test(tests, test_structs_outlive_the_btf);
	tcase_add_test(tests, test_anonymous_members);
	tcase_add_test(tests, test_unions_are_kept);
	tcase_add_test(tests, test_arrays_at_the_end_of_an_event);
	tcase_add_test(tests, test_types_that_cannot_be_shown);
	tcase_add_test(tests, test_reserved_names);
	tcase_add_test(tests, test_typedefs_of_events);
}

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	add_tests(tests);
	tcase_add_test(tests, test_bit_fields);
	tcase_add_test(tests, test_bit_fields_with_formats);
	tcase_add_test(tests, test_bit_field_over_nine_bytes);
	tcase_add_test(tests, test_old_bit_fields);
	tcase_add_test(tests, test_stacks_of_a_map);
}
