/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_layout.h: where the parts of a recording stand, while it grows and once it is closed.  Pure.
 *
 *	        0       16              104                   data                 end
 *	grows   pipe    FINISHED_ROUND  HEADER_ATTR, note     records ...
 *	        header  eleven times    TRACING_DATA, FEATURE
 *	closed  header of a file        passed over           records, two rounds  table, the rest
 *
 * So a file may be cut anywhere, and is a recording up to its last whole record; what closes it is
 * appended, and then one write at its start makes another kind of file of it.  Features stand in
 * front, and so do the attrs, in a note that is passed over: what is appended is small, and fits
 * where a full disk has a little left.  Behind two rounds perf holds no record back, should the
 * writer die while what follows is no record, and the header is still a pipe's.
 */
#ifndef PERF_LAYOUT_H
#define PERF_LAYOUT_H

#include "base/strbuf.h"
#include "perf_data/attrs.h"
#include "perf_data/header.h"

/* Those that perf 6.1 knows: perf inject dies of others. */
#define PERF_LAYOUT_FEATURES 32

/* A feature of a recording: where it stands in the file, or bytes that do not yet. */
struct perf_kept {
	bool is_set;
	void *bytes; /* NULL: they stand at */
	uint64_t offset;
	size_t count;
};

/* What a file begins with: a pipe's header, and room to become a file's, which a pipe needs not. */
void perf_layout__open(struct out *out, bool can_close);

/*
 * The ids of all events, and then each attr with where its ids are, as both stand at `offset` of
 * the file.  Returns the section of the attrs.
 */
struct perf_section perf_layout__attrs(struct out *out, const struct perf_attrs *attrs,
				       uint64_t offset);

struct perf_closing {
	uint64_t data_offset, end; /* of the first record, and behind the last one */
	const struct perf_attrs *attrs;
	struct perf_section attrs_section; /* where they stand; no bytes: nowhere yet */
	const struct perf_kept *features;  /* PERF_LAYOUT_FEATURES of them, by their bits */
};

/* Appends what stands from closing->end on to `tail`, and PERF_HEADER_BYTES to `header`. */
void perf_layout__close(const struct perf_closing *closing, struct out *tail, struct out *header);

/* How many of the bytes are whole records with what follows them, and how many of those are
 * samples.
 */
size_t perf_layout__whole(const void *records, size_t count, bool swapped, uint64_t *samples);

#endif /* PERF_LAYOUT_H */
