/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fields.h: the inside of a schema, and the bytes of a field. */
#ifndef FIELDS_H
#define FIELDS_H

#include <peat/schema.h>

struct peat_schema {
	const char *name, *doc; /* doc: NULL without */
	uint32_t bytes;
	uint32_t count;
	struct peat_field *fields;
	void *memory;	    /* all of the above lies in it; NULL: it is constant */
	int stacks_fd;	    /* the map that KSTACK fields look into, not owned; -1: none */
	uint32_t stack_max; /* addresses that one of its stacks has at most */
	/* A schema with the same fields, of which some mean something else; NULL: none. */
	const struct peat_schema *like;
};

/* What sinks say of every event, whatever its fields; a field of such a name gets another one. */
extern const char *const fields__event_reserved[]; /* NULL: the end */

/*
 * The bytes of a field that are there: all of them, or fewer, where the event cuts a string, bytes
 * or an array, or field->length says so.  NULL: none, or not all of what cannot be cut.  `data` and
 * `bytes` as for peat_field__number().
 */
const void *fields__bytes(const struct peat_field *field, const void *data, uint32_t bytes,
			  uint32_t *count);

/* Whether peat_field__number() finds one in it, if it is there. */
bool fields__is_number(const struct peat_field *field);

#endif /* FIELDS_H */
