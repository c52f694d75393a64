/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * walk.h: bytes read by a description of their layout, and told to an emit.
 *
 * Bytes are input and may say anything of themselves: what does not fit is never read. An object is
 * told when all of it is there, and the elements of a list as far as they are.
 */
#ifndef WALK_H
#define WALK_H

#include "base/cursor.h"
#include "base/emit.h"

#define WALK_MEMBERS_MAX 10 /* in one shape: $0 to $9 */

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
	MEMBER_STRING,	/* u32 length, then text, filled up with NULs */
	MEMBER_BLOB,	/* u32 length, then bytes, of which the number is told */
};

struct member {
	enum member_kind kind;
	const char *name; /* NULL: this is an element of an array itself */
	int width;	  /* as in struct emit_value, likewise quote and names */
	char quote;
	const struct emit_name *names;
};

/* Members in the order of the bytes, to MEMBER_END, and what is said of them (emit__fill_in()). */
struct shape {
	const struct member *members;
	const char *text; /* NULL: nothing */
};

/* A count, as u32, and as many of a shape. What is said before, between and after them, or if none.
 */
struct list {
	const char *name;
	struct shape shape;
	const char *before, *between, *after, *none;
	bool wide; /* the count is u64 */
};

struct walk {
	struct cursor cur;
	struct emit *emit;
	const char *why; /* what was wrong first; NULL: nothing so far */
};

void walk__init(struct walk *walk, const void *bytes, size_t count, bool swapped,
		struct emit *emit);

/* Nothing more can be read. Returns false. */
bool walk__fail(struct walk *walk, const char *why);

/* All read so far was there; else it has failed, if it had not yet because of `why`. */
bool walk__good(struct walk *walk, const char *why);

/* One member. Of one that does not fit the value is 0, and walk__good() false. */
struct emit_value walk__member(struct walk *walk, const struct member *member);

/* A MEMBER_STRING. */
struct emit_value walk__string(struct walk *walk);

/* Reads a shape's members; false if they are not all there. */
bool walk__take(struct walk *walk, const struct member *members, struct emit_value *values);

/* Tells them as members of the object that has begun. */
void walk__tell(struct walk *walk, const struct member *members, const struct emit_value *values);

/* Both, and says the text. */
bool walk__members(struct walk *walk, const struct shape *shape);

/* Both, as an object of its own. */
bool walk__object(struct walk *walk, const char *name, const struct shape *shape);

bool walk__list(struct walk *walk, const struct list *list);

#endif /* WALK_H */
