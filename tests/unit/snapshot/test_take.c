// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_take.c: snapshots of rings and slots in plain memory: events, counts, failures. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/where.h>

#include "base/monotonic.h"
#include "field/fields.h"
#include "live/input.h"
#include "snapshot/source.h"
#include "support/machine/process.h"
#include "unit/fail_alloc.h"
#include "unit/fake_grace_period.h"
#include "unit/live/live_maker.h"

static struct live_source live;
static struct peat_reader *snapshot;
static char logged[512]; /* the last error */

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

/* ---- a reader that overwrites ---------------------------------------------------------------- */

static void begin(struct peat_channel *channel)
{
	logged[0] = '\0';
	peat_set_print(note);
	fake_grace_period__set(NULL, 0);
	for (uint32_t cpu = 0; cpu < MADE_CPUS; cpu++)
		made_rings[cpu].fd = STDERR_FILENO; /* it is open */
	live = (struct live_source){ .reader.ops = &flight_of_channel.ops,
				     .channel = channel,
				     .inputs = made_inputs,
				     .accounts = made_accounts,
				     .flight.is_paused = true };
	live.accounts.inputs = &live.inputs;
	live.flight.taken = calloc(MADE_CPUS, sizeof(*live.flight.taken));
	ck_assert_ptr_nonnull(live.flight.taken);
}

static void begin_channel(void)
{
	make_channel(0);
	begin(&made_channel);
}

static void end(void)
{
	grace_thread__close(&live.inputs.grace);
	made_inputs.stage = live.inputs.stage;
	made_accounts = live.accounts;
	free(live.flight.taken);
	free_made();
}

/* Writes a record as into a ring that overwrites. */
static void write_backward(uint32_t cpu, struct bytes *b)
{
	struct fake_ring *fake = &made_fakes[cpu];

	end_record(b);
	fake->page->data_head -= b->len;
	fake_ring__write(fake, b->at, b->len);
	fake->page->data_head -= b->len;
}

static void write_payload(uint32_t cpu, const void *payload, size_t bytes)
{
	struct bytes b;

	put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
	put_u32(&b, (uint32_t)bytes);
	put_data(&b, payload, bytes);
	write_backward(cpu, &b);
}

/* A program on `cpu` sends `count` events of slot `slot`. */
static void send(uint32_t cpu, uint32_t slot, uint16_t count, uint64_t time_ns)
{
	struct peat_slot *of = made_slot(cpu * PEAT_SLOTS + slot);
	uint32_t room[1024];

	write_payload(cpu, room, make_frame(room, (uint8_t)slot, of->seq, count, time_ns));
	of->seq += count;
}

/* A program on `cpu` stages `count` events in slot `slot`. */
static void stage(uint32_t cpu, uint32_t slot, uint16_t count, uint64_t time_ns)
{
	struct peat_slot *of = made_slot(cpu * PEAT_SLOTS + slot);
	uint32_t room[1024];
	size_t bytes = make_frame(room, (uint8_t)slot, of->seq, count, time_ns);

	of->len = (uint32_t)(bytes - sizeof(struct peat_frame_head));
	memcpy(of->data, (unsigned char *)room + sizeof(struct peat_frame_head), of->len);
	of->count = count;
	of->time_ns = time_ns;
	of->seq += count;
}

static void take(uint64_t last_ns, uint64_t bytes)
{
	struct peat_snapshot_opts opts = PEAT_SNAPSHOT_OPTS_INIT;

	opts.last_ns = last_ns;
	opts.bytes = bytes;
	snapshot = peat_reader__snapshot(&live.reader, &opts);
	ck_assert_msg(snapshot, "%s: %s", strerror(errno), logged);
}

static struct peat_snapshot_info info(void)
{
	struct peat_snapshot_info info = { .sz = sizeof(info) };

	ck_assert_int_eq(peat_snapshot__info(snapshot, &info), 0);
	return info;
}

static struct peat_reader_stats stats(void)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(snapshot, &stats), 0);
	return stats;
}

static struct peat_ledger ledger_of(uint32_t cpu)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__ledger(snapshot, cpu, &ledger), 0);
	return ledger;
}

static struct peat_ledger live_ledger(uint32_t cpu)
{
	struct peat_ledger ledger;

