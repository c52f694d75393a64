// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* every_kind.c: an event with a field of each kind. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "every_kind.h"
#include "support/machine/harness.h"

struct place {
	uint16_t line;
	int16_t column;
};

struct every_kind {
	uint64_t u64;
	int64_t s64;
	uint64_t pointer, kaddr, duration, size;
	uint64_t huge;
	int64_t deltas[2];
	int64_t long_result;
	double twice;
	uint32_t u32;
	int32_t s32, mode, result, stack;
	uint32_t access, none, signal, host;
	float once;
	uint32_t pid_ns, pid, class, dash, dashed, common_x;
	int32_t modes[2];
	uint32_t numbers[3];
	union {
		uint32_t number;
		uint8_t raw[4];
	} value;
	uint32_t small : 3;
	int32_t middle : 5;
	uint32_t rights : 4;
	uint32_t yes : 1;
	uint16_t u16;
	int16_t s16;
	uint16_t port, ports[2], grid[2][3];
	struct place from, path[2], places[9];
	uint8_t u8;
	int8_t s8;
	bool truth, truths[3];
	char letter;
	uint8_t addr4[4], addr6[16], mac[6], bytes[3], wide[16];
	char empty[8], full[8], names[2][8];
	uint32_t part_bytes;
	uint8_t part[32];
	char args[32];
	char text[128];
	uint64_t open[];
};

const struct every_kind_text every_kind_texts[] = {
	{ "u64", "9223372036854775809", NULL },
	{ "s64", "-6", NULL },
	{ "pointer", "0xffff800012345678", NULL },
	{ "kaddr", "0xffffffff81000010", NULL },
	{ "duration", "1234567", NULL },
	{ "duration_us", "1234.567", "" },
	{ "size", "4096", NULL },
	{ "huge", "HUGE_ONE", NULL },
	{ "deltas_0", "-1", NULL },
	{ "deltas_1", "1099511627776", NULL },
	{ "long_result", "-2", "ENOENT" },
	{ "long_result_err", "ENOENT", "" },
	{ "twice", "0xc000000000000000", NULL },
	{ "u32", "4000000000", NULL },
	{ "s32", "-5", NULL },
	{ "mode", "MODE_WEIRD", NULL },
	{ "result", "17", NULL },
	{ "result_err", "OK", "" },
	{ "stack", "-14", NULL },
	{ "access", "ACCESS_READ|ACCESS_EXECUTE", NULL },
	{ "none", "0", NULL },
	{ "signal", "SIGKILL", NULL },
	{ "host", "10.1.2.3", NULL },
	{ "once", "0x3fc00000", NULL },
	{ "pid_", "42", NULL },
	{ "pid_ns", "5", NULL },
	{ "class_", "3", NULL },
	{ "a_b", "11", NULL },
	{ "a_b_", "12", NULL },
	{ "common_x_", "13", NULL },
	{ "modes_0", "MODE_ON", NULL },
	{ "modes_1", "MODE_WEIRD", NULL },
	{ "numbers", "1 2 3", "[1 2 3]" },
	{ "value_number", "16843009", NULL },
	{ "value_raw", "01 01 01 01", "01010101" },
	{ "small", "5", NULL },
	{ "middle", "-7", NULL },
	{ "rights", "ACCESS_WRITE|ACCESS_EXECUTE", NULL },
	{ "yes", "true", NULL },
	{ "u16", "65000", NULL },
	{ "s16", "-300", NULL },
	{ "port", "443", NULL },
	{ "ports", "80 8080", "[80 8080]" },
	{ "grid", "1 2 3 4 5 6", "[1 2 3 4 5 6]" },
	{ "from_line", "7", NULL },
	{ "from_column", "-8", NULL },
	{ "path_0_line", "9", NULL },
	{ "path_1_column", "-10", NULL },
	{ "places",
	  "07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 "
	  "07 07 07 07 07 07 07 07",
	  "070707070707070707070707070707070707070707070707070707070707070707070707" },
	{ "u8", "200", NULL },
	{ "s8", "-3", NULL },
	{ "truth", "true", NULL },
	{ "truths", "1 0 1", "[true false true]" },
	{ "letter", "65", NULL },
	{ "addr4", "192.0.2.1", NULL },
	{ "addr6", "2001:db8::1", NULL },
	{ "mac", "02:00:5e:10:00:ff", NULL },
	{ "bytes", "01 80 ff", "0180ff" },
	{ "wide", "00 11 00 00 00 00 00 00 00 00 00 00 00 00 00 ff",
	  "001100000000000000000000000000ff" },
	{ "empty", "", NULL },
	{ "full", "12345678", NULL },
	{ "names_0", "one", NULL },
	{ "names_1", "two", NULL },
	{ "part_bytes", "3", NULL },
	{ "part", "a0b1c2", NULL },
	{ "args", "ls -l /tmp", NULL },
	{ "text", "a text", NULL },
	{ NULL, NULL, NULL },
};

