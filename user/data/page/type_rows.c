// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page/type_rows.c: the fields of a type's events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/recorded.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "page/type_rows.h"
#include "print/tool_event.h"
#include "stacks/stack_weight.h"

#define ROWS_MAX   16384
#define BYTES_MAX  (1u << 20)
#define TEXT_BYTES 1024 /* longer texts are cut */

/* ---- making it ------------------------------------------------------------------------------- */

bool page_field__is_number(const struct page_field *field)
{
	return peat_field__class(field->field) == PEAT_CLASS_NUMBER;
}

/* The new field, with its path; NULL: no memory. */
static struct page_field *add_field(struct page_type *type, const struct peat_field *field,
				    const char *prefix)
{
	size_t bytes = (type->field_count + 1) * sizeof(*type->fields);
	struct page_field *fields = realloc(type->fields, bytes), *added;

	if (!fields)
		return NULL;
	type->fields = fields;
	added = &fields[type->field_count];
	*added = (struct page_field){ .field = field };
	if (asprintf(&added->path, "%s%s", prefix, field->name) < 0)
		return NULL;
	type->field_count++;
	added->column.is_text = !page_field__is_number(added);
	return added;
}

static int add_members(struct page_type *type, const struct peat_field *fields,
		       const struct peat_field *end, const char *prefix, uint32_t base);

static int add_struct(struct page_type *type, const struct peat_field *field, const char *prefix,
		      uint32_t base)
{
	char *inner;
	int err;

	if (asprintf(&inner, "%s%s%s", prefix, field->name, *field->name ? "." : "") < 0)
		return -ENOMEM;
	err = add_members(type, field + 1, field + field->span, inner, base + field->offset);
	free(inner);
	return err;
}

/* Structs are nested at most 32 deep: peat_schema__new(). */
static int add_members(struct page_type *type, const struct peat_field *fields,
		       const struct peat_field *end, const char *prefix, uint32_t base)
{
	int err = 0;

	for (const struct peat_field *field = fields; !err && field < end; field += field->span) {
		struct page_field *added;

		if (peat_field__class(field) == PEAT_CLASS_MEMBERS) {
			err = add_struct(type, field, prefix, base);
			continue;
		}
		added = add_field(type, field, prefix);
		if (added)
			added->base = base;
		err = added ? 0 : -ENOMEM;
	}
	return err;
}

struct adding {
	struct page_type *type;
	int err;
};

static void add_sampled(void *context, const char *name)
{
	struct adding *adding = context;
	const struct sampled_number *number = sampled__find(adding->type->schema, name);
	struct page_field *added;

	if (adding->err || !number)
		return;
	added = add_field(adding->type, &number->field, "");
	if (added)
		added->sampled = number;
	adding->err = added ? 0 : -ENOMEM;
}

static int add_fields(struct page_type *type)
{
	const struct peat_schema *schema = type->schema;
	struct adding adding = { .type = type };
	int err;

	if (!schema)
		return 0;
	err = add_members(type, schema->fields, fields__end(schema), "", 0);
	if (err)
		return err;
	sampled__list(schema, add_sampled, &adding);
	return adding.err;
}

/* The first duration outside of structs. */
static const struct page_field *find_duration(const struct page_type *type)
{
	for (uint32_t i = 0; i < type->field_count; i++)
		if (field_type__of(type->fields[i].field)->unit == FIELD_NANOSECONDS &&
		    !type->fields[i].base && !type->fields[i].sampled)
			return &type->fields[i];
	return NULL;
}

static char *name_of(const struct peat_event *event)
{
	char tool[TOOL_EVENT_NAME_BYTES];

	if (event->kind != PEAT_EVENT_TOOL)
		return strdup(stack_weight__event_name(event));
	tool_event__name(event, tool);
	return strdup(tool);
}

struct page_type *page_type__new(const struct peat_event *event, uint32_t number)
{
	struct page_type *type = calloc(1, sizeof(*type));

	if (!type)
		return NULL;
	type->number = number;
	type->schema = event->schema;
	type->name = name_of(event);
	if (!type->name || add_fields(type)) {
		page_type__free(type);
		return NULL;
	}
	type->duration = find_duration(type);
	return type;
}

