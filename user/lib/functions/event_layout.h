/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/event_layout.h: the order, the sizes and the places of the members of an event's
 * struct, from the paths of its fields.
 *
 * A part has the fields of one struct.  Its members are found one after another:
 *
 *	for (uint32_t i = 0; i < part->count; i += event_layout__member(part, i).count)
 */
#ifndef PEAT_FUNCTIONS_EVENT_LAYOUT_H
#define PEAT_FUNCTIONS_EVENT_LAYOUT_H

#include "functions/function_field.h"

/* Fields whose paths are the same up to `start`. */
struct event_part {
	struct function_field **at;
	uint32_t count;
	size_t start; /* of the member's name, in the paths */
};

struct event_extent {
	uint32_t bytes, align;
};

/*
 * Moves the fields of each member to its first one.  Before anything else.  0; -EEXIST: two fields
 * of one path, or a field that is a struct for another; -E2BIG: too many names in a path; -EINVAL:
 * an empty name.
 */
int event_layout__group(const struct event_part *part);

/* The name of the member of field `i`, which is not NUL-terminated, and its bytes. */
const char *event_layout__name(const struct event_part *part, uint32_t i);
size_t event_layout__name_bytes(const struct event_part *part, uint32_t i);

/* Whether the member of field `i` is a struct: its name is followed by a dot. */
bool event_layout__is_struct(const struct event_part *part, uint32_t i);

/* The fields of the member that begins with field `first`, as a part of their own. */
struct event_part event_layout__member(const struct event_part *part, uint32_t first);

/* Whether the read can fail, and so has a bit: it has steps. */
bool event_layout__can_fail(const struct function_field *field);

/* The bytes of the bits, which are the first of the struct. */
struct event_extent event_layout__bits(const struct event_part *part);

struct event_extent event_layout__struct_extent(const struct event_part *part);
struct event_extent event_layout__member_extent(const struct event_part *part, uint32_t first);

/* Makes the extent larger by a member, and returns the member's place. */
uint32_t event_layout__place(struct event_extent *extent, struct event_extent member);

uint32_t event_layout__round_up(uint32_t bytes, uint32_t align);

#endif /* PEAT_FUNCTIONS_EVENT_LAYOUT_H */
