// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_btf_schema_refused.c: types that cannot be events, and invalid BTF. */
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>

#include "event_btf.h"
#include "unit/suite.h"

START_TEST(test_types_that_cannot_be_events)
{
	int id = begin("large", 65536);

	member("a", u32, 0);
	refused(id, EINVAL);
	refused(u32, EINVAL);
	refused(0, EINVAL);
	refused(100000, EINVAL);
}
END_TEST

START_TEST(test_circular_types)
{
	int self = begin("self", 4), next, id;

	member("self", self, 0);
	refused(self, EINVAL);
	id = begin("hidden", 4);
	member(NULL, id, 0);
	refused(id, EINVAL);
	next = known(btf__type_cnt(btf));
	ck_assert_int_eq(btf__add_typedef(btf, "loop", next), next);
	id = begin("loops", 4);
	member("a", next, 0);
	refused(id, EBADMSG);
	next = known(btf__type_cnt(btf));
	id = known(btf__add_array(btf, u32, next, 1));
	ck_assert_int_eq(id, next);
	id = begin("arrays", 4);
	member("a", next, 0);
	refused(id, EINVAL);
}
END_TEST

/* Without any field: 64 members of 64 members of 64 ... */
START_TEST(test_exponential_nesting)
{
	int id = begin("leaf", 0);

	for (int depth = 0; depth < 20; depth++) {
		int outer = begin("outer", 0);

		for (int i = 0; i < 64; i++)
			member(NULL, id, 0);
		id = outer;
	}
	refused(id, EINVAL);
}
END_TEST

static int nested(int depth)
{
	int id = begin("leaf", 4);

	member("a", u32, 0);
	while (--depth) {
		int outer = begin("outer", 4);

		member("a", id, 0);
		id = outer;
	}
	return id;
}

static int wide(int members)
{
	int id = begin("wide", 4);

	for (int i = 0; i < members; i++)
		member("x", u32, 0);
	return id;
}

START_TEST(test_limits_of_depth_and_fields)
{
	peat_schema__free(peat_schema__new(btf, (uint32_t)nested(32)));
	ck_assert_uint_eq(errors, 0);
	refused(nested(33), EINVAL);
	errors = 0;
	peat_schema__free(peat_schema__new(btf, (uint32_t)wide(4096)));
	ck_assert_uint_eq(errors, 0);
	refused(wide(4097), EINVAL);
}
END_TEST

/* An event with one member of this type, at this bit. */
static int event_with(int type, uint32_t bytes, uint32_t bit, uint32_t bits)
{
	int id = begin("event", bytes);

	bit_member("x", type, bit, bits);
	return id;
}

START_TEST(test_invalid_btf)
{
	int id, odd = known(btf__add_int(btf, "odd", 4, 0)), inner = begin("inner", 8);
	struct btf_type *type;

	member("a", u64, 0);
	refused(event_with(u64, 8, 8, 0), EBADMSG);
	refused(event_with(u32, 4, 30, 3), EBADMSG);
	refused(event_with(u32, 8, 0, 33), EBADMSG);
	refused(event_with(inner, 8, 8, 0), EBADMSG);
	refused(event_with(array(u32, 3), 8, 0, 0), EBADMSG);
	refused(event_with(array(u32, 0x40000001), 8, 0, 0), EBADMSG);
	refused(event_with(array(array(u64, UINT32_MAX), UINT32_MAX), 8, 0, 0), EBADMSG);
	refused(event_with(array(letter, UINT32_MAX), 8, 0, 0), EBADMSG);
	refused(event_with(array(letter, 0), 8, 72, 0), EBADMSG);
	refused(event_with(12345, 8, 0, 0), EBADMSG);
	id = begin("event", 4);
	member(NULL, inner, 0);
	refused(id, EBADMSG);
	type = (struct btf_type *)btf__type_by_id(btf, (uint32_t)odd);
	type->size = 3;
	refused(event_with(odd, 8, 0, 0), EBADMSG);
	type = (struct btf_type *)btf__type_by_id(btf, (uint32_t)inner);
	btf_members(type)->name_off = 1 << 20;
	refused(inner, EBADMSG);
}
END_TEST

/* The header claims to be a byte longer: libbpf accepts it. */
START_TEST(test_misaligned_types)
{
	int id = begin("event", 4);
	const struct btf_header *header;
	uint32_t bytes;
	char *copy;

	member("x", u32, 0);
	header = btf__raw_data(btf, &bytes);
	copy = calloc(1, bytes + 1);
	memcpy(copy, header, sizeof(*header));
	memcpy(copy + sizeof(*header) + 1, header + 1, bytes - sizeof(*header));
	((struct btf_header *)copy)->hdr_len++;
	btf__free(btf);
	btf = btf__new(copy, bytes + 1);
	free(copy);
	if (btf)
		refused(id, EBADMSG);
}
END_TEST

START_TEST(test_too_much_text)
{
	size_t bytes = 100000;
	char *name = malloc(bytes + 1);
	int id = begin("event", 4);

	memset(name, 'x', bytes);
	name[bytes] = '\0';
	for (int i = 0; i < 200; i++)
		member(name, u32, 0);
	refused(id, EBADMSG);
	free(name);
	id = begin("event", 8);
	member("pid", u32, 0);
	member("pid", u32, 4);
	refused(id, EBADMSG);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_types_that_cannot_be_events);
	tcase_add_test(tests, test_circular_types);
	tcase_add_test(tests, test_exponential_nesting);
	tcase_add_test(tests, test_limits_of_depth_and_fields);
	tcase_add_test(tests, test_invalid_btf);
	tcase_add_test(tests, test_misaligned_types);
	tcase_add_test(tests, test_too_much_text);
}
