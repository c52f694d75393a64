// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/btf_schema.c: making schemas from BTF types. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "field/appended.h"
#include "field/call_fields.h"
#include "schema/btf_builder.h"
#include "base/errors.h"
#include "base/log.h"
#include "field/several_strings.h"

#define EVENT_BYTES_MAX 65535
#define DEPTH_MAX	32
#define MEMBERS_MAX	(4 * PLAN_FIELDS_MAX) /* visited, including those that become no field */

static const char *const nothing_reserved[] = { NULL };

static int enter_type(struct btf_builder *b)
{
	if (b->depth == DEPTH_MAX)
		return btf_builder__unsupported(b, "it is nested more than 32 deep");
	b->depth++;
	return 0;
}

/* ---- types that are one value ---------------------------------------------------------------- */

bool btf_schema__fits_whole(const struct field_type *as, uint64_t bytes)
{
	return as && (as->class == PEAT_CLASS_BYTES ||
		      (as->class == PEAT_CLASS_ADDRESS && as->bytes == bytes));
}

static int set_range(const struct btf_builder *b, const struct member *member, uint64_t bytes,
		     struct peat_field *field)
{
	if (member->bit % 8 || member->bits)
		return btf_builder__invalid(b, member->label, "bits of a type that has none");
	if (member->bit / 8 > member->limit || bytes > member->limit - member->bit / 8)
		return btf_builder__invalid(b, member->label,
					    "it ends after the struct that contains it");
	field->offset = (uint32_t)(member->bit / 8);
	field->bytes = (uint32_t)bytes;
	return 0;
}

static int add_whole(struct btf_builder *b, const struct member *member,
		     const struct field_type *as, uint64_t bytes)
{
	struct peat_field field = {
		.name = member->name, .doc = member->doc, .span = 1, .kind = as->kind
	};
	int err = set_range(b, member, bytes, &field);

	field.big_endian = as->is_big_endian;
	if (!err)
		err = btf_builder__add(b, &field);
	return err < 0 ? err : 0;
}

/* ---- fields with a length or a presence ------------------------------------------------------ */

static bool can_have_length(const struct peat_field *field)
{
	enum peat_field_class class = field_type__of(field)->class;

	return class == PEAT_CLASS_BYTES || class == PEAT_CLASS_TEXT || fields__is_number(field);
}

/* The members of an absent struct would be read as if it were there. */
static bool can_be_absent(const struct peat_field *field)
{
	return !fields__has_members(field) && field_type__of(field)->class != PEAT_CLASS_STACK;
}

/* Notes the names of the fields that have the length and the presence of field `index`. */
static void note_named_fields(struct btf_builder *b, uint32_t index, uint32_t id, int i,
			      const char *label)
{
	const struct peat_field *field = index < b->plan.count ? &b->plan.fields[index] : NULL;
	const char *length = btf_tags__find(&b->tags, id, i, "len:");
	const char *presence = btf_tags__find(&b->tags, id, i, "present:");

	if (length && field && can_have_length(field))
		b->plan.tags[index].length = length;
	else if (length)
		log__warn("%s.%s is no array of bytes and no number: its tag \"len:\" is ignored",
			  b->name, label);
	if (presence && field && can_be_absent(field))
		b->plan.tags[index].presence = presence;
	else if (presence)
		log__warn("%s.%s is a struct or has no value: its tag \"present:\" is ignored: "
			  "tag its members",
			  b->name, label);
}

/*
 * Finds a number by its name.  It has no length or presence itself: it could depend on itself
 * without end.  0: none.
 */
static uint32_t find_number(const struct plan *plan, uint32_t first, const char *name)
{
	int64_t at = plan__find(plan, first, plan->count, name);

	return at >= 0 && fields__is_number(&plan->fields[at]) && !plan->tags[at].length &&
			       !plan->tags[at].presence
		       ? (uint32_t)at + 1
		       : 0;
}

