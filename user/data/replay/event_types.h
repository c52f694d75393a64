/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/event_types.h: the types of a recording's samples. */
#ifndef PEAT_REPLAY_EVENT_TYPES_H
#define PEAT_REPLAY_EVENT_TYPES_H

#include "replay/noted_types.h"
#include "replay/restored_type.h"
#include "replay/type_overrides.h"
#include "perf_data/attrs.h"
#include "tracepoint/format_parse.h"

/* Type of an event's samples. */
struct replay_type {
	const struct peat_schema *schema;
	const struct trace_format *format;    /* of a tracepoint with a known format; else NULL */
	const struct payload_format *payload; /* restores events of `schema`; NULL: not needed */
	bool is_noted;			      /* samples end in padding: replay/noted_types.h */
	struct peat_schema *byte_schema;      /* owned: the schema of an event of unknown type */
	struct replay_type *next;	      /* of `retired` */
};

/* The formats and the BTF of a recording, or of several that have the same. */
struct replay_formats {
	uint8_t *tracing_data; /* a copy of TRACING_DATA */
	size_t tracing_data_bytes;
	struct replay_format *at;
	uint32_t count, room;
	uint32_t long_bytes;

	struct recorded_btfs btfs;
	uint8_t *btf_bytes; /* a copy of BPF_BTF */
	size_t btf_count;
	bool has_btfs;
};

/* The origin of an event's type: equal events of different recordings share a type if it is equal.
 */
struct type_origin {
	struct noted_type *noted; /* NULL: the formats */
	uint32_t formats;
};

struct replay_types {
	struct replay_type **of; /* by perf_attr.index; NULL: not used yet */
	uint32_t count;
	struct replay_type *retired; /* replaced, but their schemas may still be in use */

	struct replay_formats *formats; /* of the recording that is read */
	struct replay_formats first;	/* those of number 0 */
	struct replay_formats **others; /* from number 1 on */
	uint32_t other_count, number;	/* of `formats` */
	struct noted_types noted;
	struct type_origin *origins; /* by perf_attr.index */
	uint32_t origin_count;
	bool has_begun; /* all types of the recording are known: its samples follow */

	bool swapped;
	bool are_peats;	  /* peat recorded the events */
	bool same_kernel; /* the recording is of the running kernel */

	struct type_overrides overrides;
	bool is_resolved; /* overrides were resolved */
};

void replay_types__init(struct replay_types *types, bool swapped); /* must not move then */
void replay_types__free(struct replay_types *types);

/*
 * Another recording begins, with types of its own.  0; -ENOMEM; -E2BIG: too many with different
 * types.
 */
int replay_types__restart(struct replay_types *types, const struct perf_attrs *attrs);

/*
 * All events and types of a recording were added, unless they are late: events that an earlier one
 * had with the same type become one with those.  0 or -ENOMEM.
 */
int replay_types__begin(struct replay_types *types, struct perf_attrs *attrs);

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

/* For replay/recordings.c: frees formats that no type uses. */
void replay_types__free_formats(struct replay_formats *formats);

#endif /* PEAT_REPLAY_EVENT_TYPES_H */
