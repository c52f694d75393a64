/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/field_path.h: makes the read and the type of a field from its path. */
#ifndef PEAT_FUNCTIONS_FIELD_PATH_H
#define PEAT_FUNCTIONS_FIELD_PATH_H

#include "functions/function_field.h"

struct function_path {
	struct field_types *types;
	const struct prototype *prototype;
	enum function_moment moment;
	const char *text;
	struct strbuf *why; /* NULL: the reason is not wanted */
};

/* Fills in all of `field` but its path.  As function_field__make(). */
int field_path__resolve(const struct function_path *path, struct function_field *field);

/*
 * The parameter with this name, or the number after "arg", counted from 0.  -1: there is none, or
 * the name is the function's result or latency.
 */
int field_path__parameter(const struct prototype *prototype, enum function_moment moment,
			  const char *name, size_t bytes);

/* "result" or "latency": names that only returns have. */
bool field_path__is_of_return(const char *name, size_t bytes);

#endif /* PEAT_FUNCTIONS_FIELD_PATH_H */
