// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_encode.c: batches become pieces, and the same batches again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit/fail_alloc.h"
#include "unit/piece/piece_events.h"

static struct piece_encoder *encoder;
static struct peat_schema *schema;
static struct strbuf out;

static void setup(void)
{
	encoder = piece_encoder__new("host-1", 3);
	ck_assert_ptr_nonnull(encoder);
	schema = exec_schema("exec");
	out = (struct strbuf){ 0 };
}

static void teardown(void)
{
	piece_encoder__free(encoder);
	peat_schema__free(schema);
	strbuf__free(&out);
}

/* Encodes the batch, decodes it and compares both. */
static void check_round_trip(struct peat_batch *batch, uint64_t first)
{
	struct piece_info info;
	struct peat_batch *decoded;

	strbuf__cut(&out, 0);
	ck_assert_int_eq(piece__encode(encoder, batch, ORIGIN(first), &out), 0);
	ck_assert_int_eq(piece__measure(out.bytes, out.count, &info), (ssize_t)out.count);
	ck_assert_str_eq(info.host, "host-1");
	ck_assert_str_eq(info.source, peat_batch__source(batch));
	ck_assert_uint_eq(info.run, RUN);
	ck_assert_uint_eq(info.number, first);
	ck_assert_uint_eq(info.first, first);
	ck_assert_uint_eq(info.events, peat_batch__events(batch));
	ck_assert_uint_eq(info.points, peat_batch__points(batch));
	ck_assert_int_eq(info.wall_clock_ns, CLOCK);
	decoded = piece__decode(out.bytes, out.count, 64 << 20, &info);
	ck_assert_ptr_nonnull(decoded);
	ck_assert_str_eq(info.host, "host-1");
	ck_assert_str_eq(info.source, peat_batch__source(batch));
	check_same_batch(batch, decoded);
	peat_batch__unref(decoded);
}

START_TEST(test_events_stay_the_same)
{
	struct peat_batch *batch = new_batch("exec");

	add_execs(batch, schema, 500);
	check_round_trip(batch, 1);
	check_round_trip(batch, 501);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_an_empty_batch)
{
	struct peat_batch *batch = new_batch("nothing");

	check_round_trip(batch, 7);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_losses_have_their_cause)
{
	struct peat_batch *batch = new_batch("exec");
	struct peat_event event = { .kind = PEAT_EVENT_LOST,
				    .cpu = 3,
				    .time_ns = 77,
				    .pid = PEAT_NO_TASK,
				    .tid = PEAT_NO_TASK,
				    .type = 9,
				    .lost = 1234 };

	for (int cause = PEAT_LOST_UNKNOWN; cause <= PEAT_LOST_CORRUPT; cause++) {
		event.cause = cause;
		add_event(batch, &event);
	}
	add_execs(batch, schema, 3);
	check_round_trip(batch, 1);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_tasks_change_names_and_owners)
{
	struct peat_batch *batch = new_batch("exec");
	struct peat_identity identity = { .sz = sizeof(identity) };
	struct exec data;

	ck_assert_int_eq(peat_identity__parse("/system.slice/docker-0123456789abcdef0123456789abcde"
					      "f0123456789abcdef0123456789abcdef.scope",
					      &identity),
			 0);
	strcpy(identity.container_name, "web");
	for (uint32_t i = 0; i < 60; i++) {
		struct peat_event event = exec_event(schema, &data, i);

		event.tid = i % 3 ? i % 3 : 0;
		event.comm = i % 11 == 10 ? NULL : event.comm;
		event.has_owner = i % 4 != 3;
		event.uid = event.has_owner ? i % 2 : 0;
		event.nspid = event.has_owner ? i % 3 : 0;
		event.nstid = event.has_owner ? i % 7 : 0;
		event.cgroup = event.has_owner ? 1000 + i % 2 : 0;
		event.identity = event.has_owner && i % 2 ? &identity : NULL;
		event.late = i % 13 == 5;
		add_event(batch, &event);
	}
	check_round_trip(batch, 1);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_sizes_are_exact)
{
	struct peat_batch *batch = new_batch("raw");
	static char bytes[66000];
	struct peat_event event = { .data = bytes, .map = "packets", .tid = 1 };

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)i;
	for (event.size = 0; event.size < 40; event.size++)
		add_event(batch, &event);
	event.has_owner = true;
	for (event.size = 0; event.size < 40; event.size++)
		add_event(batch, &event);
	for (event.size = 65440; event.size < 65536; event.size++)
		add_event(batch, &event);
	check_round_trip(batch, 1);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_kinds_and_types_are_kept)
{
	struct peat_schema *other = exec_schema("other");
	struct peat_batch *batch = new_batch("exec");
	struct exec data;

	for (uint32_t i = 0; i < 40; i++) {
		struct peat_event event = exec_event(i % 3 ? schema : other, &data, i);

		event.type = i % 4;
		event.kind = i % 5 ? PEAT_EVENT_DATA : PEAT_EVENT_RECORD;
		event.map = i % 6 ? NULL : "map";
		event.size -= i;
		add_event(batch, &event);
	}
	check_round_trip(batch, 1);
	check_round_trip(batch, 41);
	peat_batch__unref(batch);
	peat_schema__free(other);
}
END_TEST

