// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_rows.c: the rows of a reader's frames, recorded whole and event by event; and the rounds of
 * events that are not in the order of time.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/sink.h>

#include "base/strbuf.h"
#include "channel/frame.h"
#include "event/source.h"
#include "field/appended.h"
#include "perf_data/read/file.h"
#include "perf_data/tool_record.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

struct pair {
	uint64_t number;
	uint64_t other;
};

struct text {
	char text[16];
};

static struct peat_field pair_fields[] = { FIELD(struct pair, number, PEAT_FIELD_UNSIGNED),
					   FIELD(struct pair, other, PEAT_FIELD_UNSIGNED) };
static struct peat_field text_fields[] = { FIELD(struct text, text, PEAT_FIELD_STRING) };
static struct peat_schema pair = SCHEMA("pair", pair_fields);
static const struct peat_schema text = SCHEMA("text", text_fields);

/* ---- a reader of one frame after the other --------------------------------------------------- */

static struct peat_reader reader;
static struct peat_sink *sink;
static int fd;
static uint64_t safe_ns;
static unsigned urgent, lookups;
static _Alignas(8) unsigned char frame[8192];

/* Two threads, of which the second has another name from 1500 on. */
static void name_task(struct peat_reader *of)
{
	struct peat_event *event = &of->event;
	bool is_new = event->tid == 2 && event->time_ns >= 1500;

	lookups++;
	of->named.lookups++;
	of->named.tid = event->tid;
	of->named.since_ns = is_new ? 1500 : 0;
	of->named.until_ns = is_new || event->tid != 2 ? UINT64_MAX : 1499;
	event->comm = event->tid == 1 ? "one" : is_new ? "new" : "old";
}

static bool type_at(struct peat_reader *of, uint32_t i, struct reader_type *type)
{
	static const struct reader_type types[] = {
		{ .type = 5, .schema = &pair, .name = "pair" },
		{ .type = 6, .schema = &text, .name = "text" },
		{ .type = 7, .name = "bytes" },
	};

	(void)of;
	*type = types[i < 3 ? i : 0];
	return i < 3;
}

static void no_counts(const struct peat_reader *of, struct peat_reader_stats *stats)
{
	(void)of;
	(void)stats;
}

static uint64_t safe_time(struct peat_reader *of, bool is_urgent)
{
	(void)of;
	urgent += is_urgent;
	return safe_ns;
}

static const struct source_ops ops = {
	.type = type_at, .count = no_counts, .name = name_task, .safe_time = safe_time
};

static void open_sink(uint64_t queue_bytes)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;

	opts.queue_bytes = queue_bytes;
	reader = (struct peat_reader){ .ops = &ops, .named.is_used = true };
	safe_ns = UINT64_MAX;
	urgent = lookups = 0;
	fd = memfd_create("recording", MFD_CLOEXEC);
	sink = peat_sink__new_perf(&reader, fd, &opts);
	ck_assert_ptr_nonnull(sink);
}

static void close_sink(void)
{
	peat_sink__free(sink);
	close(fd);
}

/* A frame of such events, with ids of both threads in turns. */
static void make_frame(uint64_t time_ns, uint16_t type, uint16_t bytes, uint16_t count)
{
	struct peat_frame_head head = { PEAT_WIRE_VERSION, 0, count, time_ns, 1 };
	unsigned char *to = frame + 4 + sizeof(head);

	memcpy(frame + 4, &head, sizeof(head));
	for (uint16_t i = 0; i < count; i++) {
		struct peat_event_head event = { .size = bytes,
						 .type = type | PEAT_EVENT_IDS,
						 .delta_ns = i * 10u };
		struct peat_event_ids ids = { 100, 1 + i / 3 % 2 };

		memcpy(to, &event, sizeof(event));
		memcpy(to + 8, &ids, sizeof(ids));
		memset(to + 16, 'a' + i % 26, bytes);
		to += (16u + bytes + 7u) & ~7u;
	}
	reader.frame.sz = sizeof(reader.frame);
	ck_assert_int_eq(peat_frame__open(&reader.frame, frame + 4, (size_t)(to - frame - 4)), 0);
}

