// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_side_band_records.c: the kernel's records as events: every field, whatever the byte order.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "field/fields.h"
#include "support/machine/harness.h"
#include "event/side_band.h"
#include "unit/record/record_bytes.h"
#include "unit/record/record_kinds.h"
#include "unit/suite.h"

#define ROOM 65536u

static const struct peat_schema *schema;
static uint64_t data[ROOM / 8];
static uint32_t data_bytes;

/* ---- reading --------------------------------------------------------------------------------- */

static const struct peat_field *field_of(const char *name)
{
	uint32_t offset;
	const struct peat_field *field = peat_schema__find(schema, name, &offset);

	ck_assert_msg(field, "%s has no %s", schema->name, name);
	return field;
}

static uint64_t number(const char *name)
{
	uint64_t value;

	ck_assert_msg(peat_field__number(field_of(name), data, data_bytes, &value),
		      "%s is no number", name);
	return value;
}

static void is_number(const char *name, enum peat_field_kind kind, uint64_t value)
{
	ck_assert_int_eq(field_of(name)->kind, kind);
	ck_assert_msg(number(name) == value, "%s is %#llx", name, (unsigned long long)number(name));
}

static void is_missing(const char *name)
{
	uint64_t value;

	ck_assert_msg(!peat_field__number(field_of(name), data, data_bytes, &value), "%s is there",
		      name);
}

/* A number that has the name of one value. */
static void is_called(const char *name, const char *called)
{
	const struct peat_field *field = field_of(name);
	uint64_t value = number(name);

	ck_assert_int_eq(field->kind, PEAT_FIELD_ENUM);
	for (uint32_t i = 0; i < field->name_count; i++) {
		if (field->names[i].value != value)
			continue;
		ck_assert_str_eq(field->names[i].name, called);
		return;
	}
	ck_abort_msg("%s: %llu has no name", name, (unsigned long long)value);
}

static void is_bytes(const char *name, const void *bytes, uint32_t count)
{
	uint32_t got;
	const void *at = fields__bytes(field_of(name), data, data_bytes, &got);

	ck_assert_int_eq(field_of(name)->kind, PEAT_FIELD_BYTES);
	ck_assert_uint_eq(got, count);
	ck_assert(!count || !memcmp(at, bytes, count));
}

/* Of whatever kind, as people see it. */
static void is_shown(const char *name, const char *wanted)
{
	char text[4096];

	peat_field__text(field_of(name), data, data_bytes, text, sizeof(text));
	ck_assert_str_eq(text, wanted);
}

static void is_string(const char *name, const char *string)
{
	uint32_t got;
	const char *at = fields__bytes(field_of(name), data, data_bytes, &got);

	ck_assert_int_eq(field_of(name)->kind, PEAT_FIELD_STRING);
	ck_assert_uint_eq(got, strlen(string) + 1);
	ck_assert_str_eq(at, string);
}

/* ---- filling --------------------------------------------------------------------------------- */

static const struct kind *kind_of(uint32_t type, uint16_t misc)
{
	for (int i = 0; i < NR_KINDS; i++)
		if (kinds[i].type == type && kinds[i].misc == misc)
			return &kinds[i];
	ck_abort_msg("no record of type %u", type);
	return NULL;
}

static uint64_t read_format;

static void fill_from(const struct kind *kind, bool swapped, uint32_t room)
{
	static struct bytes bytes;
	struct peat_layout layout = { .read_format = read_format, .swapped = swapped };
	struct peat_record record = { .sz = sizeof(record) };

	memset(data, 0xee, sizeof(data));
	put_header(&bytes, kind->type, kind->misc, swapped);
	kind->build(&bytes);
	end_record(&bytes);
	ck_assert_int_eq(peat_record__decode(&layout, bytes.at, bytes.len, &record), 1);
	schema = side_band__fill(&record, data, room, &data_bytes);
	ck_assert_uint_le(data_bytes, room);
	for (size_t i = data_bytes; i < sizeof(data); i++)
		if (((unsigned char *)data)[i] != 0xee)
			ck_abort_msg("byte %zu was written, of %u", i, data_bytes);
}

static bool is_swapped;

static void fill(uint32_t type, uint16_t misc, const char *name)
{
	fill_from(kind_of(type, misc), is_swapped, ROOM);
	ck_assert_ptr_nonnull(schema);
	ck_assert_str_eq(schema->name, name);
}

