/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/write/layout.h: the offsets of the parts of a recording, before and after it is closed.
 * Pure.
 *
 *	        0       16              104                   data                 end
 *	grows   pipe    FINISHED_ROUND  HEADER_ATTR, note     records ...
 *	        header  eleven times    TRACING_DATA, FEATURE
 *	closed  header of a file        skipped               records, two rounds  table, the rest
 *
 * A file may be cut anywhere and is still a recording, up to its last whole record.  To close it,
 * the writer appends the table, and then one write at offset 0 turns the pipe into a file with
 * sections. Features and attrs are before the records (the attrs in a note, which readers skip): so
 * the part that is appended is small, and fits even if a full disk has only a little space left.
 *
 * The two rounds make perf release all records.  This matters if the writer dies after it appended
 * the table, which is no record, while the header is still that of a pipe.
 */
#ifndef PEAT_PERF_DATA_WRITE_LAYOUT_H
#define PEAT_PERF_DATA_WRITE_LAYOUT_H

#include "base/strbuf.h"
#include "perf_data/attrs.h"
#include "perf_data/header.h"

/* The features of perf 6.1: perf inject crashes if a file has others. */
#define PERF_LAYOUT_FEATURES 32

/* A feature of a recording: its offset in the file, or its bytes if they are not written yet. */
struct perf_kept {
	bool is_set;
	void *bytes; /* NULL: they are in the file, at `offset` */
	uint64_t offset;
	size_t count;
};

/* Appends the header of a pipe, and if `can_close`, room for the larger header of a file. */
void perf_layout__open(struct strbuf *out, bool can_close);

/*
 * Appends the ids of all events, and then each attr with the section of its ids, for a place at
 * `offset` of the file.  Returns the section of the attrs.
 */
struct perf_section perf_layout__attrs(struct strbuf *out, const struct perf_attrs *attrs,
				       uint64_t offset);

struct perf_closing {
	uint64_t data_offset, end; /* of the first record, and after the last one */
	const struct perf_attrs *attrs;
	struct perf_section attrs_section; /* 0 bytes: not in the file yet */
	const struct perf_kept *features;  /* PERF_LAYOUT_FEATURES, indexed by bit */
};

/* Appends the bytes from closing->end on to `tail`, and PERF_HEADER_BYTES to `header`. */
void perf_layout__close(const struct perf_closing *closing, struct strbuf *tail,
			struct strbuf *header);

/*
 * Returns how many of the bytes are whole records with their payloads; *samples is the number of
 * samples among them.
 */
size_t perf_layout__whole(const void *records, size_t count, bool swapped, uint64_t *samples);

#endif /* PEAT_PERF_DATA_WRITE_LAYOUT_H */
