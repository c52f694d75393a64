/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * schema/map_schema.h: the row of a BPF map, its key and its value, as fields.
 *
 *	0		value_at		count_at	slots_at	row_bytes
 *	the key ─ pad ─ the value ─ pad ─────── total ───────── 64 slots
 *
 * The fields of a struct become columns.  Another key or value is the column "key" or "value".
 * total and slots exist if the value has a histogram: an array of at most 64 numbers, which then
 * is no column itself.
 */
#ifndef PEAT_SCHEMA_MAP_SCHEMA_H
#define PEAT_SCHEMA_MAP_SCHEMA_H

#include <peat/schema.h>

struct btf;

#define MAP_SLOTS 64

/* The keys and values of a map. */
struct map_type {
	const char *name, *doc; /* of the schema; doc may be NULL */
	const struct btf *btf;	/* NULL: without types; numbers of 1, 2, 4 or 8 bytes, or bytes */
	uint32_t key_id, value_id;
	uint32_t key_bytes, value_bytes;
	bool is_histogram;  /* the author says so: any array of numbers, not only one named "slots"
			     */
	bool has_text_keys; /* they have no type, and are characters with zeros after them */
};

/* How the values of several CPUs become one. */
enum map_merge {
	MAP_MERGE_DEFAULT, /* by the kind of field: amounts are summed, of others the first is taken
			    */
	MAP_MERGE_SUM,
	MAP_MERGE_MIN,
	MAP_MERGE_MAX,
	MAP_MERGE_FIRST /* that is not 0 */
};

struct map_schema {
	struct peat_schema *schema; /* owned */
	enum map_merge *merges;	    /* one per field of the schema; owned */
	uint32_t keys;		    /* columns, not counting those inside a struct */
	uint32_t value_at, row_bytes;
	uint32_t count_at, slots_at; /* in the row; count_at is 0 if the value has a "count" */
	/* The histogram in the value; slot_count is 0: there is none. */
	uint32_t slot_offset, slot_bytes, slot_count;
};

/*
 * 0, or with the reason in the log:
 *	-EINVAL		types that cannot be shown, or more than 65,535 bytes
 *	-EBADMSG	invalid BTF, or types of other sizes than the map's
 *	-ENOMEM
 */
int map_schema__make(struct map_schema *made, const struct map_type *type);

/* Frees the parts that are owned.  The schema may have been set to NULL, if it has a new owner. */
void map_schema__free(struct map_schema *made);

#endif /* PEAT_SCHEMA_MAP_SCHEMA_H */