/* Whom it is about. */
static void is_task(void)
{
	is_number("process", PEAT_FIELD_UNSIGNED, PID);
	is_number("thread", PEAT_FIELD_UNSIGNED, TID);
}

static void check_tasks(void)
{
	fill(PEAT_RECORD_FORK, 0, "@fork");
	is_number("child", PEAT_FIELD_UNSIGNED, PID);
	is_number("child_tid", PEAT_FIELD_UNSIGNED, TID);
	is_number("parent", PEAT_FIELD_UNSIGNED, 1);
	is_number("parent_tid", PEAT_FIELD_UNSIGNED, 2);
	fill(PEAT_RECORD_EXIT, 0, "@exit");
	is_task();
	is_number("ppid", PEAT_FIELD_UNSIGNED, 1);
	is_number("ptid", PEAT_FIELD_UNSIGNED, 2);
	fill(PEAT_RECORD_COMM, 0, "@comm");
	is_string("name", "kworker/0:1");
	is_number("exec", PEAT_FIELD_BOOL, 0);
	is_task();
	fill(PEAT_RECORD_COMM, PEAT_MISC_COMM_EXEC, "@comm");
	is_number("exec", PEAT_FIELD_BOOL, 1);
}

static void check_maps(void)
{
	static const unsigned char none[20];

	fill(PEAT_RECORD_MMAP2, 0, "@mmap");
	is_number("prot", PEAT_FIELD_FLAGS, 5);
	is_number("flags", PEAT_FIELD_FLAGS, 0x1002);
	is_bytes("build_id", none, 20);
	is_number("process", PEAT_FIELD_SIGNED, PID);
	is_number("thread", PEAT_FIELD_SIGNED, TID);
	is_number("addr", PEAT_FIELD_HEX, 0xffff800000001000);
	is_number("size", PEAT_FIELD_SIZE, 0x2000);
	is_number("offset", PEAT_FIELD_HEX, 0x3000);
	is_number("data", PEAT_FIELD_BOOL, 0);
	is_number("maj", PEAT_FIELD_UNSIGNED, 8);
	is_number("min", PEAT_FIELD_UNSIGNED, 17);
	is_number("ino", PEAT_FIELD_UNSIGNED, 0x123456789);
	is_number("ino_generation", PEAT_FIELD_UNSIGNED, 0x987654321);
	is_string("filename", "/usr/bin/cat");
	fill(PEAT_RECORD_MMAP2, PEAT_MISC_MMAP_DATA, "@mmap");
	is_number("data", PEAT_FIELD_BOOL, 1);
	fill(PEAT_RECORD_MMAP2, PEAT_MISC_MMAP_BUILD_ID, "@mmap");
	is_bytes("build_id", build_id, 20);
	is_number("ino", PEAT_FIELD_UNSIGNED, 0);
	fill(PEAT_RECORD_MMAP, 0, "@mmap");
	is_number("prot", PEAT_FIELD_FLAGS, 0);
	ck_assert_int_eq(field_of("filename")->bytes, 0);
}

static void check_switches(void)
{
	fill(PEAT_RECORD_SWITCH, 0, "@switch");
	is_called("direction", "in");
	is_number("preempted", PEAT_FIELD_BOOL, 0);
	is_missing("next_prev_pid");
	is_missing("next_prev_tid");
	fill(PEAT_RECORD_SWITCH_CPU_WIDE, PEAT_MISC_SWITCH_OUT | PEAT_MISC_SWITCH_OUT_PREEMPT,
	     "@switch");
	is_called("direction", "out");
	is_number("preempted", PEAT_FIELD_BOOL, 1);
	is_number("next_prev_pid", PEAT_FIELD_UNSIGNED, PID);
	is_number("next_prev_tid", PEAT_FIELD_UNSIGNED, TID);
}

