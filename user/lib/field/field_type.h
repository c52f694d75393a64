/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * field/field_type.h: the properties of each kind of field, one row a kind.
 *
 *	FIELD_TYPES ──▶ struct field_type, in the file of its functions ──▶ field_type__of()
 *
 * Rooms above ask the row, or switch over its class or its format without `default`, so that the
 * compiler finds a switch that lacks a new one.
 */
#ifndef PEAT_FIELD_FIELD_TYPE_H
#define PEAT_FIELD_FIELD_TYPE_H

#include <peat/schema.h>

#include "base/strbuf.h"
#include "sys/kallsyms.h"

struct field_number; /* see field/field_value.h */
struct field_bytes;

/* Each kind, its class and its row, in the order of enum peat_field_kind. */
#define FIELD_TYPES(X)                                                                             \
	X(UNSIGNED, NUMBER, unsigned)                                                              \
	X(SIGNED, NUMBER, signed)                                                                  \
	X(HEX, NUMBER, hex)                                                                        \
	X(BOOL, NAMED, bool)                                                                       \
	X(FLOAT, FLOAT, float)                                                                     \
	X(ENUM, NAMED, enum)                                                                       \
	X(FLAGS, NAMED, flags)                                                                     \
	X(STRING, TEXT, string)                                                                    \
	X(STRINGS, TEXT, strings)                                                                  \
	X(BYTES, BYTES, bytes)                                                                     \
	X(IPV4, ADDRESS, ipv4)                                                                     \
	X(IPV6, ADDRESS, ipv6)                                                                     \
	X(MAC, ADDRESS, mac)                                                                       \
	X(PORT, NUMBER, port)                                                                      \
	X(ERRNO, NAMED, errno)                                                                     \
	X(SIGNAL, NAMED, signal)                                                                   \
	X(DURATION, NUMBER, duration)                                                              \
	X(SIZE, NUMBER, size)                                                                      \
	X(KADDR, CODE, kaddr)                                                                      \
	X(KSTACK, CODE, kstack)                                                                    \
	X(STRUCT, MEMBERS, struct)                                                                 \
	X(UNION, MEMBERS, union)                                                                   \
	X(ARRAY, ELEMENTS, array)                                                                  \
	X(STACK, STACK, stack)                                                                     \
	X(ENDPOINT, ADDRESS, endpoint)                                                             \
	X(USTACK, CODE, ustack)                                                                    \
	X(CHARS, TEXT, chars)

#define FIELD_ONE_(kind, of, row) +1
#define FIELD_KINDS		  (0u FIELD_TYPES(FIELD_ONE_))

/* Sets of kinds as constants: they are tested for every field of every event. */
#define FIELD_IS_NUMBER_(class) ((class) <= PEAT_CLASS_CODE || (class) == PEAT_CLASS_STACK)
#define FIELD_IS_CUT_(class)                                                                       \
	((class) == PEAT_CLASS_TEXT || (class) == PEAT_CLASS_BYTES ||                              \
	 (class) == PEAT_CLASS_MEMBERS || (class) == PEAT_CLASS_ELEMENTS)