	ck_assert_int_eq(account__fill(&live.accounts, cpu, &ledger), 0);
	ck_assert_uint_eq(ledger.emitted, ledger.delivered + peat_ledger__lost(&ledger) +
						  ledger.staged + ledger.in_ring);
	return ledger;
}

/* The next event, of `cpu` at this time. */
static void expect_event(uint32_t cpu, uint64_t time_ns)
{
	const struct peat_event *event;

	ck_assert_int_eq(peat_reader__next(snapshot, &event), 1);
	ck_assert_int_eq(event->kind, PEAT_EVENT_DATA);
	ck_assert_uint_eq(event->cpu, cpu);
	ck_assert_uint_eq(event->time_ns, time_ns);
	ck_assert_uint_eq(event->size, 8);
}

static void expect_events(uint32_t cpu, uint64_t from_ns, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		expect_event(cpu, from_ns + i);
}

static void expect_loss(uint32_t cpu, enum peat_lost_cause cause, uint64_t lost)
{
	const struct peat_event *event;

	ck_assert_int_eq(peat_reader__next(snapshot, &event), 1);
	ck_assert_int_eq(event->kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(event->cpu, cpu);
	ck_assert_int_eq(event->cause, cause);
	ck_assert_uint_eq(event->lost, lost);
}

static void expect_end(void)
{
	const struct peat_event *event;

	ck_assert_int_eq(peat_reader__next(snapshot, &event), 0);
}

/* Without its end, which is peat_reader__free(). */
static void free_snapshot(void)
{
	peat_reader__free(snapshot);
	snapshot = NULL;
}

/* ---- events of a channel --------------------------------------------------------------------- */

/* Bells and records of other types are no events. */
START_TEST(test_sent_and_staged_events)
{
	uint64_t before_ns = monotonic_ns();
	struct peat_snapshot_info made;
	struct bytes b;
	uint32_t room[8];

	begin_channel();
	send(0, 0, 5, 1000);
	stage(0, 0, 2, 2000);
	send(1, 2, 3, 1500);
	stage(1, 3, 1, 2500);
	write_payload(1, room, make_frame(room, 0, 0, 0, 0)); /* a bell */
	put_header(&b, PEAT_RECORD_LOST, 0, false);
	put_u64(&b, 1);
	put_u64(&b, 7);
	write_backward(0, &b);
	take(0, 0);
	made = info();
	ck_assert_uint_eq(made.sz, sizeof(made));
	ck_assert_uint_eq(made.events, 11);
	ck_assert_uint_eq(made.first_ns, 1000);
	ck_assert_uint_eq(made.last_ns, 2500);
	ck_assert_uint_eq(made.overwritten_bytes, 0);
	ck_assert_uint_eq(made.bytes, (uint64_t)-made_fakes[0].page->data_head -
					      made_fakes[1].page->data_head + 2 * 20 + 3 * 16);
	ck_assert_uint_ge(made.time_ns, before_ns);
	ck_assert_uint_le(made.time_ns + made.copy_ns, monotonic_ns());
	ck_assert_uint_gt(made.swap_ns, 0);
	ck_assert_uint_ge(made.copy_ns, made.swap_ns);
	ck_assert_uint_eq(stats().records, 4);
	expect_events(0, 1000, 5);
	expect_events(1, 1500, 3);
	expect_events(0, 2000, 2);
	expect_event(1, 2500);
	expect_end();
	ck_assert_uint_eq(stats().corrupt, 0);
	ck_assert_uint_eq(ledger_of(0).delivered, 7);
	ck_assert_uint_eq(ledger_of(1).delivered, 4);
	ck_assert_uint_eq(live_ledger(0).delivered, 7);
	ck_assert_uint_eq(live_ledger(1).delivered, 4);
	ck_assert_uint_eq(live_ledger(PEAT_ALL_CPUS).in_ring, 0);
	free_snapshot();
	end();
}
END_TEST

/* A snapshot has what came since the one before. */
START_TEST(test_second_snapshot)
{
	begin_channel();
	send(0, 1, 5, 1000);
	take(0, 0);
	free_snapshot();
	send(0, 1, 2, 3000);
	send(1, 3, 1, 2000);
	take(0, 0);
	ck_assert_uint_eq(info().events, 3);
	expect_event(1, 2000);
	expect_events(0, 3000, 2);
	expect_end();
	ck_assert_uint_eq(ledger_of(PEAT_ALL_CPUS).emitted, 3);
	ck_assert_uint_eq(ledger_of(PEAT_ALL_CPUS).delivered, 3);
	free_snapshot();
	take(0, 0);
	ck_assert_uint_eq(info().events, 0);
	ck_assert_uint_eq(info().first_ns, 0);
	ck_assert_uint_eq(info().last_ns, 0);
	ck_assert_uint_eq(info().bytes, 0);
	expect_end();
	ck_assert_uint_eq(ledger_of(PEAT_ALL_CPUS).emitted, 0);
	free_snapshot();
	ck_assert_uint_eq(live_ledger(PEAT_ALL_CPUS).delivered, 8);
	end();
}
END_TEST

/* The oldest events of a stream are overwritten, and in another one all. */
START_TEST(test_overwritten_events)
{
	uint64_t delivered;

	begin_channel();
	for (uint16_t i = 0; i < 60; i++)
		send(0, 0, 20, 1000 + i * 100u);
	made_slot(PEAT_SLOTS)->seq += 30;
	take(0, 0);
	ck_assert_uint_gt(info().overwritten_bytes, 0);
	delivered = info().events;
	ck_assert_uint_gt(delivered, 500);
	ck_assert_uint_lt(delivered, 1200);
	ck_assert_uint_eq(info().last_ns, 1000 + 59 * 100 + 19);
	ck_assert_uint_eq(ledger_of(0).overwritten, 1200 - delivered);
	ck_assert_uint_eq(ledger_of(1).overwritten, 30);
	ck_assert_uint_eq(live_ledger(0).overwritten, 1200 - delivered);
	ck_assert_uint_eq(live_ledger(1).overwritten, 30);
	free_snapshot();
	end();
}
END_TEST

/* Gaps between frames are losses, returned after the events. */
START_TEST(test_losses_follow_events)
{
	begin_channel();
	send(0, 0, 2, 1000);
	made_slot(0)->seq += 3;
	made_slot(0)->lost_ring_full += 3;
	send(0, 0, 1, 2000);
	made_slot(PEAT_SLOTS)->lost_nested += 4;
	take(0, 0);
	expect_events(0, 1000, 2);
	expect_event(0, 2000);
	expect_loss(0, PEAT_LOST_RING_FULL, 3);
	expect_loss(1, PEAT_LOST_NESTED, 4);
	expect_end();
	ck_assert_uint_eq(stats().lost, 7);
	free_snapshot();
	take(0, 0);
	expect_end();
	free_snapshot();
	end();
}
END_TEST

/* Staged events that frames are missing after: these were overwritten, and so were older ones. */
START_TEST(test_outdated_staged_events)
{
	uint32_t room[1024];

	begin_channel();
	stage(1, 2, 2, 1000);
	write_payload(1, room, make_frame(room, 2, 50, 3, 2000));
	take(0, 0);
	expect_events(1, 2000, 3);
	expect_end();
	free_snapshot();
	end();
}
END_TEST

/* Records and frames that are damaged are counted; their whole events are there. */
START_TEST(test_damaged_records)
{
	uint32_t room[1024];
	struct bytes b;
	size_t bytes;

	begin_channel();
	put_header(&b, PEAT_RECORD_SAMPLE, 0, false); /* 1: the oldest record has no valid size */
	put_u64(&b, 0);
	write_backward(0, &b);
	made_fakes[0].data[made_fakes[0].page->data_head & (MADE_RING_BYTES - 1)] = 0;
	memset(&made_fakes[0].data[(made_fakes[0].page->data_head + 6) & (MADE_RING_BYTES - 1)], 0,
	       2);
	put_header(&b, PEAT_RECORD_SAMPLE, 0, false); /* 2: no payload */
	write_backward(0, &b);
	bytes = make_frame(room, 0, 0, 2, 1000);
	*(unsigned char *)room = PEAT_WIRE_VERSION + 1; /* 3: another version */
	write_payload(0, room, bytes);
	bytes = make_frame(room, 3, 0, 4, 2000);
	write_payload(0, room, bytes - 16); /* 4: one event less */
	made_slot(3)->seq += 4;
	take(0, 0);
	ck_assert_uint_eq(stats().corrupt, 4);
	ck_assert_uint_eq(stats().records, 3);
	expect_events(0, 2000, 3);
	free_snapshot();
	end();
}
END_TEST

/* A ring of a CPU that the channel does not have. */
START_TEST(test_unknown_processor)
{
	begin_channel();
	send(0, 0, 1, 1000);
	send(1, 0, 1, 2000);
	made_rings[1].cpu = MADE_CPUS;
	take(0, 0);
	expect_event(0, 1000);
	ck_assert_uint_eq(stats().corrupt, 1);
	free_snapshot();
	made_rings[1].cpu = 1;
	end();
}
END_TEST

START_TEST(test_last_time)
{
	uint64_t now_ns = monotonic_ns(), second_ns = 1000000000;

	begin_channel();
	send(0, 0, 3, now_ns - 100 * second_ns);
	send(0, 0, 2, now_ns - second_ns);
	stage(1, 0, 1, now_ns - 90 * second_ns);
	take(50 * second_ns, 0);
	expect_events(0, now_ns - second_ns, 2);
	expect_end();
	ck_assert_uint_eq(ledger_of(0).overwritten, 3);
	free_snapshot();
	send(0, 0, 1, 1000);
	take(UINT64_MAX, 0); /* more than the time since the start of the machine */
	expect_event(0, 1000);
	expect_end();
	free_snapshot();
	end();
}
END_TEST

START_TEST(test_least_bytes)
{
	begin_channel();
	send(0, 0, 3, 1000);
	send(0, 0, 2, 2000);
	take(0, 100);
	expect_events(0, 2000, 2);
	expect_end();
	free_snapshot();
	end();
}
END_TEST

START_TEST(test_skipped_runs)
{
	begin_channel();
	take(0, 0);
	ck_assert(stats().skipped_is_known);
	ck_assert_uint_eq(stats().skipped, 0);
	free_snapshot();
	live.inputs.skipped.is_unknown = true;
	live.flight.skipped = 5;
	take(0, 0);
	ck_assert(!stats().skipped_is_known);
	ck_assert_uint_eq(stats().skipped, (uint64_t)-5); /* less than before */
	ck_assert_uint_eq(live.flight.skipped, 0);
	free_snapshot();
	end();
}
END_TEST

/* A program on CPU 0 sends an event of this thread. */
static void send_of_task(uint32_t tid, uint64_t time_ns)
{
	struct peat_frame_head head = { PEAT_WIRE_VERSION, 0, 1, time_ns, made_slot(0)->seq++ };
	const struct peat_event_head event = { .size = 8, .type = 1 | PEAT_EVENT_IDS };
	const struct peat_event_ids ids = { 42, tid };
	struct bytes b = { .len = 0 };
	const uint64_t number = 7;

	put_data(&b, &head, sizeof(head));
	put_data(&b, &event, sizeof(event));
	put_data(&b, &ids, sizeof(ids));
	put_data(&b, &number, sizeof(number));
	write_payload(0, b.at, b.len);
}

/* Reads up to the event of the thread 43. */
static void check_name(void)
{
	const struct peat_event *event;

	do
		ck_assert_int_eq(peat_reader__next(snapshot, &event), 1);
	while (event->kind != PEAT_EVENT_DATA || event->tid != 43);
	ck_assert_uint_eq(event->pid, 42);
	ck_assert_ptr_nonnull(event->comm);
	ck_assert_str_eq(event->comm, "a name");
}

/* Names of the reader are copied with the events, or there is no snapshot. */
START_TEST(test_names_are_copied)
{
	struct inputs names = {
		.hotplug.fd = -1, .timer_fd = -1, .tick_ms = 100, .drain.stage = &names.stage
	};
	bool has_failed = true;

	begin_channel();
	live.flight.names = &names;
	names.tasks = tasks__new(10);
	ck_assert_ptr_nonnull(names.tasks);
	tasks__comm(names.tasks, 43, 1, "a name");
	for (unsigned nth = 1; has_failed; nth++) {
		send_of_task(43, 1000);
		send_of_task(44, 2000);
		fail_alloc__begin(nth);
		errno = 0;
		snapshot = peat_reader__snapshot(&live.reader, NULL);
		has_failed = fail_alloc__end();
		if (snapshot)
			check_name();
		else
			ck_assert_int_eq(errno, ENOMEM);
		free_snapshot();
	}
	send_of_task(43, 1000);
	take(0, 0);
	tasks__comm(names.tasks, 43, 2, "another name");
	check_name();
	free_snapshot();
	tasks__free(names.tasks);
	live.flight.names = NULL;
	end();
}
END_TEST

/* ---- events of maps -------------------------------------------------------------------------- */

static void send_sample(uint32_t cpu, uint64_t id, uint64_t time_ns)
{
	struct bytes b;

	put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
	put_u64(&b, id);
	put_u32(&b, 42);
	put_u32(&b, 43);
	put_u64(&b, time_ns);
	put_u32(&b, 12);
	put_data(&b, "twelve bytes", 12);
	write_backward(cpu, &b);
}

/* Two maps, whose samples have the ids 70 and 71. */
static void begin_maps(void)
{
	static struct ring_id ids[] = { { 70, 0 }, { 71, 1 } };

	make_raw(2, true, 0);
	begin(NULL);
	for (uint32_t cpu = 0; cpu < MADE_CPUS; cpu++) {
		made_rings[cpu].ids = ids;
		made_rings[cpu].id_count = 2;
	}
}

START_TEST(test_samples_of_maps)
{
	static const struct peat_schema schema = { .bytes = 12 };
	const struct peat_event *event;
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	begin_maps();
	live.intake.schemas[1] = &schema;
	live.map_names[1] = "named";
	snprintf(live.inputs.rings.map_names[0], 16, "kernels");
	send_sample(1, 71, 2000);
	send_sample(0, 70, 1000);
	send_sample(1, 99, 3000);
	take(0, 0);
	ck_assert_uint_eq(info().events, 2);
	ck_assert_uint_eq(info().first_ns, 1000);
	ck_assert_uint_eq(info().last_ns, 2000);
	ck_assert_uint_eq(stats().records, 3);
	ck_assert_uint_eq(stats().corrupt, 1);
	ck_assert_int_eq(peat_reader__next(snapshot, &event), 1);
	ck_assert_uint_eq(event->cpu, 0);
	ck_assert_uint_eq(event->pid, 42);
	ck_assert_uint_eq(event->type, 0);
	ck_assert_str_eq(event->map, "kernels");
	ck_assert_ptr_null(event->schema);
	ck_assert_int_eq(peat_reader__next(snapshot, &event), 1);
	ck_assert_uint_eq(event->cpu, 1);
	ck_assert_uint_eq(event->type, 1);
	ck_assert_str_eq(event->map, "named");
	ck_assert_ptr_eq(event->schema, &schema);
	ck_assert_uint_eq(event->size, 12);
	expect_end();
	ck_assert_int_eq(peat_reader__ledger(snapshot, 0, &ledger), -ENOTSUP);
	ck_assert_int_eq(peat_snapshot__keep(snapshot, &live.reader, 1), 0);
	free_snapshot();
	end();
}
END_TEST

/* ---- snapshots that are not kept whole ------------------------------------------------------- */

/* On CPU 0: 1000 to 1004 and 2000; on CPU 1: 1500 to 1502, all staged or sent. */
static void send_nine(void)
{
	send(0, 0, 5, 1000);
	stage(0, 0, 1, 2000);
	send(1, 2, 3, 1500);
	take(0, 0);
}

static void check_kept(uint64_t delivered_0, uint64_t delivered_1)
{
	ck_assert_uint_eq(live_ledger(0).delivered, delivered_0);
	ck_assert_uint_eq(live_ledger(0).overwritten, 6 - delivered_0);
	ck_assert_uint_eq(live_ledger(1).delivered, delivered_1);
	ck_assert_uint_eq(live_ledger(1).overwritten, 3 - delivered_1);
	expect_end();
	free_snapshot();
}

START_TEST(test_kept_events)
{
	static const struct {
		uint64_t kept, of_cpus[2];
	} cases[] = { { 0, { 0, 0 } }, { 1, { 1, 0 } }, { 5, { 5, 0 } }, { 6, { 5, 1 } },
		      { 8, { 5, 3 } }, { 9, { 6, 3 } }, { 99, { 6, 3 } } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct peat_event *event;

		begin_channel();
		send_nine();
		for (uint64_t read = i; read; read--) /* whatever was read before */
			ck_assert_int_eq(peat_reader__next(snapshot, &event), 1);
		ck_assert_int_eq(peat_snapshot__keep(snapshot, &live.reader, cases[i].kept), 0);
		check_kept(cases[i].of_cpus[0], cases[i].of_cpus[1]);
		send(1, 2, 4, 3000);
		take(0, 0);
		ck_assert_uint_eq(ledger_of(PEAT_ALL_CPUS).emitted, 4);
		ck_assert_uint_eq(ledger_of(PEAT_ALL_CPUS).overwritten, 0);
		expect_events(1, 3000, 4);
		ck_assert_uint_eq(ledger_of(PEAT_ALL_CPUS).delivered, 4);
		expect_end();
		free_snapshot();
		end();
	}
}
END_TEST

/* Events that the expression rejects are not among those that were kept. */
START_TEST(test_kept_events_of_an_expression)
{
	const struct peat_event *event;

	begin_channel();
	live.reader.selection.where = peat_where__parse("cpu == 1");
	ck_assert_ptr_nonnull(live.reader.selection.where);
	send_nine();
	ck_assert_int_eq(peat_reader__next(snapshot, &event), 1);
	ck_assert_uint_eq(event->cpu, 1);
	ck_assert_int_eq(peat_snapshot__keep(snapshot, &live.reader, 2), 0);
	check_kept(5, 2);
	peat_where__free(live.reader.selection.where);
	end();
}
END_TEST

/* Losses are returned before the end, and are no events that were kept. */
START_TEST(test_kept_events_and_losses)
{
	begin_channel();
	made_slot(0)->lost_nested += 4;
	send_nine();
	ck_assert_int_eq(peat_snapshot__keep(snapshot, &live.reader, 100), 0);
	ck_assert_uint_eq(live_ledger(0).delivered, 6);
	expect_loss(0, PEAT_LOST_NESTED, 4);
	free_snapshot();
	end();
}
END_TEST

/* ---- refusals and failures ------------------------------------------------------------------- */

#define NEEDS "only a reader with peat_reader_opts.overwrite keeps events for snapshots"

static void check_refused(const struct peat_snapshot_opts *opts, int err)
{
	errno = 0;
	ck_assert_ptr_null(peat_reader__snapshot(&live.reader, opts));
	ck_assert_int_eq(errno, err);
}

START_TEST(test_other_readers)
{
	struct peat_snapshot_opts opts = PEAT_SNAPSHOT_OPTS_INIT;

	begin_channel();
	send_nine();
	ck_assert_int_eq(peat_snapshot__keep(&live.reader, &live.reader, 1), -EINVAL);
	ck_assert_int_eq(peat_snapshot__keep(snapshot, snapshot, 1), -EINVAL);
	ck_assert_str_eq(logged, NEEDS);
	ck_assert_ptr_null(peat_reader__snapshot(snapshot, NULL));
	free_snapshot();
	logged[0] = '\0';
	opts.sz = 1;
	check_refused(&opts, EINVAL);
	ck_assert_str_ne(logged, NEEDS);
	live.reader.ops = &channel_input.ops;
	check_refused(NULL, EINVAL);
	ck_assert_str_eq(logged, NEEDS);
	end();
}
END_TEST

/* As fork() leaves the mark in the child. */
START_TEST(test_inherited_reader)
{
	struct fork_mark inherited = { .is_mine = false };

	begin_channel();
	send_nine();
	live.reader.mark = &inherited;
	check_refused(NULL, ECHILD);
	ck_assert_int_eq(peat_snapshot__keep(snapshot, &live.reader, 1), -ECHILD);
	ck_assert_uint_eq(live_ledger(PEAT_ALL_CPUS).delivered, 9);
	free_snapshot();
	end();
}
END_TEST

/* Either all events are left for the next snapshot, or they count as overwritten. */
static void fail_nth(unsigned nth, uint64_t *delivered, uint64_t *overwritten, bool *has_failed)
{
	struct peat_ledger ledger;
	long blocks;

	send(0, 0, 2, 1000);
	stage(0, 1, 1, 2000);
	blocks = fail_alloc__blocks();
	fail_alloc__begin(nth);
	errno = 0;
	snapshot = peat_reader__snapshot(&live.reader, NULL);
	*has_failed = fail_alloc__end();
	if (!snapshot) {
		ck_assert_int_eq(errno, ENOMEM);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
	ledger = live_ledger(PEAT_ALL_CPUS);
	ck_assert_uint_eq(ledger.emitted, 3 * nth);
	ck_assert(snapshot || ledger.delivered == *delivered);
	if (ledger.staged) /* nothing was copied: the next one has them */
		take(0, 0);
	ledger = live_ledger(PEAT_ALL_CPUS);
	*delivered = ledger.delivered;
	*overwritten = ledger.overwritten;
	ck_assert_uint_eq(ledger.staged + ledger.in_ring, 0);
	free_snapshot();
}

START_TEST(test_no_memory)
{
	uint64_t delivered = 0, overwritten = 0;
	bool has_failed = true;

	begin_channel();
	for (unsigned nth = 1; has_failed; nth++)
		fail_nth(nth, &delivered, &overwritten, &has_failed);
	ck_assert_uint_gt(delivered, 0);
	end();
}
END_TEST

/* The counts of the kernel cannot be read. */
START_TEST(test_unreadable_counts)
{
	begin_channel();
	send(0, 0, 2, 1000);
	made_events[1][0].fd = 1000000;
	check_refused(NULL, EBADF);
	made_events[1][0].fd = -1;
	end();
}
END_TEST

/* The file descriptor that is opened next. */
static int next_fd(void)
{
	int fd = dup(STDERR_FILENO);

	ck_assert_int_ge(fd, 0);
	close(fd);
	return fd;
}

START_TEST(test_no_file_descriptors)
{
	unsigned fds = process__count_fds();
	struct rlimit all, few;
	int next = next_fd();

	begin_channel();
	send(0, 0, 2, 1000);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	for (rlim_t more = 0; more < 2; more++) {
		few = (struct rlimit){ (rlim_t)next + more, all.rlim_max };
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
		logged[0] = '\0';
		check_refused(NULL, EMFILE);
		ck_assert_str_eq(logged, "cannot create an eventfd: Too many open files");
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
		ck_assert_uint_eq(process__count_fds(), fds);
	}
	take(0, 0);
	expect_events(0, 1000, 2);
	free_snapshot();
	end();
}
END_TEST

/* One file descriptor is readable; the other ends a wait. */
START_TEST(test_file_descriptors)
{
	unsigned fds = process__count_fds();
	int next = next_fd();

	begin_channel();
	take(0, 0);
	ck_assert(snapshot->is_patient);
	for (int fd = next; fd < next + 2; fd++) {
		ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
		ck_assert(fcntl(fd, F_GETFL) & O_NONBLOCK);
	}
	ck_assert_int_eq(peat_reader__wait(snapshot, -1), 1);
	free_snapshot();
	ck_assert_uint_eq(process__count_fds(), fds);
	close(STDIN_FILENO);
	take(0, 0);
	free_snapshot();
	ck_assert_uint_eq(process__count_fds(), fds - 1);
	end();
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_sent_and_staged_events);
	tcase_add_test(tests, test_second_snapshot);
	tcase_add_test(tests, test_overwritten_events);
	tcase_add_test(tests, test_losses_follow_events);
	tcase_add_test(tests, test_outdated_staged_events);
	tcase_add_test(tests, test_damaged_records);
	tcase_add_test(tests, test_unknown_processor);
	tcase_add_test(tests, test_last_time);
	tcase_add_test(tests, test_least_bytes);
	tcase_add_test(tests, test_skipped_runs);
	tcase_add_test(tests, test_names_are_copied);
	tcase_add_test(tests, test_samples_of_maps);
	tcase_add_test(tests, test_kept_events);
	tcase_add_test(tests, test_kept_events_of_an_expression);
	tcase_add_test(tests, test_kept_events_and_losses);
	tcase_add_test(tests, test_other_readers);
	tcase_add_test(tests, test_inherited_reader);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_unreadable_counts);
	tcase_add_test(tests, test_no_file_descriptors);
	tcase_add_test(tests, test_file_descriptors);
}
