/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_ASSIGN_H
#define PEAT_SESSION_ASSIGN_H

#include <stddef.h>

#include <peat/schema.h>

/* A value to write into a variable. */
struct assignment {
	const char *name; /* for messages, with the path: "args.pid", "limits[2]" */
	const char *text;
	unsigned char *memory; /* of the variable */
	size_t bytes;
};

/*
 * Parses the text by the type of the variable that `field` describes, and writes the value.  `path`
 * names a member or element: ".pid", "[2]", or "" for the whole.  The log has the reason:
 *
 *     -ENOENT   there is no such member or element
 *     -EINVAL   the text is no value of this type
 *     -ERANGE   the value is too large
 */
int assign__text(const struct assignment *assignment, const struct peat_field *field,
		 const char *path);

/*
 * Finds the part of a variable that `path` names: replaces `*field` by its field, and returns the
 * start of the struct, array or variable that has it, for peat_field__number() and
 * peat_field__text().  The text of `assignment` is not used.  NULL and errno as above.
 */
const unsigned char *assign__find(const struct assignment *assignment,
				  const struct peat_field **field, const char *path);

#endif /* PEAT_SESSION_ASSIGN_H */