/* The named field may follow the field that has the tag. */
void btf_schema__resolve_tags(struct btf_builder *b, uint32_t first)
{
	struct plan *plan = &b->plan;

	for (uint32_t i = first; i < plan->count; i += plan->fields[i].span) {
		struct plan_tags *tags = &plan->tags[i];

		tags->length_at = tags->length ? find_number(plan, first, tags->length) : 0;
		tags->presence_at = tags->presence ? find_number(plan, first, tags->presence) : 0;
		if (tags->length && !tags->length_at)
			log__warn("%s.%s: its length field '%s' is not a number beside it, "
				  "without a length or a presence of its own",
				  b->name, plan->fields[i].name, tags->length);
		if (tags->presence && !tags->presence_at)
			log__warn("%s.%s: its presence field '%s' is not a number beside it, "
				  "without a length or a presence of its own",
				  b->name, plan->fields[i].name, tags->presence);
	}
}

/* ---- structs --------------------------------------------------------------------------------- */

/* Notes the tags of member `i` of the struct `id`, whose first field is at `index`. */
static void note_tags(struct btf_builder *b, uint32_t index, uint32_t id, int i)
{
	struct peat_field *field = &b->plan.fields[index];
	const char *call_args = btf_tags__find(&b->tags, id, i, "call_args:");

	b->plan.tags[index].merge = btf_tags__find(&b->tags, id, i, "merge:");
	field->is_rare = btf_tags__find(&b->tags, id, i, "rare") != NULL;
	field->is_minor = field->is_rare || btf_tags__find(&b->tags, id, i, "minor") != NULL;
	field->is_hidden = btf_tags__find(&b->tags, id, i, "hidden") != NULL;
	if (call_args && b->depth == 1) {
		b->plan.call_args = call_args;
		b->plan.call_args_at = index;
	}
}

static int add_struct_member(struct btf_builder *b, const struct member *outer,
			     const struct resolved_type *resolved, int i)
{
	const struct btf_member *btf_member = btf_members(resolved->type) + i;
	bool is_last = btf_is_union(resolved->type) || i == btf_vlen(resolved->type) - 1;
	struct member member = {
		.name = btf__name_by_offset(b->btf, btf_member->name_off),
		.bit = outer->bit + btf_member_bit_offset(resolved->type, (uint32_t)i),
		.bits = btf_member_bitfield_size(resolved->type, (uint32_t)i),
		.limit = outer->limit,
		.may_be_open = outer->may_be_open && is_last,
	};
	uint32_t index = b->plan.count;
	struct resolved_type inner;
	int err;

	if (++b->members > MEMBERS_MAX)
		return btf_builder__unsupported(b, "it has more than 4096 fields");
	if (!member.name)
		return btf_builder__invalid(b, outer->label, "a name is missing");
	member.label = *member.name ? member.name : outer->label;
	err = btf_builder__resolve(b, member.label, btf_member->type, &inner);
	if (err)
		return err;
	if (!*member.name)
		return btf_is_composite(inner.type) ? btf_schema__add_members(b, &member, &inner)
						    : 0;
	member.show_as = btf_builder__read_tag(b, resolved->id, i, member.label);
	member.doc = btf_tags__find(&b->tags, resolved->id, i, "doc:");
	err = btf_schema__add(b, &member, &inner);
	if (!err)
		note_named_fields(b, index, resolved->id, i, member.label);
	if (!err && index < b->plan.count)
		note_tags(b, index, resolved->id, i);
	return err;
}

/* Members of an anonymous struct are the outer struct's; offsets count from its start. */
int btf_schema__add_members(struct btf_builder *b, const struct member *callers_outer,
			    const struct resolved_type *resolved)
{
	struct member outer = *callers_outer;
	struct peat_field place = { 0 };
	int err = set_range(b, &outer, resolved->type->size, &place);

	if (!err)
		err = enter_type(b);
	if (err)
		return err;
	outer.limit = place.offset + place.bytes;
	for (int i = 0; !err && i < btf_vlen(resolved->type); i++)
		err = add_struct_member(b, &outer, resolved, i);
	b->depth--;
	return err;
}

#define STACKS_NOT_LAST "its PEAT_STACKS is not its last member"

