// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_json_lines.c: batches as lines of JSON. */
#include <math.h>
#include <string.h>
#include <zstd.h>

#include "file/json_lines.h"
#include "support/agent/file_run.h"
#include "support/recording/json_check.h"
#include "unit/suite.h"

static struct strbuf out;

static const char *lines_of(struct peat_batch *batch)
{
	uint64_t refused;

	strbuf__cut(&out, 0);
	ck_assert_int_eq(json_lines__add(batch, NULL, &out, &refused), 0);
	ck_assert_uint_eq(refused, 0);
	strbuf__char(&out, '\0');
	ck_assert(json_lines(out.bytes));
	return out.bytes;
}

START_TEST(test_event_lines)
{
	struct peat_batch *batch = file_run__batch(7, 2);

	ck_assert_str_eq(lines_of(batch),
			 "{\"type\":\"numbered\",\"time_ns\":4684104242071,\"time\":"
			 "\"2023-11-14T23:31:24.104242071Z\",\"cpu\":3,\"pid\":19007,\"tid\":19008,"
			 "\"comm\":\"cc1plus\",\"number\":7,\"text\":\"/usr/lib/lib50327.so\"}\n"
			 "{\"type\":\"numbered\",\"time_ns\":4684104243072,\"time\":"
			 "\"2023-11-14T23:31:24.104243072Z\",\"cpu\":0,\"pid\":19008,\"tid\":19009,"
			 "\"comm\":\"cc1plus\",\"number\":8,\"text\":\"/usr/lib/lib86088.so\"}\n");
	peat_batch__unref(batch);
	strbuf__free(&out);
}
END_TEST

START_TEST(test_point_lines)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "test" };
	const struct peat_label labels[] = { { "source", "a\"b" }, { "cause", "ring_full" } };
	const struct peat_bucket buckets[] = { { 0.5, 3 }, { INFINITY, 1 } };
	struct peat_point point = { .sz = sizeof(point),
				    .kind = PEAT_POINT_COUNTER,
				    .label_count = 2,
				    .name = "peat.events.lost",
				    .unit = "{event}",
				    .labels = labels,
				    .start_ns = 1700000000000000000,
				    .time_ns = 1700000001500000000,
				    .count = UINT64_MAX };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	point = (struct peat_point){ .sz = sizeof(point),
				     .kind = PEAT_POINT_GAUGE,
				     .name = "g",
				     .time_ns = 1700000001500000000,
				     .value = -0.25 };
	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	point.kind = PEAT_POINT_HISTOGRAM;
	point.name = "h";
	point.buckets = buckets;
	point.bucket_count = 2;
	point.count = 4;
	point.value = NAN;
	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	ck_assert_str_eq(lines_of(batch),
			 "{\"type\":\"point\",\"name\":\"peat.events.lost\",\"kind\":\"counter\","
			 "\"unit\":\"{event}\",\"labels\":{\"source\":\"a\\\"b\","
			 "\"cause\":\"ring_full\"},\"time\":\"2023-11-14T22:13:21.500000000Z\","
			 "\"start\":\"2023-11-14T22:13:20.000000000Z\","
			 "\"value\":18446744073709551615}\n"
			 "{\"type\":\"point\",\"name\":\"g\",\"kind\":\"gauge\",\"labels\":{},"
			 "\"time\":\"2023-11-14T22:13:21.500000000Z\",\"value\":-0.25}\n"
			 "{\"type\":\"point\",\"name\":\"h\",\"kind\":\"histogram\",\"labels\":{},"
			 "\"time\":\"2023-11-14T22:13:21.500000000Z\",\"count\":4,\"sum\":null,"
			 "\"buckets\":[{\"upper\":0.5,\"count\":3},"
			 "{\"upper\":null,\"count\":1}]}\n");
	peat_batch__unref(batch);
	strbuf__free(&out);
}
END_TEST

START_TEST(test_compressed_lines)
{
	struct peat_batch *batch = file_run__batch(0, 2000);
	struct zstd_frames *frames = zstd_frames__new(1);
	struct strbuf compressed = { 0 };
	const char *plain = lines_of(batch);
	size_t bytes = out.count - 1, got;
	char *text = malloc(bytes);
	uint64_t refused;

	zstd_frames__begin(frames);
	ck_assert_int_eq(json_lines__add(batch, frames, &compressed, &refused), 0);
	strbuf__bytes(&compressed, FRAME_END, FRAME_END_BYTES);
	got = ZSTD_decompress(text, bytes, compressed.bytes, compressed.count);
	ck_assert_msg(!ZSTD_isError(got), "%s", ZSTD_getErrorName(got));
	ck_assert_uint_eq(got, bytes);
	ck_assert_int_eq(memcmp(text, plain, bytes), 0);
	ck_assert_uint_lt(compressed.count, bytes / 4);
	free(text);
	zstd_frames__free(frames);
	strbuf__free(&compressed);
	peat_batch__unref(batch);
	strbuf__free(&out);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_event_lines);
	tcase_add_test(tests, test_point_lines);
	tcase_add_test(tests, test_compressed_lines);
}
