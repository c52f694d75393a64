// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_feature_encode.c: header features, encoded and decoded again; compressed records. */
#include <errno.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "perf_data/describe/features.h"
#include "perf_data/read/inflate.h"
#include "perf_data/write/deflate.h"
#include "perf_data/write/feature_encode.h"
#include "perf_data/write/tool_encode.h"
#include "record/attr_encode.h"
#include "record/encode.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

/* The printed feature; its bytes have to be complete, up to the last one. */
static void check_told(uint64_t id, struct strbuf *bytes, const char *json)
{
	struct perf_features features = { 0 };
	struct strbuf out = { 0 };
	struct emit emit = emit__json(&out);
	const char *why;

	ck_assert_int_eq(features__emit(&features, id, bytes->bytes, bytes->count, &emit, &why), 0);
	strbuf__char(&out, 0);
	ck_assert_msg(strstr(out.bytes, json), "%s, not %s", out.bytes, json);
	out.count = 0;
	ck_assert_int_eq(features__emit(&features, id, bytes->bytes, bytes->count - 1, &emit, &why),
			 -EBADMSG);
	strbuf__free(&out);
	bytes->count = 0;
}

START_TEST(test_encodes_features)
{
	static const char *const args[] = { "peat", "record", "", NULL };
	struct feature_btf btfs[] = { { 7, 3, "abc" }, { 8, 5, "defgh" } };
	struct strbuf out = { 0 };

	feature_encode__text(&out, "example");
	ck_assert_uint_eq(out.count, 4 + 64);
	check_told(FEATURE_HOSTNAME, &out, "\"hostname\":\"example\"");
	feature_encode__text(&out,
			     "a text of 63 bytes, which a NUL makes 64: that fits, exactly 63");
	ck_assert_uint_eq(out.count, 4 + 64);
	out.count = 0;
	feature_encode__nrcpus(&out, 8, 6);
	check_told(FEATURE_NRCPUS, &out, "\"available\":8,\"online\":6");
	feature_encode__total_mem(&out, 1ULL << 40);
	check_told(FEATURE_TOTAL_MEM, &out, "\"total_kb\":1099511627776");
	feature_encode__cmdline(&out, args);
	check_told(FEATURE_CMDLINE, &out, "\"args\":[\"peat\",\"record\",\"\"]");
	feature_encode__sample_time(&out, 5, 10);
	check_told(FEATURE_SAMPLE_TIME, &out, "\"first_ns\":5,\"last_ns\":10");
	feature_encode__clockid(&out, 4);
	check_told(FEATURE_CLOCKID, &out, "\"resolution_ns\":4");
	feature_encode__clock_data(&out, 1, 22, 33);
	check_told(FEATURE_CLOCK_DATA, &out,
		   "\"version\":1,\"clockid\":1,\"wall_clock_ns\":22,\"clock_ns\":33");
	feature_encode__bpf_btf(&out, btfs, 2);
	check_told(FEATURE_BPF_BTF, &out, "[{\"id\":7,\"bytes\":3},{\"id\":8,\"bytes\":5}]");
	feature_encode__kernel_id(&out, "\xab\xcd", 2);
	check_told(FEATURE_BUILD_ID, &out,
		   "\"build_ids\":[{\"pid\":-1,\"build_id\":\"abcd\",\"filename\":"
		   "\"[kernel.kallsyms]\"}]");
	feature_encode__compressed(&out, 3, 9);
	check_told(FEATURE_COMPRESSED, &out,
		   "\"version\":0,\"compression\":1,\"level\":3,\"ratio\":9,\"mmap_bytes\":65536");
	strbuf__free(&out);
}
END_TEST

START_TEST(test_event_desc)
{
	struct perf_attr named = attr_encode__tracepoint(40000), plain = attr_encode__bpf_output();
	struct perf_attrs attrs;
	struct strbuf out = { 0 };

	perf_attrs__init(&attrs, false);
	ck_assert_int_eq(perf_attrs__add(&attrs, &named), 0);
	ck_assert_int_eq(perf_attrs__name(attrs.at[0], "peat:exec", 9), 0);
	ck_assert_int_eq(perf_attrs__add_id(&attrs, attrs.at[0], 101), 0);
	ck_assert_int_eq(perf_attrs__add_id(&attrs, attrs.at[0], 102), 0);
	ck_assert_int_eq(perf_attrs__add(&attrs, &plain), 0);
	feature_encode__event_desc(&out, &attrs);
	check_told(FEATURE_EVENT_DESC, &out,
		   "{\"name\":\"peat:exec\",\"ids\":[101,102],\"attr\":{\"type\":2,\"size\":128,"
		   "\"config\":40000,");
	feature_encode__event_desc(&out, &attrs);
	check_told(FEATURE_EVENT_DESC, &out, "{\"name\":\"bpf-output\",\"ids\":[],");
	perf_attrs__clear(&attrs);
	strbuf__free(&out);
}
END_TEST

/* ---- compression ----------------------------------------------------------------------------- */

/* Records of every size that there is room for, of what no zstd makes smaller. */
static void make_noise(struct strbuf *out, size_t size)
{
	size_t start = encode__begin(out, PEAT_RECORD_SAMPLE, 0);

	while (out->count - start < size)
		strbuf__char(out, (char)random());
	ck_assert_int_eq(encode__end(out, start), 0);
}

/* Each piece, by itself behind those before it, brings out something, and what it says at most. */
static void check_pieces(const struct strbuf *packed, const struct strbuf *plain)
{
	struct inflate *inflate = inflate__new();
	size_t done = 0;

	for (size_t at = 0; at < packed->count;) {
		size_t size = load_u16(packed->bytes + at + 6, false), piece = 0, got;

		ck_assert_uint_eq(load_u32(packed->bytes + at, false), TOOL_COMPRESSED);
		inflate__feed(inflate, packed->bytes + at + 8, size - 8);
		while ((got = inflate__peek(inflate, 1))) {
			ck_assert_uint_le(done + piece + got, plain->count);
			ck_assert(!memcmp(inflate__at(inflate), plain->bytes + done + piece, got));
			inflate__consume(inflate, got);
			piece += got;
		}
		ck_assert_ptr_null(inflate__error(inflate));
		ck_assert(piece > 0 && piece <= DEFLATE_INFLATED_MOST);
		done += piece;
		at += size;
	}
	ck_assert_uint_eq(done, plain->count);
	inflate__free(inflate);
}

START_TEST(test_deflates_records)
{
	struct deflate *deflate = deflate__new(1);
	struct strbuf plain = { 0 }, packed = { 0 };
	size_t from;

	srandom(1);
	ck_assert_ptr_nonnull(deflate);
	ck_assert_int_eq(deflate__records(deflate, "", 0, &packed), 0);
	ck_assert_uint_eq(packed.count, 0);
	for (size_t size = 8; size <= ENCODE_RECORD_MOST - 8; size += 997)
		make_noise(&plain, size);
	make_noise(&plain, ENCODE_RECORD_MOST);
	ck_assert_int_eq(deflate__records(deflate, plain.bytes, plain.count, &packed), 0);
	for (int i = 0; i < 100; i++) {
		from = plain.count;
		tool_encode__mark(&plain, TOOL_FINISHED_ROUND);
		ck_assert_int_eq(deflate__records(deflate, plain.bytes + from, 8, &packed), 0);
	}
	check_pieces(&packed, &plain);
	deflate__free(deflate);
	strbuf__free(&plain);
	strbuf__free(&packed);
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_encodes_features);
	tcase_add_test(tests, test_event_desc);
	tcase_add_test(tests, test_deflates_records);
}
