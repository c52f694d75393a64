/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_LIST_SOURCE_H
#define CLI_LIST_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/peat.h>

/* list_source.h: one source of `peat list`: an object or a kind of kernel records. */

/* The arrays of an object, among those of all that are listed: their names depend on each other. */
struct list_arrays {
	struct peat_session *session;
	uint32_t first, end;
};

struct list_source {
	enum peat_side_band kind;   /* if `object` is NULL */
	struct peat_object *object; /* owned */
	struct list_arrays arrays;
};

/*
 * Adds the object to the session, which may be NULL: an object without peat.bpf.h has arrays, which
 * only a session can describe.
 */
struct list_arrays list_source__add_arrays(struct peat_session *session,
					   const struct peat_object *object, const char *path);

/* One line about its events. */
const char *list_source__summary(const struct list_source *source);

/* The subject of its events; "other" if it names none. */
const char *list_source__subject(const struct list_source *source);

/* Verbose: with fields, options and hooks. */
void list_source__print(const struct list_source *source, bool verbose);
void list_source__print_json(const struct list_source *source);

#endif /* CLI_LIST_SOURCE_H */