/* The first event, as a source returns it. */
static const struct peat_event *first_of_frame(uint32_t cpu)
{
	const unsigned char *at = reader.frame.at;
	struct peat_frame_event framed;

	ck_assert_int_eq(frame__step(&reader.frame, &framed), 1);
	reader.event = (struct peat_event){ .kind = PEAT_EVENT_DATA,
					    .cpu = cpu,
					    .time_ns = framed.time_ns,
					    .pid = framed.tgid,
					    .tid = framed.tid,
					    .type = framed.type,
					    .size = framed.size,
					    .data = framed.data };
	name_task(&reader);
	frame_row__begin(&reader.row, at);
	return &reader.event;
}

static void write_each(uint32_t cpu)
{
	const struct peat_event *event = first_of_frame(cpu);

	do
		ck_assert_int_eq(peat_sink__write(sink, event), 0);
	while (source__step(&reader));
}

/* ---- a file ---------------------------------------------------------------------------------- */

/* All records after the preamble. */
static struct strbuf read_records(unsigned *marks)
{
	struct strbuf all = { 0 };
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;
	bool has_begun = false;

	*marks = 0;
	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	while (perf_file__next(file, &entry) > 0) {
		*marks += entry.type == TOOL_FINISHED_ROUND;
		if (has_begun && entry.type < TOOL_HEADER_ATTR)
			strbuf__bytes(&all, entry.bytes, entry.size);
		has_begun |= entry.type == TOOL_FINISHED_INIT;
	}
	perf_file__close(file);
	return all;
}

static struct strbuf record_frames(bool rows)
{
	static const struct {
		uint16_t type, bytes, count;
	} frames[] = { { 5, 16, 100 }, { 6, 16, 40 }, { 7, 33, 50 }, { 5, 15, 20 },
		       { 8, 16, 9 },   { 5, 16, 1 },  { 5, 150, 10 } };
	struct peat_perf_stats stats = { .sz = sizeof(stats) };
	struct strbuf all;
	unsigned marks;

	pair.bytes = sizeof(struct pair);
	appended__init(&pair); /* the events of 150 bytes have more than the struct */
	open_sink(0);
	for (uint32_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		make_frame(1000 + i, frames[i].type, frames[i].bytes, frames[i].count);
		if (!rows)
			write_each(i % 2);
		else
			ck_assert_int_eq(
				peat_sink__perf_write_row(sink, first_of_frame(i % 2), 1000),
				frames[i].count);
	}
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(peat_sink__perf_stats(sink, &stats), 0);
	ck_assert_uint_eq(stats.events, 221);
	ck_assert_uint_eq(stats.skipped, 9);
	ck_assert_uint_eq(stats.cut, 10);
	ck_assert_uint_eq(stats.lost, 0);
	all = read_records(&marks);
	close_sink();
	return all;
}

/* Both ways make the same records, also names. */
START_TEST(test_rows_match_single_events)
{
	struct strbuf rows = record_frames(true), each = record_frames(false);

	ck_assert_uint_eq(rows.count, each.count);
	ck_assert_mem_eq(rows.bytes, each.bytes, each.count);
	strbuf__free(&rows);
	strbuf__free(&each);
}
END_TEST

/* The number of events is limited, and the reader returns the others. */
START_TEST(test_number_of_rows_is_limited)
{
	open_sink(0);
	make_frame(1000, 5, 16, 100);
	ck_assert_int_eq(peat_sink__perf_write_row(sink, first_of_frame(0), 1), 1);
	ck_assert_uint_eq(reader.frame.taken, 1);
	ck_assert(source__step(&reader));
	ck_assert_int_eq(peat_sink__perf_write_row(sink, &reader.event, 41), 41);
	ck_assert_uint_eq(reader.frame.taken, 42);
	ck_assert_int_eq(peat_sink__perf_write_row(sink, &reader.event, 0), -EINVAL);
	close_sink();
}
END_TEST

/* An event that is not the reader's is alone, and so are those that an expression selects. */
START_TEST(test_no_row)
{
	struct peat_event copy;

	open_sink(0);
	make_frame(1000, 5, 16, 100);
	copy = *first_of_frame(0);
	ck_assert_int_eq(peat_sink__perf_write_row(sink, &copy, 100), 1);
	reader.selection.where = (struct peat_where *)&copy;
	ck_assert_int_eq(peat_sink__perf_write_row(sink, &reader.event, 100), 1);
	reader.selection.where = NULL;
	reader.row.step = SIZE_MAX;
	ck_assert_int_eq(peat_sink__perf_write_row(sink, &reader.event, 100), 1);
	ck_assert_uint_eq(reader.frame.taken, 1);
	close_sink();
}
END_TEST

