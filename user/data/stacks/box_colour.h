/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stacks/box_colour.h: the colours of boxes: a hue per kind, shades by the name; or by a change.
 * Pure. */
#ifndef PEAT_STACKS_BOX_COLOUR_H
#define PEAT_STACKS_BOX_COLOUR_H

#include "stacks/merged_stacks.h"

struct box_colour {
	uint8_t rgb[3];
};

/* A light colour, on which black text can be read; the same for the same name. */
struct box_colour box_colour__of(enum merged_kind kind, const char *name);

/* 1: red, a larger part than before; -1: blue, a smaller one; 0: nearly white. */
struct box_colour box_colour__of_change(double change);

#endif /* PEAT_STACKS_BOX_COLOUR_H */
