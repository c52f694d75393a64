/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/describe/table_decoder.h: decodes bytes by a table of their members, and emits them.
 *
 * Lengths and counts in the bytes are never trusted: nothing past the end is read.  An object is
 * emitted if it is whole; of a list, the elements before the first incomplete element.
 */
#ifndef PEAT_PERF_DATA_DESCRIBE_TABLE_DECODER_H
#define PEAT_PERF_DATA_DESCRIBE_TABLE_DECODER_H

#include "base/cursor.h"
#include "base/emit.h"

#define TABLE_DECODER_MEMBERS_MAX 10 /* in one shape: $0 to $9 */

enum member_kind {
	MEMBER_END,
	MEMBER_U32,
	MEMBER_U64,
	MEMBER_HEX32,
	MEMBER_HEX64,
	MEMBER_SECONDS, /* u64, of nanoseconds */
	MEMBER_STRING,	/* u32 length, then text, filled up with NULs */
	MEMBER_BLOB,	/* u32 length, then bytes: their number is emitted */
};

struct member {
	enum member_kind kind;
	const char *name; /* NULL: an element of an array */
	int width;	  /* as in struct emit_value, likewise quote and names */
	char quote;
	const struct emit_name *names;
};

/* An array of members for a shape. */
#define MEMBERS(...)                                                                               \
	(const struct member[])                                                                    \
	{                                                                                          \
		__VA_ARGS__,                                                                       \
		{                                                                                  \
			.kind = MEMBER_END                                                         \
		}                                                                                  \
	}

/* Members in the order of the bytes, up to MEMBER_END, and their text (emit__print_filled()). */
struct shape {
	const struct member *members;
	const char *text; /* NULL: nothing */
};

/* A count (u32), and as many shapes.  Text before, between and after them, or if the count is 0. */
struct list {
	const char *name;
	struct shape shape;
	const char *before, *between, *after, *none;
	bool wide; /* the count is u64 */
};

struct table_decoder {
	struct cursor cur;
	struct emit *emit;
	const char *why; /* the first damage found, or NULL */
};

void table_decoder__init(struct table_decoder *dec, const void *bytes, size_t count, bool swapped,
			 struct emit *emit);

/* Sets dec->why if it is NULL, and makes every further read fail.  Returns false. */
bool table_decoder__fail(struct table_decoder *dec, const char *why);

/* True if all bytes read so far were there; else fails with `why`. */
bool table_decoder__check(struct table_decoder *dec, const char *why);

/* Reads a MEMBER_STRING. */
struct emit_value table_decoder__string(struct table_decoder *dec);

/* Reads all members; false if one does not fit. */
bool table_decoder__read(struct table_decoder *dec, const struct member *members,
			 struct emit_value *values);

/* Emits them as members of the object that has begun. */
void table_decoder__emit(struct table_decoder *dec, const struct member *members,
			 const struct emit_value *values);

/* Reads and emits a shape, and prints its text. */
bool table_decoder__members(struct table_decoder *dec, const struct shape *shape);

bool table_decoder__list(struct table_decoder *dec, const struct list *list);

#endif /* PEAT_PERF_DATA_DESCRIBE_TABLE_DECODER_H */
