// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/columns.c: columns that are fields of events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "tables/columns.h"

/* ---- finding --------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum table_operand operand;
} all_events_have[] = {
	{ "pid", TABLE_PID },	{ "tid", TABLE_TID },	{ "cpu", TABLE_CPU },
	{ "comm", TABLE_COMM }, { "type", TABLE_TYPE }, { "stack", TABLE_STACK },
};
#define ALL_EVENTS_HAVE (sizeof(all_events_have) / sizeof(*all_events_have))

static bool find_common(const char *path, struct table_field *field)
{
	for (size_t i = 0; i < ALL_EVENTS_HAVE; i++)
		if (!strcmp(all_events_have[i].name, path)) {
			*field = (struct table_field){ .operand = all_events_have[i].operand };
			return true;
		}
	return false;
}

bool table_column__find(const char *path, const struct peat_schema *schema,
			struct table_field *field)
{
	*field = (struct table_field){ .operand = TABLE_FIELD };
	if (schema)
		field->field = peat_schema__find(schema, path, &field->base);
	if (field->field && field_type__of(field->field)->class != PEAT_CLASS_STACK)
		return true;
	if (find_common(path, field) || field->field)
		return true;
	field->sampled = sampled__find(schema, path);
	if (!field->sampled)
		return false;
	field->operand = TABLE_SAMPLED;
	field->field = &field->sampled->field;
	return true;
}

const char *table_column__type_name(const struct peat_schema *schema)
{
	return schema ? peat_schema__name(schema) : "events without a type";
}

static bool is_text(const struct table_field *field)
{
	return field->operand == TABLE_COMM || field->operand == TABLE_TYPE ||
	       field->operand == TABLE_HOST ||
	       (field->operand == TABLE_SAMPLED && field->sampled->read_text);
}

/* Why a field cannot be a key; NULL: it can. */
static const char *unfit_key(const struct peat_field *field)
{
	const struct field_type *type = field_type__of(field);
	bool fits = false;

	switch (type->class) {
	case PEAT_CLASS_TEXT:
	case PEAT_CLASS_BYTES:
		return NULL;
	case PEAT_CLASS_MEMBERS:
		return "a struct: name a field in it";
	case PEAT_CLASS_ELEMENTS:
		return "an array: name another field";
	case PEAT_CLASS_STACK:
		return "the event's stack: name it 'stack'";
	case PEAT_CLASS_FLOAT:
		fits = !field->bits && (field->bytes == 4 || field->bytes == 8);
		break;
	case PEAT_CLASS_ADDRESS:
		fits = field->bytes == type->bytes;
		break;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
		fits = fields__is_number(field);
		break;
	}
	return fits ? NULL : "of a size that its kind cannot have: name another field";
}

int table_column__check_key(const char *path, const struct table_field *field,
			    const struct peat_schema *schema)
{
	const char *why = field->operand == TABLE_FIELD ? unfit_key(field->field) : NULL;

	if (!why)
		return 0;
	log__error("a table by '%s': in %s, it is %s", path, table_column__type_name(schema), why);
	return -EINVAL;
}

