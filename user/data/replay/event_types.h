/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/event_types.h: the types of a recording's samples. */
#ifndef PEAT_REPLAY_EVENT_TYPES_H
#define PEAT_REPLAY_EVENT_TYPES_H

#include "replay/restored_type.h"
#include "replay/type_overrides.h"
#include "perf_data/attrs.h"
#include "tracepoint/format_parse.h"

/* Type of an event's samples. */
struct replay_type {
	const struct peat_schema *schema;
	const struct trace_format *format;    /* of a tracepoint with a known format; else NULL */
	const struct payload_format *payload; /* restores events of `schema`; NULL: not needed */
	struct peat_schema *byte_schema;      /* owned: the schema of an event of unknown type */
	struct replay_type *next;	      /* of `retired` */
};

struct replay_types {
	struct replay_type **of; /* by perf_attr.index; NULL: not used yet */
	uint32_t count;
	struct replay_type *retired; /* replaced, but their schemas may still be in use */

	uint8_t *tracing_data; /* a copy of TRACING_DATA */
	size_t tracing_data_bytes;
	struct replay_format *formats;
	uint32_t format_count, format_room;
	uint32_t long_bytes;

	struct recorded_btfs btfs;
	bool has_btfs, swapped;
	bool are_peats;	  /* peat recorded the events */
	bool same_kernel; /* the recording is of the running kernel */

	struct type_overrides overrides;
	bool is_resolved; /* overrides were resolved */
};

void replay_types__init(struct replay_types *types, bool swapped);
void replay_types__free(struct replay_types *types);

/*
 * Adds the formats of TRACING_DATA; a recording has one, further ones are skipped.  0, -ENOMEM, or
 * -EBADMSG: damaged *bad_at bytes in, for the reason *why; the formats before are added.
 */
int replay_types__add_formats(struct replay_types *types, const void *bytes, size_t count,
			      const char **why, uint64_t *bad_at);

/* Adds the BTF of the feature BPF_BTF, once.  Results as replay_types__add_formats(). */
int replay_types__add_btfs(struct replay_types *types, const void *bytes, size_t count,
			   const char **why);

/* Sets whether peat recorded the events; false before the first call. */
void replay_types__set_recorder(struct replay_types *types, bool are_peats);

/* Sets whether restored types have addresses of the running kernel; false before the first call. */
void replay_types__set_kernel(struct replay_types *types, bool same_kernel);

/*
 * Sets the types that the user gives to events: see replay/type_overrides.h.  0 or a negative
 * errno, which the log explains; -ENOTSUP: the recording has the other byte order, for which types
 * cannot be used.
 */
int replay_types__set_overrides(struct replay_types *types, const char *const *specs,
				const char *path);

/*
 * Finds the events and types of the overrides: once, when all events and types are added.  Results
 * of type_overrides__resolve().
 */
int replay_types__resolve_overrides(struct replay_types *types, const struct perf_attrs *attrs);

/*
 * Returns the type of an event's samples: the override, once resolved; for a tracepoint of peat,
 * the struct in the BTF that it was written by; the format of another tracepoint; for bpf-output,
 * the struct with the event's name; else raw bytes, if any.  NULL: no memory.  An unreadable format
 * is logged once.
 *
 * Types of events that peat recorded have the names that they had then: "exec", not "peat:exec".
 */
const struct replay_type *replay_types__of(struct replay_types *types,
					   const struct perf_attr *attr);

#endif /* PEAT_REPLAY_EVENT_TYPES_H */
