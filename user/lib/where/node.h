/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where/node.h: an expression as written: field paths and values are text. */
#ifndef PEAT_WHERE_NODE_H
#define PEAT_WHERE_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "where/tree.h"

#define WHERE_TEXT_MAX	4096 /* bytes of an expression */
#define WHERE_DEPTH_MAX 64   /* nested parentheses */

/* A literal; `begin` and `end` are its place in the text of the expression. */
struct where_value {
	struct where_value *next; /* in a list */
	const char *text;	  /* without quotes, escapes, and blanks around | */
	uint32_t bytes;
	uint32_t begin, end;
	bool quoted;
	enum where_op glob; /* after ~: TEXT_EQUAL, TEXT_BEGINS (without the *) or TEXT_GLOB */
};

enum where_compare {
	COMPARE_SET, /* the field alone, or with a mask */
	COMPARE_EQUAL,
	COMPARE_LESS,
	COMPARE_LESS_EQUAL,
	COMPARE_IN,
	COMPARE_GLOB
};

enum where_node_kind { NODE_TEST, NODE_AND, NODE_OR };

struct where_node {
	enum where_node_kind kind;
	bool negated; /* by ! before it */
	/* AND, OR: chains grow at `b`, so only parentheses nest `a`. */
	struct where_node *a, *b;
	uint32_t begin, end;

	/* TEST */
	enum where_compare compare;
	bool inverted; /* != > >= !~ */
	const char *path;
	struct where_value *mask, *values; /* NULL: none */
	bool found;			   /* a type that was added has the field */
	uint32_t elements; /* an array with too few elements: their number; 0: none seen */
};

/* A parsed expression; all of its memory. */
struct where_expr {
	char *text;
	uint32_t bytes;
	struct where_node *root, *nodes;
	struct where_value *values;
	char *strings;
	uint32_t node_count, value_count, string_bytes;
};

/* Parses; the log has the reason.  0, -EINVAL or -ENOMEM; where_expr__free() in any case. */
int where_expr__parse(struct where_expr *expr, const char *text);

void where_expr__free(struct where_expr *expr);

#endif /* PEAT_WHERE_NODE_H */
