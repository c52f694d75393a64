/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * format_leaves.h: a schema as the flat list that a tracepoint's format is.
 *
 *	struct place { u16 line; u8 column : 3; };		place_line	 u16
 *	struct event {						place_column	 u8
 *		struct place place;				modes_0		 u32, by name
 *		enum mode modes[2];			──▶	modes_1		 u32, by name
 *		u32 counts[9];					counts		 u32[9]
 *		char file[64];					file		 text behind it all
 *	};
 *
 * The members of structs and unions stand for themselves.  Arrays of at most 8 elements that have
 * names, are addresses, strings or structs are taken apart, as perf shows of an array's elements
 * the numbers alone; larger ones of what is no number are bytes.
 */
#ifndef FORMAT_LEAVES_H
#define FORMAT_LEAVES_H

#include "schema/fields.h"
#include "base/strbuf.h"

/* perf 6.1 and 7.2 read as many, whatever it is that they do with them. */
#define LEAVES_MAX 2000

/* Of a payload.  16 bits hold its size and where its parts are. */
#define LEAVES_BYTES_MAX 60000

enum leaf_shape {
	LEAF_COPIED,  /* as it is in the event */
	LEAF_NUMBERS, /* bits of a number, and numbers in network order: as a number of their own */
	LEAF_COUNT,   /* how many elements the next leaf has */
	/* What stands behind the others: where it is says a uint32_t in its place. */
	LEAF_TEXT, /* a string; several of them with blanks between */
	LEAF_HEX,  /* bytes whose number the event says, as hexadecimal digits */
	LEAF_ELEMENTS
};

struct leaf {
	enum leaf_shape shape;
	const struct peat_field *field;	  /* whose bytes it has */
	const struct peat_field *element; /* one of them: the field, unless it is an array */
	enum peat_field_kind kind;	  /* the element's, or BYTES */
	uint32_t base;			  /* in the event: what the field's offset counts from */
	uint32_t bytes; /* in the payload: of an element; of what stands behind the others a */
			/* uint32_t */
	uint32_t count; /* of an array; 0: it is none */
	uint32_t at;	/* in the payload; not set here */
	size_t name;	/* in leaves.names */
};

struct leaves {
	struct leaf *at;
	uint32_t count, room;
	uint32_t left_out; /* there were more, or they are larger than any payload */
	struct out names;  /* each with its NUL, no two the same */
};

/* Of NULL there is one: "bytes".  0 or -ENOMEM; leaves__free() in any case. */
int leaves__gather(struct leaves *leaves, const struct peat_schema *schema);

void leaves__free(struct leaves *leaves);

static inline const char *leaves__name(const struct leaves *leaves, const struct leaf *leaf)
{
	return leaves->names.bytes + leaf->name;
}

/* Whether a leaf is called so, or something of perf's own. */
bool leaves__is_taken(const struct leaves *leaves, const char *name);

/* As it is or, where it is no letter, digit or _, as _. */
char leaves__word_char(char c);

/* In the payload, without what stands behind the others. */
uint32_t leaves__bytes(const struct leaf *leaf);

bool leaves__is_behind(const struct leaf *leaf);

#endif /* FORMAT_LEAVES_H */
