// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_piece.c: piece__decode() on anything, behind a head whose length and checksums are right.
 *
 * Input: the numbers of events and points, a byte each; then the records of a piece.  A batch that
 * is decoded is bounded, is printed, and stays the same when it is encoded and decoded again.  The
 * input is also measured as it is.
 *
 * The corpus is written by this file itself, compiled as a program of its own:
 *
 *	cc -D_GNU_SOURCE -DWRITE_CORPUS -Iinclude -iquote user/lib -iquote user/data -iquote
 *		user/agent -iquote tests tests/fuzz/fuzz_piece.c build/libpeat-agent.a
 *		build/libpeat-data.a build/libpeat.a ...
 *	./seeds tests/fuzz/corpus/piece
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/log.h>
#include <peat/sink.h>

#include "piece/head.h"

#define MOST (4 << 20)

static const struct piece_info info = {
	.host = "h", .source = "s", .run = 1, .number = 1, .first = 1
};
static const struct peat_origin origin = { .run = 1, .number = 1, .first = 1 };

#ifndef WRITE_CORPUS

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void say_nothing(enum peat_log_level level, const char *line)
{
	(void)level;
	require(*line);
}

static void print(const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;
	static char text[4096];

	while (peat_batch__next(batch, &at, &event)) {
		peat_event__json(&event, text, sizeof(text));
		peat_event__text(&event, text, sizeof(text));
	}
}

static void require_same(const struct peat_batch *one, const struct peat_batch *other)
{
	struct peat_batch_cursor at = PEAT_BATCH_START, there = PEAT_BATCH_START;
	struct peat_event event, same;

	require(peat_batch__events(one) == peat_batch__events(other));
	require(peat_batch__points(one) == peat_batch__points(other));
	while (peat_batch__next(one, &at, &event)) {
		require(peat_batch__next(other, &there, &same));
		require(event.kind == same.kind && event.type == same.type &&
			event.cpu == same.cpu && event.tid == same.tid &&
			event.time_ns == same.time_ns && event.lost == same.lost &&
			event.size == same.size && event.has_owner == same.has_owner &&
			event.uid == same.uid && event.cgroup == same.cgroup &&
			event.late == same.late && !event.comm == !same.comm);
		require(!event.comm || !strcmp(event.comm, same.comm));
		require(!event.size || !memcmp(event.data, same.data, event.size));
	}
}

/* Names and identities may be too large for a record: then it cannot be encoded. */
static void encode_again(const struct peat_batch *batch)
{
	static struct piece_encoder *encoder;
	struct peat_batch *again;
	struct strbuf out = { 0 };

	if (!encoder)
		encoder = piece_encoder__new("h", 1);
	require(encoder);
	if (!piece__encode(encoder, batch, &origin, &out)) {
		require(piece__measure(out.bytes, out.count, NULL) == (ssize_t)out.count);
		again = piece__decode(out.bytes, out.count, 16 * MOST, NULL);
		require(again);
		require_same(batch, again);
		peat_batch__unref(again);
	}
	strbuf__free(&out);
}

static void decode(const struct strbuf *piece)
{
	struct piece_info decoded;
	struct peat_batch *batch = piece__decode(piece->bytes, piece->count, MOST, &decoded);

	if (!batch)
		return;
	require(!strcmp(decoded.host, "h") && !strcmp(decoded.source, "s"));
	require(peat_batch__bytes(batch) <= 4 * MOST);
	print(batch);
	encode_again(batch);
	peat_batch__unref(batch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct piece_head head = { .info = info };
	struct strbuf piece = { 0 };

	peat_set_print(say_nothing);
	piece__measure(data, size, NULL);
	if (size < 2)
		return 0;
	head.info.events = data[0];
	head.info.points = data[1];
	head__put(&head, &piece);
	strbuf__bytes(&piece, data + 2, size - 2);
	require(!head__seal(&piece, 0));
	decode(&piece);
	strbuf__free(&piece);
	return 0;
}

#else

#include "unit/piece/piece_events.h"

static void write_seed(const char *dir, const char *name, const struct peat_batch *batch, int level)
{
	struct piece_encoder *encoder = piece_encoder__new("h", level);
	char path[256];
	struct strbuf out = { 0 };
	struct piece_head head;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	if (!file || !encoder || piece__encode(encoder, batch, &origin, &out) ||
	    head__read(out.bytes, out.count, &head) <= 0)
		exit(1);
	fputc((int)head.info.events, file);
	fputc((int)head.info.points, file);
	fwrite(out.bytes + head.bytes, 1, out.count - head.bytes, file);
	if (fclose(file))
		exit(1);
	strbuf__free(&out);
	piece_encoder__free(encoder);
}

/* Tasks with owners, an identity, losses, other kinds and types. */
static void add_others(struct peat_batch *batch, const struct peat_schema *schema)
{
	struct peat_identity identity = { .sz = sizeof(identity) };
	struct exec data;

	peat_identity__parse("/system.slice/a.service", &identity);
	for (uint32_t i = 0; i < 6; i++) {
		struct peat_event event = exec_event(schema, &data, i);

		event.tid = i % 3;
		event.has_owner = i > 2;
		event.uid = event.has_owner ? 1000 : 0;
		event.cgroup = event.has_owner ? 77 : 0;
		event.identity = event.has_owner ? &identity : NULL;
		event.late = i == 4;
		event.map = i == 5 ? "map" : NULL;
		event.schema = i == 5 ? NULL : schema;
		add_event(batch, &event);
	}
	add_event(batch, &(struct peat_event){ .kind = PEAT_EVENT_LOST, .lost = 3, .cause = 2 });
}

static void add_points(struct peat_batch *batch)
{
	const struct peat_label label = { "comm", "a" };
	const struct peat_bucket bucket = { INFINITY, 4 };
	const struct peat_point point = { .sz = sizeof(point),
					  .kind = PEAT_POINT_HISTOGRAM,
					  .label_count = 1,
					  .bucket_count = 1,
					  .name = "a.b",
					  .labels = &label,
					  .count = 4,
					  .buckets = &bucket };

	if (peat_batch__add_point(batch, &point))
		exit(1);
}

int main(int argc, char **argv)
{
	struct peat_schema *schema = exec_schema("exec");
	struct peat_batch *execs = new_batch("s"), *others = new_batch("s"),
			  *points = new_batch("s");

	if (argc != 2)
		return 2;
	add_execs(execs, schema, 3);
	add_others(others, schema);
	add_points(points);
	write_seed(argv[1], "execs", execs, 0);
	write_seed(argv[1], "execs-compressed", execs, 1);
	write_seed(argv[1], "others", others, 0);
	write_seed(argv[1], "others-compressed", others, 3);
	write_seed(argv[1], "points", points, 0);
	peat_batch__unref(execs);
	peat_batch__unref(others);
	peat_batch__unref(points);
	peat_schema__free(schema);
	return 0;
}

#endif
