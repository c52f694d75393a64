// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_struct.c: structs of events: their places, their bits, and the kernel's opinion. */
#include <bpf/bpf.h>
#include <stdlib.h>
#include <unistd.h>

#include "field/fields.h"
#include "function_btf.h"
#include "object/kernel_btf.h"
#include "schema/event_types.h"
#include "unit/fail_alloc.h"

/* A field without a prototype: a number of so many bytes after so many pointers. */
static struct function_field number(const char *path, uint32_t bytes, unsigned char steps)
{
	struct function_field field = {
		.path = strdup(path),
		.read = { .steps = steps, .width = (unsigned char)bytes },
		.type = bytes == 8   ? types.u64
			: bytes == 4 ? types.u32
				     : types.u8,
		.bytes = bytes,
		.align = bytes,
	};

	ck_assert_ptr_nonnull(field.path);
	return field;
}

static struct function_field text(const char *path, uint32_t bytes)
{
	return (struct function_field){
		.path = strdup(path),
		.read = { .steps = 1, .bytes = (unsigned short)bytes },
		.type = known(btf__add_array(types.btf, types.u32, types.char_type, bytes)),
		.bytes = bytes,
		.align = 1,
	};
}

static void free_fields(struct function_field *fields, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		function_field__free(&fields[i]);
}

static void refused_fields(struct function_field *fields, uint32_t count, int wanted)
{
	uint32_t before = btf__type_cnt(types.btf);
	struct function_plan plan;

	ck_assert_int_eq(event_struct__add(&types, "event", fields, count, 0, &plan), wanted);
	ck_assert_uint_eq(btf__type_cnt(types.btf), before);
	free_fields(fields, count);
}

/* Offset of a field in the event. */
static uint32_t place_of(const struct peat_schema *schema, const char *path)
{
	uint32_t base = 0;
	const struct peat_field *field = peat_schema__find(schema, path, &base);

	ck_assert_msg(field != NULL, "no field %s", path);
	return base + field->offset;
}

/* Sets the bit of a read in an empty event: only the field of this path is 1 then. */
static void check_bit(const struct peat_schema *schema, const struct plan_read *read,
		      const char *path)
{
	uint8_t event[PLAN_BYTES] = { 0 };
	uint32_t base = 0;
	const struct peat_field *field = peat_schema__find(schema, path, &base);
	uint64_t value;

	ck_assert_msg(field != NULL, "no field %s", path);
	ck_assert_uint_eq(field->bits, 1);
	ck_assert(peat_field__number(field, event + base, PLAN_BYTES - base, &value));
	ck_assert_uint_eq(value, 0);
	event[read->present_at] |= read->present;
	ck_assert(peat_field__number(field, event + base, PLAN_BYTES - base, &value));
	ck_assert_uint_eq(value, 1);
	memset(event, 0xff, sizeof(event));
	event[read->present_at] &= (uint8_t)~read->present;
	ck_assert(peat_field__number(field, event + base, PLAN_BYTES - base, &value));
	ck_assert_uint_eq(value, 0);
}