static bool has_losses(void)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_sink__perf_stats(sink, &stats), 0);
	return stats.lost;
}

/* Every event is recorded or counted as lost, whatever the queue has room for. */
START_TEST(test_full_queue)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };
	uint64_t emitted = 0;

	open_sink(1);
	/* The thread that writes may be quicker than this one for a while. */
	for (unsigned i = 0; i < 2000 || (!has_losses() && i < 2000000); i++) {
		const struct peat_event *event;

		make_frame(1000 + i, 5, 16, 200);
		event = first_of_frame(0);
		emitted += 200;
		do
			ck_assert_int_ge(peat_sink__perf_write_row(sink, event, 1000), 1);
		while (source__step(&reader));
	}
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(peat_sink__perf_stats(sink, &stats), 0);
	ck_assert_uint_gt(stats.events, 0);
	ck_assert_uint_gt(stats.lost, 0);
	ck_assert_uint_eq(stats.events + stats.lost, emitted);
	close_sink();
}
END_TEST

/* The reader looks names up when the task changes, not for each event. */
START_TEST(test_names_are_looked_up_once)
{
	open_sink(0);
	make_frame(1000, 5, 16, 30);
	ck_assert_int_eq(peat_sink__perf_write_row(sink, first_of_frame(0), 1000), 30);
	ck_assert_uint_eq(lookups, 10);
	close_sink();
}
END_TEST

/* ---- rounds ---------------------------------------------------------------------------------- */

static void put(uint64_t time_ns)
{
	static const struct pair data = { 1, 2 };
	const struct peat_event event = { .kind = PEAT_EVENT_DATA,
					  .time_ns = time_ns,
					  .type = 5,
					  .data = &data,
					  .size = sizeof(data) };

	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
}

static void flush(uint64_t safe)
{
	safe_ns = safe;
	ck_assert_int_eq(peat_sink__flush(sink), 0);
}

/* Without the two at the end of a closed file. */
static unsigned count_marks(void)
{
	struct strbuf all;
	unsigned marks;

	ck_assert_int_eq(peat_sink__finish(sink), 0);
	all = read_records(&marks);
	strbuf__free(&all);
	return marks - 2;
}

/* A mark waits until no event can follow that is older than those before the previous mark. */
START_TEST(test_safe_time)
{
	open_sink(0);
	put(1000);
	flush(10); /* 1: the first mark sorts nothing */
	put(500);
	flush(900); /* an event of 950 may follow */
	put(950);
	put(2000);
	flush(999);
	flush(1000); /* 2 */
	put(1001);
	flush(1999);
	flush(2000); /* 3 */
	flush(2001); /* 4: sorts the last records */
	flush(5000); /* everything is sorted */
	safe_ns = 0;
	ck_assert_uint_eq(count_marks(), 4);
	close_sink();
}
END_TEST

/* Rounds end without a flush after some bytes, if they may; the reader hears if they may not. */
START_TEST(test_long_rounds)
{
	unsigned marks;

	open_sink(0);
	safe_ns = 0;
	for (uint64_t i = 1; i <= 100000; i++)
		put(i);
	ck_assert_uint_gt(urgent, 0);
	safe_ns = UINT64_MAX - 1;
	for (uint64_t i = 1; i <= 100000; i++)
		put(100000 + i);
	safe_ns = 0;
	marks = count_marks();
	ck_assert_uint_gt(marks, 3);
	ck_assert_uint_lt(marks, 20);
	close_sink();
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_rows_match_single_events);
	tcase_add_test(tests, test_number_of_rows_is_limited);
	tcase_add_test(tests, test_no_row);
	tcase_add_test(tests, test_full_queue);
	tcase_add_test(tests, test_names_are_looked_up_once);
	tcase_add_test(tests, test_safe_time);
	tcase_add_test(tests, test_long_rounds);
}