START_TEST(test_side_band_records)
{
	const struct peat_schema *fork = peat_side_band__schema(PEAT_SIDE_BAND_TASK, 0);
	struct peat_batch *batch = new_batch("tasks");
	static char bytes[256];
	struct peat_event event = { .kind = PEAT_EVENT_RECORD,
				    .schema = fork,
				    .data = bytes,
				    .size = peat_schema__bytes(fork) };

	add_event(batch, &event);
	check_round_trip(batch, 1);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_schemas_of_another_batch_are_others)
{
	struct peat_batch *batch = new_batch("exec");

	add_execs(batch, schema, 5);
	check_round_trip(batch, 1);
	peat_batch__unref(batch);
	peat_schema__free(schema);
	schema = exec_schema("later");
	batch = new_batch("exec");
	add_execs(batch, schema, 5);
	check_round_trip(batch, 6);
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_a_decoded_batch_is_encoded_again)
{
	struct peat_batch *batch = new_batch("exec"), *decoded;

	add_execs(batch, schema, 50);
	ck_assert_int_eq(piece__encode(encoder, batch, ORIGIN(1), &out), 0);
	decoded = piece__decode(out.bytes, out.count, 1 << 20, NULL);
	ck_assert_ptr_nonnull(decoded);
	check_round_trip(decoded, 1);
	check_same_batch(batch, decoded);
	peat_batch__unref(batch);
	peat_batch__unref(decoded);
}
END_TEST

/* Batches of one type each: a piece does not have those of all the others. */
START_TEST(test_types_of_other_batches_are_forgotten)
{
	size_t largest = 0;

	for (uint32_t i = 0; i < 200; i++) {
		struct peat_batch *batch = new_batch("exec");
		char name[16];

		snprintf(name, sizeof(name), "type_%u", i);
		peat_schema__free(schema);
		schema = exec_schema(name);
		add_execs(batch, schema, 2);
		check_round_trip(batch, 1);
		largest = out.count > largest ? out.count : largest;
		peat_batch__unref(batch);
	}
	ck_assert_uint_lt(largest, 20000);
}
END_TEST

