/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * every_kind.h: an event with a field of each kind, and what perf and peat say of it when it was
 * recorded.
 */
#ifndef EVERY_KIND_H
#define EVERY_KIND_H

#include <peat/schema.h>

#define EVERY_KIND_OPEN 2 /* elements of the array that ends it */

struct every_kind_said {
	const char *name; /* of the field, as recorded */
	const char *perf; /* NULL: perf says it under no name of its own */
	const char *peat; /* NULL: as perf; "": this is no field, but perf says more of one */
};

/* What is said of each field, to NULL. */
extern const struct every_kind_said every_kind_said[];

/*
 * Its schema, made of BTF.  Not everything of perf's reads arrays of any length, so that they are
 * left out unless `open`.
 */
struct peat_schema *every_kind__schema(bool open);

/* One such event, with the elements of the array behind it.  Lent. */
const void *every_kind__event(uint32_t *bytes);

#endif /* EVERY_KIND_H */