static const void *make_event(struct every_kind *event, uint64_t *open)
{
	static const char args[] = "ls\0-l\0/tmp";

	*event = (struct every_kind){
		.u64 = 1ULL << 63 | 1,
		.s64 = -6,
		.pointer = 0xffff800012345678,
		.kaddr = 0xffffffff81000010,
		.duration = 1234567,
		.size = 4096,
		.huge = 1ULL << 63 | 1,
		.deltas = { -1, 1LL << 40 },
		.long_result = -2,
		.twice = -2.0,
		.u32 = 4000000000,
		.s32 = -5,
		.mode = -1,
		.result = 17,
		.stack = -14,
		.access = 5,
		.signal = 9,
		.once = 1.5F,
		.pid_ns = 5,
		.pid = 42,
		.class = 3,
		.dash = 11,
		.dashed = 12,
		.common_x = 13,
		.modes = { 1, -1 },
		.numbers = { 1, 2, 3 },
		.value.raw = { 1, 1, 1, 1 },
		.small = 5,
		.middle = -7,
		.rights = 6,
		.yes = 1,
		.u16 = 65000,
		.s16 = -300,
		.grid = { { 1, 2, 3 }, { 4, 5, 6 } },
		.from = { 7, -8 },
		.path = { { 9, 0 }, { 0, -10 } },
		.u8 = 200,
		.s8 = -3,
		.truth = true,
		.truths = { true, false, true },
		.letter = 65,
		.addr4 = { 192, 0, 2, 1 },
		.addr6 = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 },
		.mac = { 0x02, 0x00, 0x5e, 0x10, 0x00, 0xff },
		.bytes = { 1, 0x80, 0xff },
		.wide = { [1] = 0x11, [15] = 0xff },
		.part_bytes = 3,
		.part = { 0xa0, 0xb1, 0xc2, 0xd3 },
		.text = "a text\0and what a longer one left",
	};
	memcpy(&event->host, "\x0a\x01\x02\x03", 4);
	memcpy(&event->port, "\x01\xbb", 2);
	memcpy(event->ports, "\x00\x50\x1f\x90", 4);
	memset(event->places, 7, sizeof(event->places));
	memcpy(event->full, "12345678", 8);
	memcpy(event->names, "one\0xxxxtwo\0xxxx", 16);
	memcpy(event->args, args, sizeof(args));
	open[0] = 5;
	open[1] = 1ULL << 40;
	return event;
}

const void *every_kind__event(uint32_t *bytes)
{
	static union {
		struct every_kind event;
		uint64_t room[sizeof(struct every_kind) / 8 + EVERY_KIND_OPEN];
	} memory;

	*bytes = offsetof(struct every_kind, open) + EVERY_KIND_OPEN * sizeof(uint64_t);
	return make_event(&memory.event, memory.room + offsetof(struct every_kind, open) / 8);
}

