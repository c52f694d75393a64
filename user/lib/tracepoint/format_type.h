/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tracepoint/format_type.h: parses a field's declaration: "__data_loc unsigned int[] lengths". */
#ifndef PEAT_TRACEPOINT_FORMAT_TYPE_H
#define PEAT_TRACEPOINT_FORMAT_TYPE_H

#include <peat/schema.h>

enum trace_class {
	TRACE_NUMBER, /* if its size is 1, 2, 4 or 8 */
	TRACE_TEXT,   /* char */
	TRACE_BOOL,
	TRACE_HEX,     /* a pointer, or a word of a bit mask */
	TRACE_NETWORK, /* a number in network order */
	TRACE_OPAQUE   /* a struct */
};

struct trace_type {
	const char *name; /* not terminated by a NUL */
	size_t name_bytes;
	enum peat_field_place place;
	enum trace_class class; /* this and the next two: of the elements if it is an array */
	uint32_t each;		/* size in bytes; 0: not known from the type's name */
	bool is_signed;		/* by the type's name, for formats without "signed:" */
	bool is_array;
	uint32_t count; /* elements of an array; 0: not an array, or its size is not a number */
};

/* Parses a declaration without its semicolon.  False: it is not a declaration. */
bool format_type__parse(struct trace_type *type, const char *text, size_t bytes,
			uint32_t long_bytes);

#endif /* PEAT_TRACEPOINT_FORMAT_TYPE_H */
