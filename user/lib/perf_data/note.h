/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * note.h: what a recording says that no record and no feature of perf's can: a ledger, say.  Pure.
 *
 * A note is a record EVENT_TYPE, of before events had attrs: every perf passes over it, in a file,
 * in a pipe and compressed.  A feature with a bit of our own would not do: perf inject dies of it.
 *
 *	u64 "PEATNOTE" as a number, u32 kind, u32 bytes, the bytes
 */
#ifndef NOTE_H
#define NOTE_H

#include "base/strbuf.h"
#include "perf_data/tool_record.h"

#define NOTE_MAGIC 0x45544f4e54414550ULL
#define NOTE_AT	   24		     /* its bytes in the record */
#define NOTE_MOST  (65528 - NOTE_AT) /* more takes several */

/* Kinds.  Others are the recorder's. */
#define NOTE_ATTRS  0 /* of perf_layout__attrs(): merely a place */
#define NOTE_LEDGER 1 /* lines: "lost_ring_full 12\n" */

struct note {
	uint32_t kind;
	uint32_t count;
	const uint8_t *bytes;
};

/* 0, -E2BIG or -ENOMEM, and then nothing was appended. */
int note__put(struct out *out, uint32_t kind, const void *bytes, size_t count);

/* Whether the record is one, and whole.  It points into the record. */
bool note__read(const struct tool_record *rec, struct note *note);

#endif /* NOTE_H */
