// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sink.c: the timelines that the sink makes of events. */
#include <errno.h>
#include <fcntl.h>

#include <peat/peat.h>
#include <peat/perfetto.h>

#include "replay/recorded.h"
#include "unit/fail_alloc.h"
#include "unit/perfetto/written_timeline.h"
#include "unit/suite.h"

struct call {
	uint64_t latency;
	int32_t result;
};

static struct peat_field fields[] = {
	FIELD(struct call, latency, PEAT_FIELD_DURATION),
	FIELD(struct call, result, PEAT_FIELD_ERRNO, .is_signed = true),
};
static struct peat_schema schema = SCHEMA("call", fields);
static const struct peat_schema bare = { .name = "cycles", .fields = fields, .stacks_fd = -1 };

static const struct peat_recorded recorded = { .arch = "s390x", .release = "7.2" };

static struct peat_sink *sink;

static int collect(void *arg, const char *bytes, size_t count)
{
	strbuf__bytes(arg, bytes, count);
	return 0;
}

static void open_sink(void)
{
	const struct peat_perfetto_opts opts = {
		.sz = sizeof(opts), .wall_clock_ns = 1000, .output = collect, .output_arg = &out
	};

	fields[0].schema = fields[1].schema = &schema;
	sink = peat_sink__new_perfetto(NULL, -1, &opts);
	ck_assert_ptr_nonnull(sink);
}

static void close_sink(size_t wanted)
{
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
	read_packets(wanted);
}

static struct peat_perfetto_stats stats_of(void)
{
	struct peat_perfetto_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_perfetto__stats(sink, &stats), 0);
	return stats;
}

static void write_call(uint64_t time_ns, uint64_t latency, uint32_t tid)
{
	const struct call call = { latency, -2 };
	struct peat_event event = an_event(&schema, &call, sizeof(call));

	event.time_ns = time_ns;
	event.tid = event.pid = tid;
	event.recorded = &recorded;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
}

/* The packets before the first event: system, clocks, names, thread, process. */
#define HEAD 5

START_TEST(test_durations_are_slices)
{
	struct peat_perfetto_stats stats;

	open_sink();
	write_call(100, 30, 41);
	write_call(110, 0, 41);
	stats = stats_of();
	ck_assert_uint_eq(stats.events, 2);
	ck_assert_uint_eq(stats.slices, 1);
	ck_assert_uint_eq(stats.instants, 1);
	close_sink(HEAD + 3);
	ck_assert_str_eq(timeline_text(timeline_inner(packet_part(0, 45), 1, 0), 4), "s390x");
	ck_assert_uint_eq(packets[HEAD].type, TIMELINE_BEGIN);
	ck_assert_uint_eq(packets[HEAD].time_ns, 70);
	ck_assert_str_eq(timeline_text(argument(packets[HEAD].event, 1), 6), "ENOENT");
	ck_assert_uint_eq(packets[HEAD + 1].type, TIMELINE_END);
	ck_assert_uint_eq(packets[HEAD + 1].time_ns, 100);
	ck_assert_uint_eq(packets[HEAD + 2].type, TIMELINE_INSTANT);
	ck_assert_uint_eq(packets[HEAD + 2].name, packets[HEAD].name);
	ck_assert_uint_eq(packets[HEAD + 2].track, packets[HEAD].track);
	ck_assert(timeline_nests(packets, packet_count));
}
END_TEST

START_TEST(test_impossible_durations_are_instants)
{
	open_sink();
	write_call(100, 100, 41);
	write_call(101, UINT64_MAX, 41);
	ck_assert_uint_eq(stats_of().instants, 2);
	close_sink(HEAD + 2);
}
END_TEST

START_TEST(test_random_slices_nest)
{
	uint64_t time_ns = 100000;

	srand(_i + 1);
	open_sink();
	for (int i = 0; i < 5000; i++) {
		time_ns += (uint64_t)rand() % 5;
		write_call(time_ns, (uint64_t)rand() % (i % 30 ? 10 : 300),
			   41 + (uint32_t)rand() % 3);
	}
	ck_assert_uint_eq(stats_of().slices + stats_of().instants, 5000);
	ck_assert_uint_gt(stats_of().overlapping, 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_gt(stats_of().bytes, 5000 * 20);
	peat_sink__free(sink);
	free(packets);
	packets = timeline_read(out.bytes, out.count, &packet_count);
	ck_assert_ptr_nonnull(packets);
	ck_assert(timeline_nests(packets, packet_count));
	free(packets);
	packets = NULL;
	strbuf__free(&out);
	out = (struct strbuf){ 0 };
}
END_TEST

START_TEST(test_losses_have_a_track)
{
	struct peat_event lost = {
		.kind = PEAT_EVENT_LOST, .time_ns = 5, .lost = 12, .cause = PEAT_LOST_RING_FULL
	};

	open_sink();
	ck_assert_int_eq(peat_sink__write(sink, &lost), 0);
	lost.time_ns = 6;
	ck_assert_int_eq(peat_sink__write(sink, &lost), 0);
	ck_assert_uint_eq(stats_of().lost, 24);
	ck_assert_uint_eq(stats_of().events, 0);
	close_sink(6);
	ck_assert_str_eq(timeline_text(packet_part(3, 60), 2), "lost events");
	ck_assert_uint_eq(packets[5].track, timeline_number(packet_part(3, 60), 1));
	ck_assert_uint_eq(timeline_number(argument(packets[5].event, 0), 3), 12);
	ck_assert_str_eq(timeline_text(argument(packets[5].event, 1), 6), "ring_full");
}
END_TEST

START_TEST(test_events_without_type_or_time)
{
	struct peat_event event = an_event(NULL, "bytes", 5), bare_event = an_event(&bare, NULL, 0);

	open_sink();
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__write(sink, &bare_event), 0);
	event.time_ns = 0;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	event.time_ns = 1;
	event.kind = PEAT_EVENT_TOOL;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_uint_eq(stats_of().instants, 2);
	ck_assert_uint_eq(stats_of().skipped, 2);
	close_sink(HEAD + 3);
	ck_assert_str_eq(timeline_text(timeline_inner(packet_part(2, 12), 2, 0), 2), "unknown");
}
END_TEST