/* ---- BTF ------------------------------------------------------------------------------------- */

#define MEMBERS_MAX 80

/* Members of the struct that is being made.  The struct is added after the types of its members. */
struct member {
	const char *name, *tag;
	int type;
	uint32_t bit, bits;
};

static struct btf *btf;
static int u8, u16, u32, u64, s8, s16, s32, s64, letter, truth, mode, access_flags, huge, place;
static struct member members[MEMBERS_MAX];
static int member_count;

static int known(int id)
{
	ck_assert_int_gt(id, 0);
	return id;
}

static int array(int element, uint32_t count)
{
	return known(btf__add_array(btf, u32, element, count));
}

static void add_numbers(void)
{
	u8 = known(btf__add_int(btf, "unsigned char", 1, 0));
	u16 = known(btf__add_int(btf, "unsigned short", 2, 0));
	u32 = known(btf__add_int(btf, "unsigned int", 4, 0));
	u64 = known(btf__add_int(btf, "unsigned long long", 8, 0));
	s8 = known(btf__add_int(btf, "signed char", 1, BTF_INT_SIGNED));
	s16 = known(btf__add_int(btf, "short", 2, BTF_INT_SIGNED));
	s32 = known(btf__add_int(btf, "int", 4, BTF_INT_SIGNED));
	s64 = known(btf__add_int(btf, "long long", 8, BTF_INT_SIGNED));
	letter = known(btf__add_int(btf, "char", 1, BTF_INT_SIGNED));
	truth = known(btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL));
}

static void add_enums(void)
{
	mode = known(btf__add_enum(btf, "mode", 4));
	ck_assert_int_eq(btf__add_enum_value(btf, "MODE_OFF", 0), 0);
	ck_assert_int_eq(btf__add_enum_value(btf, "MODE_ON", 1), 0);
	ck_assert_int_eq(btf__add_enum_value(btf, "MODE_WEIRD", -1), 0);
	access_flags = known(btf__add_enum(btf, "access", 4));
	ck_assert_int_eq(btf__add_enum_value(btf, "ACCESS_READ", 1), 0);
	ck_assert_int_eq(btf__add_enum_value(btf, "ACCESS_WRITE", 2), 0);
	ck_assert_int_eq(btf__add_enum_value(btf, "ACCESS_EXECUTE", 4), 0);
	huge = known(btf__add_enum64(btf, "huge", 8, false));
	ck_assert_int_eq(btf__add_enum64_value(btf, "HUGE_ONE", 1ULL << 63 | 1), 0);
}

static void bits_of(const char *name, int type, uint32_t bit, uint32_t bits, const char *tag)
{
	ck_assert_int_lt(member_count, MEMBERS_MAX);
	members[member_count++] = (struct member){ name, tag, type, bit, bits };
}

static void field_of(const char *name, int type, size_t offset)
{
	bits_of(name, type, (uint32_t)offset * 8, 0, NULL);
}