static void check_kernel(void)
{
	static const unsigned char old[16] = { 0x0f, 0x1f, 0x44 };

	fill(PEAT_RECORD_NAMESPACES, 0, "@namespaces");
	is_task();
	is_number("net", PEAT_FIELD_UNSIGNED, 0xf000000000000001);
	is_number("pid_", PEAT_FIELD_UNSIGNED, 0xf000000000000007);
	is_number("cgroup", PEAT_FIELD_UNSIGNED, 0xf00000000000000d);
	is_shown("devices", "[0xf000000000000000 0xf000000000000002 0xf000000000000004 "
			    "0xf000000000000006 0xf000000000000008 0xf00000000000000a "
			    "0xf00000000000000c]");
	is_shown("newer", "[]");
	fill(PEAT_RECORD_CGROUP, 0, "@cgroup");
	is_number("id", PEAT_FIELD_UNSIGNED, ID);
	is_string("path", "/system.slice/ssh.service");
	fill(PEAT_RECORD_KSYMBOL, 0, "@ksymbol");
	is_number("addr", PEAT_FIELD_HEX, 0xffffffffc0000000);
	is_number("size", PEAT_FIELD_SIZE, 0x456);
	is_called("source", "bpf");
	is_number("registered", PEAT_FIELD_BOOL, 0);
	is_string("name", "bpf_prog_6deef7357e7b4530_on_exec");
	fill(PEAT_RECORD_BPF_EVENT, 0, "@bpf");
	is_called("action", "unload");
	is_number("id", PEAT_FIELD_UNSIGNED, 0x03040506);
	is_bytes("tag", "\xde\xad\xbe\xef\x00\x11\x22\x33", 8);
	fill(PEAT_RECORD_TEXT_POKE, 0, "@textpoke");
	is_number("addr", PEAT_FIELD_KADDR, 0xffffffff81000000);
	is_number("old_size", PEAT_FIELD_SIZE, 5);
	is_bytes("old", old, 16);
	is_bytes("new", "\xeb\x03", 2);
}

static void check_others(void)
{
	fill(PEAT_RECORD_THROTTLE, 0, "@throttle");
	is_number("id", PEAT_FIELD_UNSIGNED, ID);
	is_number("stream_id", PEAT_FIELD_UNSIGNED, 77);
	fill(PEAT_RECORD_UNTHROTTLE, 0, "@unthrottle");
	is_number("id", PEAT_FIELD_UNSIGNED, ID);
	fill(PEAT_RECORD_READ, 0, "@read");
	is_task();
	is_number("time_enabled_ns", PEAT_FIELD_UNSIGNED, 0);
	is_number("count", PEAT_FIELD_UNSIGNED, 1);
	is_shown("values", "[{value=4711 id=0 lost=0}]");
	fill(PEAT_RECORD_AUX, 0, "@aux");
	is_number("offset", PEAT_FIELD_HEX, 0x10000);
	is_number("size", PEAT_FIELD_SIZE, 0x2000);
	is_shown("flags", "truncated|partial");
	is_number("format", PEAT_FIELD_UNSIGNED, 0);
	fill(PEAT_RECORD_ITRACE_START, 0, "@itrace_start");
	is_task();
	fill(PEAT_RECORD_AUX_OUTPUT_HW_ID, 0, "@hw_id");
	is_number("hw_id", PEAT_FIELD_HEX, 0xfedcba9876543210);
	fill(PEAT_RECORD_CALLCHAIN_DEFERRED, 0, "@callchain_deferred");
	is_number("cookie", PEAT_FIELD_HEX, 0xc00c1e);
	is_shown("callchain", "[0x7f0000000000 0x7f0000000001 0x7f0000000002 0x7f0000000003]");
}

START_TEST(test_every_field)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		is_swapped = swapped;
		check_tasks();
		check_maps();
		check_switches();
		check_kernel();
		check_others();
	}
}
END_TEST

/* ---- what the catalogue does not have -------------------------------------------------------- */

static void build_group(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_u64(b, 2);
	put_u64(b, 2000);
	put_u64(b, 1000);
	put_words(b, 10, 3);
	put_words(b, 20, 3);
}

static void build_values(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_u64(b, 100);
	put_words(b, 1, 100);
}

static void build_aux_of_pmu(struct bytes *b)
{
	put_u64(b, 0);
	put_u64(b, 64);
	put_u64(b, 1 << 16 | 0x2a00 | PEAT_AUX_COLLISION);
}

static void build_contexts(struct bytes *b)
{
	put_u64(b, 1);
	put_u64(b, 3);
	put_u64(b, PEAT_CONTEXT_USER);
	put_u64(b, 0x400000);
	put_u64(b, 0x500000);
}

static void put_links(struct bytes *b, uint32_t count)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_u64(b, count);
	put_words(b, 100, 2 * count);
}

static void build_few_links(struct bytes *b)
{
	put_links(b, 3);
}

