/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stub_piece.h: pieces that are simpler than those of piece/piece.h: a header, and the numbers of
 * the events, each with padding.
 */
#ifndef TESTS_UNIT_SPOOL_STUB_PIECE_H
#define TESTS_UNIT_SPOOL_STUB_PIECE_H

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "spool/spool.h"
#include "unit/suite.h"

#define STUB_RUN     7
#define STUB_SOURCE  "source"
#define STUB_PADDING 24 /* of an event */

struct stub_head {
	char magic[PIECE_MAGIC_BYTES];
	uint32_t bytes;
	uint32_t crc; /* of all that follows */
	uint64_t run, first;
	uint32_t events;
	char source[12];
};

struct stub_event {
	uint64_t number;
	char padding[STUB_PADDING];
};

static inline uint32_t stub__crc(const char *piece, size_t bytes)
{
	const size_t before = offsetof(struct stub_head, run);

	return (uint32_t)crc32(0, (const Bytef *)piece + before, (uInt)(bytes - before));
}

static inline struct peat_batch *stub__batch(const char *source, uint64_t first, uint32_t events)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = source };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	for (uint32_t i = 0; i < events; i++) {
		const uint64_t number = first + i;
		const struct peat_event event = { .data = &number, .size = sizeof(number) };

		ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	}
	return batch;
}

/* Returns the bytes of the piece. */
static inline size_t stub__make(void *into, uint64_t run, uint64_t first, uint32_t events)
{
	struct stub_head head = {
		.run = run, .first = first, .events = events, .source = STUB_SOURCE
	};
	struct stub_event event = { .padding = "padding" };
	char *at = (char *)into + sizeof(head);

	memcpy(head.magic, PIECE_MAGIC, sizeof(head.magic));
	for (uint32_t i = 0; i < events; i++, at += sizeof(event)) {
		event.number = first + i;
		memcpy(at, &event, sizeof(event));
	}
	head.bytes = (uint32_t)(at - (char *)into);
	memcpy(into, &head, sizeof(head));
	head.crc = stub__crc(into, head.bytes);
	memcpy(into, &head, sizeof(head));
	return head.bytes;
}

static inline ssize_t stub__measure(const void *bytes, size_t count, struct piece_info *info)
{
	struct stub_head head;

	if (count < sizeof(head))
		return memcmp(bytes, PIECE_MAGIC, count < 8 ? count : 8) ? -EBADMSG : 0;
	memcpy(&head, bytes, sizeof(head));
	if (memcmp(head.magic, PIECE_MAGIC, 8) != 0 || head.bytes < sizeof(head))
		return -EBADMSG;
	if (count < head.bytes)
		return 0;
	if (stub__crc(bytes, head.bytes) != head.crc)
		return -EBADMSG;
	*info = (struct piece_info){ .source = (const char *)bytes +
					       offsetof(struct stub_head, source),
				     .run = head.run,
				     .first = head.first,
				     .events = head.events };
	return head.bytes;
}

static inline struct peat_batch *stub__decode(const void *bytes, size_t count, uint64_t most,
					      struct piece_info *info)
{
	ck_assert_int_eq(stub__measure(bytes, count, info), (ssize_t)count);
	ck_assert_uint_le(count, most);
	return stub__batch(info->source, info->first, (uint32_t)info->events);
}

static struct flow stub_flow;

static inline struct flow *stub__flow(void *arg, const char *source, bool makes)
{
	(void)arg;
	(void)makes;
	ck_assert_str_eq(source, STUB_SOURCE);
	return &stub_flow;
}

static inline struct spool_opts stub__opts(const char *directory)
{
	return (struct spool_opts){
		.directory = directory,
		.run = STUB_RUN,
		.limits = { .most_bytes = 1 << 20, .segment_bytes = 400, .memory_bytes = 1 << 20 },
		.measure = stub__measure,
		.decode = stub__decode,
		.find_flow = stub__flow
	};
}

static inline int stub__put(struct spool *spool, uint64_t run, uint64_t first, uint32_t events)
{
	char bytes[4096];
	struct spool_piece piece = { .batch = stub__batch(STUB_SOURCE, first, events),
				     .flow = &stub_flow,
				     .origin = { .run = run, .number = first, .first = first },
				     .bytes = bytes,
				     .count = stub__make(bytes, run, first, events) };
	int err = spool__put(spool, &piece);

	stub_flow.offered += err ? 0 : events;
	peat_batch__unref(piece.batch);
	return err;
}

/* The number of the first event. */
static inline uint64_t stub__first(const struct peat_batch *batch)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;

	ck_assert(peat_batch__next(batch, &at, &event));
	return *(const uint64_t *)event.data;
}

#endif /* TESTS_UNIT_SPOOL_STUB_PIECE_H */
