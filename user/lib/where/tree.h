/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * where/tree.h: an expression whose fields and values are resolved for one type of events.
 *
 *	text ─ parse.c ─▶ struct where_node ─ resolve.c ─▶ struct where_test ─▶ evaluate.c
 *	                                                                     ─▶ terms.c
 *
 * `!=`, `>`, `>=` and `!~` are NOT of another test; `in` is an OR of several.
 */
#ifndef PEAT_WHERE_TREE_H
#define PEAT_WHERE_TREE_H

#include <peat/schema.h>
#include <peat/where.h>

#include "field/field_type.h"

struct peat_identity;
struct sampled_number; /* see field/sampled.h */

enum where_op {
	/*
	 * Tests whose result is known: of TYPE.FIELD for another type, and of a number that the
	 * field cannot have.  The latter have a `field`, which the event needs to have.
	 */
	WHERE_FALSE,
	WHERE_TRUE,
	WHERE_AND,
	WHERE_OR,
	WHERE_NOT,	   /* of `a` */
	WHERE_EQUAL,	   /* (number & mask) == value */
	WHERE_LESS,	   /* number < value, signed if the field is */
	WHERE_ANY_BIT,	   /* number & mask */
	WHERE_BYTES_EQUAL, /* of addresses and byte arrays: under a mask */
	WHERE_TEXT_EQUAL,
	WHERE_TEXT_BEGINS, /* ~ "text*" */
	WHERE_TEXT_GLOB,   /* any other ~ */
	WHERE_FLOAT_LESS,  /* of a FLOAT; `value` has a double's bits */
	WHERE_FLOAT_EQUAL
};

/* Operands. */
enum where_operand {
	WHERE_FIELD, /* `field` */
	WHERE_PID,   /* peat_event.pid, and so on: unsigned numbers */
	WHERE_TID,
	WHERE_CPU,
	WHERE_TIME,
	WHERE_SIZE,
	WHERE_COMM,   /* a text */
	WHERE_SAMPLED /* `sampled` */
};

#define WHERE_BYTES_MAX 32

struct where_test {
	enum where_op op;
	struct where_test *a, *b; /* AND, OR, NOT */
	uint32_t begin, end;	  /* the test in the text of the expression */

	enum where_operand operand;
	const struct peat_field *field; /* WHERE_FIELD */
	const struct sampled_number *sampled;
	/* Offset of the struct or the array's element that has the field: add field->offset. */
	uint32_t base;
	/*
	 * An element of an array that has no fixed place or length, or that can be absent:
	 * DATA_LOC, REL_LOC, field->length or field->presence.  `base` counts from the array's
	 * first byte, and `array_base` is the offset of the struct that has the array.  NULL:
	 * `base` counts from the start of the event.
	 */
	const struct peat_field *array;
	uint32_t array_base;
	bool is_signed;
	enum peat_field_class class; /* of the operand */
	enum field_strings strings;
	/* A number in this machine's byte order at its place: 1, 2, 4 or 8 bytes; 0: not so simple.
	 */
	uint8_t plain_bytes;
	/*
	 * TEXT_*: the text ends at its first NUL, or with the field, in events that have the whole
	 * field.  Other texts can have several strings, or a length.
	 */
	bool ends_at_nul;
	uint64_t mask, value;
	/*
	 * BYTES_EQUAL: `byte_count` bytes of the field, from its first, in its own order.  A field
	 * whose number of bytes varies (where/path.h) also has to have as many.
	 */
	uint8_t bytes[WHERE_BYTES_MAX], byte_mask[WHERE_BYTES_MAX];
	uint32_t byte_count;
	const char *text; /* TEXT_*: without quotes and escapes; the pattern of GLOB */
	uint32_t text_bytes;
};

/* The first member of struct peat_where.  Readers without an expression do not link it. */
struct where_functions {
	bool (*test)(struct peat_where *where, const struct peat_event *event);
};

/* As peat_where__test(). */
static inline bool where__test(struct peat_where *where, const struct peat_event *event)
{
	return ((const struct where_functions *)where)->test(where, event);
}

/* The resolved expression of a type that was added; NULL: the type lacks a field. */
const struct where_test *where__resolved(const struct peat_where *where,
					 const struct peat_schema *schema);

/* Whether the expression names a number of the task's owner that the type has no field for. */
bool where__lacks_owner(const struct peat_where *where, const struct peat_schema *schema);

/* Whether the expression names a part of the task's identity, or a field of such a name. */
bool where__names_identity(const struct peat_where *where);

/*
 * Whether no event of a task with this identity matches, whatever else it has.  For the types with
 * identity that were added, at least one.
 */
bool where__excludes(const struct peat_where *where, const struct peat_identity *identity);

/* The path of field `i` that the expression tests, from 0; NULL after the last. */
const char *where__path(const struct peat_where *where, uint32_t i);

/* The text of the whole expression. */
const char *where__text(const struct peat_where *where);

#endif /* PEAT_WHERE_TREE_H */