static void build_many_links(struct bytes *b)
{
	put_links(b, 9);
}

static void build_empty(struct bytes *b)
{
	put_u64(b, 1);
	put_u64(b, 0);
}

static void fill_built(uint32_t type, void (*build)(struct bytes *b), uint32_t room)
{
	struct kind kind = { .type = type, .build = build };

	fill_from(&kind, is_swapped, room);
	ck_assert_ptr_nonnull(schema);
}

START_TEST(test_counters_of_a_group)
{
	is_swapped = _i;
	read_format = PEAT_READ_ALL;
	fill_built(PEAT_RECORD_READ, build_group, ROOM);
	is_task();
	is_number("time_enabled_ns", PEAT_FIELD_UNSIGNED, 2000);
	is_number("time_running_ns", PEAT_FIELD_UNSIGNED, 1000);
	is_number("count", PEAT_FIELD_UNSIGNED, 2);
	is_shown("values", "[{value=10 id=11 lost=12} {value=20 id=21 lost=22}]");
}
END_TEST

/* Cut between two of them, and the number that there were stays. */
START_TEST(test_more_counters_than_room)
{
	is_swapped = _i;
	read_format = PEAT_READ_GROUP;
	fill_built(PEAT_RECORD_READ, build_values, SIDE_BAND_BYTES_MIN);
	is_number("count", PEAT_FIELD_UNSIGNED, 100);
	is_shown("values", "[{value=1 id=0 lost=0} {value=2 id=0 lost=0} {value=3 id=0 lost=0} "
			   "{value=4 id=0 lost=0}]");
}
END_TEST

/* No bit is dropped, whoever it is of. */
START_TEST(test_flags_of_aux)
{
	is_swapped = _i;
	fill_built(PEAT_RECORD_AUX, build_aux_of_pmu, ROOM);
	is_shown("flags", "collision|0x10000");
	is_number("format", PEAT_FIELD_UNSIGNED, 0x2a);
}
END_TEST

START_TEST(test_contexts_are_no_callers)
{
	is_swapped = _i;
	fill_built(PEAT_RECORD_CALLCHAIN_DEFERRED, build_contexts, ROOM);
	is_shown("callchain", "[0x400000 0x500000]");
	fill_built(PEAT_RECORD_CALLCHAIN_DEFERRED, build_empty, ROOM);
	is_shown("callchain", "[]");
}
END_TEST

START_TEST(test_any_number_of_namespaces)
{
	is_swapped = _i;
	fill_built(PEAT_RECORD_NAMESPACES, build_few_links, ROOM);
	is_number("ipc", PEAT_FIELD_UNSIGNED, 105);
	is_number("pid_", PEAT_FIELD_UNSIGNED, 0);
	is_shown("devices", "[0x64 0x66 0x68 0x0 0x0 0x0 0x0]");
	is_shown("newer", "[]");
	fill_built(PEAT_RECORD_NAMESPACES, build_many_links, ROOM);
	is_number("cgroup", PEAT_FIELD_UNSIGNED, 113);
	is_shown("newer", "[{device=0x72 inode=115} {device=0x74 inode=117}]");
}
END_TEST

/* ---- of recordings --------------------------------------------------------------------------- */

/* Numbers that mean something else are not named, and all else stays as it is. */
START_TEST(test_other_machines)
{
	fill(PEAT_RECORD_MMAP2, 0, "@mmap");
	is_shown("flags", "MAP_PRIVATE|MAP_EXECUTABLE");
	ck_assert_ptr_eq(side_band__recorded(schema, "x86_64", false), schema);
	ck_assert_ptr_eq(side_band__recorded(schema, "aarch64", false), schema);
	ck_assert_ptr_eq(side_band__recorded(schema, "s390x", true), schema);
	schema = side_band__recorded(schema, "ppc64le", true);
	is_shown("flags", "MAP_PRIVATE|0x1000");
	is_number("prot", PEAT_FIELD_FLAGS, 5);
	is_string("filename", "/usr/bin/cat");
	ck_assert_ptr_eq(schema->like, peat_side_band__schema(PEAT_SIDE_BAND_MMAP, 0));
	ck_assert_ptr_eq(side_band__recorded(schema->like, NULL, true), schema);
	ck_assert_ptr_eq(side_band__recorded(schema->like, "mips64", true), schema);
}
END_TEST

