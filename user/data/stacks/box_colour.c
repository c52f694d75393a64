// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/box_colour.c: the colours of boxes: a hue per kind, shades by the name; or by a change. */
#include "stacks/box_colour.h"

/* The darkest shade, and how much lighter others may be. */
struct shades {
	uint8_t least[3], more[3];
};

static const struct shades shades[] = {
	[MERGED_TASK] = { { 214, 214, 214 }, { 0, 0, 0 } },
	[MERGED_USER] = { { 242, 140, 90 }, { 13, 85, 50 } },	  /* orange */
	[MERGED_INLINED] = { { 205, 165, 235 }, { 30, 45, 20 } }, /* violet */
	[MERGED_KERNEL] = { { 130, 180, 235 }, { 60, 45, 20 } },  /* blue */
	[MERGED_BPF] = { { 130, 205, 130 }, { 60, 40, 60 } },	  /* green */
	[MERGED_OTHER] = { { 200, 200, 170 }, { 30, 30, 30 } },
};

/* FNV-1a */
static uint32_t hash_of(const char *name)
{
	uint32_t hash = 0x811c9dc5;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 0x01000193;
	return hash;
}

struct box_colour box_colour__of(enum merged_kind kind, const char *name)
{
	const struct shades *range = &shades[kind];
	struct box_colour colour;
	uint32_t shade = hash_of(name) >> 24;

	for (int i = 0; i < 3; i++)
		colour.rgb[i] = (uint8_t)(range->least[i] + range->more[i] * shade / 255);
	return colour;
}

struct box_colour box_colour__of_change(double change)
{
	static const int none[] = { 245, 245, 245 }, more[] = { 255, 95, 80 },
			 less[] = { 95, 160, 255 };
	const int *full = change > 0 ? more : less;
	double part = change > 0 ? change : -change;
	struct box_colour colour;

	for (int i = 0; i < 3; i++)
		colour.rgb[i] = (uint8_t)(none[i] + part * (full[i] - none[i]));
	return colour;
}
