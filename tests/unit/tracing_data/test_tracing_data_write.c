// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracing_data_write.c: writes TRACING_DATA and parses it again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracing_data/tracing_data_write.h"

#include "support/machine/harness.h"
#include "unit/suite.h"
#include "tracing_bytes.h"

#define TEXT(text)                                                                                 \
	{                                                                                          \
		text, sizeof(text) - 1                                                             \
	}

/* Writes formats and parses them again; checks their order: "SYSTEM/TEXT ...". */
static void check(const struct tracing_format *formats, uint32_t count, const char *wanted)
{
	struct strbuf out = { 0 }, found = { 0 };
	struct tracing_format format;
	struct tracing_data data;
	uint8_t *copy;
	int more;

	tracing_data_write__append(&out, formats, count, 16384);
	ck_assert(!out.failed);
	copy = memcpy(malloc(out.count), out.bytes, out.count);
	ck_assert_int_eq(tracing_data__begin(&data, copy, out.count), 0);
	ck_assert_str_eq(data.version, "0.6");
	ck_assert(!data.swapped);
	ck_assert_uint_eq(data.long_bytes, sizeof(long));
	ck_assert_uint_eq(data.page_bytes, 16384);
	while ((more = tracing_data__next(&data, &format)) == 1) {
		strbuf__text(&found, format.system);
		strbuf__char(&found, '/');
		strbuf__bytes(&found, format.text.at, format.text.bytes);
		strbuf__char(&found, ' ');
	}
	strbuf__char(&found, '\0');
	ck_assert_msg(!more, "%s", data.why);
	ck_assert_str_eq(found.bytes, wanted);
	ck_assert(!data.kallsyms.bytes && !data.printk.bytes && !data.cmdlines.bytes);
	ck_assert_ptr_eq(data.cur.at, copy + out.count);
	ck_assert_ptr_nonnull(memmem(data.header_page.at, data.header_page.bytes, "commit", 6));
	ck_assert_uint_gt(data.header_event.bytes, 0);
	strbuf__free(&out);
	strbuf__free(&found);
	free(copy);
}

START_TEST(test_formats_in_systems)
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

/* "kallsyms", "printk" and the rest are not changed, nor bytes after them. */
START_TEST(test_append_more)
{
	static const struct tracing_format more[] = { { "peat", TEXT("ours") },
						      { "sched", TEXT("x") },
						      { "peat", TEXT("too") } };
	static struct bytes base;
	struct tracing_format format;
	struct tracing_data data;
	struct strbuf out = { 0 };
	size_t ends[4];
	unsigned count = 0;

	for (int version = 5; version <= 6; version++) {
		put_tracing(&base, version == 5 ? "0.5" : "0.6", false, ends);
		if (version == 6)
			put_text(&base, "42 sh", 8);
		put(&base, 0, 3);
		ck_assert_int_eq(tracing_data_write__append_more(&out, base.at, base.len, more, 3),
				 0);
		ck_assert_int_eq(tracing_data__begin(&data, out.bytes, out.count), 0);
		for (count = 0; tracing_data__next(&data, &format) > 0; count++)
			ck_assert(count < 4 ||
				  !strcmp(format.system, count == 6 ? "sched" : "peat"));
		ck_assert_uint_eq(count, 7);
		ck_assert(!memcmp(data.header_page.at, "page", 4));
		ck_assert(!memcmp(data.kallsyms.at, "T _text", 7));
		ck_assert_uint_eq(data.printk.bytes, strlen("0x1 : \"x\""));
		ck_assert_uint_eq(data.cmdlines.bytes, version == 6 ? 5 : 0);
		ck_assert(!memcmp(out.bytes + out.count - 20, base.at + base.len - 20, 20));
		strbuf__free(&out);
	}
}
END_TEST

START_TEST(test_append_more_to_damaged)
{
	static const struct tracing_format more[] = { { "peat", TEXT("ours") } };
	static struct bytes base;
	struct strbuf out = { 0 };
	size_t ends[4], whole;

	put_tracing(&base, "0.5", true, ends);
	ck_assert_int_eq(tracing_data_write__append_more(&out, base.at, base.len, more, 1),
			 -EBADMSG);
	put_tracing(&base, "0.5", false, ends);
	whole = base.len;
	for (base.len = 0; base.len < whole; base.len++) {
		struct placed placed = place(&base, base.len, 0);

		ck_assert_int_eq(
			tracing_data_write__append_more(&out, placed.at, placed.len, more, 1),
			-EBADMSG);
		free(placed.mem);
	}
	ck_assert_uint_eq(out.count, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_formats_in_systems);
	tcase_add_test(tests, test_append_more);
	tcase_add_test(tests, test_append_more_to_damaged);
}
