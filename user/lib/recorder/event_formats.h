/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_formats.h: the types of a reader's events as the events of a recording. */
#ifndef PERF_FORMATS_H
#define PERF_FORMATS_H

#include "perf_data/write/writer.h"
#include "reader/types.h"
#include "tracepoint/payload.h"

struct perf_format {
	uint32_t type; /* peat_event.type */
	bool is_typed; /* by `format`; else its samples are the bytes */
	struct record_format format;
	struct peat_layout layout;
	uint64_t id;
};

/* By rising type. */
struct perf_formats {
	struct perf_format *at;
	uint32_t count;
	struct peat_layout side; /* of records that are no samples, and the id they bear */
	uint64_t side_id;
};

/*
 * Gives the writer an event for each type, and the formats of all in one TRACING_DATA.  Without any
 * type there is one event that has no samples.  `formats` are zeroes before.  0 or a negative
 * errno, which the log explains; perf_formats__free() in any case.
 */
int perf_formats__add(struct perf_formats *formats, struct peat_reader *reader,
		      struct perf_writer *writer);
void perf_formats__free(struct perf_formats *formats);

/* The same one by one, and the end of it: before, nothing is found. */
int perf_formats__add_type(struct perf_formats *formats, struct perf_writer *writer,
			   const struct reader_type *type);
int perf_formats__end(struct perf_formats *formats, struct perf_writer *writer);

/* NULL: the reader did not tell of such a type. */
const struct perf_format *perf_formats__find(const struct perf_formats *formats, uint32_t type);

#endif /* PERF_FORMATS_H */