#define FIELD_NUMBER_BIT_(kind, of, row)                                                           \
	| (uint32_t)FIELD_IS_NUMBER_(PEAT_CLASS_##of) << PEAT_FIELD_##kind
#define FIELD_CUT_BIT_(kind, of, row)                                                              \
	| (uint32_t)FIELD_IS_CUT_(PEAT_CLASS_##of) << PEAT_FIELD_##kind
#define FIELD_NUMBERS (0u FIELD_TYPES(FIELD_NUMBER_BIT_))
#define FIELD_CUTS    (0u FIELD_TYPES(FIELD_CUT_BIT_))

_Static_assert(FIELD_KINDS <= 32, "sets of kinds have 32 bits");

/* The way that a value is printed. */
struct field_style {
	bool quoted;	   /* among other values, not alone in a cell or as the text of a field */
	bool frames_apart; /* stacks as ids: field_text__append_frames() prints the frames */
	enum symbols symbols;
};

/* The sign of an integer that a tag turns into the kind. */
enum field_sign { FIELD_SIGN_NONE, FIELD_SIGN_KEPT, FIELD_SIGN_ALWAYS };

/* The unit of a number, which its sums keep. */
enum field_unit { FIELD_NO_UNIT, FIELD_NANOSECONDS, FIELD_UNIT_BYTES };

/* WEIGHT: stacks can have the sum, if it is asked for.  ALWAYS: also rows of maps add it up. */
enum field_sum { FIELD_SUM_NEVER, FIELD_SUM_WEIGHT, FIELD_SUM_ALWAYS };

/* The text in an array of characters. */
enum field_strings { FIELD_NO_TEXT, FIELD_ONE_STRING, FIELD_STRINGS, FIELD_ALL_BYTES };

/* The addresses of a stack that the number names. */
enum field_frames { FIELD_NO_FRAMES, FIELD_KERNEL_FRAMES, FIELD_USER_FRAMES };

/* The way that the format of a tracepoint prints a value. */
enum field_format {
	FIELD_FORMAT_NUMBER,
	FIELD_FORMAT_HEX,
	FIELD_FORMAT_TIME,
	FIELD_FORMAT_SYMBOL,
	FIELD_FORMAT_TRUTH,
	FIELD_FORMAT_NAMES,
	FIELD_FORMAT_FLAGS,
	FIELD_FORMAT_SIGNALS,
	FIELD_FORMAT_ERRNOS
};

#define FIELD_ANY_INTEGER (1 | 2 | 4 | 8)

/* The width of columns for text of any length. */
#define FIELD_TEXT_WIDTH 16

static inline uint32_t field_type__min_width(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Constant, never freed; its strings are literals. */
struct field_type {
	enum peat_field_kind kind;
	const char *tag;  /* PEAT_AS(tag), peat_TAG_t; NULL: no tag chooses the kind */
	const char *word; /* for lists of fields: "duration, ns" */
	const char *form; /* the values, for messages: "an IPv4 address"; NULL: "a number" */
	enum peat_field_class class;

	/* ---- from a C type ---- */
	uint8_t bytes;	    /* ADDRESS: its size; otherwise 0 */
	uint8_t fits;	    /* sizes of the integers that a tag turns into it, or-ed */
	bool fits_bits;	    /* so do bit-fields */
	bool is_big_endian; /* such an integer is in network order */
	enum field_sign sign;

	/* ---- properties ---- */
	bool has_members;      /* peat_schema__find() enters the fields that follow */
	bool overlaps;	       /* UNION: compared and merged as bytes */
	bool has_own_names;    /* peat_field.names */
	bool joins_names;      /* by |: FLAGS */
	bool is_truth;	       /* any number but 0 is 1 */
	bool takes_characters; /* 'a' in an expression is 97 */
	bool is_error_below_0; /* printed in red */
	enum field_unit unit;
	enum field_sum sum;
	enum field_strings strings; /* TEXT */
	enum field_frames frames;   /* CODE */

	/* ---- columns of text ---- */
	bool is_right;					     /* right-aligned */
	uint8_t width;					     /* of most values */
	uint8_t least;					     /* to be shown at all; 0: its width */
	uint32_t (*measure)(const struct peat_field *field); /* instead of `width`, unless NULL */

	/* ---- values; the functions are in the file of the row ---- */
	/* Appends the name of a number.  False: it has none.  NULL: no number has a name. */
	bool (*name)(struct strbuf *out, const struct peat_field *field, uint64_t number);
	/* Appends a number.  NULL: its name, or decimal digits. */
	void (*number)(struct strbuf *out, const struct peat_field *field, uint64_t number,
		       struct field_style style);
	/* Appends bytes; a quote or backslash only if TEXT.  NULL: hexadecimal digits. */
	void (*text)(struct strbuf *out, const void *at, uint32_t count, struct field_style style);

	/* Parses a number, as field_value__parse().  NULL: values are no numbers. */
	int (*parse)(const struct peat_field *field, const char *text, struct field_number *number);
	/* Parses an ADDRESS: field_value__parse_bytes().  NULL: hexadecimal digits. */
	bool (*parse_bytes)(const char *text, struct field_bytes *value);

	/* ---- formats of tracepoints ---- */
	enum field_format format;
	const char *conversion; /* of an ADDRESS, "%pI4"; NULL: none */
};

#define FIELD_DECLARE_(kind, of, row) extern const struct field_type field_type__##row;
FIELD_TYPES(FIELD_DECLARE_)
extern const struct field_type *const field_types[FIELD_KINDS];

/* The row of a kind; of BYTES if this library does not know the kind: headers may be newer. */
static inline const struct field_type *field_type__of_kind(enum peat_field_kind kind)
{
	return (uint32_t)kind < FIELD_KINDS ? field_types[kind] : &field_type__bytes;
}

static inline const struct field_type *field_type__of(const struct peat_field *field)
{
	return field_type__of_kind(field->kind);
}

/*
 * Whether values of the kind are numbers; fields__is_number() also checks the field's size.  A
 * STACK is a number in tables; in events it has no bytes.
 */
static inline bool field_type__is_number(enum peat_field_kind kind)
{
	return (uint32_t)kind < FIELD_KINDS && FIELD_NUMBERS >> kind & 1;
}

/* Whether values are valid without their end. */
static inline bool field_type__may_be_cut(enum peat_field_kind kind)
{
	return (uint32_t)kind < FIELD_KINDS && FIELD_CUTS >> kind & 1;
}

/* Numbers that are no more than that. */
static inline bool field_type__is_plain(enum peat_field_kind kind)
{
	return kind == PEAT_FIELD_UNSIGNED || kind == PEAT_FIELD_SIGNED;
}

/* Callers' own fields of the kind SIGNED may lack `is_signed`. */
static inline bool field_type__is_signed(const struct peat_field *field)
{
	return field->is_signed || field->kind == PEAT_FIELD_SIGNED;
}

/* Finds the row of a tag of `bytes` bytes.  NULL: no such tag. */
const struct field_type *field_type__find(const char *tag, size_t bytes);

#endif /* PEAT_FIELD_FIELD_TYPE_H */