START_TEST(test_places_are_aligned)
{
	struct function_field fields[] = { number("small", 1, 0), number("large", 8, 0),
					   number("middle", 4, 0), number("last", 1, 0) };
	struct function_plan plan;
	struct peat_schema *schema = schema_of(fields, 4, 0, &plan);
	uint32_t count;

	ck_assert_uint_eq(plan.bytes, 24);
	ck_assert_uint_eq(plan.cleared, 0);
	ck_assert_uint_eq(plan.reads, 4);
	ck_assert_uint_eq(plan.flags, 0);
	ck_assert_uint_eq(plan.read[1].to, 8);
	ck_assert_uint_eq(place_of(schema, "large"), 8);
	ck_assert_uint_eq(plan.read[2].to, 16);
	ck_assert_uint_eq(plan.read[3].to, 20);
	ck_assert_uint_eq(plan.read[3].present, 0);
	peat_schema__fields(schema, &count);
	ck_assert_uint_eq(count, 4);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_paths_are_structs)
{
	struct function_field fields[] = { number("file.f_inode.i_ino", 8, 2),
					   number("count", 4, 0), number("file.f_flags", 4, 1),
					   text("file.f_name", 16) };
	struct function_plan plan;
	struct peat_schema *schema = schema_of(fields, 4, 0, &plan);
	static const char *const paths[] = { "file.f_inode.i_ino", "file.f_flags", "file.f_name",
					     "count" };
	static const char *const bits[] = { "file.f_inode.peat_has_i_ino", "file.peat_has_f_flags",
					    "file.peat_has_f_name" };

	ck_assert_uint_eq(plan.reads, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(place_of(schema, paths[i]), plan.read[i].to);
	for (size_t i = 0; i < 3; i++) {
		check_bit(schema, &plan.read[i], bits[i]);
		ck_assert_uint_lt(plan.read[i].present_at, plan.cleared);
	}
	ck_assert_uint_eq(plan.read[3].present, 0);
	/* file { bits, f_inode { bit, i_ino }, f_flags, f_name }, count */
	ck_assert_uint_eq(plan.read[0].present_at, 8);
	ck_assert_uint_eq(plan.read[0].to, 16);
	ck_assert_uint_eq(plan.read[1].present_at, 0);
	ck_assert_uint_eq(plan.read[1].to, 24);
	ck_assert_uint_eq(plan.read[2].to, 28);
	ck_assert_uint_eq(plan.read[3].to, 48);
	ck_assert_uint_eq(plan.cleared, 9);
	ck_assert_uint_eq(plan.bytes, 56);
	peat_schema__free(schema);
}
END_TEST

/* Eight bits are a byte, on machines of either byte order. */
START_TEST(test_eight_bits)
{
	struct function_field fields[PLAN_READS];
	struct peat_schema *schema;
	struct function_plan plan;

	for (int i = 0; i < PLAN_READS; i++)
		fields[i] =
			number((const char *[]){ "a", "b", "c", "d", "e", "f", "g", "h" }[i], 1, 1);
	schema = schema_of(fields, PLAN_READS, 0, &plan);
	for (int i = 0; i < PLAN_READS; i++) {
		char path[] = "peat_has_a";

		path[9] = (char)('a' + i);
		ck_assert_uint_eq(plan.read[i].to, 1 + (uint32_t)i);
		check_bit(schema, &plan.read[i], path);
	}
	ck_assert_uint_eq(plan.cleared, 1);
	ck_assert_uint_eq(plan.bytes, 9);
	ck_assert(find_field(schema, "peat_has_a")->is_hidden);
	ck_assert(!find_field(schema, "a")->is_hidden);
	peat_schema__free(schema);
}
END_TEST

/* The tag of member `index` of the last struct. */
static const char *find_tag(uint32_t id, int index)
{
	uint32_t count = btf__type_cnt(types.btf);

	for (uint32_t i = 1; i < count; i++) {
		const struct btf_type *type = btf__type_by_id(types.btf, i);

		if (btf_is_decl_tag(type) && type->type == id &&
		    btf_decl_tag(type)->component_idx == index)
			return btf__name_by_offset(types.btf, type->name_off);
	}
	return "";
}

START_TEST(test_tags_name_bits)
{
	struct function_field fields[] = { number("whole", 4, 0), number("other", 4, 1),
					   number("third", 4, 2) };
	struct function_plan plan;
	struct peat_schema *schema = schema_of(fields, 3, 0, &plan);

	ck_assert_str_eq(find_tag(plan.type, 0), "peat:hidden");
	ck_assert_str_eq(find_tag(plan.type, 1), "peat:hidden");
	ck_assert_str_eq(find_tag(plan.type, 2), "");
	ck_assert_str_eq(find_tag(plan.type, 3), "peat:present:peat_has_other");
	ck_assert_str_eq(find_tag(plan.type, 4), "peat:present:peat_has_third");
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_names_collide)
{
	struct function_field twice[] = { number("file.a", 4, 1), number("b", 4, 0),
					  number("file.a", 4, 1) };
	struct function_field inside[] = { number("file", 8, 0), number("file.a", 4, 1) };
	struct function_field outside[] = { number("a.b.c", 4, 1), number("a.d", 4, 1),
					    number("a.b", 8, 1) };
	struct function_field empty[] = { number("a..b", 4, 1) };
	struct function_field deep[] = { number("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
						4, 1) };

	refused_fields(twice, 3, -EEXIST);
	refused_fields(inside, 2, -EEXIST);
	refused_fields(outside, 3, -EEXIST);
	refused_fields(empty, 1, -EINVAL);
	refused_fields(deep, 1, -E2BIG);
}
END_TEST

START_TEST(test_deepest_paths)
{
	struct function_field fields[] = { number("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
						  4, 1) };
	struct function_plan plan;

	peat_schema__free(schema_of(fields, 1, 0, &plan));
	ck_assert_uint_eq(plan.read[0].to, 4);
	ck_assert_uint_eq(plan.bytes, 8);
}
END_TEST

START_TEST(test_largest_events)
{
	struct function_field fits[] = { text("a", 256), text("b", 256), text("c", 256),
					 text("d", 255) };
	struct function_field exceeds[] = { text("a", 256), text("b", 256), text("c", 256),
					    text("d", 256) };
	struct function_field huge[] = { text("a", 0xffffffff), text("b", 256) };
	struct function_field many[PLAN_READS + 1];
	struct function_plan plan;

	peat_schema__free(schema_of(fits, 4, 0, &plan));
	ck_assert_uint_eq(plan.bytes, PLAN_BYTES);
	refused_fields(exceeds, 4, -E2BIG);
	refused_fields(huge, 2, -E2BIG);
	for (size_t i = 0; i < PLAN_READS + 1; i++)
		many[i] = number("a", 1, 0);
	refused_fields(many, PLAN_READS + 1, -E2BIG);
}
END_TEST

/* struct peat_stacks of wire.h */
static int add_stacks(void)
{
	int id = known(btf__add_struct(types.btf, "peat_stacks", 8));
	int u16_type = (int)btf__type_cnt(types.btf);
	static const char *const names[] = { "kernel_bytes", "user_bytes", "regs_bytes",
					     "memory_bytes" };

	for (uint32_t i = 0; i < 4; i++)
		ck_assert_int_eq(btf__add_field(types.btf, names[i], u16_type, i * 16, 0), 0);
	ck_assert_int_eq(btf__add_field(types.btf, "words", u16_type + 1, 64, 0), 0);
	known(btf__add_int(types.btf, "unsigned short", 2, 0));
	known(btf__add_array(types.btf, types.u32, types.u64, 0));
	return id;
}

START_TEST(test_stacks_are_last)
{
	struct function_field fields[] = { number("a", 4, 0), number("b", 1, 1) };
	struct function_field stack[] = { number("stack", 4, 0) };
	struct function_plan plan;
	struct peat_schema *schema = schema_of(fields, 2, add_stacks(), &plan);

	ck_assert_uint_eq(plan.flags, PLAN_STACKS);
	ck_assert_uint_eq(place_of(schema, "stack"), 16);
	ck_assert_uint_eq(plan.bytes, 24);
	ck_assert_int_eq(find_field(schema, "stack")->kind, PEAT_FIELD_STACK);
	ck_assert(event_types__has_stacks(types.btf, plan.type));
	peat_schema__free(schema);
	schema = schema_of(stack, 1, add_stacks(), &plan);
	ck_assert_int_eq(find_field(schema, "stack")->kind, PEAT_FIELD_UNSIGNED);
	ck_assert_int_eq(find_field(schema, "peat_stack")->kind, PEAT_FIELD_STACK);
	peat_schema__free(schema);
	schema = schema_of(NULL, 0, add_stacks(), &plan);
	ck_assert_uint_eq(place_of(schema, "stack"), 0);
	ck_assert_uint_eq(plan.bytes, 8);
	ck_assert_uint_eq(plan.cleared, 0);
	peat_schema__free(schema);
	ck_assert_int_eq(event_struct__add(&types, "event", NULL, 0, types.u32, &plan), -EINVAL);
}
END_TEST

START_TEST(test_events_without_fields)
{
	struct function_plan plan;
	struct peat_schema *schema = schema_of(NULL, 0, 0, &plan);

	ck_assert_uint_eq(plan.bytes, 1);
	ck_assert_uint_eq(plan.cleared, 1);
	ck_assert_uint_eq(plan.reads, 0);
	peat_schema__free(schema);
}
END_TEST

/* The name of the struct that is made for `name`. */
static const char *made_name(const char *name)
{
	struct function_plan plan;

	ck_assert_int_eq(event_struct__add(&types, name, NULL, 0, 0, &plan), 0);
	return btf__name_by_offset(types.btf, btf__type_by_id(types.btf, plan.type)->name_off);
}

START_TEST(test_names_become_identifiers)
{
	char name[300];

	ck_assert_str_eq(made_name("vfs_read"), "vfs_read");
	ck_assert_str_eq(made_name("kprobe:vfs_*"), "kprobe_vfs__");
	ck_assert_str_eq(made_name("0x1234"), "_0x1234");
	ck_assert_str_eq(made_name(""), "_");
	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	ck_assert_uint_eq(strlen(made_name(name)), 127);
}
END_TEST

START_TEST(test_notes_make_events)
{
	struct function_field fields[] = { number("a", 4, 0) };
	struct function_plan one, other;
	uint32_t id, largest;

	peat_schema__free(schema_of(fields, 1, 0, &one));
	peat_schema__free(schema_of(NULL, 0, add_stacks(), &other));
	ck_assert_int_eq(event_types__at(types.btf, 0, &id), 0);
	ck_assert_int_eq(event_struct__finish(&types, (uint32_t[]){ one.type, other.type },
					      (uint32_t[]){ one.bytes, 1000 }, 2),
			 0);
	ck_assert_int_eq(event_types__at(types.btf, 0, &id), 1);
	ck_assert_uint_eq(id, one.type);
	ck_assert_int_eq(event_types__at(types.btf, 1, &id), 1);
	ck_assert_uint_eq(id, other.type);
	ck_assert_int_eq(event_types__at(types.btf, 2, &id), 0);
	ck_assert_int_eq(event_types__largest(types.btf, 0, &largest), 0);
	ck_assert_uint_eq(largest, 1000);
}
END_TEST

START_TEST(test_no_notes_no_section)
{
	uint32_t before = btf__type_cnt(types.btf);

	ck_assert_int_eq(event_struct__finish(&types, NULL, NULL, 0), 0);
	ck_assert_uint_eq(btf__type_cnt(types.btf), before);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	struct function_field fields[] = { number("file.f_inode.i_ino", 8, 2),
					   number("count", 4, 0), number("file.f_flags", 4, 1) };
	for (unsigned nth = 1; nth; nth++) {
		struct function_plan plan = { 0 };
		int err;

		fail_alloc__begin(nth);
		err = event_struct__add(&types, "event", fields, 3, 0, &plan);
		if (!fail_alloc__end()) {
			ck_assert_int_eq(err, 0);
			break;
		}
		ck_assert(!err || err == -ENOMEM); /* not all of libc fails */
		ck_assert(!err == !!plan.type);
	}
	free_fields(fields, 3);
}
END_TEST

/* ---- the kernel ------------------------------------------------------------------------------ */

static void check_kernel_accepts(void)
{
	static char log[65536];
	LIBBPF_OPTS(bpf_btf_load_opts, opts, .log_buf = log, .log_size = sizeof(log),
		    .log_level = 1);
	uint32_t bytes;
	const void *raw = btf__raw_data(types.btf, &bytes);
	int fd;

	ck_assert_ptr_nonnull(raw);
	fd = bpf_btf_load(raw, bytes, &opts);
	if (fd == -EPERM)
		skip("this user may not load BTF");
	ck_assert_msg(fd >= 0, "%s: %s", strerror(-fd), log);
	ck_assert_int_eq(close(fd), 0);
}

static void add_event(const struct prototype *prototype, const char *const *paths, uint32_t count,
		      struct function_plan *plan)
{
	struct function_field fields[PLAN_READS];

	for (uint32_t i = 0; i < count; i++)
		fields[i] = field_of(*prototype, FUNCTION_RETURN, paths[i]);
	peat_schema__free(schema_of(fields, count, 0, plan));
}

/* Types of decl tags are newer than BTF. */
START_TEST(test_kernel_accepts_events)
{
	static const char *const read_paths[] = {
		"file.f_inode.i_ino",  "count",	 "file.f_flags", "file.f_path.dentry.d_name.name",
		"file.f_inode.i_mode", "result", "latency",	 "caller"
	};
	static const char *const open_paths[] = { "path.dentry.d_sb.s_id", "path.mnt" };
	struct prototypes *kernel;
	struct prototype prototype;
	struct function_plan plans[2];

	if (kernel_btf__is_missing())
		skip("this kernel has no BTF");
	ck_assert_int_eq(prototypes__open(&kernel, NULL), 0);
	ck_assert(prototypes__find(kernel, "vfs_read", NULL, &prototype));
	add_event(&prototype, read_paths, 8, &plans[0]);
	ck_assert(prototypes__find(kernel, "vfs_open", NULL, &prototype));
	add_event(&prototype, open_paths, 2, &plans[1]);
	prototypes__free(kernel);
	ck_assert_int_eq(event_struct__finish(&types, (uint32_t[]){ plans[0].type, plans[1].type },
					      (uint32_t[]){ plans[0].bytes, plans[1].bytes }, 2),
			 0);
	check_kernel_accepts();
}
END_TEST

START_TEST(test_kernel_accepts_synthetic_events)
{
	struct function_field fields[] = {
		number("a.b.c", 8, 3), text("a.d", 3), number("e", 1, 0),
		number("a.b.f", 4, 1), text("g", 64),  number("h", 4, 0)
	};
	const char *const names[] = { "one", "two" };
	struct function_plan plans[3];

	peat_schema__free(schema_of(fields, 6, 0, &plans[0]));
	peat_schema__free(schema_of(NULL, 0, 0, &plans[1]));
	ck_assert_int_eq(function_field__make_name(&fields[0], &types, "function", names, 2), 0);
	peat_schema__free(schema_of(fields, 1, add_stacks(), &plans[2]));
	ck_assert_int_eq(event_struct__finish(
				 &types,
				 (uint32_t[]){ plans[0].type, plans[1].type, plans[2].type },
				 (uint32_t[]){ plans[0].bytes, plans[1].bytes, plans[2].bytes }, 3),
			 0);
	check_kernel_accepts();
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_places_are_aligned);
	tcase_add_test(tests, test_paths_are_structs);
	tcase_add_test(tests, test_eight_bits);
	tcase_add_test(tests, test_tags_name_bits);
	tcase_add_test(tests, test_names_collide);
	tcase_add_test(tests, test_deepest_paths);
	tcase_add_test(tests, test_largest_events);
	tcase_add_test(tests, test_stacks_are_last);
	tcase_add_test(tests, test_events_without_fields);
	tcase_add_test(tests, test_names_become_identifiers);
	tcase_add_test(tests, test_notes_make_events);
	tcase_add_test(tests, test_no_notes_no_section);
	tcase_add_test(tests, test_memory_runs_out);
	tcase_add_test(tests, test_kernel_accepts_events);
	tcase_add_test(tests, test_kernel_accepts_synthetic_events);
}
