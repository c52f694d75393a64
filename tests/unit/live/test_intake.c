// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_intake.c: records and frames of made rings as events. */
#include "field/appended.h"
#include "unit/live/live_maker.h"
#include "unit/no_fields.h"

static const uint32_t payload[7] = { 1, 2, 3, 4, 5, 6, 7 };

static const struct peat_event *next(void)
{
	return intake__next(&made_intake) ? &made_reader.event : NULL;
}

static void check_end(void)
{
	ck_assert_ptr_null(next());
	ck_assert(!made_inputs.drain.open);
}

START_TEST(test_raw_sample_is_data)
{
	const struct peat_event *event;

	make_raw(1, true, 0);
	write_sample(1, 5, payload, 28);
	event = next();
	ck_assert_ptr_nonnull(event);
	ck_assert_int_eq(event->kind, PEAT_EVENT_DATA);
	ck_assert_uint_eq(event->cpu, 1);
	ck_assert_uint_eq(event->pid, 101);
	ck_assert_uint_eq(event->tid, 201);
	ck_assert_uint_eq(event->time_ns, 5);
	ck_assert_uint_eq(event->type, 0);
	ck_assert_uint_eq(event->size, 28);
	ck_assert_mem_eq(event->data, payload, 28);
	ck_assert_ptr_eq(event->record, &made_intake.record);
	ck_assert_ptr_null(event->schema);
	check_end();
	ck_assert_uint_eq(made_reader.stats.records, 1);
	ck_assert_uint_eq(made_reader.stats.unknown + made_reader.stats.corrupt, 0);
	free_made();
}
END_TEST

/* A drain has the records that were there when it began: a flush begins another in its round. */
START_TEST(test_flush_in_a_round)
{
	make_raw(1, true, 0);
	write_sample(0, 5, payload, 12);
	write_sample(0, 6, payload, 12);
	ck_assert_ptr_nonnull(next());
	write_sample(1, 7, payload, 12);
	inputs__collect_all(&made_inputs);
	write_sample(0, 8, payload, 12);
	for (uint64_t i = 0; i < 3; i++)
		ck_assert_ptr_nonnull(next());
	check_end();
	ck_assert(!made_inputs.collect_all && !made_inputs.drain_now);
	check_end();
	free_made();
}
END_TEST

/* An event without ids has no pid and tid, not those of the event before. */
START_TEST(test_raw_without_ids)
{
	const struct peat_event *event;

	make_raw(1, false, 0);
	write_sample(0, 0, payload, 12);
	event = next();
	ck_assert_ptr_nonnull(event);
	ck_assert_uint_eq(event->pid + event->tid, 0);
	ck_assert_uint_eq(event->time_ns, 0);
	ck_assert(!made_intake.has_task);
	check_end();
	free_made();
}
END_TEST

