// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracing_data.c: TRACING_DATA, whole and damaged. */
#include <errno.h>
#include <string.h>

#include "tracing_data/tracing_data.h"

#include "support/machine/harness.h"
#include "unit/suite.h"
#include "tracing_bytes.h"

#define FORMATS 4

static const char *const systems[FORMATS] = { "ftrace", "sched", "sched", "irq" };
static const char *const texts[FORMATS] = { "one", "two", "", "four" };

static bool is_text(const struct tracing_text *text, const char *wanted)
{
	return text->bytes == strlen(wanted) && !memcmp(text->at, wanted, text->bytes);
}

/* Parses the first `len` bytes, in memory of that size; checks and counts formats. */
static int walk(const struct bytes *b, size_t len, struct tracing_data *data, uint32_t *count)
{
	uint8_t *copy = malloc(len + !len);
	struct tracing_format format;
	int err;

	memcpy(copy, b->at, len);
	*count = 0;
	err = tracing_data__begin(data, copy, len);
	while (!err && (err = tracing_data__next(data, &format)) == 1) {
		ck_assert_uint_lt(*count, FORMATS);
		ck_assert_str_eq(format.system, systems[*count]);
		ck_assert(is_text(&format.text, texts[*count]));
		++*count;
		err = 0;
	}
	if (err) {
		ck_assert_int_eq(err, -EBADMSG);
		ck_assert_ptr_nonnull(data->why);
		ck_assert_uint_le(data->bad_at, len);
	} else {
		ck_assert_int_eq(tracing_data__next(data, &format), 0);
		ck_assert(is_text(&data->kallsyms, "T _text"));
	}
	free(copy);
	return err;
}

START_TEST(test_both_orders)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct bytes b;
		struct tracing_data data;
		struct tracing_format format;
		size_t ends[FORMATS];

		put_tracing(&b, "0.6", swapped, ends);
		put_text(&b, "1 init", 8);
		ck_assert_int_eq(tracing_data__begin(&data, b.at, b.len), 0);
		ck_assert_str_eq(data.version, "0.6");
		ck_assert(data.swapped == swapped && data.big_endian == bytes__big_endian(&b));
		ck_assert_uint_eq(data.long_bytes, 8);
		ck_assert_uint_eq(data.page_bytes, 4096);
		ck_assert(is_text(&data.header_page, "page"));
		ck_assert(is_text(&data.header_event, "event"));
		for (int i = 0; i < FORMATS; i++) {
			ck_assert_int_eq(tracing_data__next(&data, &format), 1);
			ck_assert_str_eq(format.system, systems[i]);
			ck_assert(is_text(&format.text, texts[i]));
		}
		ck_assert_int_eq(tracing_data__next(&data, &format), 0);
		ck_assert(is_text(&data.kallsyms, "T _text"));
		ck_assert(is_text(&data.printk, "0x1 : \"x\""));
		ck_assert(is_text(&data.cmdlines, "1 init"));
	}
}
END_TEST

/* Names of commands exist since version 0.6. */
START_TEST(test_versions_with_command_names)
{
	static const struct {
		const char *version;
		bool cmdlines;
	} versions[] = { { "0.5", false }, { "0.6", true }, { "0.7", true },
			 { "6", true },	   { "", true },    { "0", false } };
	struct tracing_data data;
	size_t ends[FORMATS];
	struct bytes b;
	uint32_t count;

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		put_tracing(&b, versions[i].version, false, ends);
		ck_assert_int_eq(walk(&b, b.len, &data, &count),
				 versions[i].cmdlines ? -EBADMSG : 0);
		ck_assert_uint_eq(count, FORMATS);
		put_text(&b, "", 8);
		put_u32(&b, 0); /* padding, as in a pipe */
		ck_assert_int_eq(walk(&b, b.len, &data, &count), 0);
	}
}
END_TEST

START_TEST(test_cut_everywhere)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct bytes b;
		struct tracing_data data;
		size_t ends[FORMATS];
		uint32_t count, whole = 0;

		put_tracing(&b, "0.6", swapped, ends);
		put_text(&b, "1 init", 8);
		for (size_t len = 0; len < b.len; len++) {
			while (whole < FORMATS && ends[whole] <= len)
				whole++;
			ck_assert_int_eq(walk(&b, len, &data, &count), -EBADMSG);
			ck_assert_uint_eq(count, whole);
		}
		ck_assert_int_eq(walk(&b, b.len, &data, &count), 0);
	}
}
END_TEST

/* Impossible sizes and numbers: no read beyond the end, no long loops. */
START_TEST(test_invalid_sizes)
{
	struct tracing_data data;
	struct bytes b;
	uint32_t count;

	begin_tracing(&b, "0.6", 8, false);
	put_u32(&b, 0);
	put_u32(&b, UINT32_MAX);
	ck_assert_int_eq(walk(&b, b.len, &data, &count), -EBADMSG);
	begin_system(&b, "x", UINT32_MAX);
	ck_assert_int_eq(walk(&b, b.len, &data, &count), -EBADMSG);
	put_u64(&b, UINT64_MAX);
	put_word(&b, "some text");
	ck_assert_int_eq(walk(&b, b.len, &data, &count), -EBADMSG);
	ck_assert_uint_eq(count, 0);
	ck_assert_uint_eq(data.bad_at, b.len - 18);

	begin_tracing(&b, "0.6", 5, false);
	ck_assert_int_eq(walk(&b, b.len, &data, &count), -EBADMSG);
	begin_tracing(&b, "0.6", 4, false);
	b.at[14] = 2; /* an invalid byte order */
	ck_assert_int_eq(walk(&b, b.len, &data, &count), -EBADMSG);
	b.at[0]++;
	ck_assert_int_eq(walk(&b, b.len, &data, &count), -EBADMSG);
	ck_assert_int_eq(tracing_data__begin(&data, NULL, 0), -EBADMSG);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_both_orders);
	tcase_add_test(tests, test_versions_with_command_names);
	tcase_add_test(tests, test_cut_everywhere);
	tcase_add_test(tests, test_invalid_sizes);
}
