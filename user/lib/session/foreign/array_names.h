/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/foreign/array_names.h: names that tell the arrays of several objects apart. */
#ifndef PEAT_SESSION_FOREIGN_ARRAY_NAMES_H
#define PEAT_SESSION_FOREIGN_ARRAY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct array;
struct peat_session;

/*
 * The name of a map, or a type, with its object's in front: "execsnoop.events";
 * "execsnoop-2.events" for the second object of this file name.  The caller frees it; NULL: no
 * memory.
 */
char *array_names__full(const struct peat_session *session, size_t part, const char *name);

/*
 * Names all arrays by their maps: "events", or OBJECT.MAP if maps of several objects have the name:
 * "execsnoop.events" for the file execsnoop.bpf.o.  0 or -ENOMEM.
 */
int array_names__set(struct peat_session *session);

/* Renames the types in the same way, before the reader gets them.  0 or -ENOMEM. */
int array_names__set_types(struct peat_session *session);

/* Whether `name` selects the array: the name of its map, or OBJECT.MAP; NULL selects all. */
bool array_names__match(const struct peat_session *session, const struct array *array,
			const char *name);

#endif /* PEAT_SESSION_FOREIGN_ARRAY_NAMES_H */