int table_column__check_value(const char *path, const struct table_field *field,
			      const struct peat_schema *schema)
{
	if (field->operand == TABLE_FIELD ? fields__is_number(field->field)
					  : !is_text(field) && field->operand != TABLE_STACK)
		return 0;
	log__error("a table of '%s': in %s, it is no integer: only events can be counted, by it",
		   path, table_column__type_name(schema));
	return -EINVAL;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* The column that one type alone makes. */
static struct table_column column_of(const struct table_field *like)
{
	const struct peat_field *field = like->field;
	struct table_column column = { .known = true, .like = *like };
	const struct field_type *type;

	if (is_text(like)) {
		column.field.kind = PEAT_FIELD_STRING;
	} else if (like->operand == TABLE_STACK) {
		column.field.kind = PEAT_FIELD_STACK;
	} else if (!field) {
		column.field.kind = PEAT_FIELD_SIGNED; /* -1: PEAT_NO_TASK, PEAT_NO_CPU */
		column.field.is_signed = true;
	} else {
		column.field.kind = field->kind;
		column.field.is_signed = field->is_signed && fields__is_number(field);
		column.field.names = field->names;
		column.field.name_count = field->name_count;
		column.has_u64 = !field->is_signed && field->bytes == 8 && !field->bits;
	}
	type = field_type__of(&column.field);
	column.class = type->class;
	column.is_string = type->strings == FIELD_ONE_STRING;
	column.is_truth = type->is_truth;
	return column;
}

static void set_size(struct peat_field *field)
{
	const struct field_type *type = field_type__of(field);

	field->span = 1;
	field->bytes = 8;
	switch (type->class) {
	case PEAT_CLASS_TEXT:
	case PEAT_CLASS_BYTES:
		field->bytes = 0;
		field->place = PEAT_PLACE_DATA_LOC;
		break;
	case PEAT_CLASS_ADDRESS:
		field->bytes = type->bytes;
		break;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_FLOAT:
	case PEAT_CLASS_MEMBERS:
	case PEAT_CLASS_ELEMENTS:
	case PEAT_CLASS_STACK:
		break;
	}
}

static bool has_same_names(const struct peat_field *a, const struct peat_field *b)
{
	if (a->name_count != b->name_count)
		return false;
	for (uint32_t i = 0; i < a->name_count; i++)
		if (a->names[i].value != b->names[i].value ||
		    strcmp(a->names[i].name, b->names[i].name) != 0)
			return false;
	return true;
}

static const struct peat_schema *stacks_of(const struct table_column *column)
{
	return field_type__of(&column->field)->frames ? column->like.field->schema : NULL;
}

static bool has_same_stacks(const struct table_column *a, const struct table_column *b)
{
	const struct peat_schema *one = stacks_of(a), *other = stacks_of(b);

	return one == other || (one && other && one->stacks_fd == other->stacks_fd);
}

/* Why two types cannot fill one column; NULL: they can. */
static const char *mismatch(const struct table_column *column, const struct table_column *more,
			    bool fixed)
{
	if (column->field.kind != more->field.kind &&
	    !(field_type__is_plain(column->field.kind) && field_type__is_plain(more->field.kind)))
		return "is of another kind";
	if (!has_same_names(&column->field, &more->field))
		return "has other names for its values";
	if (!has_same_stacks(column, more))
		return "has its stacks in another map";
	if (column->field.is_signed == more->field.is_signed)
		return NULL;
	if (column->field.is_signed ? more->has_u64 : column->has_u64)
		return "is signed in one type, and unsigned with 64 bits in the other";
	return fixed && more->field.is_signed ? "is signed, and rows were read before" : NULL;
}

int table_column__merge(struct table_column *column, const struct table_field *field,
			const struct peat_schema *schema, bool fixed)
{
	struct table_column more = column_of(field);
	const char *why;

	if (!column->known) {
		more.path = column->path;
		more.field.offset = column->field.offset;
		set_size(&more.field);
		*column = more;
		return 0;
	}
	why = mismatch(column, &more, fixed);
	if (why) {
		log__error("a table by '%s': the one of %s %s: make a table for each type",
			   column->path, table_column__type_name(schema), why);
		return -EINVAL;
	}
	column->has_u64 |= more.has_u64;
	if (more.field.is_signed && !column->field.is_signed) {
		column->field.is_signed = true;
		column->field.kind = more.field.kind;
	}
	return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

bool table_column__number(const struct table_field *field, const struct peat_event *event,
			  uint64_t *number)
{
	switch (field->operand) {
	case TABLE_FIELD:
		return field->base <= event->size &&
		       peat_field__number(field->field, (const char *)event->data + field->base,
					  event->size - field->base, number);
	case TABLE_PID:
		*number = (uint64_t)(int32_t)event->pid;
		return true;
	case TABLE_TID:
		*number = (uint64_t)(int32_t)event->tid;
		return true;
	case TABLE_CPU:
		*number = (uint64_t)(int32_t)event->cpu;
		return true;
	case TABLE_SAMPLED:
		return sampled__read(field->sampled, event, number);
	default:
		return false;
	}
}

/* ---- the schema of rows ---------------------------------------------------------------------- */

int table_column__plan_names(struct plan *plan, struct peat_field *field)
{
	struct plan_names *list;
	int err;

	if (!field->name_count)
		return 0;
	list = calloc(1, sizeof(*list) + field->name_count * sizeof(*list->names));
	if (!list)
		return -ENOMEM;
	list->count = field->name_count;
	memcpy(list->names, field->names, field->name_count * sizeof(*list->names));
	err = plan__keep_names(plan, list);
	field->names = list->names;
	field->name_count = list->count;
	return err;
}

/* The members of an endpoint, which JSON has. */
static int plan_members(struct plan *plan, const struct peat_field *like)
{
	int err = 0;

	for (uint32_t i = 1; err >= 0 && i < like->span; i++)
		err = plan__add(plan, &like[i]);
	return err;
}

int table_column__plan(struct plan *plan, const struct table_column *column, const char *name)
{
	const struct peat_field *like = column->like.field;
	struct peat_field field = column->field;
	bool has_members = fields__has_members(&field);
	int err = table_column__plan_names(plan, &field);

	field.name = name;
	field.doc = like ? like->doc : NULL;
	if (has_members)
		field.span = like->span;
	if (!err)
		err = plan__add(plan, &field);
	if (err >= 0 && has_members)
		err = plan_members(plan, like);
	return err < 0 ? err : 0;
}
