/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * convert/retype_events.h: turns events whose samples are plain bytes into tracepoints, when a
 * recording is rewritten.
 *
 *	err = retype_events__init(&retype, &source);
 *	write retype.formats.bytes as TRACING_DATA
 *	for each event:
 *		retype_events__attr(&retype, &attr);
 *	for each record:
 *		if (retype_events__record(&retype, &entry))
 *			write(entry.bytes, entry.size);
 *	retype_events__report(&retype, path);
 *	retype_events__free(&retype);
 *
 * Events that get no type, and their samples, stay unchanged.
 */
#ifndef PEAT_CONVERT_RETYPE_EVENTS_H
#define PEAT_CONVERT_RETYPE_EVENTS_H

#include "replay/type_overrides.h"
#include "perf_data/read/stream.h"

/* A recording with all its events; it has to outlive the struct retype_events. */
struct retype_source {
	const char *path;
	const struct perf_attrs *attrs;
	const struct type_overrides *overrides; /* resolved */
	const void *tracing_data;		/* NULL: there is none */
	size_t tracing_bytes;
};

struct retype_events {
	struct retype_event *at;
	uint32_t count;
	struct strbuf formats; /* TRACING_DATA: formats of the recording and of the new types */
	uint32_t placeholder_formats; /* formats in it that replace lost ones */

	void *sample;	    /* buffer of the converted sample; NULL: no event gets a type */
	uint64_t cut;	    /* samples cut, since they did not fit into a record */
	uint64_t too_short; /* samples shorter than their type */
	uint64_t left_out;  /* samples left out, since they did not fit into a record */
	uint64_t bad;	    /* invalid samples, left out */
};

/*
 * If the TRACING_DATA of the recording is damaged, keeps the formats that are complete.  0 or a
 * negative errno, which is logged; retype_events__free() is needed in any case.
 */
int retype_events__init(struct retype_events *retype, const struct retype_source *source);

void retype_events__free(struct retype_events *retype); /* all zero is allowed */

/* Changes a copy of an event's attr.  Its name is valid as long as `retype`. */
void retype_events__attr(const struct retype_events *retype, struct perf_attr *attr);

/* Changes a copy of an entry, valid until the next call.  False: the entry is left out. */
bool retype_events__record(struct retype_events *retype, struct perf_entry *entry);

/* Logs the samples that were cut or left out. */
void retype_events__report(const struct retype_events *retype, const char *path);

#endif /* PEAT_CONVERT_RETYPE_EVENTS_H */
