// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_exported_pdu.c: the tags before plaintext. */
#include <string.h>

#include "pcapng/exported_pdu.h"
#include "unit/suite.h"

static const char wanted[EXPORTED_PDU_TAGS + 1] = "\0\x0e\0\x08tls.port"
						  "\0\x20\0\4\0\0\0\0"
						  "\0\x23\0\4\0\0\0\0"
						  "\0\0\0\0";

#define DIRECTION_AT 27

static void check(enum block_direction direction, char number)
{
	struct strbuf out = { 0 };

	strbuf__char(&out, 'x');
	exported_pdu__tags(&out, direction);
	ck_assert_uint_eq(out.count, 1 + EXPORTED_PDU_TAGS);
	ck_assert_mem_eq(out.bytes + 1, wanted, DIRECTION_AT);
	ck_assert_int_eq(out.bytes[1 + DIRECTION_AT], number);
	ck_assert_mem_eq(out.bytes + 2 + DIRECTION_AT, wanted + DIRECTION_AT + 1, 4);
	strbuf__free(&out);
}

START_TEST(test_tags_depend_on_direction)
{
	check(BLOCK_OUTBOUND, 0);
	check(BLOCK_INBOUND, 1);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_tags_depend_on_direction);
}