/* Only padding is cut: fewer than 8 bytes. */
START_TEST(test_exact_sizes)
{
	static const struct {
		uint32_t bytes, size;
	} cases[] = { { 28, 28 }, { 27, 27 }, { 21, 21 }, { 20, 28 }, { 29, 28 }, { 1, 28 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct peat_schema schema = { .fields = no_fields, .bytes = cases[i].bytes };

		appended__init(&schema);
		make_raw(1, false, 0);
		made_intake.schemas[0] = &schema;
		write_sample(0, 0, payload, 28);
		ck_assert_uint_eq(next()->size, cases[i].size);
		free_made();
	}
}
END_TEST

static void write_identified(uint64_t id)
{
	struct bytes b;

	put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
	put_u64(&b, id);
	put_u32(&b, 12);
	put_data(&b, payload, 12);
	write_record(0, &b);
}

/* With several maps, a sample with an unknown id is counted, and is no event. */
START_TEST(test_unknown_map)
{
	make_raw(2, false, 0);
	write_identified(72);
	check_end();
	ck_assert_uint_eq(made_reader.stats.unknown, 1);
	ck_assert_uint_eq(made_reader.stats.records, 1);
	free_made();
}
END_TEST

START_TEST(test_given_schema)
{
	struct peat_schema schema = { .fields = no_fields };

	make_raw(1, false, 0);
	made_intake.schemas[0] = &schema;
	write_sample(0, 0, payload, 12);
	ck_assert_ptr_nonnull(next());
	ck_assert_ptr_eq(made_reader.event.schema, &schema);
	free_made();
}
END_TEST

static void write_lost(uint32_t type, uint64_t lost)
{
	struct bytes b;

	put_header(&b, type, 0, false);
	if (type == PEAT_RECORD_LOST)
		put_u64(&b, 1);
	put_u64(&b, lost);
	write_record(0, &b);
}

START_TEST(test_raw_losses)
{
	make_raw(1, false, 0);
	write_lost(PEAT_RECORD_LOST, 7);
	write_lost(PEAT_RECORD_LOST_SAMPLES, 9);
	write_lost(PEAT_RECORD_LOST, 1);
	ck_assert_int_eq(next()->kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(made_reader.event.lost, 7);
	ck_assert_int_eq(next()->kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(made_reader.event.lost, 9);
	ck_assert_uint_eq(next()->lost, 1);
	check_end();
	ck_assert_uint_eq(made_reader.stats.lost_records, 8);
	ck_assert_uint_eq(made_reader.stats.lost_samples, 9);
	free_made();
}
END_TEST

/* Invalid records and records of unknown types are counted, and are no events. */
START_TEST(test_bad_records)
{
	struct bytes b;

	make_raw(1, false, 0);
	put_header(&b, 4711, 0, false);
	put_u64(&b, 0);
	write_record(0, &b);
	put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
	put_u32(&b, 4000);
	put_u32(&b, 0);
	write_record(0, &b);
	check_end();
	ck_assert_uint_eq(made_reader.stats.unknown, 1);
	ck_assert_uint_eq(made_reader.stats.corrupt, 1);
	ck_assert_uint_eq(made_reader.stats.records, 2);
	free_made();
}
END_TEST

START_TEST(test_requested_kinds_are_returned)
{
	make_raw(1, false, PEAT_SIDE_BAND_TASK);
	write_exit(1, 6);
	ck_assert_ptr_nonnull(next());
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_RECORD);
	ck_assert_uint_eq(made_reader.event.record->type, PEAT_RECORD_EXIT);
	ck_assert_uint_eq(made_reader.event.time_ns, 6);
	ck_assert_uint_eq(made_reader.event.tid, 32);
	ck_assert_uint_eq(made_reader.event.pid, 31);
	ck_assert_ptr_nonnull(made_reader.event.schema);
	ck_assert_uint_gt(made_reader.event.size, 0);
	check_end();
	free_made();
	/* Task records are read for names only: they are not returned as events. */
	make_raw(1, false, PEAT_SIDE_BAND_COMM);
	write_exit(1, 6);
	check_end();
	free_made();
}
END_TEST

/* Records of kinds that cannot be requested are returned as they are. */
START_TEST(test_unasked_kinds_are_returned)
{
	struct bytes b;

	make_raw(1, false, 0);
	put_header(&b, PEAT_RECORD_THROTTLE, 0, false);
	put_words(&b, 7, 3);
	write_record(0, &b);
	ck_assert_ptr_nonnull(next());
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_RECORD);
	ck_assert_uint_eq(made_reader.event.record->type, PEAT_RECORD_THROTTLE);
	check_end();
	free_made();
}
END_TEST

/* A buffered record, decoded again from its copy, gives the same event. */
START_TEST(test_decodes_again_from_copy)
{
	uint64_t copy[16];

	make_raw(1, true, 0);
	write_sample(1, 5, payload, 28);
	ck_assert_ptr_nonnull(next());
	memcpy(copy, made_intake.raw, made_intake.raw->size);
	made_reader.event.data = copy;
	made_reader.event.late = true;
	made_reader.event.comm = "name";
	memset(&made_intake.record, 0, sizeof(made_intake.record));
	made_intake.record.sz = sizeof(made_intake.record);
	memset(made_intake.from.data, 0, 28);
	intake__decode_again(&made_intake);
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_DATA);
	ck_assert_uint_eq(made_reader.event.cpu, 1);
	ck_assert_uint_eq(made_reader.event.time_ns, 5);
	ck_assert_mem_eq(made_reader.event.data, payload, 28);
	ck_assert_str_eq(made_reader.event.comm, "name");
	ck_assert(made_reader.event.late);
	free_made();
}
END_TEST

