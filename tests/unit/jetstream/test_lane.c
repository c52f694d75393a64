// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_lane.c: messages of batches, their ids, and how they end; only with libnats. */
#ifdef HAVE_NATS

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jetstream/lane.h"
#include "piece/piece.h"
#include "unit/otlp/otlp_events.h"
#include "unit/suite.h"

static const struct lane_origin origin = { "n1.example", "stream", 17 };
static int level = 1;
static uint64_t settled, refused;

static void count_settled(void *arg, struct peat_batch *batch, uint64_t count, const char *why)
{
	(void)arg;
	(void)batch;
	ck_assert_int_eq(!!count, !!why);
	settled++;
	refused += count;
}

static struct lane *new_lane(void)
{
	struct lane *lane = lane__new("peat.n1_example.a_source");

	ck_assert_ptr_nonnull(lane);
	settled = refused = 0;
	return lane;
}

static void add(struct lane *lane, struct peat_batch *batch)
{
	ck_assert_int_eq(lane__add(lane, batch, NULL, &origin, level), 0);
	peat_batch__unref(batch);
}

/* A batch with an event, of a spool. */
static void add_spooled(struct lane *lane, uint64_t run, uint64_t number)
{
	const struct peat_origin own = { .run = run, .number = number, .first = 10 * number };
	struct peat_batch *batch = batch_of(1);

	ck_assert_int_eq(lane__add(lane, batch, &own, &origin, level), 0);
	peat_batch__unref(batch);
}

/* The message's id, and the number of its pieces, which follow each other. */
static unsigned check_message(struct lane *lane, const char *wanted_id)
{
	natsMsg *message = lane__message(lane);
	const char *data, *run = strchr(wanted_id, '.');
	size_t count, at = 0;
	unsigned pieces = 0;

	ck_assert_ptr_nonnull(message);
	ck_assert(!strncmp(lane->id.bytes, "n1.example/stream/", 18));
	ck_assert_str_eq(lane->id.bytes + 18, wanted_id);
	ck_assert_str_eq(natsMsg_GetSubject(message), "peat.n1_example.a_source");
	data = natsMsg_GetData(message);
	count = (size_t)natsMsg_GetDataLength(message);
	while (at < count) {
		struct piece_info info;
		ssize_t piece = piece__measure(data + at, count - at, &info);

		ck_assert_int_gt(piece, 0);
		ck_assert_uint_eq(info.run, strtoull(run + 1, NULL, 10));
		at += (size_t)piece;
		pieces++;
	}
	natsMsg_Destroy(message);
	return pieces;
}

START_TEST(test_message_stays_until_it_ends)
{
	struct lane *lane = new_lane();

	add(lane, batch_of(3));
	ck_assert_uint_eq(check_message(lane, "files.17.1.1"), 1);
	add(lane, batch_of(4));
	add(lane, batch_of(5));
	ck_assert_uint_eq(check_message(lane, "files.17.1.1"), 1);
	ck_assert_uint_eq(lane__settle(lane, NULL, count_settled, NULL), 1);
	ck_assert_uint_eq(check_message(lane, "files.17.2.3"), 2);
	ck_assert_uint_eq(lane->batches[1].origin.first, 8);
	ck_assert_uint_eq(lane__settle(lane, NULL, count_settled, NULL), 2);
	ck_assert_uint_eq(lane->count, 0);
	ck_assert_uint_eq(settled, 3);
	ck_assert_uint_eq(refused, 0);
	lane__free(lane, count_settled, NULL);
	ck_assert_uint_eq(settled, 3);
}
END_TEST

