/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * where/terms.h: makes the terms that a BPF program tests (peat/terms.h) of an expression.
 *
 * A program cannot decide everything: it has no time of the event, no globs, no floats.  Such a
 * test counts as true, or as false below an odd number of NOT.  So the terms are as strict as the
 * expression or weaker, never stricter, and the reader tests the events that pass again.
 *
 * The last text of an event may be shorter than its array.  Programs end it with a NUL before they
 * test it.  A few such events are left to the reader, each by PEAT_TERM_OPEN: those that may have
 * several strings, or that end before a field.
 */
#ifndef PEAT_WHERE_TERMS_H
#define PEAT_WHERE_TERMS_H

#include <peat/terms.h>

#include "where/tree.h"

#define WHERE_LEFT_MAX 4

/* The terms of an object, filled from the end. */
struct where_terms {
	struct peat_term terms[PEAT_TERMS];
	uint32_t begin; /* the first one in use; PEAT_TERMS: none */
	struct peat_term_type types[PEAT_TERM_TYPES];
	uint32_t type_count;
	bool has_ids;	 /* events have the ids of their task */
	bool has_owner;	 /* and its user and cgroup, which no term tests */
	bool can_comm;	 /* programs can read the name of the running task */
	bool has_stacks; /* appended after the tests: programs cannot test the size */
	bool uses_comm;	 /* terms read the name */
	/* The first tests of the last expression that programs cannot decide, the last one first.
	 */
	const struct where_test *left[WHERE_LEFT_MAX];
	uint32_t left_count;
};

/* How much of an expression the terms of a type decide. */
enum where_part {
	WHERE_NOTHING, /* every event passes */
	WHERE_PART,
	WHERE_ALL /* no event is rejected or passes wrongly; OPEN ones are left to the reader */
};

void where_terms__init(struct where_terms *terms, bool has_ids, bool can_comm);

/*
 * Adds the terms of an expression for the events of a type, the struct `btf_id` of the object.
 * `test` NULL: the type lacks a field, so that all its events are rejected.
 */
enum where_part where_terms__add(struct where_terms *terms, uint32_t btf_id,
				 const struct where_test *test);

/*
 * Whether the bytes of a text, as it is tested and counted, are those in front of the first NUL of
 * its array, whatever else the event has.
 */
bool where_terms__is_plain_text(const struct peat_field *field);

/* Bytes of a number or a piece of text at this offset that a program may load at once: 1, 2, 4, 8.
 */
uint32_t where_terms__load_bytes(uint32_t offset, uint32_t left);

#endif /* PEAT_WHERE_TERMS_H */