void page_type__free(struct page_type *type)
{
	if (!type)
		return;
	for (uint32_t i = 0; i < type->field_count; i++) {
		page_column__free(&type->fields[i].column);
		free(type->fields[i].path);
	}
	free(type->fields);
	free(type->name);
	free(type);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The struct that has the field, and the bytes of the event from there on. */
static const char *part_of(const struct page_field *field, const struct peat_event *event,
			   uint32_t *bytes)
{
	uint32_t base = field->base < event->size ? field->base : event->size;

	*bytes = event->data ? event->size - base : 0;
	return event->data ? (const char *)event->data + base : "";
}

/* Arrays are there in any case; other fields have bytes, unless they are absent. */
static bool is_there(const struct page_field *field, const char *data, uint32_t bytes,
		     const void **used, uint32_t *count)
{
	const struct peat_field *it = field->field;

	*used = fields__bytes(it, data, bytes, count);
	return *used || field_type__of(it)->class == PEAT_CLASS_ELEMENTS;
}

/* Whether equal bytes are equal texts: texts of other kinds may depend on other fields. */
static bool is_made_of_bytes(const struct peat_field *field)
{
	enum peat_field_class class = peat_field__class(field);

	return (class == PEAT_CLASS_NAMED || class == PEAT_CLASS_ADDRESS) && !field->bits;
}

static void add_text(struct page_field *field, const char *data, uint32_t bytes)
{
	char text[TEXT_BYTES];
	const void *used;
	uint32_t count;
	size_t length;

	if (!is_there(field, data, bytes, &used, &count)) {
		page_column__add_missing(&field->column);
		return;
	}
	if (used && is_made_of_bytes(field->field) &&
	    page_column__add_same(&field->column, used, count))
		return;
	length = peat_field__text(field->field, data, bytes, text, sizeof(text));
	if (length >= sizeof(text))
		length = sizeof(text) - 1;
	page_column__add_text(&field->column, text, length);
}

static void add_value(struct page_field *field, const struct peat_event *event)
{
	uint32_t bytes;
	const char *data = part_of(field, event, &bytes);
	uint64_t value;

	if (field->column.is_text)
		add_text(field, data, bytes);
	else if (peat_field__number(field->field, data, bytes, &value) &&
		 !fields__is_unknown(field->field, value))
		page_column__add_number(&field->column, value, field->field->is_signed);
	else
		page_column__add_missing(&field->column);
}

static void add_sampled_value(struct page_field *field, const struct peat_event *event)
{
	const char *text;
	uint64_t value;
	char number[32];

	if (sampled__read(field->sampled, event, &value)) {
		if (page_field__is_number(field)) {
			page_column__add_number(&field->column, value, field->field->is_signed);
			return;
		}
		snprintf(number, sizeof(number), "0x%llx", (unsigned long long)value);
		page_column__add_text(&field->column, number, strlen(number));
		return;
	}
	text = sampled__text(field->sampled, event);
	if (text && !page_field__is_number(field))
		page_column__add_text(&field->column, text, strlen(text));
	else
		page_column__add_missing(&field->column);
}

void page_type__add(struct page_type *type, const struct peat_event *event)
{
	type->events++;
	type->rows++;
	for (uint32_t i = 0; i < type->field_count; i++)
		if (type->fields[i].sampled)
			add_sampled_value(&type->fields[i], event);
		else
			add_value(&type->fields[i], event);
}

/* A rare field that is 0 was not measured. */
bool page_type__duration(const struct page_type *type, const struct peat_event *event, uint64_t *ns)
{
	uint32_t bytes;
	const char *data;

	if (!type->duration)
		return false;
	data = part_of(type->duration, event, &bytes);
	return peat_field__number(type->duration->field, data, bytes, ns) &&
	       (*ns || !type->duration->field->is_rare) && *ns <= event->time_ns;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

bool page_type__is_full(const struct page_type *type)
{
	size_t bytes = 0;

	if (type->rows >= ROWS_MAX)
		return true;
	if (type->rows % 256)
		return false;
	for (uint32_t i = 0; i < type->field_count; i++)
		bytes += page_column__bytes(&type->fields[i].column);
	return bytes >= BYTES_MAX;
}

void page_type__put(struct page_type *type, struct strbuf *out)
{
	struct strbuf bytes = { 0 };

	for (uint32_t i = 0; i < type->field_count; i++) {
		page_column__put(&type->fields[i].column, &bytes);
		varint__put_bytes(out, bytes.bytes, bytes.count);
		out->failed |= bytes.failed;
		strbuf__cut(&bytes, 0);
	}
	type->rows = 0;
	strbuf__free(&bytes);
}