/* Batches without events have numbers, too. */
START_TEST(test_messages_without_events)
{
	struct lane *lane = new_lane();
	struct peat_batch *batch = new_batch();

	add_gauge(batch, 1);
	add(lane, batch);
	ck_assert_uint_eq(check_message(lane, "files.17.1.1"), 1);
	lane__settle(lane, NULL, count_settled, NULL);
	add(lane, batch_of(1));
	ck_assert_uint_eq(check_message(lane, "files.17.2.2"), 1);
	ck_assert_uint_eq(lane->batches[0].origin.first, 1);
	lane__free(lane, count_settled, NULL);
	ck_assert_uint_eq(settled, 2);
	ck_assert_uint_eq(refused, 1);
}
END_TEST

static struct peat_batch *other_batch(void)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "other" };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	add_opened(batch, &opened_event);
	return batch;
}

/* A message has one source and one run, and each source keeps its order. */
START_TEST(test_sources_share_a_subject)
{
	struct lane *lane = new_lane();

	add_spooled(lane, 15, 8);
	add(lane, other_batch());
	add_spooled(lane, 15, 9);
	add_spooled(lane, 16, 1);
	add(lane, other_batch());
	ck_assert_uint_eq(check_message(lane, "files.15.8.9"), 2);
	lane__settle(lane, NULL, count_settled, NULL);
	ck_assert_uint_eq(check_message(lane, "other.17.1.2"), 2);
	lane__settle(lane, NULL, count_settled, NULL);
	ck_assert_uint_eq(check_message(lane, "files.16.1.1"), 1);
	lane__free(lane, count_settled, NULL);
	ck_assert_uint_eq(settled, 5);
}
END_TEST

/* The last message of the subject, as the stream has it. */
static void read_last(struct lane *lane, const char *id, uint64_t sequence)
{
	char text[128];

	snprintf(text, sizeof(text), "n1.example/stream/%s", id);
	stored__parse_id(&lane->last, text);
	lane->last.sequence = sequence;
	lane__note_read(lane);
}

/* An agent was killed after it had sent 4 to 6; the next one reads these again, and 7. */
START_TEST(test_batches_that_the_stream_has)
{
	struct lane *lane = new_lane();

	ck_assert(!lane->is_read);
	add_spooled(lane, 15, 5);
	add_spooled(lane, 15, 6);
	read_last(lane, "files.15.4.6", 77);
	ck_assert_uint_eq(lane__settle_stored(lane, count_settled, NULL), 2);
	add_spooled(lane, 15, 6); /* comes later */
	add_spooled(lane, 15, 7);
	add_spooled(lane, 16, 1);
	ck_assert_uint_eq(lane__settle_stored(lane, count_settled, NULL), 1);
	ck_assert_uint_eq(check_message(lane, "files.15.7.7"), 1);
	ck_assert(lane__names_last(lane));
	ck_assert_uint_eq(lane->sequence, 77);
	lane__note_stored(lane, 80);
	ck_assert_uint_eq(lane->sequence, 80);
	ck_assert_uint_eq(settled, 3);
	ck_assert_uint_eq(refused, 0);
	lane__free(lane, NULL, NULL);
}
END_TEST

/* The message of a dead agent is stored after the last one was read: it is made anew. */
START_TEST(test_message_that_is_partly_stored)
{
	struct lane *lane = new_lane();

	for (uint64_t i = 1; i <= 4; i++)
		add_spooled(lane, 15, i);
	read_last(lane, "", 0);
	ck_assert(lane__names_last(lane));
	ck_assert_uint_eq(check_message(lane, "files.15.1.4"), 4);
	ck_assert(!lane__note_outdated(lane));
	ck_assert(!lane->is_read);
	read_last(lane, "files.15.1.2", 9);
	ck_assert_uint_eq(lane__settle_stored(lane, count_settled, NULL), 2);
	ck_assert_uint_eq(check_message(lane, "files.15.3.4"), 2);
	lane__note_stored(lane, 10);
	ck_assert_uint_eq(lane->outdated, 0);
	lane__free(lane, NULL, NULL);
}
END_TEST

