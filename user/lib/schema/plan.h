/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* plan.h: a schema while it is made: fields come one by one, their words still belong to the BTF.
 */
#ifndef PLAN_H
#define PLAN_H

#include "schema/fields.h"

#define PLAN_FIELDS_MAX 4096

struct btf;

/* The names of one enum's values, without doubles. */
struct plan_names {
	struct plan_names *next;
	uint32_t id;	/* the enum's, */
	bool are_flags; /* and how it was read */
	uint32_t count;
	struct peat_name names[];
};

/* Where the bytes of a field have their length. */
struct plan_length {
	const char *name; /* of a field beside it, as a tag has it; NULL: none */
	uint32_t at;	  /* that field's index + 1, once it is found */
};

struct plan {
	struct peat_field *fields;
	struct plan_length *lengths; /* one a field */
	uint32_t count, room;
	struct plan_names *names;
};

/* Appends a field; its index, -EINVAL when there are too many, -ENOMEM. */
int plan__add(struct plan *plan, const struct peat_field *field);

/* The first field from `first` up to `end` of this name, past what is inside of them; -1: none. */
int64_t plan__find(const struct plan *plan, uint32_t first, uint32_t end, const char *name);

/*
 * Sorts the names by value, of those with the same value the first stays, and keeps them with the
 * plan, which frees them in any case.  0 or -ENOMEM.
 */
int plan__keep_names(struct plan *plan, struct plan_names *names);

/*
 * Where a bit-field is: `bits` from number `bit` on of the `limit` bytes that hold it, counted as
 * BTF does: from the lowest bit of the first byte, on a big-endian machine from the highest.  Sets
 * offset, bytes, bit_offset and bits for the smallest number that holds it; false: none does, and
 * offset and bytes cover it.
 */
bool plan__place_bits(struct peat_field *field, uint64_t bit, uint32_t bits, uint32_t limit,
		      bool big_endian);

/*
 * The schema, with copies of all words; of NULL words none.  `reserved` is a list, ended by NULL,
 * of at most 8 names that no field at the top may have (of events: fields__event_reserved).
 * -EBADMSG: two fields have the same of those, or there are more than 16 MiB of words.
 */
int plan__pack(const struct plan *plan, const char *name, const char *doc, uint32_t bytes,
	       const char *const *reserved, struct peat_schema **schema);

void plan__free(struct plan *plan);

/* peat_schema__new(), where KSTACK fields look into the map `stacks_fd`. */
struct peat_schema *schema__new(const struct btf *btf, uint32_t id, int stacks_fd,
				uint32_t stack_max);

/*
 * The same for a global variable: a schema whose first field is the variable, at offset 0, and with
 * its own doc.  NULL and errno: EINVAL: it is no variable with a value.
 */
struct peat_schema *schema__new_variable(const struct btf *btf, uint32_t id);

#endif /* PLAN_H */
