// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema.c: from the types of BTF to fields. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "schema/btf_builder.h"
#include "base/internal.h"

#define EVENT_BYTES_MAX 65535
#define DEPTH_MAX	32
#define MEMBERS_MAX	(4 * PLAN_FIELDS_MAX) /* looked at, with those that become no fields */

static const char *const nothing_reserved[] = { NULL };

static int enter(struct builder *b)
{
	if (b->depth == DEPTH_MAX)
		return builder__refuse(b, "it is nested more than 32 deep");
	b->depth++;
	return 0;
}

/* ---- what is one thing ----------------------------------------------------------------------- */

/* Whether so many bytes are one thing under this word. */
static bool fits_whole(enum word word, uint64_t bytes)
{
	switch (word) {
	case WORD_IPV4:
		return bytes == 4;
	case WORD_IPV6:
		return bytes == 16;
	case WORD_MAC:
		return bytes == 6;
	case WORD_BYTES:
		return true;
	default:
		return false;
	}
}

static int set_bytes(const struct builder *b, const struct member *member, uint64_t bytes,
		     struct peat_field *field)
{
	if (member->bit % 8 || member->bits)
		return builder__bad(b, member->label, "bits of what has none");
	if (member->bit / 8 > member->limit || bytes > member->limit - member->bit / 8)
		return builder__bad(b, member->label, "it ends behind what it is in");
	field->offset = (uint32_t)(member->bit / 8);
	field->bytes = (uint32_t)bytes;
	return 0;
}

static int add_whole(struct builder *b, const struct member *member, enum peat_field_kind kind,
		     uint64_t bytes)
{
	struct peat_field field = {
		.name = member->name, .doc = member->doc, .span = 1, .kind = kind
	};
	int err = set_bytes(b, member, bytes, &field);

	field.big_endian = kind == PEAT_FIELD_IPV4;
	if (!err)
		err = builder__add(b, &field);
	return err < 0 ? err : 0;
}

/* ---- bytes with a length --------------------------------------------------------------------- */

static bool has_bytes(const struct peat_field *field)
{
	return field->kind == PEAT_FIELD_BYTES || field->kind == PEAT_FIELD_STRING ||
	       field->kind == PEAT_FIELD_STRINGS;
}

/* The field that a member has become: it is said of it which other one tells its length. */
static void note_length(struct builder *b, uint32_t index, const char *name, const char *label)
{
	if (index < b->plan.count && has_bytes(&b->plan.fields[index]))
		b->plan.lengths[index].name = name;
	else
		log__warn("%s.%s is no array of bytes: its length is that of its type", b->name,
			  label);
}

/* Those of a whole struct, whose members have all become fields: the length may come last. */
static void find_lengths(struct builder *b, uint32_t first)
{
	struct plan *plan = &b->plan;

	for (uint32_t i = first; i < plan->count; i += plan->fields[i].span) {
		const char *name = plan->lengths[i].name;
		int64_t at = name ? plan__find(plan, first, plan->count, name) : -1;

		if (at >= 0 && fields__is_number(&plan->fields[at]))
			plan->lengths[i].at = (uint32_t)at + 1;
		else if (name)
			log__warn("%s.%s: there is no number '%s' beside it that could be its "
				  "length",
				  b->name, plan->fields[i].name, name);
	}
}

/* ---- structs --------------------------------------------------------------------------------- */

static int add_type(struct builder *b, const struct member *member, const struct found *found);

/* Those of an anonymous struct are the outer one's: they count from where that begins. */
static int add_members(struct builder *b, const struct member *outer, const struct found *found);

static int add_inner(struct builder *b, const struct member *outer, const struct found *found,
		     int i)
{
	const struct btf_member *btf_member = btf_members(found->type) + i;
	bool is_last = btf_is_union(found->type) || i == btf_vlen(found->type) - 1;
	struct member member = {
		.name = btf__name_by_offset(b->btf, btf_member->name_off),
		.bit = outer->bit + btf_member_bit_offset(found->type, (uint32_t)i),
		.bits = btf_member_bitfield_size(found->type, (uint32_t)i),
		.limit = outer->limit,
		.may_be_open = outer->may_be_open && is_last,
	};
	const char *length = tags__find(&b->tags, found->id, i, "len:");
	uint32_t index = b->plan.count;
	struct found inner;
	int err;

	if (++b->members > MEMBERS_MAX)
		return builder__refuse(b, "it has more than 4096 fields");
	if (!member.name)
		return builder__bad(b, outer->label, "a name that is not there");
	member.label = *member.name ? member.name : outer->label;
	err = builder__find(b, member.label, btf_member->type, &inner);
	if (err)
		return err;
	if (!*member.name)
		return btf_is_composite(inner.type) ? add_members(b, &member, &inner) : 0;
	member.word = builder__tag(b, found->id, i, member.label);
	member.doc = tags__find(&b->tags, found->id, i, "doc:");
	err = add_type(b, &member, &inner);
	if (!err && length)
		note_length(b, index, length, member.label);
	return err;
}

