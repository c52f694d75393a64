/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* field/field_text.h: the fields of an event as text for people, and what of that JSON shares. */
#ifndef PEAT_FIELD_FIELD_TEXT_H
#define PEAT_FIELD_FIELD_TEXT_H

#include <peat/schema.h>

#include "base/strbuf.h"
#include "field/field_type.h"
#include "sys/kallsyms.h"

/*
 * The symbols that are right for the field's addresses, at most `symbols`: those of another kernel,
 * or of an earlier boot, have none.
 */
enum symbols field_text__symbols(const struct peat_field *field, enum symbols symbols);

/*
 * Appends a field as text, as peat_field__text() documents it, but a stack as its id, since the
 * frames have lines of their own.  `data` and `bytes` as for peat_field__number(); data is not
 * NULL.  Kernel addresses have `symbols`.
 */
void field_text__append(struct strbuf *out, const struct peat_field *field, const void *data,
			uint32_t bytes, enum symbols symbols);

/*
 * As field_text__append(), for a line with other values: ambiguous strings are quoted, and several
 * strings are put into brackets.
 */
void field_text__append_quoted(struct strbuf *out, const struct peat_field *field, const void *data,
			       uint32_t bytes, enum symbols symbols);

/*
 * Appends the frames of all stacks of an event, innermost first: "\n    NAME:", then
 * "\n        vfs_read+0x10" for each frame.
 */
void field_text__append_frames(struct strbuf *out, const struct peat_schema *schema,
			       const void *data, uint32_t bytes, enum symbols symbols);

#define FIELD_TEXT_STACK_INDENT "    "
#define FIELD_TEXT_FRAME_INDENT "        "

/*
 * Appends the bytes after the event's struct, if it has any: " payload_bytes=1500 payload=4500...",
 * with the first 64 of them.
 */
void field_text__append_appended(struct strbuf *out, const struct peat_schema *schema,
				 const void *data, uint32_t bytes);

/* Appends a string as in such a line. */
void field_text__append_string(struct strbuf *out, const char *text, size_t bytes);

/* Appends the name of a number.  False: it has no name. */
bool field_text__append_name(struct strbuf *out, const struct peat_field *field, uint64_t number);

/* The first name of a value of an ENUM or FLAGS; NULL: none. */
const char *field_text__find_name(const struct peat_field *field, uint64_t value);

/* Appends a number as text of the field: its name, or digits in the form of its kind. */
void field_text__append_number(struct strbuf *out, const struct peat_field *field, uint64_t number,
			       struct field_style style);

/* Reads a FLOAT.  False: the field is no float, or the event ends before it. */
bool field_text__float(const struct peat_field *field, const void *data, uint32_t bytes,
		       double *value);

/* As snprintf() with a format like "%g", in the C locale. */
void field_text__append_float(struct strbuf *out, const char *format, double value);

/*
 * Reads the stack of a number of a KSTACK or USTACK: `count` addresses, which the caller frees.
 * NULL: `id` is a negative errno, or the stack is not in the map.
 */
uint64_t *field_text__stack(const struct peat_field *field, uint64_t number, int64_t *id,
			    uint32_t *count);

/* The name of a negative errno; NULL: not an errno, or without a name. */
const char *field_text__errno_name(int64_t result);

#endif /* PEAT_FIELD_FIELD_TEXT_H */
