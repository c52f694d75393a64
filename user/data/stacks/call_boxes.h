/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stacks/call_boxes.h: the boxes of a flame graph, from the outermost on, sorted by name.  Pure.
 *
 *	struct call_box box = { 0 };
 *
 *	while (call_boxes__next(&boxes, &box))
 *		draw(box.frame, box.start, box.total, box.depth);
 */
#ifndef PEAT_STACKS_CALL_BOXES_H
#define PEAT_STACKS_CALL_BOXES_H

#include "stacks/merged_stacks.h"

struct call_boxes {
	const struct merged_stacks *merged;
	uint64_t total;	   /* width of all */
	uint64_t samples;  /* number of all */
	uint64_t left_out; /* boxes that are too narrow */
	uint32_t rows;
	uint64_t parts; /* boxes narrower than total / parts are too narrow */
	uint64_t *totals, *starts;
	uint64_t *before; /* totals of the stacks before; NULL: none */
	uint64_t gone;	  /* the part of before[0] in nodes that have no stacks now */
	uint32_t *first_child, *next_sibling; /* by node; 0: none */
};

struct call_box {
	const struct merged_frame *frame; /* NULL: the whole */
	uint64_t start, total;
	uint64_t before; /* the total of the stacks before */
	uint32_t depth;	 /* 0: the whole */
	uint32_t node;
	bool has_begun;
};

/* 0 or -ENOMEM; free it in any case.  `merged` has to live as long. */
int call_boxes__make(struct call_boxes *boxes, const struct merged_stacks *merged, bool is_weighted,
		     uint64_t parts);

/* A box comes after the one below it.  False: the last one was returned. */
bool call_boxes__next(const struct call_boxes *boxes, struct call_box *box);

void call_boxes__free(struct call_boxes *boxes);

#endif /* PEAT_STACKS_CALL_BOXES_H */