static int add_members(struct builder *b, const struct member *callers_outer,
		       const struct found *found)
{
	struct member outer = *callers_outer;
	struct peat_field place = { 0 };
	int err = set_bytes(b, &outer, found->type->size, &place);

	if (!err)
		err = enter(b);
	if (err)
		return err;
	outer.limit = place.offset + place.bytes;
	for (int i = 0; !err && i < btf_vlen(found->type); i++)
		err = add_inner(b, &outer, found, i);
	b->depth--;
	return err;
}

static int add_struct(struct builder *b, const struct member *member, const struct found *found)
{
	struct peat_field field = { .name = member->name, .doc = member->doc, .span = 1 };
	struct member outer = { .label = member->label, .limit = found->type->size };
	uint32_t bytes = found->type->size;
	int index, err;

	if (!bytes)
		return 0;
	if (fits_whole(member->word, bytes))
		return add_whole(b, member, builder__kind(member->word), bytes);
	if (member->word)
		builder__warn_misfit(b, member, member->word);
	if (fits_whole(found->word, bytes))
		return add_whole(b, member, builder__kind(found->word), bytes);
	field.kind = btf_is_union(found->type) ? PEAT_FIELD_UNION : PEAT_FIELD_STRUCT;
	err = set_bytes(b, member, bytes, &field);
	if (err)
		return err;
	index = builder__add(b, &field);
	if (index < 0)
		return index;
	err = add_members(b, &outer, found);
	if (!err)
		find_lengths(b, (uint32_t)index + 1);
	b->plan.fields[index].span = b->plan.count - (uint32_t)index;
	return err;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static bool is_whole_word(enum word word)
{
	return word == WORD_STRING || word == WORD_STRINGS || word == WORD_BYTES ||
	       word == WORD_IPV4 || word == WORD_IPV6 || word == WORD_MAC;
}

static bool is_char(const struct builder *b, const struct btf_type *type)
{
	return !strcmp(btf__name_by_offset(b->btf, type->name_off), "char");
}

static bool fits_bytes(enum word word, uint32_t count)
{
	return word == WORD_STRING || word == WORD_STRINGS || fits_whole(word, count);
}

/* The kind of an array of bytes as a whole; false: its elements are numbers, by their word. */
static bool bytes_kind(const struct builder *b, const struct member *member,
		       const struct found *element, uint32_t count, enum peat_field_kind *kind)
{
	const enum word tried[] = { member->word, element->word };

	*kind = is_char(b, element->type) ? PEAT_FIELD_STRING : PEAT_FIELD_BYTES;
	for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++) {
		if (!tried[i])
			continue;
		if (!is_whole_word(tried[i]) &&
		    number__fits(&(struct peat_field){ .bytes = 1 }, tried[i], false))
			return false;
		if (fits_bytes(tried[i], count)) {
			*kind = builder__kind(tried[i]);
			return true;
		}
		builder__warn_misfit(b, member, tried[i]);
	}
	return true;
}

static int add_elements(struct builder *b, const struct member *member, const struct found *element,
			uint32_t count)
{
	struct peat_field field = {
		.name = member->name, .doc = member->doc, .kind = PEAT_FIELD_ARRAY, .span = 1
	};
	struct member inner = { .name = "", .label = member->label, .word = member->word };
	int index, err = set_bytes(b, member, 0, &field);

	if (err)
		return err;
	field.count = count;
	inner.limit = count ? member->limit - field.offset : EVENT_BYTES_MAX;
	index = builder__add(b, &field);
	if (index < 0)
		return index;
	err = enter(b);
	if (err)
		return err;
	err = add_type(b, &inner, element);
	b->depth--;
	if (err)
		return err;
	if (b->plan.count == (uint32_t)index + 1) { /* of nothing that can be shown */
		b->plan.count--;
		return 0;
	}
	if (b->plan.fields[index + 1].bits)
		return builder__bad(b, member->label, "an array of bit-fields");
	err = set_bytes(b, member, (uint64_t)count * b->plan.fields[index + 1].bytes, &field);
	field.span = b->plan.count - (uint32_t)index;
	b->plan.fields[index] = field;
	return err;
}

static bool is_byte(const struct btf_type *type)
{
	return btf_is_int(type) && type->size == 1 && btf_int_bits(type) == 8 &&
	       !(btf_int_encoding(type) & BTF_INT_BOOL);
}

static bool is_word_of_four(const struct btf_type *type)
{
	return btf_is_int(type) && type->size == 4;
}