/* Each of two agents finds the other's message, and at last sends without a number. */
START_TEST(test_other_agents_send_to_the_subject)
{
	static const char *const others[] = { "files.16.1.1", "x.17.1.1", "y", "files.16.3.9",
					      "x.17.1.9" };
	struct lane *lane = new_lane();

	for (unsigned i = 0; i < LANE_OUTDATED_MOST; i++) {
		add(lane, batch_of(1));
		read_last(lane, others[i], 10 * (i + 1));
		ck_assert_uint_eq(lane__settle_stored(lane, count_settled, NULL), 0);
		ck_assert(lane__names_last(lane));
		ck_assert_uint_eq(lane__note_outdated(lane), i + 1 == LANE_OUTDATED_MOST);
		read_last(lane, others[i], 10 * (i + 1) + 1);
		natsMsg_Destroy(lane__message(lane));
		lane__note_stored(lane, 10 * (i + 1) + 2);
		lane__settle(lane, NULL, count_settled, NULL);
	}
	ck_assert(!lane__names_last(lane));
	lane__free(lane, NULL, NULL);
}
END_TEST

START_TEST(test_forbidden_to_read)
{
	struct lane *lane = new_lane();

	add_spooled(lane, 15, 1);
	lane__note_forbidden(lane);
	ck_assert(lane->is_read);
	ck_assert(!lane__names_last(lane));
	ck_assert_uint_eq(lane__settle_stored(lane, count_settled, NULL), 0);
	lane__note_stored(lane, 4);
	ck_assert(lane__names_last(lane));
	lane__free(lane, NULL, NULL);
}
END_TEST

/* The pieces of a message have 256 KiB at most, unless it has only one. */
START_TEST(test_large_pieces)
{
	struct lane *lane;
	unsigned pieces, all = 0;

	level = 0;
	lane = new_lane();
	for (unsigned i = 0; i < 100; i++)
		add(lane, batch_of(100));
	while (lane->count) {
		natsMsg *message = lane__message(lane);

		ck_assert_int_le(natsMsg_GetDataLength(message), LANE_MESSAGE_BYTES);
		natsMsg_Destroy(message);
		pieces = (unsigned)lane__settle(lane, NULL, count_settled, NULL);
		ck_assert_uint_gt(pieces, 1);
		all += pieces;
	}
	ck_assert_uint_eq(all, 100);
	level = 1;
	lane__free(lane, count_settled, NULL);
}
END_TEST

START_TEST(test_refused_message)
{
	struct lane *lane = new_lane();

	for (unsigned i = 0; i < 3; i++)
		add(lane, batch_of(2));
	ck_assert_uint_eq(check_message(lane, "files.17.1.3"), 3);
	ck_assert(lane__shrink(lane));
	ck_assert_uint_eq(check_message(lane, "files.17.1.1"), 1);
	ck_assert(!lane__shrink(lane));
	ck_assert_uint_eq(lane__settle(lane, "too large", count_settled, NULL), 1);
	ck_assert_uint_eq(refused, 2);
	ck_assert_uint_eq(check_message(lane, "files.17.2.3"), 2);
	lane__free(lane, count_settled, NULL);
	ck_assert_uint_eq(refused, 6);
}
END_TEST

static void open_library(void)
{
	ck_assert_int_eq(nats_Open(-1), NATS_OK);
}

static void close_library(void)
{
	nats_CloseAndWait(0);
}

SUITE(10)
{
	tcase_add_checked_fixture(tests, open_library, close_library);
	tcase_add_test(tests, test_message_stays_until_it_ends);
	tcase_add_test(tests, test_messages_without_events);
	tcase_add_test(tests, test_sources_share_a_subject);
	tcase_add_test(tests, test_batches_that_the_stream_has);
	tcase_add_test(tests, test_message_that_is_partly_stored);
	tcase_add_test(tests, test_other_agents_send_to_the_subject);
	tcase_add_test(tests, test_forbidden_to_read);
	tcase_add_test(tests, test_large_pieces);
	tcase_add_test(tests, test_refused_message);
}

#endif /* HAVE_NATS */
