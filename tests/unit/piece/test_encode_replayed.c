// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_encode_replayed.c: files of pieces are recordings, which a reader replays. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/data.h>

#include "support/recording/every_kind.h"
#include "unit/piece/piece_events.h"

#define PIECES 50

static struct strbuf out;

static void teardown(void)
{
	strbuf__free(&out);
}

static void put(struct piece_encoder *encoder, const struct peat_batch *batch)
{
	ck_assert_int_eq(piece__encode(encoder, batch, ORIGIN(1), &out), 0);
}

static struct peat_reader *replay(void)
{
	const struct peat_replay_opts opts = { .sz = sizeof(opts), .names = true, .ordered = true };
	int fd = memfd_create("pieces", MFD_CLOEXEC);
	struct peat_reader *reader;
	char path[64];

	ck_assert_int_eq(write(fd, out.bytes, out.count), (ssize_t)out.count);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader = peat_reader__open(path, &opts);
	ck_assert_ptr_nonnull(reader);
	close(fd);
	return reader;
}

/* The next event; NULL: the end, and nothing was damaged. */
static const struct peat_event *next(struct peat_reader *reader)
{
	const struct peat_event *event;
	int ret;

	while ((ret = peat_reader__wait(reader, -1)) >= 0)
		if (peat_reader__next(reader, &event) > 0)
			return event;
	ck_assert_int_eq(ret, -ENODATA);
	return NULL;
}

static void check_replayed(const struct peat_event *event, const struct peat_event *replayed)
{
	static char line[1 << 18], same[1 << 18];

	ck_assert_ptr_nonnull(replayed);
	ck_assert_uint_eq(event->size, replayed->size);
	ck_assert(!memcmp(event->data, replayed->data, event->size));
	print_json(event, line, sizeof(line));
	print_json(replayed, same, sizeof(same));
	ck_assert_str_eq(line, same);
}

START_TEST(test_many_pieces)
{
	struct piece_encoder *encoder = piece_encoder__new("h", 1);
	struct peat_schema *schema = exec_schema("exec");
	struct peat_batch *batch = new_batch("exec");
	struct peat_reader *reader;

	add_execs(batch, schema, 20);
	for (int i = 0; i < PIECES; i++)
		put(encoder, batch);
	reader = replay();
	for (int i = 0; i < PIECES; i++) {
		struct peat_batch_cursor at = PEAT_BATCH_START;
		struct peat_event event;

		while (peat_batch__next(batch, &at, &event)) {
			const struct peat_event *replayed = next(reader);

			check_replayed(&event, replayed);
			ck_assert_uint_eq(replayed->type, 0);
			ck_assert(!replayed->late);
		}
	}
	ck_assert_ptr_null(next(reader));
	ck_assert_ptr_nonnull(peat_reader__type(reader, 0));
	ck_assert_ptr_null(peat_reader__type(reader, 1));
	peat_reader__free(reader);
	peat_batch__unref(batch);
	peat_schema__free(schema);
	piece_encoder__free(encoder);
}
END_TEST

/* Two sources in turn: equal names, but other structs. */
START_TEST(test_sources_in_turn)
{
	struct piece_encoder *encoders[2] = { piece_encoder__new("h", 1),
					      piece_encoder__new("i", 0) };
	struct peat_schema *schemas[2] = { exec_schema("exec"), every_kind__schema(true) };
	struct peat_batch *batches[2] = { new_batch("exec"), new_batch("all") };
	struct peat_event event = { .time_ns = 5, .tid = 7, .pid = 7, .comm = "x" };
	struct peat_reader *reader;

	add_execs(batches[0], schemas[0], 3);
	event.data = every_kind__event(&event.size);
	event.schema = schemas[1];
	add_event(batches[1], &event);
	for (int i = 0; i < PIECES; i++)
		put(encoders[i % 2], batches[i % 2]);
	reader = replay();
	for (int i = 0; i < PIECES; i++) {
		struct peat_batch_cursor at = PEAT_BATCH_START;

		while (peat_batch__next(batches[i % 2], &at, &event)) {
			const struct peat_event *replayed = next(reader);

			check_replayed(&event, replayed);
			ck_assert_uint_eq(replayed->type, i % 2);
		}
	}
	ck_assert_ptr_null(next(reader));
	peat_reader__free(reader);
	for (int i = 0; i < 2; i++) {
		peat_batch__unref(batches[i]);
		peat_schema__free(schemas[i]);
		piece_encoder__free(encoders[i]);
	}
}
END_TEST

START_TEST(test_losses_are_replayed)
{
	struct piece_encoder *encoder = piece_encoder__new("h", 1);
	struct peat_batch *batch = new_batch("exec");
	struct peat_event event = {
		.kind = PEAT_EVENT_LOST, .lost = 7, .time_ns = 9, .cause = PEAT_LOST_THROTTLED
	};
	const struct peat_event *replayed;
	struct peat_reader *reader;

	add_event(batch, &event);
	put(encoder, batch);
	reader = replay();
	replayed = next(reader);
	ck_assert_ptr_nonnull(replayed);
	ck_assert_int_eq(replayed->kind, PEAT_EVENT_LOST);
	ck_assert_uint_eq(replayed->lost, 7);
	ck_assert_ptr_null(next(reader));
	peat_reader__free(reader);
	peat_batch__unref(batch);
	piece_encoder__free(encoder);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_many_pieces);
	tcase_add_test(tests, test_sources_in_turn);
	tcase_add_test(tests, test_losses_are_replayed);
}