static int add_array(struct builder *b, const struct member *callers_member,
		     const struct found *found)
{
	const struct btf_array *array = btf_array(found->type);
	struct member member = *callers_member;
	enum peat_field_kind kind;
	struct found element;
	int err;

	if (!array->nelems && !member.may_be_open)
		return 0;
	err = builder__find(b, member.label, array->type, &element);
	if (err)
		return err;
	if (!member.word)
		member.word = found->word;
	if (is_byte(element.type) && bytes_kind(b, &member, &element, array->nelems, &kind))
		return add_whole(b, &member, kind, array->nelems);
	if (member.word == WORD_IPV6 && is_word_of_four(element.type) && array->nelems == 4)
		return add_whole(b, &member, PEAT_FIELD_IPV6, 16);
	return add_elements(b, &member, &element, array->nelems);
}

static int add_type(struct builder *b, const struct member *member, const struct found *found)
{
	switch (btf_kind(found->type)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_PTR:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return number__add(b, member, found);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return add_struct(b, member, found);
	case BTF_KIND_ARRAY:
		return add_array(b, member, found);
	default:
		return 0;
	}
}

/* ---- schemas --------------------------------------------------------------------------------- */

/* Of a typedef its own name, and its own words if it has any. */
static int build_event(struct builder *b, uint32_t id, struct peat_schema **schema)
{
	struct found found;
	struct member top = { .label = "", .may_be_open = true };
	const char *doc = tags__find(&b->tags, id, TAGS_WHOLE, "doc:");
	int err = builder__find(b, "", id, &found);

	if (err)
		return err;
	if (!btf_is_composite(found.type))
		return builder__refuse(b, "it is no struct");
	if (found.type->size > EVENT_BYTES_MAX)
		return builder__refuse(b, "it has more than 65,535 bytes");
	if (!*b->name)
		b->name = btf__name_by_offset(b->btf, found.type->name_off);
	if (!doc)
		doc = tags__find(&b->tags, found.id, TAGS_WHOLE, "doc:");
	top.limit = found.type->size;
	err = add_members(b, &top, &found);
	if (err)
		return err;
	find_lengths(b, 0);
	err = plan__pack(&b->plan, b->name, doc, found.type->size, fields__event_reserved, schema);
	return err == -EBADMSG ? builder__bad(b, "", "names twice, or too much text") : err;
}

static int build_variable(struct builder *b, uint32_t id, struct peat_schema **schema)
{
	const struct btf_type *type = btf__type_by_id(b->btf, id);
	struct member member = { .name = b->name, .label = b->name, .limit = EVENT_BYTES_MAX };
	struct found found;
	int err;

	if (!btf_is_var(type))
		return builder__refuse(b, "it is no variable");
	err = builder__find(b, b->name, type->type, &found);
	if (err)
		return err;
	member.word = builder__tag(b, id, TAGS_WHOLE, b->name);
	member.doc = tags__find(&b->tags, id, TAGS_WHOLE, "doc:");
	err = add_type(b, &member, &found);
	if (!err && !b->plan.count)
		err = builder__refuse(b, "it is a variable that has no value");
	if (err)
		return err;
	return plan__pack(&b->plan, b->name, member.doc, b->plan.fields->bytes, nothing_reserved,
			  schema);
}

static int find_name(struct builder *b, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(b->btf, id);
	const char *name = type ? btf__name_by_offset(b->btf, type->name_off) : NULL;

	if (!name) {
		log__error("there is no type %u in this BTF", id);
		return -EINVAL;
	}
	b->name = name;
	return 0;
}

static struct peat_schema *build(const struct btf *btf, uint32_t id,
				 int (*build_one)(struct builder *b, uint32_t id,
						  struct peat_schema **schema))
{
	struct builder b = { .btf = btf, .name = "a type" };
	struct peat_schema *schema = NULL;
	int err = btf ? tags__read(&b.tags, btf) : -EINVAL;

	if (err == -EBADMSG)
		builder__bad(&b, "", "its types lie askew, or a tag has no text");
	if (!err)
		err = find_name(&b, id);
	if (!err)
		err = build_one(&b, id, &schema);
	if (err == -ENOMEM)
		log__error("%s: no memory for what its fields mean", b.name);
	tags__free(&b.tags);
	plan__free(&b.plan);
	return err ? fail_null(err) : schema;
}

struct peat_schema *schema__new(const struct btf *btf, uint32_t id, int stacks_fd,
				uint32_t stack_max)
{
	struct peat_schema *schema = build(btf, id, build_event);

	if (schema) {
		schema->stacks_fd = stacks_fd;
		schema->stack_max = stack_max;
	}
	return schema;
}

struct peat_schema *schema__new_variable(const struct btf *btf, uint32_t id)
{
	return build(btf, id, build_variable);
}

struct peat_schema *peat_schema__new(const struct btf *btf, uint32_t id)
{
	return schema__new(btf, id, -1, 0);
}

void peat_schema__free(struct peat_schema *schema)
{
	if (schema)
		free(schema->memory);
}
