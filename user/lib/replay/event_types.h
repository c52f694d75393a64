/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay_events.h: what the samples of a recording's events are. */
#ifndef REPLAY_EVENTS_H
#define REPLAY_EVENTS_H

#include "replay/type_overrides.h"
#include "perf_data/attrs.h"
#include "tracepoint/format_parse.h"

struct btf;

/* One event. */
struct replay_event {
	const struct peat_schema *schema;
	const struct trace_format *format; /* of a tracepoint that is known; else NULL */
	struct peat_schema *own;	   /* of what nobody knows: the schema */
	struct replay_event *next;	   /* among those that are forgotten */
};

struct replay_events {
	struct replay_event **of; /* by perf_attr.index; NULL: nobody asked yet */
	uint32_t count;
	struct replay_event *forgotten; /* somebody may still have their schemas */

	uint8_t *formats; /* a copy of TRACING_DATA */
	size_t formats_bytes;
	struct replay_text *texts;
	uint32_t text_count, text_room;
	uint32_t long_bytes;

	struct btf **types; /* what BPF programs on that machine had */
	uint32_t type_count;
	struct replay_struct *structs; /* in them, by name */
	uint32_t struct_count, struct_room;
	bool has_types, swapped;

	struct as_types as; /* what somebody says that events are */
	bool is_settled;    /* which events those are is known */
};

void replay_events__init(struct replay_events *events, bool swapped);
void replay_events__free(struct replay_events *events);

/*
 * Takes the formats in TRACING_DATA, of which a recording has one: further ones are passed over.
 * 0, -ENOMEM, or -EBADMSG and in *why the reason: what stands whole before the damage, *bad_at
 * bytes in, was taken.
 */
int replay_events__learn_formats(struct replay_events *events, const void *bytes, size_t count,
				 const char **why, uint64_t *bad_at);

/* Likewise the types in the feature BPF_BTF, once. */
int replay_events__learn_types(struct replay_events *events, const void *bytes, size_t count,
			       const char **why);

/*
 * What somebody says that events are: see as_types.h.  0 or a negative errno, which the log
 * explains; -ENOTSUP: the recording is of the other byte order, and no type is.
 */
int replay_events__say(struct replay_events *events, const char *const *words, const char *path);

/*
 * Once, when the events and all types are there: finds those that somebody named.  0 or a negative
 * errno, as as_types__settle().
 */
int replay_events__settle(struct replay_events *events, const struct perf_attrs *attrs);

/*
 * What samples of this event are: what somebody says, as soon as that is settled; of a tracepoint,
 * what its format says; of bpf-output, the struct that has the event's name in one of the BTFs;
 * else the raw bytes, if there are any.  NULL: no memory.  A format that cannot be read is warned
 * of, once.
 */
const struct replay_event *replay_events__of(struct replay_events *events,
					     const struct perf_attr *attr);

#endif /* REPLAY_EVENTS_H */
