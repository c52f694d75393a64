/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * emit.h: what a parser found, told once and written as JSON, as pairs or as lines of text.
 *
 *	struct out out = { 0 };
 *	struct emit emit = emit__json(&out);
 *
 *	perf_features__walk(&features, id, bytes, count, &emit, &why);
 *	out__char(&out, '\n');
 *
 * There are two channels. The data are an object with members, which may be objects and arrays:
 * JSON and pairs are made of them. The text is said piece by piece: the lines are made of it. Who
 * tells says both, side by side; each way to write listens to one channel and passes over the
 *other.
 */
#ifndef EMIT_H
#define EMIT_H

#include "base/strbuf.h"

enum emit_kind {
	EMIT_UNSIGNED,
	EMIT_SIGNED,
	EMIT_HEX,	   /* 0x1f; in JSON a number like the others */
	EMIT_BOOL,	   /* true, false */
	EMIT_REAL,	   /* `real` */
	EMIT_NAMED,	   /* text and pairs have the name of the number, JSON the number */
	EMIT_FLAGS,	   /* likewise, the names of the bits: A|B */
	EMIT_TEXT,	   /* `bytes`, which may be of any kind and need not end in NUL */
	EMIT_BYTES,	   /* `bytes`, as hexadecimal digits */
	EMIT_SECONDS,	   /* of nanoseconds: shown with `count` decimals, cut, not rounded */
	EMIT_MILLISECONDS, /* of nanoseconds: shown with three decimals, rounded */
	EMIT_DATE, /* of nanoseconds since 1970: shown as local date and time, with microseconds */
	EMIT_WRITTEN, /* what `write` appends, in JSON a string: it needs no quotes, no escapes */
};

/* Names of numbers, or of masks; the last one has no name. */
struct emit_name {
	uint64_t value;
	const char *name;
};

struct emit_value {
	enum emit_kind kind;
	int width;		       /* of columns, where text is said; negative: to the left */
	uint64_t number;	       /* SIGNED: as int64_t */
	double real;		       /* REAL */
	const void *bytes;	       /* TEXT, BYTES */
	size_t count;		       /* of bytes; SECONDS: of decimals, 6 or 9 */
	const struct emit_name *names; /* NAMED, FLAGS */
	char quote;		       /* TEXT: gets a backslash where text is said; 0: none */
	void (*write)(struct out *out, const struct emit_value *value); /* WRITTEN */
};

struct emit;

/* A way to write. Each may be NULL: that part is passed over. */
struct emit_ops {
	/* name: of the member, NULL for an element of an array and for the outermost object. */
	void (*begin)(struct emit *emit, const char *name, bool array);
	void (*end)(struct emit *emit, bool array);
	void (*value)(struct emit *emit, const char *name, const struct emit_value *value);
	/* The other channel. */
	void (*say)(struct emit *emit, const char *text);
	void (*show)(struct emit *emit, const struct emit_value *value);
};

struct emit {
	const struct emit_ops *ops;
	struct out *out;
	/* Called between two values when `out` has 64 KiB or more: may write them and empty it. */
	void (*full)(struct emit *emit);
	void *arg; /* the caller's, for `full` */
	unsigned int depth;
	bool more; /* something stands before: a comma is due, or the end of a line */
	/* Names that members of the outermost object do not get: a _ is put behind; NULL: none. */
	const char *const *reserved;
};

/* One object without a blank around: {"type":"CPU_MAP","cpus":[0,1]} */
struct emit emit__json(struct out *out);

/* For a line of text: type=CPU_MAP cpus=[0 1] */
struct emit emit__pairs(struct out *out);

/* The same in the middle of the outermost object: ,"cpus":[0,1] and " cpus=[0 1]". */
struct emit emit__json_members(struct out *out);
struct emit emit__pairs_members(struct out *out);

/* Whole lines, as perf report --header-only has them: "# hostname : example" */
struct emit emit__lines(struct out *out);

/* ---- for who tells --------------------------------------------------------------------------- */

void emit__begin(struct emit *emit, const char *name, bool array);
void emit__end(struct emit *emit, bool array);
void emit__value(struct emit *emit, const char *name, const struct emit_value *value);
void emit__unsigned(struct emit *emit, const char *name, uint64_t number);
void emit__signed(struct emit *emit, const char *name, int64_t number);
void emit__hex(struct emit *emit, const char *name, uint64_t number);
void emit__bool(struct emit *emit, const char *name, bool value);
void emit__text(struct emit *emit, const char *name, const char *text);
void emit__bytes(struct emit *emit, const char *name, const void *bytes, size_t count);

/* By its name, in JSON too; the number stands where there is none. */
void emit__named(struct emit *emit, const char *name, uint64_t number,
		 const struct emit_name *names);

/* For WRITTEN: the names of the bits, "A|B|0x8". */
void emit__write_flags(struct out *out, const struct emit_value *value);

void emit__say(struct emit *emit, const char *text);
void emit__show(struct emit *emit, const struct emit_value *value);
void emit__show_unsigned(struct emit *emit, uint64_t number);

/* Says a text in which $0 to $9 stand for the values. */
void emit__fill_in(struct emit *emit, const char *text, const struct emit_value *values);

#endif /* EMIT_H */
