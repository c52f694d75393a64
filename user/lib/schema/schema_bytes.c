// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/schema_bytes.c: writes a schema as bytes, and reads it from bytes that may be anything. */
#include <stdlib.h>

#include "base/cursor.h"
#include "base/errors.h"
#include "base/store.h"
#include "field/appended.h"
#include "field/call_fields.h"
#include "field/several_strings.h"
#include "schema/plan.h"
#include "schema/schema_bytes.h"

#define VERSION	    1
#define BYTES_MAX   65535
#define DEPTH_MAX   32
#define CALL_FIELDS 5

enum schema_flag {
	SCHEMA_HAS_APPENDED = 1 << 0,
	SCHEMA_EXPECTS_APPENDED = 1 << 1,
	SCHEMA_IS_PEATS = 1 << 2,
	SCHEMA_HIDES_SAMPLE = 1 << 3,
};

enum field_flag {
	FIELD_IS_SIGNED = 1 << 0,
	FIELD_BIG_ENDIAN = 1 << 1,
	FIELD_IS_MINOR = 1 << 2,
	FIELD_IS_RARE = 1 << 3,
	FIELD_IS_HIDDEN = 1 << 4,
};

/* ---- writing --------------------------------------------------------------------------------- */

static void put_text(struct strbuf *out, const char *text)
{
	size_t bytes = text ? strlen(text) + 1 : 0;

	store_u32(out, (uint32_t)bytes);
	if (bytes)
		strbuf__bytes(out, text, bytes);
}

/* Index + 1; 0: none. */
static uint32_t index_of(const struct peat_schema *schema, const struct peat_field *field)
{
	return field ? (uint32_t)(field - schema->fields) + 1 : 0;
}

/* Fields of one enum share a list: the first one has it.  NULL: no names, or an earlier field. */
static bool is_first_of_list(const struct peat_schema *schema, uint32_t i)
{
	const struct peat_field *field = &schema->fields[i];

	for (uint32_t j = 0; j < i && field->name_count; j++)
		if (schema->fields[j].names == field->names && schema->fields[j].name_count)
			return false;
	return field->name_count;
}

/* The number of the list of field `i`, from 1; 0: it has none. */
static uint32_t list_of(const struct peat_schema *schema, uint32_t i)
{
	const struct peat_field *field = &schema->fields[i];
	uint32_t list = 0;

	for (uint32_t j = 0; field->name_count; j++) {
		list += is_first_of_list(schema, j);
		if (schema->fields[j].name_count && schema->fields[j].names == field->names)
			break;
	}
	return list;
}

static uint32_t count_lists(const struct peat_schema *schema)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < schema->count; i++)
		count += is_first_of_list(schema, i);
	return count;
}

static void put_list(const struct peat_field *field, struct strbuf *out)
{
	store_u32(out, field->name_count);
	for (uint32_t i = 0; i < field->name_count; i++) {
		store_u64(out, field->names[i].value);
		put_text(out, field->names[i].name);
	}
}

static void put_field(const struct peat_schema *schema, uint32_t i, struct strbuf *out)
{
	const struct peat_field *field = &schema->fields[i];

	store_u32(out, field->kind);
	store_u32(out, field->place);
	store_u32(out, (field->is_signed ? FIELD_IS_SIGNED : 0u) |
			       (field->big_endian ? FIELD_BIG_ENDIAN : 0u) |
			       (field->is_minor ? FIELD_IS_MINOR : 0u) |
			       (field->is_rare ? FIELD_IS_RARE : 0u) |
			       (field->is_hidden ? FIELD_IS_HIDDEN : 0u));
	store_u32(out, field->span);
	store_u32(out, field->offset);
	store_u32(out, field->bytes);
	store_u32(out, field->count);
	store_u32(out, field->bit_offset | (uint32_t)field->bits << 8);
	store_u32(out, list_of(schema, i));
	store_u32(out, index_of(schema, field->length));
	store_u32(out, index_of(schema, field->presence));
	put_text(out, field->name);
	put_text(out, field->doc);
}

