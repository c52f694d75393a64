/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/note.h: notes: our own records in a perf.data, such as the ledger.  Pure.
 *
 * A note is a record EVENT_TYPE, a type from before events had attrs: every perf skips it, in a
 * file, in a pipe and compressed.  A feature with a bit of our own would crash perf inject.
 *
 *	u64 "PEATNOTE" as a number, u32 kind, u32 bytes, the bytes
 */
#ifndef PEAT_PERF_DATA_NOTE_H
#define PEAT_PERF_DATA_NOTE_H

#include "base/strbuf.h"
#include "perf_data/tool_record.h"

#define NOTE_MAGIC 0x45544f4e54414550ULL
#define NOTE_AT	   24		     /* offset of the bytes in the record */
#define NOTE_MOST  (65528 - NOTE_AT) /* bytes of a note */

#define NOTE_NAME_BYTES 64 /* of a count's name, and a NUL */

/* Kinds. */
#define NOTE_ATTRS	0 /* of perf_layout__attrs(): reserves space */
#define NOTE_LEDGER	1 /* lines: "lost_ring_full 12\n" */
#define NOTE_INTERFACES 2 /* lines: "1 772 lo\n", see sys/interfaces.h */
/* In the pieces of user/agent/piece: see piece/wire.h there. */
#define NOTE_PIECE    3
#define NOTE_TYPE     4 /* also read by replay */
#define NOTE_TASK     5
#define NOTE_EVENT    6
#define NOTE_POINT    7
#define NOTE_IDENTITY 8

struct note {
	uint32_t kind;
	uint32_t count;
	const uint8_t *bytes;
};

/* Appends a note.  0; -E2BIG, -ENOMEM: nothing was appended. */
int note__put(struct strbuf *out, uint32_t kind, const void *bytes, size_t count);

/* True if the record is a whole note; *note points into the record. */
bool note__read(const struct tool_record *rec, struct note *note);

/*
 * Reads the next count of a NOTE_LEDGER, from offset *at, which it advances.  Other lines are left
 * out.  False: there are no more.
 */
bool note__next_count(const struct note *note, size_t *at, char name[NOTE_NAME_BYTES],
		      uint64_t *count);

#endif /* PEAT_PERF_DATA_NOTE_H */