/* ---- channels -------------------------------------------------------------------------------- */

static void check_number(uint64_t number, uint32_t cpu, uint64_t time_ns)
{
	uint64_t found;

	ck_assert_ptr_nonnull(next());
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_DATA);
	ck_assert_uint_eq(made_reader.event.cpu, cpu);
	ck_assert_uint_eq(made_reader.event.time_ns, time_ns);
	ck_assert_uint_eq(made_reader.event.type, 1);
	ck_assert_uint_eq(made_reader.event.size, 8);
	ck_assert_uint_eq(made_reader.event.lost, 0);
	ck_assert_ptr_null(made_reader.event.record);
	ck_assert(!made_reader.event.late);
	memcpy(&found, made_reader.event.data, sizeof(found));
	ck_assert_uint_eq(found, number);
}

static void check_missing(uint64_t lost, uint32_t cpu, uint64_t time_ns)
{
	ck_assert_ptr_nonnull(next());
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(made_reader.event.lost, lost);
	ck_assert_uint_eq(made_reader.event.cpu, cpu);
	ck_assert_uint_eq(made_reader.event.time_ns, time_ns);
}

/* Events missing before the first frame are not lost: the reader was not open yet. */
START_TEST(test_frames_become_events)
{
	make_channel(0);
	write_frame(1, 2, 40, 3, 1000);
	write_frame(1, 2, 43, 1, 2000);
	check_number(40, 1, 1000);
	check_number(41, 1, 1001);
	check_number(42, 1, 1002);
	check_number(43, 1, 2000);
	check_end();
	ck_assert_uint_eq(made_inputs.stage.states[PEAT_SLOTS + 2].consumed, 4);
	ck_assert_uint_eq(made_accounts.streams[PEAT_SLOTS + 2].next_seq, 44);
	ck_assert_int_eq(made_accounts.streams[PEAT_SLOTS + 2].missing, 0);
	ck_assert_uint_eq(made_reader.stats.corrupt, 0);
	ck_assert_uint_eq(made_reader.stats.records, 2);
	ck_assert(!made_intake.in_frame);
	free_made();
}
END_TEST

/* Each slot is a stream.  A gap in a stream is a LOST event before the next frame. */
START_TEST(test_gaps_become_lost_events)
{
	make_channel(0);
	write_frame(0, 0, 1, 1, 1000);
	write_frame(0, 1, 7, 1, 1100);
	write_frame(0, 0, 5, 1, 1200);
	write_frame(0, 1, 8, 1, 1300);
	check_number(1, 0, 1000);
	check_number(7, 0, 1100);
	check_missing(3, 0, 1200);
	check_number(5, 0, 1200);
	check_number(8, 0, 1300);
	check_end();
	write_frame(0, 1, 10, 1, 1400);
	check_missing(1, 0, 1400);
	check_number(10, 0, 1400);
	check_end();
	ck_assert_int_eq(made_accounts.streams[0].missing, 3);
	ck_assert_int_eq(made_accounts.streams[1].missing, 1);
	ck_assert_uint_eq(made_reader.stats.corrupt, 0);
	free_made();
}
END_TEST

/*
 * A frame with a lower sequence number than the last one is corrupt; its events are not missing any
 * more.
 */
START_TEST(test_backward_frames_are_corrupt)
{
	make_channel(0);
	write_frame(0, 0, 5, 1, 1000);
	write_frame(0, 0, 9, 1, 1100);
	write_frame(0, 0, 7, 1, 1200);
	check_number(5, 0, 1000);
	check_missing(3, 0, 1100);
	check_number(9, 0, 1100);
	check_number(7, 0, 1200);
	check_end();
	ck_assert_int_eq(made_accounts.streams[0].missing, 0);
	ck_assert_uint_eq(made_reader.stats.corrupt, 1);
	free_made();
}
END_TEST