START_TEST(test_other_kernels)
{
	fill(PEAT_RECORD_TEXT_POKE, 0, "@textpoke");
	ck_assert_ptr_eq(side_band__recorded(schema, NULL, true), schema);
	schema = side_band__recorded(schema, "x86_64", false);
	is_number("addr", PEAT_FIELD_HEX, 0xffffffff81000000);
	is_bytes("new", "\xeb\x03", 2);
	ck_assert_ptr_eq(schema->like, peat_side_band__schema(PEAT_SIDE_BAND_TEXTPOKE, 0));
}
END_TEST

/* perf's record of the kernel's code has the process -1. */
START_TEST(test_map_of_the_kernel)
{
	struct peat_record record = { .type = PEAT_RECORD_MMAP,
				      .mmap = { .pid = UINT32_MAX,
						.tid = UINT32_MAX,
						.filename = "[kernel.kallsyms]_text" } };

	schema = side_band__fill(&record, data, ROOM, &data_bytes);
	is_shown("process", "-1");
	is_shown("thread", "-1");
}
END_TEST

/* ---- all of them ----------------------------------------------------------------------------- */

/* They are PEAT_EVENT_LOST. */
START_TEST(test_losses_are_of_no_kind)
{
	for (int i = 0; i < NR_KINDS; i++) {
		bool loss = kinds[i].type == PEAT_RECORD_LOST ||
			    kinds[i].type == PEAT_RECORD_LOST_SAMPLES;

		fill_from(&kinds[i], false, ROOM);
		ck_assert_int_eq(schema == NULL, loss);
		ck_assert_int_eq(schema != NULL, side_band__of(kinds[i].type) != 0);
		ck_assert_int_eq(schema != NULL, data_bytes != 0);
	}
	ck_assert_uint_eq(side_band__of(PEAT_RECORD_SAMPLE), 0);
	ck_assert_uint_eq(side_band__of(UINT32_MAX), 0);
}
END_TEST

/* The end of a string is what may be cut. */
START_TEST(test_no_more_than_there_is_room_for)
{
	for (uint32_t room = SIDE_BAND_BYTES_MIN; room < 256; room++)
		for (int i = 0; i < NR_KINDS; i++)
			fill_from(&kinds[i], false, room);
}
END_TEST

/* The largest record there can be, nearly all of it new instructions. */
START_TEST(test_longest_record)
{
	struct peat_record record = { .type = PEAT_RECORD_TEXT_POKE };
	unsigned char *text = calloc(1, 65536);
	uint64_t *out = malloc(65536);

	ck_assert(text && out);
	record.text_poke.new_bytes = 65535 - 8 - 12;
	record.text_poke.old_text = record.text_poke.new_text = text;
	ck_assert_ptr_nonnull(side_band__fill(&record, out, 65536, &data_bytes));
	ck_assert_uint_eq(data_bytes, 65536);
	free(text);
	free(out);
}
END_TEST

/* Elements without a gap, and as many as there is room for. */
static void check_array(const struct peat_field *field)
{
	const struct peat_field *element = field + 1;
	uint32_t bytes = 0;

	if (field->kind != PEAT_FIELD_ARRAY) {
		ck_assert_uint_eq(field->span, 1);
		return;
	}
	ck_assert_uint_eq(field->span, 1 + element->span);
	ck_assert_uint_eq(field->bytes, field->count * element->bytes);
	for (uint32_t i = 1; i < element->span; i++) {
		ck_assert_uint_eq(element[i].offset, bytes);
		bytes += element[i].bytes;
	}
	ck_assert_uint_eq(element->bytes, bytes ? bytes : sizeof(uint64_t));
}

/* What a sink needs to rely on. */
START_TEST(test_schemas_are_sound)
{
	static const char *const taken[] = { "type", "time_ns", "time", "cpu",
					     "pid",  "tid",	"comm", "late" };

	for (int i = 0; i < NR_KINDS; i++) {
		const struct peat_field *end;

		fill_from(&kinds[i], false, ROOM);
		if (!schema)
			continue;
		end = schema->fields + schema->count;
		for (const struct peat_field *field = schema->fields; field < end;
		     field += field->span) {
			for (size_t t = 0; t < sizeof(taken) / sizeof(*taken); t++)
				ck_assert_str_ne(field->name, taken[t]);
			check_array(field);
			ck_assert_uint_le(field->offset + field->bytes, schema->bytes);
			ck_assert(field->bytes || field + field->span == end);
			ck_assert(field->bytes || field->offset == schema->bytes);
			for (uint32_t n = 1; n < field->name_count; n++)
				ck_assert_uint_lt(field->names[n - 1].value, field->names[n].value);
		}
	}
}
END_TEST