/* Programs write the stacks behind their head, up to the end of the event. */
static int add_stacks(struct btf_builder *b, const struct member *member, uint64_t bytes)
{
	struct peat_field field = {
		.name = member->name, .doc = member->doc, .span = 1, .kind = PEAT_FIELD_STACK
	};
	int err = set_range(b, member, bytes, &field);

	if (!err && (!member->may_be_open || b->depth != 1))
		return btf_builder__unsupported(b, STACKS_NOT_LAST);
	field.bytes = 0;
	if (!err)
		err = btf_builder__add(b, &field);
	return err < 0 ? err : 0;
}

/* struct peat_endpoint of peat.bpf.h, not another struct of this name. */
static bool is_endpoint(const struct btf_builder *b, const struct btf_type *type,
			const struct peat_field *field)
{
	const struct peat_field *address = field + 1, *port = field + 2;

	return !strcmp(btf__name_by_offset(b->btf, type->name_off), "peat_endpoint") &&
	       field->kind == PEAT_FIELD_STRUCT && field->bytes == ENDPOINT_BYTES &&
	       field->span == 3 && address->kind == PEAT_FIELD_IPV6 && !address->offset &&
	       port->kind == PEAT_FIELD_PORT && port->offset == ENDPOINT_PORT_AT &&
	       port->bytes == 2;
}

static int add_struct_field(struct btf_builder *b, const struct member *member,
			    const struct resolved_type *resolved)
{
	struct peat_field field = { .name = member->name, .doc = member->doc, .span = 1 };
	struct member outer = { .label = member->label, .limit = resolved->type->size };
	uint32_t bytes = resolved->type->size;
	int index, err;

	if (!bytes)
		return 0;
	if (btf_schema__fits_whole(member->show_as, bytes))
		return add_whole(b, member, member->show_as, bytes);
	if (member->show_as)
		btf_builder__warn_misfit(b, member, member->show_as);
	if (resolved->show_as == &field_type__stack)
		return add_stacks(b, member, bytes);
	if (btf_schema__fits_whole(resolved->show_as, bytes))
		return add_whole(b, member, resolved->show_as, bytes);
	field.kind = btf_is_union(resolved->type) ? PEAT_FIELD_UNION : PEAT_FIELD_STRUCT;
	err = set_range(b, member, bytes, &field);
	if (err)
		return err;
	index = btf_builder__add(b, &field);
	if (index < 0)
		return index;
	err = btf_schema__add_members(b, &outer, resolved);
	if (!err)
		btf_schema__resolve_tags(b, (uint32_t)index + 1);
	b->plan.fields[index].span = b->plan.count - (uint32_t)index;
	if (!err && is_endpoint(b, resolved->type, &b->plan.fields[index]))
		b->plan.fields[index].kind = PEAT_FIELD_ENDPOINT;
	return err;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static bool is_for_whole_arrays(const struct field_type *as)
{
	return as->class == PEAT_CLASS_TEXT || as->class == PEAT_CLASS_BYTES ||
	       as->class == PEAT_CLASS_ADDRESS;
}

static bool is_char(const struct btf_builder *b, const struct btf_type *type)
{
	return !strcmp(btf__name_by_offset(b->btf, type->name_off), "char");
}

static bool fits_bytes(const struct field_type *as, uint32_t count)
{
	return as->class == PEAT_CLASS_TEXT || btf_schema__fits_whole(as, count);
}

/* Finds the type of an array of bytes as a whole.  NULL: its elements are numbers. */
static const struct field_type *bytes_type(const struct btf_builder *b, const struct member *member,
					   const struct resolved_type *element, uint32_t count)
{
	const struct field_type *const tried[] = { member->show_as, element->show_as };

	for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++) {
		if (!tried[i])
			continue;
		if (!is_for_whole_arrays(tried[i]) &&
		    btf_number__fits(&(struct peat_field){ .bytes = 1 }, tried[i], false))
			return NULL;
		if (fits_bytes(tried[i], count))
			return tried[i];
		btf_builder__warn_misfit(b, member, tried[i]);
	}
	return is_char(b, element->type) ? &field_type__string : &field_type__bytes;
}

