// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* walk.c: bytes read by a description of their layout. */
#include "perf_data/describe/table_decoder.h"

void walk__init(struct walk *walk, const void *bytes, size_t count, bool swapped, struct emit *emit)
{
	memset(walk, 0, sizeof(*walk));
	walk->cur.at = bytes;
	walk->cur.end = walk->cur.at + count;
	walk->cur.swapped = swapped;
	walk->emit = emit;
}

bool walk__fail(struct walk *walk, const char *why)
{
	if (!walk->why)
		walk->why = why;
	cursor__fail(&walk->cur);
	return false;
}

bool walk__good(struct walk *walk, const char *why)
{
	return !walk->cur.bad || walk__fail(walk, why);
}

struct emit_value walk__string(struct walk *walk)
{
	uint32_t bytes = cursor__u32(&walk->cur);
	const char *text = cursor__take(&walk->cur, bytes);
	struct emit_value value = { .kind = EMIT_TEXT, .bytes = "" };

	if (!text) {
		walk__fail(walk, "a string is longer than what holds it");
		return value;
	}
	value.bytes = text;
	value.count = strnlen(text, bytes);
	return value;
}

static struct emit_value take_blob(struct walk *walk)
{
	uint32_t bytes = cursor__u32(&walk->cur);

	if (!cursor__take(&walk->cur, bytes))
		walk__fail(walk, "data is longer than what holds it");
	return (struct emit_value){ .number = bytes };
}

static struct emit_value take_value(struct walk *walk, enum member_kind kind)
{
	struct emit_value value = { 0 };

	switch (kind) {
	case MEMBER_STRING:
		return walk__string(walk);
	case MEMBER_BLOB:
		return take_blob(walk);
	case MEMBER_U16:
		value.number = cursor__u16(&walk->cur);
		break;
	case MEMBER_U32:
	case MEMBER_HEX32:
		value.number = cursor__u32(&walk->cur);
		break;
	case MEMBER_I32:
		value.number = (uint64_t)(int32_t)cursor__u32(&walk->cur);
		break;
	default:
		value.number = cursor__u64(&walk->cur);
	}
	return value;
}

static enum emit_kind kind_of(const struct member *member)
{
	if (member->names)
		return EMIT_NAMED;
	switch (member->kind) {
	case MEMBER_I32:
	case MEMBER_I64:
		return EMIT_SIGNED;
	case MEMBER_HEX32:
	case MEMBER_HEX64:
		return EMIT_HEX;
	case MEMBER_SECONDS:
		return EMIT_SECONDS;
	case MEMBER_STRING:
		return EMIT_TEXT;
	default:
		return EMIT_UNSIGNED;
	}
}

struct emit_value walk__member(struct walk *walk, const struct member *member)
{
	struct emit_value value = take_value(walk, member->kind);

	value.kind = kind_of(member);
	value.width = member->width;
	value.quote = member->quote;
	value.names = member->names;
	return value;
}

bool walk__take(struct walk *walk, const struct member *members, struct emit_value *values)
{
	for (size_t i = 0; members[i].kind; i++)
		values[i] = walk__member(walk, &members[i]);
	return walk__good(walk, "it ends early");
}

void walk__tell(struct walk *walk, const struct member *members, const struct emit_value *values)
{
	for (size_t i = 0; members[i].kind; i++)
		emit__value(walk->emit, members[i].name, &values[i]);
}

bool walk__members(struct walk *walk, const struct shape *shape)
{
	struct emit_value values[WALK_MEMBERS_MAX];

	if (!walk__take(walk, shape->members, values))
		return false;
	walk__tell(walk, shape->members, values);
	if (shape->text)
		emit__fill_in(walk->emit, shape->text, values);
	return true;
}

bool walk__object(struct walk *walk, const char *name, const struct shape *shape)
{
	struct emit_value values[WALK_MEMBERS_MAX];

	if (!walk__take(walk, shape->members, values))
		return false;
	emit__begin(walk->emit, name, false);
	walk__tell(walk, shape->members, values);
	emit__end(walk->emit, false);
	if (shape->text)
		emit__fill_in(walk->emit, shape->text, values);
	return true;
}

/* `text` is said once the element is known to be there. */
static bool take_element(struct walk *walk, const struct list *list, const char *text)
{
	const struct member *members = list->shape.members;
	struct emit_value values[WALK_MEMBERS_MAX];

	if (!walk__take(walk, members, values))
		return false;
	if (text)
		emit__say(walk->emit, text);
	if (members->name)
		emit__begin(walk->emit, NULL, false);
	walk__tell(walk, members, values);
	if (members->name)
		emit__end(walk->emit, false);
	if (list->shape.text)
		emit__fill_in(walk->emit, list->shape.text, values);
	return true;
}

bool walk__list(struct walk *walk, const struct list *list)
{
	uint64_t count = list->wide ? cursor__u64(&walk->cur) : cursor__u32(&walk->cur);
	const char *text = list->before;

	if (!walk__good(walk, "it ends early"))
		return false;
	emit__begin(walk->emit, list->name, true);
	for (uint64_t i = 0; i < count && take_element(walk, list, text); i++)
		text = list->between;
	emit__end(walk->emit, true);
	if (!walk__good(walk, "there are fewer entries than it says"))
		return false;
	text = count ? list->after : list->none;
	if (text)
		emit__say(walk->emit, text);
	return true;
}
