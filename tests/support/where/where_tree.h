/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where_tree.h: a random expression as a tree; for where_random.c and where_evaluate.c. */
#ifndef TESTS_SUPPORT_WHERE_WHERE_TREE_H
#define TESTS_SUPPORT_WHERE_WHERE_TREE_H

#include "where_random.h"

#define FIELDS_MAX	 256
#define NODES_MAX	 64
#define LEARNED_MAX	 16
#define VALUES_MAX	 4
#define TEXT_BYTES	 4096
#define FIELD_TEXT_BYTES 16384 /* quotes of empty strings, too */

enum class { NUMBER, FLOAT, BYTES, TEXT };
enum node_op {
	AND,
	OR,
	NOT,
	SET,
	EQUAL,
	UNEQUAL,
	LESS,
	AT_MOST,
	MORE,
	AT_LEAST,
	IN,
	GLOB,
	NO_GLOB
};

/* A field with a path; `common`: 1 and more for pid and so on. */
struct random_field {
	char path[96];
	struct peat_field field;
	uint32_t base;
	enum class class;
	int common;
};

struct value {
	__int128 number;
	double real;
	char text[96];
	uint8_t bytes[18];
	uint32_t prefix; /* bits of an address */
};

struct node {
	enum node_op op;
	int a, b;
	const struct random_field *field;
	bool has_mask;
	struct value mask, values[VALUES_MAX];
	int value_count;
};

struct where_random {
	uint64_t state;
	const struct peat_schema *schema;
	bool for_programs;
	struct random_field fields[FIELDS_MAX];
	int field_count;
	struct node nodes[NODES_MAX];
	int node_count, root;
	struct peat_event learned[LEARNED_MAX]; /* with data of their own */
	uint32_t learned_count;
	char text[TEXT_BYTES];
	size_t used;
};

/* The bits of a number. */
uint32_t where_tree__bits(const struct peat_field *field);

bool where_tree__is_big(const struct peat_field *field);

enum result { NO, YES, MISSING };

/* The number of a field of an event; YES or MISSING. */
enum result where_tree__number(const struct random_field *at, const struct peat_event *event,
			       __int128 *number);

/* A text as it is printed; STRINGS also print the NULs that fill the field. */
enum result where_tree__text(const struct random_field *at, const struct peat_event *event,
			     char text[FIELD_TEXT_BYTES]);

#endif /* TESTS_SUPPORT_WHERE_WHERE_TREE_H */