/* A frame with fewer events than its count: the others are missing before the next frame. */
START_TEST(test_frame_that_lies)
{
	uint32_t room[256];
	size_t bytes;
	uint16_t count = 5;

	make_channel(0);
	bytes = make_frame(room, 0, 1, 2, 1000);
	memcpy((unsigned char *)room + 2, &count, sizeof(count));
	write_sample(0, 0, room, bytes);
	write_frame(0, 0, 6, 1, 2000);
	write_sample(0, 0, "no frame at", 12);
	check_number(1, 0, 1000);
	check_number(2, 0, 1001);
	check_missing(3, 0, 2000);
	check_number(6, 0, 2000);
	check_end();
	ck_assert_uint_eq(made_reader.stats.corrupt, 2);
	free_made();
}
END_TEST

/* LOST records of a channel are counted, but are no events: gaps in streams are. */
START_TEST(test_channel_losses)
{
	make_channel(0);
	write_lost(PEAT_RECORD_LOST, 7);
	write_frame(0, 0, 1, 1, 1000);
	check_number(1, 0, 1000);
	check_end();
	ck_assert_uint_eq(made_reader.stats.lost_records, 7);
	free_made();
}
END_TEST

/* A bell is a record, but no event, no loss and no invalid frame. */
START_TEST(test_channel_bell)
{
	make_channel(0);
	write_frame(0, 1, 5, 0, 0);
	write_frame(0, 1, 5, 1, 1000);
	write_frame(0, 1, 6, 0, 0);
	check_number(5, 0, 1000);
	check_end();
	ck_assert_uint_eq(made_reader.stats.records, 3);
	ck_assert_uint_eq(made_reader.stats.corrupt + made_reader.stats.unknown, 0);
	ck_assert_uint_eq(made_inputs.stage.states[1].consumed, 1);
	free_made();
}
END_TEST

/* An event of a frame has nothing of the record before it. */
START_TEST(test_channel_kinds)
{
	make_channel(PEAT_SIDE_BAND_TASK);
	write_frame(0, 0, 1, 1, 1000);
	write_exit(0, 2000);
	check_number(1, 0, 1000);
	ck_assert_ptr_nonnull(next());
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_RECORD);
	ck_assert_uint_eq(made_reader.event.tid, 32);
	ck_assert_ptr_nonnull(made_reader.event.record);
	check_end();
	made_reader.event.late = true; /* set by the order of events */
	write_frame(0, 0, 2, 1, 3000);
	write_exit(0, 4000);
	check_number(2, 0, 3000);
	ck_assert_ptr_nonnull(next());
	check_end();
	free_made();
}
END_TEST

/* Staged events are collected after the ring of their CPU. */
START_TEST(test_staged_events_follow_ring)
{
	struct peat_slot *slot;

	make_channel(0);
	slot = made_slot(PEAT_SLOTS);
	write_frame(1, 0, 0, 2, 1000);
	slot->seq = 3;
	slot->count = 1;
	slot->len = (uint32_t)make_frame(&slot->frame, 0, 2, 1, 0) - PEAT_FRAME_HEAD_BYTES;
	slot->time_ns = 3000;
	made_inputs.drain_now = true;
	check_number(0, 1, 1000);
	check_number(1, 1, 1001);
	check_number(2, 1, 3000);
	check_end();
	ck_assert_uint_eq(slot->count, 0);
	free_made();
}
END_TEST