void schema_bytes__put(const struct peat_schema *schema, struct strbuf *out)
{
	const struct call_fields *call = &schema->call;

	store_u32(out, VERSION);
	store_u32(out, (schema->appended.name ? SCHEMA_HAS_APPENDED : 0u) |
			       (schema->expects_appended ? SCHEMA_EXPECTS_APPENDED : 0u) |
			       (schema->is_peats ? SCHEMA_IS_PEATS : 0u) |
			       (schema->hides_sample ? SCHEMA_HIDES_SAMPLE : 0u));
	store_u32(out, schema->bytes);
	store_u32(out, count_lists(schema));
	store_u32(out, schema->count);
	store_u64(out, schema->sampled);
	store_u64(out, schema->unknown);
	put_text(out, schema->name);
	put_text(out, schema->doc);
	put_text(out, schema->subject);
	put_text(out, schema->like_tools);
	store_u32(out, index_of(schema, call->args));
	store_u32(out, index_of(schema, call->call));
	store_u32(out, index_of(schema, call->texts));
	store_u32(out, index_of(schema, call->memory));
	store_u32(out, index_of(schema, call->endpoint));
	for (uint32_t i = 0; i < schema->count; i++)
		if (is_first_of_list(schema, i))
			put_list(&schema->fields[i], out);
	for (uint32_t i = 0; i < schema->count; i++)
		put_field(schema, i, out);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A schema while it is read; texts point into the bytes. */
struct reading {
	struct cursor cur;
	struct plan plan;
	struct plan_names **lists; /* those of the plan, by number */
	uint32_t list_count, flags, bytes;
	uint32_t call[CALL_FIELDS];
	uint64_t sampled, unknown;
	const char *name, *doc;
};

/* NULL: none, or damaged. */
static const char *read_text(struct cursor *cur)
{
	uint32_t bytes = cursor__u32(cur);
	const char *text = cursor__bytes(cur, bytes);

	if (!bytes || !text)
		return NULL;
	if (memchr(text, '\0', bytes) == text + bytes - 1)
		return text;
	cursor__fail(cur);
	return NULL;
}

static const char *read_name(struct cursor *cur)
{
	const char *name = read_text(cur);

	if (!name)
		cursor__fail(cur);
	return name;
}

/* Each name has 13 bytes at least: the number of names is bounded by the bytes. */
static int read_list(struct reading *r, uint32_t number)
{
	const uint32_t least = sizeof(uint64_t) + sizeof(uint32_t) + 1;
	uint32_t count = cursor__u32(&r->cur);
	struct plan_names *list;

	if (count > cursor__left(&r->cur) / least || !count)
		return -EBADMSG;
	list = calloc(1, sizeof(*list) + count * sizeof(*list->names));
	if (!list)
		return -ENOMEM;
	list->id = number;
	list->count = count;
	for (uint32_t i = 0; i < count; i++) {
		list->names[i].value = cursor__u64(&r->cur);
		list->names[i].name = read_name(&r->cur);
	}
	if (r->cur.bad) {
		free(list);
		return -EBADMSG;
	}
	r->lists[number] = list;
	return plan__keep_names(&r->plan, list);
}

static int read_lists(struct reading *r)
{
	int err = 0;

	if (r->list_count > PLAN_FIELDS_MAX)
		return -EBADMSG;
	r->lists = calloc(r->list_count + 1, sizeof(struct plan_names *));
	if (!r->lists)
		return -ENOMEM;
	for (uint32_t i = 0; !err && i < r->list_count; i++)
		err = read_list(r, i);
	return err;
}

static int set_names(struct reading *r, uint32_t list, struct peat_field *field)
{
	if (list > r->list_count || !list != !field_type__of(field)->has_own_names)
		return list ? -EBADMSG : 0;
	if (list) {
		field->names = r->lists[list - 1]->names;
		field->name_count = r->lists[list - 1]->count;
	}
	return 0;
}

static int read_field(struct reading *r)
{
	struct peat_field field = { .kind = cursor__u32(&r->cur) };
	uint32_t place = cursor__u32(&r->cur), flags = cursor__u32(&r->cur), bits, list;
	struct plan_tags tags = { 0 };
	int index;

	field.place = place;
	field.is_signed = flags & FIELD_IS_SIGNED;
	field.big_endian = flags & FIELD_BIG_ENDIAN;
	field.is_minor = flags & FIELD_IS_MINOR;
	field.is_rare = flags & FIELD_IS_RARE;
	field.is_hidden = flags & FIELD_IS_HIDDEN;
	field.span = cursor__u32(&r->cur);
	field.offset = cursor__u32(&r->cur);
	field.bytes = cursor__u32(&r->cur);
	field.count = cursor__u32(&r->cur);
	bits = cursor__u32(&r->cur);
	field.bit_offset = (uint8_t)bits;
	field.bits = (uint8_t)(bits >> 8);
	list = cursor__u32(&r->cur);
	tags.length_at = cursor__u32(&r->cur);
	tags.presence_at = cursor__u32(&r->cur);
	field.name = read_name(&r->cur);
	field.doc = read_text(&r->cur);
	if (r->cur.bad || field.kind >= FIELD_KINDS || place > PEAT_PLACE_REL_LOC || bits >> 16)
		return -EBADMSG;
	index = set_names(r, list, &field);
	if (!index)
		index = plan__add(&r->plan, &field);
	if (index < 0)
		return index == -EINVAL ? -EBADMSG : index;
	r->plan.tags[index] = tags;
	return 0;
}

static int read_all(struct reading *r)
{
	uint32_t version = cursor__u32(&r->cur), count;
	int err;

	r->flags = cursor__u32(&r->cur);
	r->bytes = cursor__u32(&r->cur);
	r->list_count = cursor__u32(&r->cur);
	count = cursor__u32(&r->cur);
	r->sampled = cursor__u64(&r->cur);
	r->unknown = cursor__u64(&r->cur);
	r->name = read_name(&r->cur);
	r->doc = read_text(&r->cur);
	r->plan.subject = read_text(&r->cur);
	r->plan.like_tools = read_text(&r->cur);
	for (uint32_t i = 0; i < CALL_FIELDS; i++)
		r->call[i] = cursor__u32(&r->cur);
	if (r->cur.bad || version != VERSION || r->bytes > BYTES_MAX || count > PLAN_FIELDS_MAX)
		return -EBADMSG;
	err = read_lists(r);
	for (uint32_t i = 0; !err && i < count; i++)
		err = read_field(r);
	return err ?: r->cur.bad || cursor__left(&r->cur) ? -EBADMSG : 0;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Fields from `first` to before `end` are of one struct of `bytes` bytes. */
struct members {
	const struct plan *plan;
	uint32_t first, end, bytes, depth;
};

static bool are_members_valid(const struct members *members);

static bool is_endpoint_valid(const struct peat_field *field)
{
	const struct peat_field *port = field + 2;

	return field->bytes == ENDPOINT_BYTES && field->span == 3 &&
	       field_type__of(field + 1) == &field_type__ipv6 && !field[1].offset &&
	       field_type__of(port) == &field_type__port && port->offset == ENDPOINT_PORT_AT;
}

/* An array has one field inside, with bytes, of which each element has all. */
static bool are_elements_valid(const struct members *members, uint32_t index)
{
	const struct peat_field *field = &members->plan->fields[index];
	const struct members element = { members->plan, index + 1, index + field->span,
					 field[1].bytes, members->depth + 1 };

	return field->span > 1 && field[1].bytes && !field[1].bits && !field[1].offset &&
	       field[1].span == field->span - 1 && field[1].place == PEAT_PLACE_OFFSET &&
	       (uint64_t)field->count * field[1].bytes <= BYTES_MAX && are_members_valid(&element);
}

static bool is_size_valid(const struct peat_field *field)
{
	const struct field_type *type = field_type__of(field);

	if (type->class == PEAT_CLASS_ADDRESS)
		return field->bytes == type->bytes;
	if (type->class == PEAT_CLASS_FLOAT)
		return field->bytes == 4 || field->bytes == 8;
	if (type->class == PEAT_CLASS_STACK)
		return true;
	return !field_type__is_number(field->kind) || fields__is_number(field);
}

static bool is_place_valid(const struct members *members, const struct peat_field *field)
{
	const enum peat_field_class class = field_type__of(field)->class;
	uint32_t bytes = field->place == PEAT_PLACE_OFFSET ? field->bytes : sizeof(uint32_t);

	if (field->place != PEAT_PLACE_OFFSET && class != PEAT_CLASS_TEXT &&
	    class != PEAT_CLASS_BYTES && class != PEAT_CLASS_ELEMENTS)
		return false;
	return field->offset <= members->bytes && bytes <= members->bytes - field->offset;
}

/* 0: none; otherwise a number beside it, which depends on no other field. */
static bool is_number_beside(const struct members *members, uint32_t at)
{
	uint32_t i = members->first;

	if (!at)
		return true;
	while (i < members->end && i != at - 1)
		i += members->plan->fields[i].span;
	return i == at - 1 && i < members->end && fields__is_number(&members->plan->fields[i]) &&
	       !members->plan->tags[i].length_at && !members->plan->tags[i].presence_at;
}

static bool is_field_valid(const struct members *members, uint32_t index)
{
	const struct peat_field *field = &members->plan->fields[index];
	const struct plan_tags *tags = &members->plan->tags[index];
	const struct members inner = { members->plan, index + 1, index + field->span, field->bytes,
				       members->depth + 1 };

	if (!field->span || field->span > members->end - index || !is_size_valid(field) ||
	    !is_place_valid(members, field) || !is_number_beside(members, tags->length_at) ||
	    !is_number_beside(members, tags->presence_at))
		return false;
	if (field_type__of(field)->class == PEAT_CLASS_ELEMENTS)
		return are_elements_valid(members, index);
	if (field_type__of(field) == &field_type__endpoint && field->span == 3)
		return is_endpoint_valid(field) && are_members_valid(&inner);
	if (fields__has_members(field) && field_type__of(field) != &field_type__endpoint)
		return are_members_valid(&inner);
	return field->span == 1 && field_type__of(field) != &field_type__endpoint;
}

/* Spans are checked before they are followed. */
static bool are_members_valid(const struct members *members)
{
	if (members->depth > DEPTH_MAX)
		return false;
	for (uint32_t i = members->first; i < members->end; i += members->plan->fields[i].span)
		if (!members->plan->fields[i].span ||
		    members->plan->fields[i].span > members->end - i)
			return false;
	for (uint32_t i = members->first; i < members->end; i += members->plan->fields[i].span)
		if (!is_field_valid(members, i))
			return false;
	return true;
}

/* Stacks are last, and of the event itself. */
static bool are_stacks_valid(const struct plan *plan)
{
	for (uint32_t i = 0; i + 1 < plan->count; i++)
		if (field_type__of(&plan->fields[i])->class == PEAT_CLASS_STACK)
			return false;
	return true;
}

static bool is_valid(const struct reading *r)
{
	const struct members all = { &r->plan, 0, r->plan.count, r->bytes, 0 };

	return are_members_valid(&all) && are_stacks_valid(&r->plan);
}

/* ---- the schema ------------------------------------------------------------------------------ */

/* As of call_fields__bind(): the fields are of the event itself, and of these kinds. */
static const struct peat_field *call_field(const struct peat_schema *schema, uint32_t at)
{
	uint32_t i = 0;

	while (at && i < schema->count && i != at - 1)
		i += schema->fields[i].span;
	return at && i < schema->count ? &schema->fields[i] : NULL;
}

static void append_call_name(struct strbuf *names, const struct peat_field *field)
{
	strbuf__text(names, names->count ? ", " : "");
	strbuf__text(names, field->name);
}

/* The names of the fields bind them again, with all checks. */
static int bind_call(struct peat_schema *schema, const uint32_t call[CALL_FIELDS])
{
	const struct peat_field *args = call_field(schema, call[0]), *field;
	struct strbuf names = { 0 };
	bool is_bound = true;

	if (!args)
		return call[0] ? -EBADMSG : 0;
	for (uint32_t i = 1; i < CALL_FIELDS && call[i]; i++) {
		field = call_field(schema, call[i]);
		if (!field) {
			strbuf__free(&names);
			return -EBADMSG;
		}
		append_call_name(&names, field);
	}
	strbuf__char(&names, '\0');
	if (!names.failed)
		is_bound = call_fields__bind(schema, call[0] - 1, names.bytes);
	strbuf__free(&names);
	return names.failed ? -ENOMEM : is_bound ? 0 : -EBADMSG;
}

static int make_schema(const struct reading *r, struct peat_schema **made)
{
	static const char *const nothing_reserved[] = { NULL };
	struct peat_schema *schema;
	int err = plan__pack(&r->plan, r->name, r->doc, r->bytes, nothing_reserved, made);

	if (err)
		return err;
	schema = *made;
	schema->sampled = r->sampled;
	schema->unknown = r->unknown;
	schema->expects_appended = r->flags & SCHEMA_EXPECTS_APPENDED;
	schema->is_peats = r->flags & SCHEMA_IS_PEATS;
	schema->hides_sample = r->flags & SCHEMA_HIDES_SAMPLE;
	if (r->flags & SCHEMA_HAS_APPENDED)
		appended__init(schema);
	several_strings__init(schema);
	return bind_call(schema, r->call);
}

struct peat_schema *schema_bytes__read(const void *bytes, size_t count)
{
	static const struct peat_layout layout;
	struct peat_schema *schema = NULL;
	struct reading r = { 0 };
	int err;

	cursor__init(&r.cur, bytes, (const uint8_t *)bytes + count, &layout);
	err = read_all(&r);
	if (!err && !is_valid(&r))
		err = -EBADMSG;
	if (!err)
		err = make_schema(&r, &schema);
	free(r.lists);
	plan__free(&r.plan);
	if (!err)
		return schema;
	peat_schema__free(schema);
	return fail_null(err);
}