START_TEST(test_kinds_have_names)
{
	static const char *const names[] = { "task",	   "comm",   "mmap",	"switch",
					     "namespaces", "cgroup", "ksymbol", "bpf",
					     "textpoke",   "other",  "tool" };

	for (uint32_t i = 0; i < 11; i++) {
		ck_assert_uint_eq(peat_side_band__find(names[i]), 1u << i);
		ck_assert_str_eq(peat_side_band__name(1u << i), names[i]);
	}
	ck_assert_uint_eq(SIDE_BAND_ALL, 0x1ff);
	ck_assert_uint_eq(SIDE_BAND_RECORDED, 0x7ff);
	ck_assert_uint_eq(peat_side_band__find("tas"), 0);
	ck_assert_uint_eq(peat_side_band__find(""), 0);
	ck_assert_ptr_null(peat_side_band__name(3));
	ck_assert_ptr_null(peat_side_band__name(1 << 11));
}
END_TEST

/* Each type of records is found under its kind. */
START_TEST(test_kinds_have_types)
{
	for (int i = 0; i < NR_KINDS; i++) {
		enum peat_side_band kind = side_band__of(kinds[i].type);
		const struct peat_schema *of = NULL;

		fill_from(&kinds[i], false, ROOM);
		for (uint32_t n = 0; schema && of != schema; n++) {
			of = peat_side_band__schema(kind, n);
			ck_assert_msg(of, "%s is not of kind %#x", schema->name, kind);
			ck_assert_ptr_nonnull(of->doc);
		}
	}
	ck_assert_str_eq(peat_side_band__schema(PEAT_SIDE_BAND_OTHER, 0)->name, "@throttle");
	ck_assert_str_eq(peat_side_band__schema(PEAT_SIDE_BAND_OTHER, 6)->name,
			 "@callchain_deferred");
	ck_assert_ptr_null(peat_side_band__schema(PEAT_SIDE_BAND_OTHER, 7));
	ck_assert_ptr_null(peat_side_band__schema(PEAT_SIDE_BAND_TOOL, 0));
	ck_assert_ptr_null(peat_side_band__schema(PEAT_SIDE_BAND_COMM, 1));
	ck_assert_ptr_null(peat_side_band__schema(PEAT_SIDE_BAND_TASK, 2));
}
END_TEST

START_TEST(test_only_what_is_asked_for)
{
	struct perf_event_attr attr = { 0 }, none = { 0 };

	side_band__request(0, &attr);
	ck_assert_mem_eq(&attr, &none, sizeof(attr));
	side_band__request(PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM, &attr);
	ck_assert(attr.task && attr.comm && attr.comm_exec && !attr.mmap && !attr.mmap_data);
	side_band__request(SIDE_BAND_ALL, &attr);
	ck_assert(attr.mmap && attr.mmap2 && attr.context_switch && attr.namespaces &&
		  attr.cgroup && attr.ksymbol && attr.bpf_event && attr.text_poke);
	ck_assert(!attr.mmap_data && !attr.build_id);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_test(tests, test_every_field);
	tcase_add_loop_test(tests, test_counters_of_a_group, 0, 2);
	tcase_add_loop_test(tests, test_more_counters_than_room, 0, 2);
	tcase_add_loop_test(tests, test_flags_of_aux, 0, 2);
	tcase_add_loop_test(tests, test_contexts_are_no_callers, 0, 2);
	tcase_add_loop_test(tests, test_any_number_of_namespaces, 0, 2);
	tcase_add_test(tests, test_other_machines);
	tcase_add_test(tests, test_other_kernels);
	tcase_add_test(tests, test_map_of_the_kernel);
	tcase_add_test(tests, test_losses_are_of_no_kind);
	tcase_add_test(tests, test_no_more_than_there_is_room_for);
	tcase_add_test(tests, test_longest_record);
	tcase_add_test(tests, test_schemas_are_sound);
	tcase_add_test(tests, test_kinds_have_names);
	tcase_add_test(tests, test_kinds_have_types);
	tcase_add_test(tests, test_only_what_is_asked_for);
}