static int add_btf_elements(struct btf_builder *b, const struct member *member,
			    const struct resolved_type *element, uint32_t count)
{
	struct peat_field field = {
		.name = member->name, .doc = member->doc, .kind = PEAT_FIELD_ARRAY, .span = 1
	};
	struct member inner = { .name = "", .label = member->label, .show_as = member->show_as };
	int index, err = set_range(b, member, 0, &field);

	if (err)
		return err;
	field.count = count;
	inner.limit = count ? member->limit - field.offset : EVENT_BYTES_MAX;
	index = btf_builder__add(b, &field);
	if (index < 0)
		return index;
	err = enter_type(b);
	if (err)
		return err;
	err = btf_schema__add(b, &inner, element);
	b->depth--;
	if (err)
		return err;
	if (b->plan.count == (uint32_t)index + 1) { /* the element is no field */
		b->plan.count--;
		return 0;
	}
	if (b->plan.fields[index + 1].bits)
		return btf_builder__invalid(b, member->label, "an array of bit-fields");
	err = set_range(b, member, (uint64_t)count * b->plan.fields[index + 1].bytes, &field);
	field.span = b->plan.count - (uint32_t)index;
	b->plan.fields[index] = field;
	return err;
}

static bool is_byte(const struct btf_type *type)
{
	return btf_is_int(type) && type->size == 1 && btf_int_bits(type) == 8 &&
	       !(btf_int_encoding(type) & BTF_INT_BOOL);
}

static bool is_four_byte_int(const struct btf_type *type)
{
	return btf_is_int(type) && type->size == 4;
}

static int add_btf_array(struct btf_builder *b, const struct member *callers_member,
			 const struct resolved_type *resolved)
{
	const struct btf_array *array = btf_array(resolved->type);
	struct member member = *callers_member;
	const struct field_type *whole;
	struct resolved_type element;
	int err;

	if (!array->nelems && !member.may_be_open)
		return 0;
	err = btf_builder__resolve(b, member.label, array->type, &element);
	if (err)
		return err;
	if (!member.show_as)
		member.show_as = resolved->show_as;
	whole = is_byte(element.type) ? bytes_type(b, &member, &element, array->nelems) : NULL;
	if (whole)
		return add_whole(b, &member, whole, array->nelems);
	if (member.show_as == &field_type__ipv6 && is_four_byte_int(element.type) &&
	    array->nelems == 4)
		return add_whole(b, &member, &field_type__ipv6, 16);
	return add_btf_elements(b, &member, &element, array->nelems);
}

int btf_schema__add(struct btf_builder *b, const struct member *member,
		    const struct resolved_type *resolved)
{
	switch (btf_kind(resolved->type)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_PTR:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return btf_number__add(b, member, resolved);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return add_struct_field(b, member, resolved);
	case BTF_KIND_ARRAY:
		return add_btf_array(b, member, resolved);
	default:
		return 0;
	}
}

/* ---- schemas --------------------------------------------------------------------------------- */

/* In a union, each member is last. */
static int check_stacks(struct btf_builder *b)
{
	for (uint32_t i = 0; i + 1 < b->plan.count; i++)
		if (field_type__of(&b->plan.fields[i])->class == PEAT_CLASS_STACK)
			return btf_builder__unsupported(b, STACKS_NOT_LAST);
	return 0;
}

/* A tag of the typedef `id` if it has one, else of the struct. */
static const char *find_tag(const struct btf_builder *b, uint32_t id, uint32_t struct_id,
			    const char *start)
{
	return btf_tags__find(&b->tags, id, TAGS_WHOLE, start)
		       ?: btf_tags__find(&b->tags, struct_id, TAGS_WHOLE, start);
}

static void bind_call(const struct btf_builder *b, struct peat_schema *schema)
{
	if (b->plan.call_args &&
	    !call_fields__bind(schema, b->plan.call_args_at, b->plan.call_args))
		log__warn("%s: its PEAT_CALL_ARGS(%s) does not name an enum, a number, characters "
			  "and a peat_endpoint",
			  b->name, b->plan.call_args);
}

