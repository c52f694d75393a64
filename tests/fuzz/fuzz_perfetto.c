// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_perfetto.c: events of any recording, written as a timeline.
 *
 * Input: events: a byte of flags, a byte for the size, a byte for the task, a byte for the time
 * since the event before, the event.  The flags select a type, a loss, or a record of a switch, and
 * whether the time goes back.  All packets have to be whole, and slices have to nest.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <peat/perfetto.h>

#include "field/fields.h"
#include "support/recording/timeline_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TYPES = 3, IS_LOSS = 4, IS_SWITCH = 8, IS_OUT = 16, IS_WIDE = 32, IS_LATE = 64 };

#define HEAD 4

#define NUMBER(of_name, of_kind, at, of_bytes)                                                     \
	{                                                                                          \
		.name = of_name, .kind = (of_kind), .span = 1, .offset = (at), .bytes = (of_bytes) \
	}

static struct peat_field slice_fields[] = {
	NUMBER("latency", PEAT_FIELD_DURATION, 0, 2),
	NUMBER("result", PEAT_FIELD_ERRNO, 2, 1),
	{ .name = "inner", .kind = PEAT_FIELD_STRUCT, .span = 3, .offset = 3, .bytes = 5 },
	NUMBER("port", PEAT_FIELD_PORT, 0, 2),
	{ .name = "text", .kind = PEAT_FIELD_STRING, .span = 1, .offset = 2, .bytes = 3 },
	{ .name = "rest", .kind = PEAT_FIELD_CHARS, .span = 1, .offset = 8 },
};

static struct peat_field switch_fields[] = {
	NUMBER("prev_pid", PEAT_FIELD_SIGNED, 0, 4),
	NUMBER("prev_state", PEAT_FIELD_SIGNED, 4, 8),
	NUMBER("next_pid", PEAT_FIELD_SIGNED, 12, 4),
	{ .name = "next_comm",
	  .kind = PEAT_FIELD_STRING,
	  .span = 1,
	  .offset = 16,
	  .place = PEAT_PLACE_DATA_LOC },
};

static struct peat_field waking_fields[] = {
	NUMBER("pid", PEAT_FIELD_SIGNED, 0, 4),
	NUMBER("target_cpu", PEAT_FIELD_SIGNED, 4, 4),
	{ .name = "comm", .kind = PEAT_FIELD_STRING, .span = 1, .offset = 8 },
};

static struct peat_schema types[TYPES + 1] = {
	{ .name = "slice", .fields = slice_fields, .count = 6, .bytes = 8, .stacks_fd = -1 },
	{ .name = "sched_switch",
	  .fields = switch_fields,
	  .count = 4,
	  .bytes = 20,
	  .stacks_fd = -1 },
	{ .name = "sched_waking",
	  .fields = waking_fields,
	  .count = 3,
	  .bytes = 8,
	  .stacks_fd = -1 },
	{ .name = "bare", .fields = waking_fields, .stacks_fd = -1 },
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

static void check_file(const struct peat_perfetto_stats *stats)
{
	size_t count, slices = 0, instants = 0;
	struct timeline_packet *packets =
		timeline_read(out_bytes ? (void *)out : "", out_bytes, &count);

	require(packets && stats->bytes == out_bytes);
	for (size_t i = 0; i < count; i++) {
		slices += packets[i].has_event && packets[i].type == TIMELINE_BEGIN;
		instants += packets[i].has_event && packets[i].type == TIMELINE_INSTANT;
	}
	require(slices == stats->slices && instants == stats->instants);
	require(timeline_nests(packets, count));
	free(packets);
}

static void set_schemas(void)
{
	for (size_t i = 0; i < TYPES; i++)
		for (uint32_t k = 0; k < types[i].count; k++)
			types[i].fields[k].schema = &types[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct peat_perfetto_opts opts = { .sz = sizeof(opts), .output = collect };
	struct peat_perfetto_stats stats = { .sz = sizeof(stats) };
	struct peat_sink *sink = peat_sink__new_perfetto(NULL, -1, &opts);
	char *comm = strndup((const char *)data, size);
	uint64_t time_ns = 1;

	set_schemas();
	out_bytes = 0;
	for (size_t at = 0; at + HEAD < size;) {
		const uint8_t *head = data + at;
		uint32_t tid = head[2] == 255 ? PEAT_NO_TASK : head[2] & 7;
		struct peat_record record = {
			.type = *head & IS_WIDE ? PEAT_RECORD_SWITCH_CPU_WIDE : PEAT_RECORD_SWITCH,
			.context_switch = { .out = *head & IS_OUT, .next_prev_tid = head[1] },
		};
		struct peat_event event = {
			.kind = *head & IS_LOSS	    ? PEAT_EVENT_LOST
				: *head & IS_SWITCH ? PEAT_EVENT_RECORD
						    : PEAT_EVENT_DATA,
			.lost = *head,
			.cpu = head[2] >> 4,
			.pid = tid == PEAT_NO_TASK ? tid : tid / 2,
			.tid = tid,
			.schema = &types[*head & 3],
			.size = (uint32_t)MIN(head[1], size - at - HEAD),
			.comm = *head & 128 ? comm : NULL,
			.record = *head & IS_SWITCH ? &record : NULL,
		};

		time_ns += *head & IS_LATE && time_ns > head[3] ? -(uint64_t)head[3] : head[3];
		event.time_ns = time_ns;
		write_event(sink, &event, head + HEAD);
		at += HEAD + event.size;
	}
	require(!peat_sink__finish(sink) && !peat_perfetto__stats(sink, &stats));
	check_file(&stats);
	peat_sink__free(sink);
	free(comm);
	return 0;
}