#define FIELD(name, type) field_of(#name, type, offsetof(struct every_kind, name))
#define TAGGED(name, type, tag)                                                                    \
	bits_of(#name, type, offsetof(struct every_kind, name) * 8, 0, "peat:" tag)

/* Adds the collected members to the struct or union just added. */
static int finish(int type)
{
	known(type);
	for (int i = 0; i < member_count; i++)
		ck_assert_int_eq(btf__add_field(btf, members[i].name, members[i].type,
						members[i].bit, (int)members[i].bits),
				 0);
	for (int i = 0; i < member_count; i++)
		if (members[i].tag)
			known(btf__add_decl_tag(btf, members[i].tag, type, i));
	member_count = 0;
	return type;
}

static void add_place(void)
{
	field_of("line", u16, 0);
	field_of("column", s16, 2);
	place = finish(btf__add_struct(btf, "place", sizeof(struct place)));
}

static int add_value(void)
{
	int raw = array(u8, 4);

	field_of("number", u32, 0);
	field_of("raw", raw, 0);
	return finish(btf__add_union(btf, "value", 4));
}

static void add_large_fields(int value)
{
	FIELD(u64, u64);
	FIELD(s64, s64);
	FIELD(pointer, known(btf__add_ptr(btf, 0)));
	TAGGED(kaddr, u64, "as:kaddr");
	TAGGED(duration, u64, "as:duration");
	TAGGED(size, u64, "as:size");
	FIELD(huge, huge);
	FIELD(deltas, array(s64, 2));
	TAGGED(long_result, s64, "as:errno");
	FIELD(twice, known(btf__add_float(btf, "double", 8)));
	FIELD(u32, u32);
	FIELD(s32, s32);
	FIELD(mode, mode);
	TAGGED(result, s32, "as:errno");
	TAGGED(stack, s32, "as:kstack");
	FIELD(access, access_flags);
	FIELD(none, access_flags);
	TAGGED(signal, u32, "as:signal");
	TAGGED(host, u32, "as:ipv4");
	FIELD(once, known(btf__add_float(btf, "float", 4)));
	FIELD(pid_ns, u32);
	FIELD(pid, u32);
	FIELD(class, u32);
	field_of("a-b", u32, offsetof(struct every_kind, dash));
	field_of("a_b", u32, offsetof(struct every_kind, dashed));
	FIELD(common_x, u32);
	FIELD(modes, array(mode, 2));
	FIELD(numbers, array(u32, 3));
	FIELD(value, value);
}

/* They follow the union. */
static void add_bit_fields(void)
{
	uint32_t bit = (offsetof(struct every_kind, value) + 4) * 8;

	bits_of("small", u32, bit, 3, NULL);
	bits_of("middle", s32, bit + 3, 5, NULL);
	bits_of("rights", access_flags, bit + 8, 4, NULL);
	bits_of("yes", u32, bit + 12, 1, "peat:as:bool");
}

static void add_small_fields(bool open)
{
	FIELD(u16, u16);
	FIELD(s16, s16);
	TAGGED(port, u16, "as:port");
	TAGGED(ports, array(u16, 2), "as:port");
	FIELD(grid, array(array(u16, 3), 2));
	FIELD(from, place);
	FIELD(path, array(place, 2));
	FIELD(places, array(place, 9));
	FIELD(u8, u8);
	FIELD(s8, s8);
	FIELD(truth, truth);
	FIELD(truths, array(truth, 3));
	FIELD(letter, letter);
	TAGGED(addr4, array(u8, 4), "as:ipv4");
	TAGGED(addr6, array(u8, 16), "as:ipv6");
	TAGGED(mac, array(u8, 6), "as:mac");
	FIELD(bytes, array(u8, 3));
	FIELD(wide, known(btf__add_int(btf, "__int128", 16, 0)));
	FIELD(empty, array(letter, 8));
	FIELD(full, array(letter, 8));
	FIELD(names, array(array(letter, 8), 2));
	FIELD(part_bytes, u32);
	TAGGED(part, array(u8, 32), "len:part_bytes");
	TAGGED(args, array(letter, 32), "as:strings");
	FIELD(text, array(letter, 128));
	if (open)
		FIELD(open, array(u64, 0));
}

struct btf *every_kind__btf(bool open, uint32_t *id)
{
	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	ck_assert_int_eq(btf__set_pointer_size(btf, 8), 0);
	add_numbers();
	add_enums();
	add_place();
	add_large_fields(add_value());
	add_bit_fields();
	add_small_fields(open);
	*id = (uint32_t)finish(btf__add_struct(btf, "every_kind", sizeof(struct every_kind)));
	return btf;
}

struct peat_schema *every_kind__schema(bool open)
{
	uint32_t id;
	struct btf *own = every_kind__btf(open, &id);
	struct peat_schema *schema = peat_schema__new(own, id);

	ck_assert_ptr_nonnull(schema);
	btf__free(own);
	return schema;
}
