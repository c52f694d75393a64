// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/table_decoder.c: decodes bytes by a table of their members. */
#include "perf_data/describe/table_decoder.h"

#define TOO_SHORT "it ends early"

void table_decoder__init(struct table_decoder *dec, const void *bytes, size_t count, bool swapped,
			 struct emit *emit)
{
	memset(dec, 0, sizeof(*dec));
	dec->cur.at = bytes;
	dec->cur.end = dec->cur.at + count;
	dec->cur.swapped = swapped;
	dec->emit = emit;
}

bool table_decoder__fail(struct table_decoder *dec, const char *why)
{
	if (!dec->why)
		dec->why = why;
	cursor__fail(&dec->cur);
	return false;
}

bool table_decoder__check(struct table_decoder *dec, const char *why)
{
	return !dec->cur.bad || table_decoder__fail(dec, why);
}

struct emit_value table_decoder__string(struct table_decoder *dec)
{
	uint32_t bytes = cursor__u32(&dec->cur);
	const char *text = cursor__bytes(&dec->cur, bytes);
	struct emit_value value = { .kind = EMIT_TEXT, .bytes = "" };

	if (!text) {
		table_decoder__fail(dec, "a string is longer than what holds it");
		return value;
	}
	value.bytes = text;
	value.count = strnlen(text, bytes);
	return value;
}

static struct emit_value read_blob(struct table_decoder *dec)
{
	uint32_t bytes = cursor__u32(&dec->cur);

	if (!cursor__bytes(&dec->cur, bytes))
		table_decoder__fail(dec, "data is longer than what holds it");
	return (struct emit_value){ .number = bytes };
}

static struct emit_value read_value(struct table_decoder *dec, const struct member *member)
{
	switch (member->kind) {
	case MEMBER_STRING:
		return table_decoder__string(dec);
	case MEMBER_BLOB:
		return read_blob(dec);
	case MEMBER_U32:
	case MEMBER_HEX32:
		return (struct emit_value){ .number = cursor__u32(&dec->cur) };
	default:
		return (struct emit_value){ .number = cursor__u64(&dec->cur) };
	}
}

static enum emit_kind kind_of(const struct member *member)
{
	if (member->names)
		return EMIT_NAMED;
	switch (member->kind) {
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

/* If it does not fit, its value is 0 and table_decoder__check() fails. */
static struct emit_value read_member(struct table_decoder *dec, const struct member *member)
{
	struct emit_value value = read_value(dec, member);

	value.kind = kind_of(member);
	value.width = member->width;
	value.quote = member->quote;
	value.names = member->names;
	return value;
}

static void read_members(struct table_decoder *dec, const struct member *members,
			 struct emit_value *values)
{
	for (size_t i = 0; members[i].kind; i++)
		values[i] = read_member(dec, &members[i]);
}

bool table_decoder__read(struct table_decoder *dec, const struct member *members,
			 struct emit_value *values)
{
	read_members(dec, members, values);
	return table_decoder__check(dec, TOO_SHORT);
}

void table_decoder__emit(struct table_decoder *dec, const struct member *members,
			 const struct emit_value *values)
{
	for (size_t i = 0; members[i].kind; i++)
		emit__value(dec->emit, members[i].name, &values[i]);
}

bool table_decoder__members(struct table_decoder *dec, const struct shape *shape)
{
	struct emit_value values[TABLE_DECODER_MEMBERS_MAX];

	if (!table_decoder__read(dec, shape->members, values))
		return false;
	table_decoder__emit(dec, shape->members, values);
	if (shape->text)
		emit__print_filled(dec->emit, shape->text, values);
	return true;
}

/* Prints `text` before the element, if the element is there. */
static bool emit_element(struct table_decoder *dec, const struct list *list, const char *text)
{
	const struct member *members = list->shape.members;
	struct emit_value values[TABLE_DECODER_MEMBERS_MAX];

	read_members(dec, members, values);
	if (!table_decoder__check(dec, TOO_SHORT))
		return false;
	if (text)
		emit__print(dec->emit, text);
	if (members->name)
		emit__begin(dec->emit, NULL, false);
	table_decoder__emit(dec, members, values);
	if (members->name)
		emit__end(dec->emit, false);
	if (list->shape.text)
		emit__print_filled(dec->emit, list->shape.text, values);
	return true;
}

bool table_decoder__list(struct table_decoder *dec, const struct list *list)
{
	uint64_t count = list->wide ? cursor__u64(&dec->cur) : cursor__u32(&dec->cur);
	const char *text = list->before;

	if (!table_decoder__check(dec, TOO_SHORT))
		return false;
	emit__begin(dec->emit, list->name, true);
	for (uint64_t i = 0; i < count && emit_element(dec, list, text); i++)
		text = list->between;
	emit__end(dec->emit, true);
	if (dec->why)
		return false;
	text = count ? list->after : list->none;
	if (text)
		emit__print(dec->emit, text);
	return true;
}