/* Frames of a plain reader are counted as a whole, and their rows are read without the source. */
START_TEST(test_plain_frames_are_counted_whole)
{
	struct peat_ledger ledger;

	make_channel(0);
	made_intake.is_plain = true;
	write_frame(1, 0, 0, 3, 1000);
	write_frame(1, 0, 3, 1, 2000);
	made_slot(PEAT_SLOTS)->seq = 4;
	check_number(0, 1, 1000);
	ck_assert_uint_eq(account__uncounted(&made_accounts), 1);
	ck_assert(source__step(&made_reader));
	ck_assert_uint_eq(made_reader.event.time_ns, 1001);
	ck_assert_uint_eq(*(const uint64_t *)made_reader.event.data, 1);
	ck_assert_uint_eq(made_reader.event.cpu, 1);
	ck_assert_int_eq(account__fill(&made_accounts, 1, &ledger), 0);
	ck_assert_uint_eq(ledger.delivered, 2);
	ck_assert_int_eq(account__fill(&made_accounts, 0, &ledger), 0);
	ck_assert_uint_eq(ledger.delivered, 0);
	check_number(2, 1, 1002);
	check_number(3, 1, 2000);
	ck_assert_uint_eq(made_reader.stats.events, 3);
	check_end();
	ck_assert_uint_eq(made_reader.stats.events, 4);
	ck_assert_uint_eq(made_accounts.of_cpus[1].delivered, 4);
	ck_assert_uint_eq(account__uncounted(&made_accounts), 0);
	free_made();
}
END_TEST

/* A loss is no event of a row: the next event is not stepped to. */
START_TEST(test_plain_gap)
{
	make_channel(0);
	made_intake.is_plain = true;
	write_frame(1, 0, 0, 1, 1000);
	write_frame(1, 0, 5, 2, 2000);
	check_number(0, 1, 1000);
	check_missing(4, 1, 2000);
	ck_assert(!source__step(&made_reader));
	check_number(5, 1, 2000);
	ck_assert(source__step(&made_reader));
	ck_assert_uint_eq(made_reader.event.time_ns, 2001);
	check_end();
	free_made();
}
END_TEST

/* An event has the task in its head, if any. */
START_TEST(test_ids_in_event_heads)
{
	struct peat_event_head event = { .size = 8, .type = 1 | PEAT_EVENT_IDS, .delta_ns = 4 };
	struct peat_event_ids ids = { .tgid = 41, .tid = 42 };
	struct peat_frame_head head = { PEAT_WIRE_VERSION, 0, 1, 1000, 0 };
	unsigned char room[20 + 24];

	make_channel(0);
	memset(room, 0, sizeof(room));
	memcpy(room, &head, sizeof(head));
	memcpy(room + 20, &event, sizeof(event));
	memcpy(room + 28, &ids, sizeof(ids));
	write_sample(0, 0, room, sizeof(room));
	write_frame(0, 0, 1, 1, 2000);
	check_number(0, 0, 1004);
	ck_assert_uint_eq(made_reader.event.pid, 41);
	ck_assert_uint_eq(made_reader.event.tid, 42);
	ck_assert(made_intake.has_task);
	check_number(1, 0, 2000);
	ck_assert(!made_intake.has_task);
	check_end();
	free_made();
}
END_TEST

#define NAMED_EVENTS 4

/* A frame of events of thread 42, with its name after each event from `first` on. */
static size_t make_named_frame(unsigned char *room, int first)
{
	const struct peat_frame_head head = { PEAT_WIRE_VERSION, 0, NAMED_EVENTS, 1000, 0 };
	const struct peat_event_head event = { .size = 8, .type = 1 | PEAT_EVENT_IDS };
	const struct peat_event_ids ids = { .tgid = 41, .tid = 42 };
	const struct peat_task_name name = { PEAT_COMM_BYTES, PEAT_TASK_NAME, 42, "sent" };
	size_t at = sizeof(head);

	memcpy(room, &head, sizeof(head));
	for (uint64_t number = 0; number < NAMED_EVENTS; number++) {
		memcpy(room + at, &event, sizeof(event));
		memcpy(room + at + 8, &ids, sizeof(ids));
		memcpy(room + at + 16, &number, sizeof(number));
		at += 24;
		if ((int)number >= first) {
			memcpy(room + at, &name, sizeof(name));
			at += sizeof(name);
		}
	}
	return at;
}

/*
 * Programs that were started in a pid namespace send names, also to a reader that does not ask for
 * them, there or elsewhere.
 */
