/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* value.h: the fields of an event as text for people, and what of that JSON shares. */
#ifndef VALUE_H
#define VALUE_H

#include <peat/schema.h>

#include "base/strbuf.h"

/*
 * A field as text: peat_field__text() says how.  `data` and `bytes` as for peat_field__number();
 * data is not NULL.
 */
void value__append(struct out *out, const struct peat_field *field, const void *data,
		   uint32_t bytes);

/*
 * Likewise for a line with other values: strings are quoted where they could be mistaken for
 * something else, and several strings are put into brackets.
 */
void value__append_quoted(struct out *out, const struct peat_field *field, const void *data,
			  uint32_t bytes);

/* A string as it is in such a line. */
void value__append_string(struct out *out, const char *text, size_t bytes);

/* The name of a number of an ENUM, FLAGS, ERRNO or SIGNAL; false, and nothing, if it has none. */
bool value__append_name(struct out *out, const struct peat_field *field, uint64_t number);

/* The number of a FLOAT. */
bool value__float(const struct peat_field *field, const void *data, uint32_t bytes, double *value);

/* As snprintf() with a format of "%g" or the like, whatever the locale. */
void value__append_float(struct out *out, const char *format, double value);

/*
 * What a KSTACK's number stands for: its `count` addresses, to be freed, or NULL: none, as `id` is
 * a negative errno, or its stack cannot be had.
 */
uint64_t *value__stack(const struct peat_field *field, uint64_t number, int64_t *id,
		       uint32_t *count);

/* The name of a negative errno; NULL: it has none, or is none. */
const char *value__errno_name(int64_t result);

/*
 * How many elements an array has when `bytes` bytes of it are there; the last one may be cut, but
 * not when the event alone says how many there are.
 */
uint32_t value__elements(const struct peat_field *array, uint32_t bytes);

#endif /* VALUE_H */
