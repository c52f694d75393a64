/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* schema/plan.h: a schema under construction, whose strings still belong to the BTF. */
#ifndef PEAT_SCHEMA_PLAN_H
#define PEAT_SCHEMA_PLAN_H

#include "field/fields.h"

#define PLAN_FIELDS_MAX 4096

struct btf;

/* The names of one enum's values, without duplicates. */
struct plan_names {
	struct plan_names *next;
	uint32_t id;	/* of the enum */
	bool are_flags; /* read as flags */
	uint32_t count;
	struct peat_name names[];
};

/* The fields that contain the length and the presence of a field, and the tag "merge:". */
struct plan_tags {
	const char *length;   /* the name in the tag "len:"; NULL: no such tag */
	const char *presence; /* the name in the tag "present:"; NULL: no such tag */
	uint32_t length_at;   /* index + 1 of the field; 0: not found yet */
	uint32_t presence_at; /* likewise */
	const char *merge;    /* "max"; NULL: no such tag */
};

struct plan {
	struct peat_field *fields;
	struct plan_tags *tags; /* one per field */
	uint32_t count, room;
	struct plan_names *names;
	const char *subject, *like_tools; /* NULL: none */
	const char *call_args;		  /* the tag "call_args:" of a field; NULL: none */
	uint32_t call_args_at;		  /* its index */
};

/* Appends a field and returns its index; -EINVAL: too many fields; -ENOMEM. */
int plan__add(struct plan *plan, const struct peat_field *field);

/* The first field from `first` to `end` with this name, inner fields excluded; -1: none. */
int64_t plan__find(const struct plan *plan, uint32_t first, uint32_t end, const char *name);

/*
 * Sorts the names by value, keeps the first of each value, and adds them to the plan, which owns
 * them also on failure.  0 or -ENOMEM.
 */
int plan__keep_names(struct plan *plan, struct plan_names *names);

/*
 * Places a bit-field: `bits` bits from number `bit` of a struct of `limit` bytes.  BTF counts bits
 * from the lowest of the first byte, on a big-endian machine from the highest.  Sets offset, bytes,
 * bit_offset and bits to the smallest number that contains it.  False: no number does; offset and
 * bytes cover it.
 */
bool plan__place_bits(struct peat_field *field, uint64_t bit, uint32_t bits, uint32_t limit,
		      bool big_endian);

/*
 * Makes the schema, with copies of all strings.  `reserved` is a list, ended by NULL, of at most 8
 * names that no top-level field may have (for events: fields__event_reserved).  -EBADMSG: two
 * fields have the same reserved name, or there are more than 16 MiB of strings.
 */
int plan__pack(const struct plan *plan, const char *name, const char *doc, uint32_t bytes,
	       const char *const *reserved, struct peat_schema **schema);

void plan__free(struct plan *plan);

/* peat_schema__new(), with the map `stacks_fd` for the stacks of KSTACK fields. */
struct peat_schema *btf_schema__new(const struct btf *btf, uint32_t id, int stacks_fd,
				    uint32_t stack_max);

/*
 * Makes a schema of a global variable: its first field is the variable, at offset 0, and its doc
 * that of the variable.  NULL and errno; EINVAL: not a variable with a value.
 */
struct peat_schema *btf_schema__new_variable(const struct btf *btf, uint32_t id);

#endif /* PEAT_SCHEMA_PLAN_H */
