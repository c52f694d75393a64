/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * retyped.h: events of a recording whose samples are plain bytes become tracepoints, when it is
 * written anew.
 *
 *	err = retyped__make(&retyped, &recording);
 *	...retyped.formats.bytes in place of its TRACING_DATA
 *	for each of its events:
 *		retyped__attr(&retyped, &attr);		the event, if it is one of those
 *	for each of its records:
 *		if (retyped__record(&retyped, &entry))	its sample, if it is one of those
 *			write(entry.bytes, entry.size);
 *	retyped__tell(&retyped, path);
 *	retyped__free(&retyped);
 */
#ifndef RETYPED_H
#define RETYPED_H

#include "replay/type_overrides.h"
#include "perf_data/read/stream.h"

/* What a recording has, once all its events are there; it has to outlive what is made of it. */
struct retyped_of {
	const char *path;
	const struct perf_attrs *attrs;
	const struct as_types *as; /* settled */
	const void *tracing_data;  /* NULL: there is none */
	size_t tracing_bytes;
};

struct retyped {
	struct retyped_event *at;
	uint32_t count;
	struct out formats;    /* TRACING_DATA: what the recording has, and ours */
	uint32_t lost_formats; /* among them, in place of those that the recording has lost */

	void *sample;	    /* the last one; NULL: there was none */
	uint64_t cut;	    /* samples that had more than fitted */
	uint64_t too_short; /* samples that had less than their type */
	uint64_t left_out;  /* samples too large to be any */
	uint64_t bad;	    /* samples that made no sense; they are left out as well */
};

/*
 * Of TRACING_DATA that is damaged those formats stay that are whole.  0 or a negative errno, which
 * the log explains; retyped__free() in any case.
 */
int retyped__make(struct retyped *retyped, const struct retyped_of *of);

void retyped__free(struct retyped *retyped); /* one of zeroes, too */

/* Changes a copy of an event's attr.  Its name is lent. */
void retyped__attr(const struct retyped *retyped, struct perf_attr *attr);

/* Changes a copy of an entry, until the next one.  False: nothing is to be written of it. */
bool retyped__record(struct retyped *retyped, struct perf_entry *entry);

/* The log says what did not fit. */
void retyped__tell(const struct retyped *retyped, const char *path);

#endif /* RETYPED_H */