START_TEST(test_names_between_events)
{
	unsigned char room[20 + NAMED_EVENTS * 48];
	size_t bytes = make_named_frame(room, _i / 2);

	make_channel(0);
	made_intake.is_plain = true;
	made_intake.from.has_other_pids = _i % 2;
	write_sample(0, 0, room, bytes);
	for (uint64_t number = 0; number < NAMED_EVENTS; number++) {
		ck_assert(source__step(&made_reader) || next());
		ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_DATA);
		ck_assert_uint_eq(made_reader.event.type, 1);
		ck_assert_uint_eq(made_reader.event.tid, 42);
		ck_assert_mem_eq(made_reader.event.data, &number, sizeof(number));
	}
	check_end();
	ck_assert_uint_eq(made_reader.stats.events, NAMED_EVENTS);
	ck_assert_uint_eq(made_reader.stats.corrupt, 0);
	free_made();
}
END_TEST

static void write_comm(uint32_t cpu, uint32_t tid, uint64_t time_ns, const char *comm)
{
	struct bytes b;

	put_header(&b, PEAT_RECORD_COMM, 0, false);
	put_u32(&b, tid);
	put_u32(&b, tid);
	put_string(&b, comm);
	put_u32(&b, tid);
	put_u32(&b, tid);
	put_u64(&b, time_ns);
	put_u32(&b, cpu);
	put_u32(&b, 0);
	write_record(cpu, &b);
}

/* The event has the name that its task had at its time, from whichever ring. */
START_TEST(test_names_at_event_time)
{
	struct tasks *tasks = tasks__new(1 << 20);

	ck_assert_ptr_nonnull(tasks);
	make_raw(1, true, PEAT_SIDE_BAND_COMM);
	made_inputs.tasks = tasks;
	intake__close(&made_intake);
	ck_assert_int_eq(intake__open(&made_intake, 0), 0);
	ck_assert_int_eq(
		drain__follow(&made_inputs.drain, tasks, NULL, &made_inputs.rings.events.side), 0);
	write_sample(0, 1000, payload, 12); /* by thread 200 */
	write_lost(PEAT_RECORD_LOST, 1);
	write_comm(1, 200, 900, "first");
	write_comm(1, 200, 1100, "second");
	ck_assert_ptr_nonnull(next());
	ck_assert_str_eq(made_reader.event.comm, "first");
	ck_assert_ptr_nonnull(next());
	ck_assert_int_eq(made_reader.event.kind, PEAT_EVENT_LOST);
	ck_assert_ptr_null(made_reader.event.comm);
	check_end();
	write_sample(0, 1200, payload, 12);
	ck_assert_ptr_nonnull(next());
	ck_assert_str_eq(made_reader.event.comm, "second");
	check_end();
	free_made();
	tasks__free(tasks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_ids_in_event_heads);
	tcase_add_loop_test(tests, test_names_between_events, 0, 4);
	tcase_add_test(tests, test_names_at_event_time);
	tcase_add_test(tests, test_raw_sample_is_data);
	tcase_add_test(tests, test_flush_in_a_round);
	tcase_add_test(tests, test_raw_without_ids);
	tcase_add_test(tests, test_exact_sizes);
	tcase_add_test(tests, test_unknown_map);
	tcase_add_test(tests, test_given_schema);
	tcase_add_test(tests, test_raw_losses);
	tcase_add_test(tests, test_bad_records);
	tcase_add_test(tests, test_requested_kinds_are_returned);
	tcase_add_test(tests, test_unasked_kinds_are_returned);
	tcase_add_test(tests, test_decodes_again_from_copy);
	tcase_add_test(tests, test_frames_become_events);
	tcase_add_test(tests, test_gaps_become_lost_events);
	tcase_add_test(tests, test_backward_frames_are_corrupt);
	tcase_add_test(tests, test_frame_that_lies);
	tcase_add_test(tests, test_channel_losses);
	tcase_add_test(tests, test_channel_bell);
	tcase_add_test(tests, test_channel_kinds);
	tcase_add_test(tests, test_staged_events_follow_ring);
	tcase_add_test(tests, test_plain_frames_are_counted_whole);
	tcase_add_test(tests, test_plain_gap);
}
