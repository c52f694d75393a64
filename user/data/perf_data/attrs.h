/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/attrs.h: the attrs of a recording, and the attr that a record belongs to.  Pure. */
#ifndef PEAT_PERF_DATA_ATTRS_H
#define PEAT_PERF_DATA_ATTRS_H

#include "record/attr.h"

/* Limits for a recording; no real one comes near. */
#define PERF_ATTRS_MAX 65536
#define PERF_IDS_MAX   (1U << 20)

struct perf_attrs {
	struct perf_attr **at; /* the attrs never move */
	uint32_t count;

	/* The last of several recordings, one after the other: the others' samples have ended.
	 */
	struct perf_attr *first; /* NULL: no attr yet */
	uint32_t own_count;	 /* attrs */

	/* Private. */
	bool is_used;	/* a record belonged to the last recording */
	uint32_t begin; /* of the attrs of the last recording that no former one has */
	uint32_t room;
	struct perf_id_slot *slots; /* open addressing; slots_count is a power of two, or 0 */
	uint32_t slots_count, ids_count;
	uint64_t seed[2];		       /* of the hashes of ids */
	uint8_t sample_places, trailer_places; /* bit i: word i may be an id */
	uint8_t trailers;		       /* bit i: a trailer may have i words */
	bool alike;			       /* all have the same layout */
	struct peat_layout bare;	       /* without ids: for records of an unknown attr */
};

void perf_attrs__init(struct perf_attrs *attrs, bool swapped);
void perf_attrs__clear(struct perf_attrs *attrs);

/*
 * Copies a parsed attr, gives the copy its index, and owns its ids and name from now on.  0;
 * -ENOMEM; -E2BIG: too many attrs.  After an error the caller still owns them.
 */
int perf_attrs__add(struct perf_attrs *attrs, const struct perf_attr *attr);

/*
 * Another recording begins: ids and layouts are those of its attrs, which are added now.  Attrs of
 * the last one that no record belonged to are removed.
 */
void perf_attrs__restart(struct perf_attrs *attrs);

/*
 * Once all attrs of that recording and their names are known, and before any is used: removes those
 * for which find() returns an attr of a former recording, to which their ids belong from now on.
 */
void perf_attrs__merge(struct perf_attrs *attrs,
		       struct perf_attr *(*find)(void *arg, const struct perf_attr *attr),
		       void *arg);

/* Whether both are attrs of one event: they differ in their ids alone. */
bool perf_attrs__are_equal(const struct perf_attr *one, const struct perf_attr *other);

/*
 * Adds an id of the attr's records.  Ignores 0, and an id that an attr already has.  0; -ENOMEM;
 * -E2BIG: too many ids.
 */
int perf_attrs__add_id(struct perf_attrs *attrs, struct perf_attr *attr, uint64_t id);

/* Adds `count` ids at `bytes`. */
int perf_attrs__add_ids(struct perf_attrs *attrs, struct perf_attr *attr, const void *bytes,
			size_t count, bool swapped);

/* NULL: no attr has the id. */
struct perf_attr *perf_attrs__by_id(const struct perf_attrs *attrs, uint64_t id);

/* The CPU of the counter with this id, from an ID_INDEX; UINT32_MAX: unknown, or any CPU. */
void perf_attrs__set_cpu(struct perf_attrs *attrs, uint64_t id, uint32_t cpu);
uint32_t perf_attrs__cpu_of(const struct perf_attrs *attrs, uint64_t id);

/* Sets the name: a copy of `count` bytes, or up to the first NUL.  0 or -ENOMEM. */
int perf_attrs__name(struct perf_attr *attr, const void *bytes, size_t count);

/*
 * The attr of a kernel record, which has `size` bytes with its header: the only attr, or the attr
 * with the record's id.  Records synthesized by perf have id 0 and belong to the first attr.  NULL:
 * unknown.  *layout: for decoding, which may be known even then; NULL: unknown.
 */
const struct perf_attr *perf_attrs__owner(const struct perf_attrs *attrs, uint32_t type,
					  const uint8_t *bytes, size_t size,
					  const struct peat_layout **layout);

#endif /* PEAT_PERF_DATA_ATTRS_H */
