// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_pcapng.c: packets of any recording, written as pcapng.
 *
 * Input: events: a byte of flags, a byte for the size, the event.  The flags select a type with
 * bytes, or one of a recording, with digits at any place of the event, plaintext of either, or a
 * loss.  The whole input is the recording's list of interfaces, too.  The file has to be whole
 * blocks, and as many packets as the sink counts.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <peat/pcapng.h>

#include "field/fields.h"
#include "replay/recorded.h"
#include "support/recording/pcapng_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { IS_RECORDED = 1, IS_LOSS = 2, HAS_COMM = 4, IS_PLAINTEXT = 64 };

#define NUMBER(of_name, at, of_bytes)                                                              \
	{                                                                                          \
		.name = of_name, .kind = PEAT_FIELD_UNSIGNED, .span = 1, .offset = (at),           \
		.bytes = (of_bytes)                                                                \
	}

#define PACKET_DIRECTION                                                                           \
	{                                                                                          \
		.name = "direction", .kind = PEAT_FIELD_ENUM, .span = 1, .bytes = 1,               \
		.names = directions, .name_count = 2                                               \
	}

#define PACKET_FIELDS                                                                              \
	PACKET_DIRECTION, NUMBER("ifindex", 1, 1), NUMBER("bytes", 2, 2), NUMBER("link", 4, 1)

static const struct peat_name directions[] = { { 0, "in" }, { 1, "out" } };

static struct peat_field live_fields[] = {
	PACKET_FIELDS,
	{ .name = "data", .kind = PEAT_FIELD_BYTES, .span = 1, .offset = 5, .bytes = 100 },
};

static struct peat_field recorded_fields[] = {
	PACKET_FIELDS,
	{ .name = "data",
	  .kind = PEAT_FIELD_STRING,
	  .span = 1,
	  .offset = 5,
	  .place = PEAT_PLACE_DATA_LOC },
};

/* Without ifindex. */
static struct peat_field plaintext_fields[] = {
	PACKET_DIRECTION,
	NUMBER("bytes", 2, 2),
	{ .name = "data", .kind = PEAT_FIELD_CHARS, .span = 1, .offset = 5, .bytes = 100 },
};

static struct peat_field recorded_plaintext_fields[] = {
	PACKET_DIRECTION,
	NUMBER("bytes", 2, 2),
	{ .name = "data",
	  .kind = PEAT_FIELD_CHARS,
	  .span = 1,
	  .offset = 5,
	  .place = PEAT_PLACE_DATA_LOC },
};

static const struct peat_schema types[] = {
	{ .name = "live", .fields = live_fields, .count = 5, .bytes = 105 },
	{ .name = "recorded", .fields = recorded_fields, .count = 5, .bytes = 9 },
	{ .name = "plaintext", .fields = plaintext_fields, .count = 3, .bytes = 105 },
	{ .name = "both", .fields = recorded_plaintext_fields, .count = 3, .bytes = 9 },
};

static uint8_t *out;
static size_t out_bytes;

static void require(bool holds)
{
	if (!holds)
		abort();
}

static int collect(void *arg, const char *bytes, size_t count)
{
	(void)arg;
	out = realloc(out, out_bytes + count);
	memcpy(out + out_bytes, bytes, count);
	out_bytes += count;
	return 0;
}

static void check_file(const struct peat_pcapng_stats *stats)
{
	struct pcapng_block block;
	uint64_t packets = 0, interfaces = 0;
	size_t at = 0;

	while (pcapng_read(out, out_bytes, &at, &block)) {
		packets += block.type == PACKET;
		interfaces += block.type == INTERFACE;
		if (block.type == PACKET)
			require(little(block.body, 4) < interfaces);
	}
	require(at == out_bytes);
	require(packets == stats->packets && interfaces == stats->interfaces);
	require(stats->bytes == out_bytes);
}

/* The event ends where its memory does. */
static void write_event(struct peat_sink *sink, struct peat_event *event, const uint8_t *bytes)
{
	uint8_t *copy = malloc(event->size + !event->size);

	if (event->size)
		memcpy(copy, bytes, event->size);
	event->data = copy;
	require(!peat_sink__write(sink, event));
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct peat_recorded recorded = { .interfaces = (const char *)data,
						.interfaces_bytes = size };
	const struct peat_pcapng_opts opts = { .sz = sizeof(opts), .output = collect };
	struct peat_pcapng_stats stats = { .sz = sizeof(stats) };
	struct peat_sink *sink = peat_sink__new_pcapng(NULL, -1, &opts);
	char *comm = strndup((const char *)data, size);

	out_bytes = 0;
	for (size_t at = 0; at + 2 < size;) {
		uint8_t flags = data[at];
		struct peat_event event = {
			.kind = flags & IS_LOSS ? PEAT_EVENT_LOST : PEAT_EVENT_DATA,
			.cause = flags >> 3 & 7,
			.lost = flags,
			.time_ns = data[at + 2],
			.schema = &types[(flags & IS_PLAINTEXT ? 2 : 0) + (flags & IS_RECORDED)],
			.size = (uint32_t)MIN(data[at + 1], size - at - 2),
			.comm = flags & HAS_COMM ? comm : NULL,
			.recorded = &recorded,
		};

		write_event(sink, &event, data + at + 2);
		at += 2 + event.size;
	}
	require(!peat_sink__finish(sink) && !peat_pcapng__stats(sink, &stats));
	check_file(&stats);
	peat_sink__free(sink);
	free(comm);
	return 0;
}