START_TEST(test_records_are_switches_or_instants)
{
	const struct peat_record record = { .type = PEAT_RECORD_SWITCH,
					    .context_switch = { .out = true } };
	struct peat_event event = an_event(&schema, NULL, 0);

	event.kind = PEAT_EVENT_RECORD;
	open_sink();
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	event.record = &record;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_uint_eq(stats_of().events, 0);
	ck_assert_uint_eq(stats_of().instants, 1);
	ck_assert_uint_eq(stats_of().switches, 1);
	close_sink(HEAD + 2);
}
END_TEST

static int refuse(void *arg, const char *bytes, size_t count)
{
	(void)arg;
	(void)bytes;
	(void)count;
	return -ENOSPC;
}

START_TEST(test_failed_write_is_reported)
{
	const struct peat_perfetto_opts opts = { .sz = sizeof(opts), .output = refuse };
	const struct peat_event event = an_event(&schema, NULL, 0);

	sink = peat_sink__new_perfetto(NULL, -1, &opts);
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__flush(sink), -ENOSPC);
	ck_assert_int_eq(peat_sink__write(sink, &event), -ENOSPC);
	ck_assert_int_eq(peat_sink__finish(sink), -ENOSPC);
	peat_sink__free(sink);
}
END_TEST

START_TEST(test_options_are_checked)
{
	struct peat_perfetto_opts opts = { .sz = sizeof(opts), .output = collect };

	ck_assert_ptr_null(peat_sink__new_perfetto(NULL, -1, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(peat_sink__new_perfetto(NULL, 1, &opts));
	ck_assert_int_eq(errno, EINVAL);
	opts.sz = 3;
	ck_assert_ptr_null(peat_sink__new_perfetto(NULL, -1, &opts));
	ck_assert_int_eq(errno, EINVAL);
}
END_TEST

START_TEST(test_stats_of_other_sink)
{
	struct peat_perfetto_stats stats = { .sz = sizeof(stats) };
	struct peat_sink other = { .sz = sizeof(other) };

	ck_assert_int_eq(peat_perfetto__stats(&other, &stats), -EINVAL);
}
END_TEST

/*
 * The file ends with a whole packet, and every later call fails; without memory for a lane, the
 * slice is an instant.
 */
START_TEST(test_no_memory)
{
	const struct call call = { 30, -2 };
	const struct peat_event event = an_event(&schema, &call, sizeof(call));

	for (unsigned n = 1;; n++) {
		struct strbuf written = { 0 };
		const struct peat_perfetto_opts opts = { .sz = sizeof(opts),
							 .output = collect,
							 .output_arg = &written };
		int err = -ENOMEM;
		bool failed, is_instant;

		fail_alloc__begin(n);
		sink = peat_sink__new_perfetto(NULL, -1, &opts);
		if (sink)
			err = peat_sink__write(sink, &event);
		failed = fail_alloc__end();
		is_instant = sink && !err && stats_of().instants == 1;
		if (sink && err)
			ck_assert_int_eq(peat_sink__write(sink, &event), -ENOMEM);
		peat_sink__free(sink);
		free(timeline_read(written.count ? written.bytes : "", written.count,
				   &packet_count));
		strbuf__free(&written);
		if (!failed)
			break;
		ck_assert(err == -ENOMEM || is_instant);
	}
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_durations_are_slices);
	tcase_add_test(tests, test_impossible_durations_are_instants);
	tcase_add_loop_test(tests, test_random_slices_nest, 0, 4);
	tcase_add_test(tests, test_losses_have_a_track);
	tcase_add_test(tests, test_events_without_type_or_time);
	tcase_add_test(tests, test_records_are_switches_or_instants);
	tcase_add_test(tests, test_failed_write_is_reported);
	tcase_add_test(tests, test_options_are_checked);
	tcase_add_test(tests, test_stats_of_other_sink);
	tcase_add_test(tests, test_no_memory);
}
