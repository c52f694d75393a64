// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_program_slots.c: programs in program arrays that an object initializes; damaged objects. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "object/program_slots.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(calls)
EMBED_OBJECT(kinds_of_fields)

static void check_slot(const struct program_slot *slot, uint32_t index, const char *program)
{
	ck_assert_str_eq(bpf_map__name(slot->map), "filled");
	ck_assert_uint_eq(slot->index, index);
	ck_assert_str_eq(bpf_program__name(slot->program), program);
}

START_TEST(test_slots_by_program)
{
	struct bpf_object *object = object__open(&calls_object);
	struct program_slots slots;

	ck_assert_int_eq(
		program_slots__read(&slots, object, calls_object.bytes, *calls_object.count), 0);
	ck_assert_uint_eq(slots.count, 3);
	check_slot(&slots.at[0], 1, "second");
	check_slot(&slots.at[1], 6, "first");
	check_slot(&slots.at[2], 7, "second");
	program_slots__free(&slots);
	ck_assert_int_eq(program_slots__read(&slots, object, "nothing", 7), -EBADMSG);
	ck_assert_uint_eq(slots.count, 0);
	bpf_object__close(object);
}
END_TEST

/* The file of an object without program arrays is not read. */
START_TEST(test_no_program_array)
{
	struct bpf_object *object = object__open(&kinds_of_fields_object);
	struct program_slots slots;

	ck_assert_int_eq(program_slots__read(&slots, object, "nothing", 7), 0);
	ck_assert_uint_eq(slots.count, 0);
	bpf_object__close(object);
}
END_TEST

static void read_damaged(const struct bpf_object *object, const void *bytes, size_t count)
{
	struct program_slots slots;
	int err = program_slots__read(&slots, object, bytes, count);

	ck_assert(!err || err == -EBADMSG);
	ck_assert(!err || !slots.count);
	program_slots__free(&slots);
}

START_TEST(test_damaged_objects_do_no_harm)
{
	struct bpf_object *object = object__open(&calls_object);
	size_t count = *calls_object.count;
	unsigned char *bytes = malloc(count);

	ck_assert_ptr_nonnull(bytes);
	for (size_t cut = 1; cut < count; cut += 97) {
		memcpy(bytes, calls_object.bytes, cut);
		read_damaged(object, bytes, cut);
	}
	memcpy(bytes, calls_object.bytes, count);
	for (size_t i = 0; i < count; i++) {
		unsigned char byte = bytes[i];

		bytes[i] ^= 0xff;
		read_damaged(object, bytes, count);
		bytes[i] = byte;
	}
	free(bytes);
	bpf_object__close(object);
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_slots_by_program);
	tcase_add_test(tests, test_no_program_array);
	tcase_add_test(tests, test_damaged_objects_do_no_harm);
}
