// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto.c: events of six fields as slices and instants of a timeline, of 50 threads. */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <peat/perfetto.h>

#include "field/fields.h"
#include "parts.h"

#define EVENTS	1000
#define THREADS 50

struct called {
	uint64_t latency;
	int32_t result;
	uint32_t flags;
	uint64_t inode, offset;
	char path[64];
};

#define FIELD(member, of_kind, ...)                                                                \
	{                                                                                          \
		.name = #member, .kind = (of_kind), .span = 1,                                     \
		.offset = offsetof(struct called, member),                                         \
		.bytes = sizeof(((struct called *)0)->member), ##__VA_ARGS__                       \
	}

static struct peat_field fields[] = {
	FIELD(latency, PEAT_FIELD_DURATION), FIELD(result, PEAT_FIELD_ERRNO, .is_signed = true),
	FIELD(flags, PEAT_FIELD_HEX),	     FIELD(inode, PEAT_FIELD_UNSIGNED),
	FIELD(offset, PEAT_FIELD_UNSIGNED),  FIELD(path, PEAT_FIELD_STRING),
};

static struct peat_schema schema = { .name = "called",
				     .fields = fields,
				     .count = sizeof(fields) / sizeof(*fields),
				     .bytes = sizeof(struct called),
				     .stacks_fd = -1 };

struct timeline {
	struct called payloads[EVENTS];
	uint64_t latency, time_ns;
	struct peat_sink *sink;
};

static uint64_t write_events(void *context)
{
	struct timeline *timeline = context;

	for (uint32_t i = 0; i < EVENTS; i++) {
		struct called *called = &timeline->payloads[i];
		const struct peat_event event = { .kind = PEAT_EVENT_DATA,
						  .cpu = i % 4,
						  .time_ns = timeline->time_ns += 1001,
						  .pid = 19000 + i % THREADS,
						  .tid = 19000 + i % THREADS,
						  .size = sizeof(*called),
						  .data = called,
						  .schema = &schema,
						  .comm = "cc1plus" };

		called->latency = timeline->latency;
		if (peat_sink__write(timeline->sink, &event))
			parts__fail("cannot write a timeline: %m");
	}
	return EVENTS;
}

static void open_timeline(struct timeline *timeline, uint64_t latency)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	timeline->sink = fd >= 0 ? peat_sink__new_perfetto(NULL, fd, NULL) : NULL;
	if (!timeline->sink)
		parts__fail("cannot open a timeline: %m");
	timeline->latency = latency;
	timeline->time_ns = 4684104235064;
	for (uint32_t i = 0; i < EVENTS; i++) {
		struct called *called = &timeline->payloads[i];

		*called = (struct called){ .result = i % 7 ? (int32_t)i : -2,
					   .flags = i,
					   .inode = 9007199254740993 + i,
					   .offset = i * 4096ULL };
		snprintf(called->path, sizeof(called->path), "/usr/lib/x86_64-linux-gnu/lib%u.so",
			 i);
	}
}

void parts_perfetto__measure(struct bench_table *table)
{
	static struct timeline slices, instants;
	const struct part parts[] = {
		{ "slices", "peat_sink__new_perfetto()", "events", "M/s", NULL, write_events,
		  &slices },
		{ "instants", "peat_sink__new_perfetto()", "events", "M/s", NULL, write_events,
		  &instants },
	};

	for (uint32_t i = 0; i < schema.count; i++)
		fields[i].schema = &schema;
	open_timeline(&slices, 900);
	open_timeline(&instants, 0);
	parts__measure(table, "perfetto", parts, 2);
	peat_sink__free(slices.sink);
	peat_sink__free(instants.sink);
}
