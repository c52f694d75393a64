/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* recorder/event_formats.h: an event of the recording for each event type of a reader. */
#ifndef PEAT_RECORDER_EVENT_FORMATS_H
#define PEAT_RECORDER_EVENT_FORMATS_H

#include "perf_data/write/writer.h"
#include "reader/types.h"
#include "recorder/sample_plan.h"
#include "tracing_data/payload.h"

struct event_format {
	uint32_t type; /* peat_event.type */
	bool is_typed; /* a tracepoint with `format`; else its samples are plain bytes */
	struct payload_format format;
	struct peat_layout layout;
	struct sample_plan plan;	    /* after event_formats__finish() */
	const struct sampled_type *sampled; /* its samples are the kernel's; NULL: peat's */
	uint64_t id;
};

/* Sorted by type. */
struct event_formats {
	struct event_format *at;
	uint32_t count;
	struct peat_layout side; /* layout of records that are not samples */
	uint64_t side_id;	 /* id in those records */
};

/*
 * Adds an event for each type and one TRACING_DATA with all formats to the writer.  If there is no
 * type, adds one event without samples.  `formats` must be all zero.  0 or a negative errno, which
 * is logged; event_formats__free() is needed in any case.
 */
int event_formats__add(struct event_formats *formats, struct peat_reader *reader,
		       struct perf_writer *writer);
void event_formats__free(struct event_formats *formats);

/*
 * The same in steps: all types, then finish.  If two maps have types of one name, their events are
 * named MAP_TYPE.  event_formats__find() works after finish only.
 */
int event_formats__add_types(struct event_formats *formats, struct perf_writer *writer,
			     const struct reader_type *types, uint32_t count);
int event_formats__finish(struct event_formats *formats, struct perf_writer *writer);

/* NULL: the reader has no such type. */
const struct event_format *event_formats__find(const struct event_formats *formats, uint32_t type);

#endif /* PEAT_RECORDER_EVENT_FORMATS_H */
