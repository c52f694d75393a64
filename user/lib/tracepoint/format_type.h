/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* trace_type.h: how a format declares a field: "__data_loc unsigned int[] lengths". */
#ifndef TRACE_TYPE_H
#define TRACE_TYPE_H

#include <peat/schema.h>

enum trace_class {
	TRACE_NUMBER, /* if its size is that of one */
	TRACE_TEXT,   /* char */
	TRACE_BOOL,
	TRACE_HEX,     /* a pointer, a word of a bit mask */
	TRACE_NETWORK, /* a number in network order */
	TRACE_OPAQUE   /* a struct */
};

struct trace_type {
	const char *name; /* not ended by a NUL */
	size_t name_bytes;
	enum peat_field_place place;
	enum trace_class class; /* of an array: of its elements, as are the next two */
	uint32_t each;		/* bytes; 0: the type's name does not tell */
	bool is_signed;		/* by the type's name, for formats that say nothing */
	bool is_array;
	uint32_t count; /* of an array; 0: none, or not said by a number */
};

/* A declaration without its semicolon; false: it is none. */
bool trace_type__read(struct trace_type *type, const char *text, size_t bytes, uint32_t long_bytes);

#endif /* TRACE_TYPE_H */
