/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * replay/type_overrides.h: types that the user gives to events of plain bytes: "[EVENT=]TYPE".
 *
 *	err = type_overrides__init(&overrides, specs, path);
 *	...until the recording's events and types are complete
 *	err = type_overrides__resolve(&overrides, &recorded);
 *	...type_overrides__of(&overrides, attr->index)->schema
 *	type_overrides__free(&overrides);
 */
#ifndef PEAT_REPLAY_TYPE_OVERRIDES_H
#define PEAT_REPLAY_TYPE_OVERRIDES_H

#include "perf_data/attrs.h"
#include "object/infer/type_file.h"

struct type_override {
	char *spec;  /* as given: "[EVENT=]TYPE" */
	char *event; /* NULL: the only possible event; resolved: the event's name */
	const char *type;
	uint32_t index;		    /* of the event; set when resolved */
	struct peat_schema *schema; /* has the event's name; NULL: not resolved */
};

struct type_overrides {
	struct type_override *at;
	uint32_t count;
	char *path; /* searched for types first; NULL: only the recording is searched */
	struct type_file file;
};

/* Content of an event's samples; only SAMPLE_DATA_PLAIN can be overridden. */
enum sample_data {
	SAMPLE_DATA_PLAIN,
	SAMPLE_DATA_NONE,  /* no raw bytes */
	SAMPLE_DATA_FORMAT /* the recording has the event's format */
};

/* Events and types of the recording. */
struct recorded_types {
	const struct perf_attrs *attrs;
	const enum sample_data *samples; /* by event index */
	struct btf *const *btfs;
	uint32_t btf_count;
};

/*
 * Parses `specs`, which ends with NULL, and opens `path`; both may be NULL.  0, -EINVAL: malformed
 * spec, -ENOMEM, or an error of the file, which the log explains.  Call type_overrides__free() in
 * any case.
 */
int type_overrides__init(struct type_overrides *overrides, const char *const *specs,
			 const char *path);

void type_overrides__free(struct type_overrides *overrides);

/*
 * Finds events and types, once.  0, -ENOMEM, -ENOENT: no such event or type, -EINVAL: the event is
 * ambiguous, cannot be overridden, or is overridden twice, or the type does not fit events.  The
 * log explains.
 */
int type_overrides__resolve(struct type_overrides *overrides,
			    const struct recorded_types *recorded);

/* NULL: the event has no override. */
const struct type_override *type_overrides__of(const struct type_overrides *overrides,
					       uint32_t index);

#endif /* PEAT_REPLAY_TYPE_OVERRIDES_H */
