/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef ASSIGN_H
#define ASSIGN_H

#include <stddef.h>

#include <peat/schema.h>

/* A value on its way into memory, and what its name is in messages. */
struct assignment {
	const char *name; /* the whole: "args.pid", "limits[2]" */
	const char *text;
	unsigned char *memory; /* of the variable */
	size_t bytes;
};

/*
 * Writes the text to the variable that `field` describes, or to a part of it: `path` is what
 * follows the variable's name, ".pid" or "[2]" or "".  0; -ENOENT: there is no such part; -EINVAL:
 * the text is nothing that it can hold; -ERANGE: too large.  The log has the reason.
 */
int assign__text(const struct assignment *assignment, const struct peat_field *field,
		 const char *path);

/* Appends a name to a list for messages, in `room` bytes; one that is full ends with "...". */
void assign__list(char *list, size_t room, const char *name);

#endif /* ASSIGN_H */
