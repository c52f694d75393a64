// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracing_write.c: TRACING_DATA put together, and taken apart again. */
#include <stdlib.h>
#include <string.h>

#include "tracing_write.h"

#include "harness.h"
#include "suites.h"

#define TEXT(text)                                                                                 \
	{                                                                                          \
		text, sizeof(text) - 1                                                             \
	}

/* Writes them and reads them back: they come in the order of `wanted`, as "SYSTEM/TEXT ...". */
static void check(const struct tracing_format *formats, uint32_t count, const char *wanted)
{
	struct out out = { 0 }, found = { 0 };
	struct tracing_format format;
	struct tracing_data data;
	uint8_t *copy;
	int more;

	tracing_write__append(&out, formats, count, 16384);
	ck_assert(!out.failed);
	copy = memcpy(malloc(out.count), out.bytes, out.count);
	ck_assert_int_eq(tracing_data__begin(&data, copy, out.count), 0);
	ck_assert_str_eq(data.version, "0.6");
	ck_assert(!data.swapped);
	ck_assert_uint_eq(data.long_bytes, sizeof(long));
	ck_assert_uint_eq(data.page_bytes, 16384);
	while ((more = tracing_data__next(&data, &format)) == 1) {
		out__text(&found, format.system);
		out__char(&found, '/');
		out__bytes(&found, format.text.at, format.text.bytes);
		out__char(&found, ' ');
	}
	out__char(&found, '\0');
	ck_assert_msg(!more, "%s", data.why);
	ck_assert_str_eq(found.bytes, wanted);
	ck_assert(!data.kallsyms.bytes && !data.printk.bytes && !data.cmdlines.bytes);
	ck_assert_ptr_eq(data.cur.at, copy + out.count);
	ck_assert_ptr_nonnull(memmem(data.header_page.at, data.header_page.bytes, "commit", 6));
	ck_assert_uint_gt(data.header_event.bytes, 0);
	out__free(&out);
	out__free(&found);
	free(copy);
}

START_TEST(test_systems)
{
	static const struct tracing_format formats[] = {
		{ "peat", TEXT("one") },  { "other", TEXT("two") },  { "peat", TEXT("") },
		{ "pea", TEXT("three") }, { "other", TEXT("four") },
	};

	check(formats, 5, "peat/one peat/ other/two other/four pea/three ");
	check(formats, 1, "peat/one ");
	check(NULL, 0, "");
}
END_TEST

Suite *tracing_write_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("tracing_write", 10, &tests);

	tcase_add_test(tests, test_systems);
	return suite;
}