START_TEST(test_points_stay_the_same)
{
	struct peat_batch *batch = new_batch("tables"), *decoded;
	const struct peat_label labels[] = { { "host", "a" }, { "comm", "" } };
	const struct peat_bucket buckets[] = { { 1, 2 }, { 10.5, 3 }, { INFINITY, 4 } };
	struct peat_point point = { .sz = sizeof(point),
				    .kind = PEAT_POINT_HISTOGRAM,
				    .label_count = 2,
				    .bucket_count = 3,
				    .name = "exec.duration",
				    .unit = "ns",
				    .labels = labels,
				    .start_ns = 5,
				    .time_ns = 6,
				    .count = 9,
				    .value = NAN,
				    .buckets = buckets };
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_point same = { .sz = sizeof(same) };

	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	point = (struct peat_point){ .sz = sizeof(point),
				     .kind = PEAT_POINT_GAUGE,
				     .name = "load",
				     .doc = "of the machine",
				     .value = 0.25 };
	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	check_round_trip(batch, 1);
	decoded = piece__decode(out.bytes, out.count, 1 << 20, NULL);
	ck_assert_ptr_nonnull(decoded);
	ck_assert(peat_batch__next_point(decoded, &at, &same));
	ck_assert_int_eq(same.kind, PEAT_POINT_HISTOGRAM);
	ck_assert_str_eq(same.name, "exec.duration");
	ck_assert_str_eq(same.unit, "ns");
	ck_assert_ptr_null(same.doc);
	ck_assert_uint_eq(same.label_count, 2);
	ck_assert_str_eq(same.labels[0].value, "a");
	ck_assert_str_eq(same.labels[1].value, "");
	ck_assert_uint_eq(same.bucket_count, 3);
	ck_assert_uint_eq(same.buckets[1].count, 3);
	ck_assert(isinf(same.buckets[2].upper));
	ck_assert_uint_eq(same.count, 9);
	ck_assert(isnan(same.value));
	ck_assert(peat_batch__next_point(decoded, &at, &same));
	ck_assert_str_eq(same.doc, "of the machine");
	ck_assert(same.value == 0.25);
	peat_batch__unref(batch);
	peat_batch__unref(decoded);
}
END_TEST

START_TEST(test_no_compression)
{
	struct peat_batch *batch = new_batch("exec");

	piece_encoder__free(encoder);
	encoder = piece_encoder__new("host-1", 0);
	ck_assert_ptr_nonnull(encoder);
	add_execs(batch, schema, 100);
	check_round_trip(batch, 1);
	peat_batch__unref(batch);
	ck_assert_ptr_null(piece_encoder__new("host-1", 23));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(piece_encoder__new("host-1", -1));
}
END_TEST

START_TEST(test_without_memory)
{
	struct peat_batch *batch = new_batch("exec");
	struct piece_encoder *fresh;
	long before = fail_alloc__blocks();

	add_execs(batch, schema, 3);
	for (unsigned nth = 1; nth; nth++) {
		int err = 0;

		fail_alloc__begin(nth);
		fresh = piece_encoder__new("h", 1);
		if (fresh)
			err = piece__encode(fresh, batch, ORIGIN(1), &out);
		if (!fail_alloc__end())
			break;
		/* Without a fact of the kernel, the piece is still a piece. */
		ck_assert_msg(!fresh || !err || err == -ENOMEM, "%u: %d", nth, err);
		ck_assert(!err || !out.count);
		strbuf__cut(&out, 0);
		if (fresh) {
			ck_assert_int_eq(piece__encode(fresh, batch, ORIGIN(1), &out), 0);
			ck_assert_int_eq(piece__measure(out.bytes, out.count, NULL),
					 (ssize_t)out.count);
		}
		piece_encoder__free(fresh);
		strbuf__free(&out);
	}
	piece_encoder__free(fresh);
	strbuf__free(&out);
	peat_batch__unref(batch);
	ck_assert_int_le(fail_alloc__blocks(), before);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_events_stay_the_same);
	tcase_add_test(tests, test_an_empty_batch);
	tcase_add_test(tests, test_losses_have_their_cause);
	tcase_add_test(tests, test_tasks_change_names_and_owners);
	tcase_add_test(tests, test_sizes_are_exact);
	tcase_add_test(tests, test_kinds_and_types_are_kept);
	tcase_add_test(tests, test_side_band_records);
	tcase_add_test(tests, test_schemas_of_another_batch_are_others);
	tcase_add_test(tests, test_a_decoded_batch_is_encoded_again);
	tcase_add_test(tests, test_types_of_other_batches_are_forgotten);
	tcase_add_test(tests, test_points_stay_the_same);
	tcase_add_test(tests, test_no_compression);
	tcase_add_test(tests, test_without_memory);
}
