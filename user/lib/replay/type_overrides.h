/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * as_types.h: what the plain bytes of a recording's events are, as somebody says: "[EVENT=]TYPE".
 *
 *	err = as_types__init(&as, words, path);
 *	...until the events, and the types that the recording has, are known
 *	err = as_types__settle(&as, &known);
 *	...as_types__of(&as, attr->index)->schema
 *	as_types__free(&as);
 */
#ifndef AS_TYPES_H
#define AS_TYPES_H

#include "perf_data/attrs.h"
#include "object/infer/type_file.h"

struct as_type {
	char *words;
	char *event; /* NULL: the only one that can be meant; settled, what the event is called */
	const char *type;
	uint32_t index;		    /* settled: of the event */
	struct peat_schema *schema; /* called as the event; NULL: not settled */
};

struct as_types {
	struct as_type *at;
	uint32_t count;
	char *path; /* where types are looked for first; NULL: in the recording alone */
	struct type_file file;
};

/* Of an event: whether somebody may say what its samples' bytes are. */
enum as_event {
	AS_EVENT_PLAIN,
	AS_EVENT_NO_BYTES, /* its samples have none */
	AS_EVENT_FORMAT	   /* the recording has the format of it */
};

/* What the recording says. */
struct as_known {
	const struct perf_attrs *attrs;
	const enum as_event *events; /* by index */
	struct btf *const *types;
	uint32_t type_count;
};

/*
 * `words` ends with NULL; it and `path` may be NULL.  0, -EINVAL: words that are none, -ENOMEM, or
 * what is wrong with the file; as_types__free() in any case.  The log explains.
 */
int as_types__init(struct as_types *as, const char *const *words, const char *path);

void as_types__free(struct as_types *as);

/*
 * Finds events and types, once.  0, -ENOENT: there is no such event, or no such type, -EINVAL: the
 * event cannot be meant, or several can, or one is meant twice, or the type is none for events.
 * The log explains.
 */
int as_types__settle(struct as_types *as, const struct as_known *known);

/* NULL: nobody has said it of this event. */
const struct as_type *as_types__of(const struct as_types *as, uint32_t index);

#endif /* AS_TYPES_H */
