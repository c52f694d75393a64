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
	MEMBER_U16,
	MEMBER_U32,
	MEMBER_I32,
	MEMBER_U64,
	MEMBER_I64,
	MEMBER_HEX32,
	MEMBER_HEX64,
	MEMBER_SECONDS, /* u64, of nanoseconds */
	MEMBER_BOOL,	/* u8 */
	MEMBER_SKIPPED, /* u32, not emitted */
	MEMBER_TEXT,	/* `room` bytes, text up to the first NUL */
	MEMBER_LAST,	/* likewise, but may end with the bytes */
	MEMBER_STRING,	/* u32 length, then text, filled up with NULs */
	MEMBER_BLOB,	/* u32 length, then bytes: their number is emitted */
};

struct member {
	enum member_kind kind;
	const char *name; /* NULL: an element of an array */
	int width;	  /* as in struct emit_value, likewise quote and names */
	char quote;
	const struct emit_name *names;
	bool name_in_json; /* JSON has the name of the number, if there is one, not the number */
	size_t room;	   /* MEMBER_TEXT, MEMBER_LAST: bytes */
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

	/* Damage that ends the bytes in the middle of a shape, of a list; changed by the caller. */
	const char *too_short, *too_few;
};

void table_decoder__init(struct table_decoder *dec, const void *bytes, size_t count, bool swapped,
			 struct emit *emit);

/* Sets dec->why if it is NULL, and makes every further read fail.  Returns false. */
bool table_decoder__fail(struct table_decoder *dec, const char *why);

/* True if all bytes read so far were there; else fails with `why`. */
bool table_decoder__check(struct table_decoder *dec, const char *why);

/* Reads a member.  If it does not fit, its value is 0 and table_decoder__check() fails. */
struct emit_value table_decoder__member(struct table_decoder *dec, const struct member *member);

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

/* Likewise, as an object of its own. */
bool table_decoder__object(struct table_decoder *dec, const char *name, const struct shape *shape);

bool table_decoder__list(struct table_decoder *dec, const struct list *list);

#endif /* PEAT_PERF_DATA_DESCRIBE_TABLE_DECODER_H */
