/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * piece/wire.h: the notes (perf_data/note.h) of a piece.  All numbers are in the byte order of the
 * machine that made it.
 *
 * NOTE_PIECE is the first record.  Its size is a multiple of 8:
 *
 *	u32 version, u32 crc32 of the rest of the note, u32 crc32 of all records after it, u32 0
 *	u64 bytes of the piece, run, number, first, events, points, i64 wall clock, u8 boot id[16]
 *	u32 bytes of host, of source, each with its NUL; host, source, zeroes
 *
 * NOTE_TYPE is before the events of the type.  A schema that is too large continues in more notes:
 *
 *	u32 id of its samples, peat_event.type, kind, flags
 *	u32 bytes of the schema, and those in the notes before; text map; a part of the schema
 *
 * NOTE_TASK sets the task `tid` (of the idle tasks, that of `cpu`) for the events after it.  A
 * record COMM sets the name alone:
 *
 *	u32 tid, cpu, flags, uid, nspid, nstid; u64 cgroup;
 *	u32 number of its identity, from 1, 0: none; text name
 *
 * NOTE_IDENTITY is before the tasks of the identity:
 *
 *	texts runtime, container, pod, unit, container name, pod name, path
 *
 * NOTE_EVENT is of the sample or the LOST_SAMPLES that follows:
 *
 *	u32 flags, peat_event.type, cause; the last bytes of an event too large for a sample
 *
 * NOTE_POINT:
 *
 *	u32 kind, labels, buckets; u64 start, time, count, value; texts name, unit, doc;
 *	each label: texts name, value; each bucket: u64 upper, count
 *
 * A text is u32 length with its NUL, 0: NULL; and the text.  Samples have the event's bytes, then
 * zeroes, and in the last byte their number with that byte: so sizes are exact, and fields after
 * them aligned.
 */
#ifndef PEAT_PIECE_WIRE_H
#define PEAT_PIECE_WIRE_H

#include "base/cursor.h"
#include "base/store.h"

#define WIRE_VERSION 1

/* The most types of a piece, and identities. */
#define WIRE_TYPES_MAX	    4096
#define WIRE_IDENTITIES_MAX 65536

/* Flags of NOTE_TYPE. */
enum wire_type_flag { WIRE_TYPE_HAS_OWNER = 1 };

/* Flags of NOTE_TASK. */
enum wire_task_flag {
	WIRE_TASK_HAS_OWNER = 1,
	WIRE_TASK_SETS_NAME = 2 /* also to none */
};

/* Flags of NOTE_EVENT. */
enum wire_event_flag { WIRE_EVENT_IS_LATE = 1 };

/* NULL: the text NULL. */
static inline void wire__put_text(struct strbuf *out, const char *text)
{
	size_t bytes = text ? strlen(text) + 1 : 0;

	store_u32(out, (uint32_t)bytes);
	if (bytes)
		strbuf__bytes(out, text, bytes);
}

/* The text points into the bytes.  NULL also if it is damaged: cur->bad. */
static inline const char *wire__read_text(struct cursor *cur)
{
	uint32_t bytes = cursor__u32(cur);
	const char *text = cursor__bytes(cur, bytes);

	if (bytes && text && memchr(text, '\0', bytes) != text + bytes - 1)
		cursor__fail(cur);
	return bytes && !cur->bad ? text : NULL;
}

#endif /* PEAT_PIECE_WIRE_H */
