/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tracing_data/flatten.h: turns a schema into the flat list of fields of a tracepoint's format.
 *
 *	struct place { u16 line; u8 column : 3; };		place_line	 u16
 *	struct event {						place_column	 u8
 *		struct place place;				modes_0		 u32, by name
 *		enum mode modes[2];			──▶	modes_1		 u32, by name
 *		u32 counts[9];					counts		 u32[9]
 *		char file[64];					file		 dynamic text
 *	};
 *
 * Structs and unions are replaced by their members.  perf only prints arrays of numbers.  So the
 * elements of other arrays (named values, addresses, strings, structs) become single fields if
 * there are at most 8; a larger array becomes bytes.
 */
#ifndef PEAT_TRACING_DATA_FLATTEN_H
#define PEAT_TRACING_DATA_FLATTEN_H

#include "field/fields.h"
#include "base/strbuf.h"

/* perf 6.1 and 7.2 can read this many fields, whatever command is used. */
#define FLATTEN_MAX 2000

/* Size of a payload: a 16-bit number holds sizes and offsets. */
#define FLATTEN_BYTES_MAX 60000

enum leaf_shape {
	LEAF_COPIED,  /* the same bytes as in the event */
	LEAF_NUMBERS, /* converted numbers: bit-fields, or in network order in the event */
	LEAF_COUNT,   /* number of elements of the next leaf */
	/* Dynamic leaves are at the end of the payload; a uint32_t has their size and offset. */
	LEAF_TEXT,  /* a string; several strings are joined by blanks */
	LEAF_CHARS, /* all bytes of a CHARS, and a NUL */
	LEAF_HEX,   /* bytes of variable length as hexadecimal digits */
	LEAF_ELEMENTS
};

struct leaf {
	enum leaf_shape shape;
	const struct peat_field *field;
	const struct peat_field *element; /* element of the array, or the field itself */
	const struct field_type *type;	  /* of the element, or BYTES */
	uint32_t base;			  /* offset in the event that field->offset is added to */
	uint32_t bytes;			  /* size of an element in the payload; dynamic: 4 */
	uint32_t count;			  /* elements of the array; 0: not an array */
	uint32_t at;			  /* offset in the payload; set by tracing_data/payload.c */
	size_t name;			  /* offset in leaves.names */
};

struct leaves {
	struct leaf *at;
	uint32_t count, room;
	uint32_t left_out;   /* fields beyond FLATTEN_MAX or FLATTEN_BYTES_MAX */
	struct strbuf names; /* unique, each ends with a NUL */
};

/* Without a schema (NULL) there is one leaf, "bytes".  0 or -ENOMEM; always call flatten__free().
 */
int flatten__schema(struct leaves *leaves, const struct peat_schema *schema);

void flatten__free(struct leaves *leaves);

static inline const char *flatten__name(const struct leaves *leaves, const struct leaf *leaf)
{
	return leaves->names.bytes + leaf->name;
}

/* Whether a leaf has this name, or perf reserves it. */
bool flatten__has_name(const struct leaves *leaves, const char *name);

/* Returns `c`, or '_' if it is no letter, digit or '_'. */
char flatten__word_char(char c);

/* Size in the payload, without the dynamic part. */
uint32_t flatten__bytes(const struct leaf *leaf);

bool flatten__is_dynamic(const struct leaf *leaf);

#endif /* PEAT_TRACING_DATA_FLATTEN_H */