/* A typedef has its own name, and its own tags if any. */
static int build_event(struct btf_builder *b, uint32_t id, struct peat_schema **schema)
{
	struct resolved_type resolved;
	struct member top = { .label = "", .may_be_open = true };
	int err = btf_builder__resolve(b, "", id, &resolved);

	if (err)
		return err;
	if (!btf_is_composite(resolved.type))
		return btf_builder__unsupported(b, "it is not a struct");
	if (resolved.type->size > EVENT_BYTES_MAX)
		return btf_builder__unsupported(b, "it has more than 65,535 bytes");
	if (!*b->name)
		b->name = btf__name_by_offset(b->btf, resolved.type->name_off);
	b->plan.subject = find_tag(b, id, resolved.id, "subject:");
	b->plan.like_tools = find_tag(b, id, resolved.id, "like:");
	top.limit = resolved.type->size;
	err = btf_schema__add_members(b, &top, &resolved);
	if (!err)
		err = check_stacks(b);
	if (err)
		return err;
	btf_schema__resolve_tags(b, 0);
	err = plan__pack(&b->plan, b->name, find_tag(b, id, resolved.id, "doc:"),
			 resolved.type->size, fields__event_reserved, schema);
	if (!err) {
		appended__init(*schema);
		several_strings__init(*schema);
		bind_call(b, *schema);
	}
	return err == -EBADMSG ? btf_builder__invalid(
					 b, "", "duplicate names, or more than 16 MiB of strings")
			       : err;
}

static int build_variable(struct btf_builder *b, uint32_t id, struct peat_schema **schema)
{
	const struct btf_type *type = btf__type_by_id(b->btf, id);
	struct member member = { .name = b->name, .label = b->name, .limit = EVENT_BYTES_MAX };
	struct resolved_type resolved;
	int err;

	if (!btf_is_var(type))
		return btf_builder__unsupported(b, "it is not a variable");
	err = btf_builder__resolve(b, b->name, type->type, &resolved);
	if (err)
		return err;
	member.show_as = btf_builder__read_tag(b, id, TAGS_WHOLE, b->name);
	member.doc = btf_tags__find(&b->tags, id, TAGS_WHOLE, "doc:");
	err = btf_schema__add(b, &member, &resolved);
	if (!err && !b->plan.count)
		err = btf_builder__unsupported(b, "it is a variable without a value");
	if (err)
		return err;
	return plan__pack(&b->plan, b->name, member.doc, b->plan.fields->bytes, nothing_reserved,
			  schema);
}

static int find_type_name(struct btf_builder *b, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(b->btf, id);
	const char *name = type ? btf__name_by_offset(b->btf, type->name_off) : NULL;

	if (!name) {
		log__error("no type %u in this BTF", id);
		return -EINVAL;
	}
	b->name = name;
	return 0;
}

static struct peat_schema *build_schema(const struct btf *btf, uint32_t id,
					int (*build_one)(struct btf_builder *b, uint32_t id,
							 struct peat_schema **schema))
{
	struct btf_builder b = { .btf = btf, .name = "a type" };
	struct peat_schema *schema = NULL;
	int err = btf ? btf_tags__read(&b.tags, btf) : -EINVAL;

	if (err == -EBADMSG)
		btf_builder__invalid(&b, "", "its types are misaligned, or a tag has no text");
	if (!err)
		err = find_type_name(&b, id);
	if (!err)
		err = build_one(&b, id, &schema);
	if (err == -ENOMEM)
		log__error("%s: no memory for its fields", b.name);
	btf_tags__free(&b.tags);
	plan__free(&b.plan);
	return err ? fail_null(err) : schema;
}

struct peat_schema *btf_schema__new(const struct btf *btf, uint32_t id, int stacks_fd,
				    uint32_t stack_max)
{
	struct peat_schema *schema = build_schema(btf, id, build_event);

	if (schema) {
		schema->stacks_fd = stacks_fd;
		schema->stack_max = stack_max;
	}
	return schema;
}

struct peat_schema *btf_schema__new_variable(const struct btf *btf, uint32_t id)
{
	return build_schema(btf, id, build_variable);
}

struct peat_schema *peat_schema__new(const struct btf *btf, uint32_t id)
{
	return btf_schema__new(btf, id, -1, 0);
}

void peat_schema__free(struct peat_schema *schema)
{
	if (schema)
		free(schema->memory);
}
