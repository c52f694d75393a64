// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/event_layout.c: the order, the sizes and the places of the members of an event's
 * struct. */
#include <errno.h>
#include <string.h>

#include "functions/event_layout.h"

#define DEPTH_MAX 24 /* of nested structs: schemas have 32 */

/* ---- order ----------------------------------------------------------------------------------- */

const char *event_layout__name(const struct event_part *part, uint32_t i)
{
	return part->at[i]->path + part->start;
}

size_t event_layout__name_bytes(const struct event_part *part, uint32_t i)
{
	return strcspn(event_layout__name(part, i), ".");
}

static bool have_same_name(const struct event_part *part, uint32_t a, uint32_t b)
{
	size_t bytes = event_layout__name_bytes(part, a);

	return bytes == event_layout__name_bytes(part, b) &&
	       !memcmp(event_layout__name(part, a), event_layout__name(part, b), bytes);
}

bool event_layout__is_struct(const struct event_part *part, uint32_t i)
{
	return event_layout__name(part, i)[event_layout__name_bytes(part, i)] == '.';
}

struct event_part event_layout__member(const struct event_part *part, uint32_t first)
{
	struct event_part inner = { part->at + first, 1,
				    part->start + event_layout__name_bytes(part, first) + 1 };

	while (first + inner.count < part->count &&
	       have_same_name(part, first, first + inner.count))
		inner.count++;
	return inner;
}

/* Moves field `from` to `to`, before it, and those between one place on. */
static void move_field(const struct event_part *part, uint32_t to, uint32_t from)
{
	struct function_field *field = part->at[from];

	memmove(part->at + to + 1, part->at + to, (from - to) * sizeof(*part->at));
	part->at[to] = field;
}

static int group_fields(const struct event_part *part, uint32_t depth);

static int group_member(const struct event_part *part, uint32_t first, uint32_t depth)
{
	struct event_part inner;

	for (uint32_t i = first + 1, end = first + 1; i < part->count; i++)
		if (have_same_name(part, first, i))
			move_field(part, end++, i);
	inner = event_layout__member(part, first);
	for (uint32_t i = 0; inner.count > 1 && i < inner.count; i++)
		if (!event_layout__is_struct(part, first + i))
			return -EEXIST;
	return event_layout__is_struct(part, first) ? group_fields(&inner, depth + 1) : 0;
}

static int group_fields(const struct event_part *part, uint32_t depth)
{
	int err = depth < DEPTH_MAX ? 0 : -E2BIG;

	for (uint32_t i = 0; !err && i < part->count; i += event_layout__member(part, i).count)
		err = event_layout__name_bytes(part, i) ? group_member(part, i, depth) : -EINVAL;
	return err;
}

int event_layout__group(const struct event_part *part)
{
	return group_fields(part, 0);
}

/* ---- places ---------------------------------------------------------------------------------- */

uint32_t event_layout__round_up(uint32_t bytes, uint32_t align)
{
	return (bytes + align - 1) / align * align;
}

uint32_t event_layout__place(struct event_extent *extent, struct event_extent member)
{
	uint32_t at = event_layout__round_up(extent->bytes, member.align);

	extent->bytes = at + member.bytes;
	if (member.align > extent->align)
		extent->align = member.align;
	return at;
}

bool event_layout__can_fail(const struct function_field *field)
{
	return field->read.steps > 0;
}

struct event_extent event_layout__bits(const struct event_part *part)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < part->count; i += event_layout__member(part, i).count)
		bits += !event_layout__is_struct(part, i) && event_layout__can_fail(part->at[i]);
	return (struct event_extent){ (bits + 7) / 8, 1 };
}

struct event_extent event_layout__member_extent(const struct event_part *part, uint32_t first)
{
	struct event_part inner = event_layout__member(part, first);

	if (event_layout__is_struct(part, first))
		return event_layout__struct_extent(&inner);
	return (struct event_extent){ part->at[first]->bytes, part->at[first]->align };
}

struct event_extent event_layout__struct_extent(const struct event_part *part)
{
	struct event_extent extent = event_layout__bits(part);

	for (uint32_t i = 0; i < part->count; i += event_layout__member(part, i).count)
		event_layout__place(&extent, event_layout__member_extent(part, i));
	extent.bytes = event_layout__round_up(extent.bytes, extent.align);
	return extent;
}
