/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/emit.h: writes the data of a parser as JSON, as pairs or as lines of text.
 *
 *	struct strbuf out = { 0 };
 *	struct emit emit = emit__json(&out);
 *
 *	features__emit(&features, id, bytes, count, &emit, &why);
 *	strbuf__char(&out, '\n');
 *
 * The caller emits data and prints text, side by side.  Data are an object with members, which may
 * be objects and arrays: JSON and pairs consist of data, and ignore text.  Lines consist of the
 * text, and ignore data.
 */
#ifndef PEAT_BASE_EMIT_H
#define PEAT_BASE_EMIT_H

#include "base/strbuf.h"

enum emit_kind {
	EMIT_UNSIGNED,
	EMIT_SIGNED,
	EMIT_HEX,	   /* 0x1f; in JSON a number like the others */
	EMIT_BOOL,	   /* true, false */
	EMIT_NAMED,	   /* text and pairs have the name of the number, JSON the number */
	EMIT_FLAGS,	   /* likewise, the names of the bits: A|B */
	EMIT_NAME,	   /* the name of the number, in JSON too; the number if it has no name */
	EMIT_TEXT,	   /* `count` bytes of any kind, without a NUL */
	EMIT_BYTES,	   /* `bytes`, as hexadecimal digits */
	EMIT_SECONDS,	   /* nanoseconds, printed with `count` decimals, rounded down */
	EMIT_MILLISECONDS, /* nanoseconds, printed with three decimals, rounded */
	EMIT_DATE, /* nanoseconds since 1970, printed as local date and time, with microseconds */
	EMIT_WRITTEN, /* text appended by `write`, without quotes and escapes; in JSON a string */
	EMIT_AS_IS,   /* likewise, but in JSON what `write` appends is the value */
};

/* Names of numbers, or of masks; the last one has no name. */
struct emit_name {
	uint64_t value;
	const char *name;
};

struct emit_value {
	enum emit_kind kind;
	int width;		       /* columns in lines; negative: left-aligned */
	uint64_t number;	       /* SIGNED: as int64_t */
	const void *bytes;	       /* TEXT, BYTES */
	size_t count;		       /* of bytes; SECONDS: of decimals, 6 or 9 */
	const struct emit_name *names; /* NAMED, FLAGS */
	char quote;		       /* TEXT: gets a backslash in lines; 0: none */
	void (*write)(struct strbuf *out, const struct emit_value *value); /* WRITTEN */
};

struct emit;

/* A format.  NULL functions are skipped. */
struct emit_ops {
	/* Data.  name: of the member; NULL: an element of an array, or the outermost object. */
	void (*begin)(struct emit *emit, const char *name, bool array);
	void (*end)(struct emit *emit, bool array);
	void (*value)(struct emit *emit, const char *name, const struct emit_value *value);
	/* Text. */
	void (*say)(struct emit *emit, const char *text);
	void (*show)(struct emit *emit, const struct emit_value *value);
};

struct emit {
	const struct emit_ops *ops;
	struct strbuf *out;
	/* Called between two values if `out` has 64 KiB or more: may write and empty it. */
	void (*full)(struct emit *emit);
	void *arg; /* for `full` */
	unsigned int depth;
	bool more; /* a comma, or the end of a line, is due */
};

/* One object, without blanks: {"type":"CPU_MAP","cpus":[0,1]} */
struct emit emit__json(struct strbuf *out);

/* For a line: type=CPU_MAP cpus=[0 1] */
struct emit emit__pairs(struct strbuf *out);

/* Likewise, members of an outermost object that has begun: ,"cpus":[0,1] and " cpus=[0 1]". */
struct emit emit__json_members(struct strbuf *out);
struct emit emit__pairs_members(struct strbuf *out);

/* Whole lines, like those of perf report --header-only: "# hostname : example" */
struct emit emit__lines(struct strbuf *out);

/* ---- data and text --------------------------------------------------------------------------- */

void emit__begin(struct emit *emit, const char *name, bool array);
void emit__end(struct emit *emit, bool array);
void emit__value(struct emit *emit, const char *name, const struct emit_value *value);
void emit__unsigned(struct emit *emit, const char *name, uint64_t number);
void emit__signed(struct emit *emit, const char *name, int64_t number);
void emit__hex(struct emit *emit, const char *name, uint64_t number);
void emit__bool(struct emit *emit, const char *name, bool value);
void emit__text(struct emit *emit, const char *name, const char *text);
void emit__bytes(struct emit *emit, const char *name, const void *bytes, size_t count);

/* An EMIT_NAME. */
void emit__named(struct emit *emit, const char *name, uint64_t number,
		 const struct emit_name *names);

/* For WRITTEN: the names of the bits, "A|B|0x8". */
void emit__write_flags(struct strbuf *out, const struct emit_value *value);

void emit__print(struct emit *emit, const char *text);
void emit__print_value(struct emit *emit, const struct emit_value *value);
void emit__print_unsigned(struct emit *emit, uint64_t number);

/* Prints a text in which $0 to $9 stand for the values. */
void emit__print_filled(struct emit *emit, const char *text, const struct emit_value *values);

#endif /* PEAT_BASE_EMIT_H */
