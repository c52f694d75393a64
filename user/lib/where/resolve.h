/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where/resolve.h: an expression becomes a tree of tests of the fields of one type. */
#ifndef PEAT_WHERE_RESOLVE_H
#define PEAT_WHERE_RESOLVE_H

#include "where/node.h"
#include "where/path.h"

/* Memory of a tree: tests that do not move. */
struct where_tests {
	struct where_tests *next;
	uint32_t used;
	struct where_test tests[16];
};

/*
 * Resolves the expression for a schema, which may be NULL.  Notes in the nodes which fields it has.
 * The log has the reason for -EINVAL.
 *
 *	1	`*tree`, in `*tests`: where_tests__free() it in any case
 *	0	the type lacks a field
 *	-EINVAL	a value does not fit its field
 *	-ENOMEM
 */
int where_resolve(const struct where_expr *expr, const struct peat_schema *schema,
		  struct where_tests **tests, const struct where_test **tree);

void where_tests__free(struct where_tests *tests);

/* ---- for the classes of fields --------------------------------------------------------------- */

/* A test of one node that is being resolved. */
struct where_resolver {
	const struct where_expr *expr;
	const struct peat_schema *schema;
	struct where_tests **tests;
	const struct where_node *node;
	struct where_place place;
	int err;
};

/* Fields that are compared in the same way.  Functions return NULL and set `err`, or a test. */
struct where_class {
	struct where_test *(*is_set)(struct where_resolver *resolver);
	struct where_test *(*equal)(struct where_resolver *resolver,
				    const struct where_value *value);
	/* NULL: without an order */
	struct where_test *(*less)(struct where_resolver *resolver, const struct where_value *value,
				   bool or_equal);
	/* NULL: no text */
	struct where_test *(*glob)(struct where_resolver *resolver,
				   const struct where_value *value);
	bool has_masks;
};

extern const struct where_class where_numbers, where_bytes, where_texts, where_floats;

/* A test of the node's field. */
struct where_test *where_resolver__test(struct where_resolver *resolver, enum where_op op);

/* TRUE or FALSE, if the event has the node's field. */
struct where_test *where_resolver__constant(struct where_resolver *resolver, bool value);

/* NULL if an operand is NULL. */
struct where_test *where_resolver__not(struct where_resolver *resolver, struct where_test *a);
struct where_test *where_resolver__or(struct where_resolver *resolver, struct where_test *a,
				      struct where_test *b);

/* Logs an error at byte `at`, sets `err` and returns NULL. */
__attribute__((format(printf, 3, 4))) void *where_resolver__fail(struct where_resolver *resolver,
								 uint32_t at, const char *format,
								 ...);

/* The value has not the form that the field's kind has. */
void *where_resolver__bad_value(struct where_resolver *resolver, const struct where_value *value);

#endif /* PEAT_WHERE_RESOLVE_H */
