// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/keys.c: the key of an event as bytes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field/field_text.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "tables/keys.h"

/* The place of a string that is unknown: it is beyond every row. */
#define NO_PLACE UINT32_MAX

/* The text of a key; NULL: unknown. */
static const char *common_text(const struct table_field *field, const struct peat_event *event)
{
	if (field->operand == TABLE_COMM)
		return event->comm;
	if (field->operand == TABLE_HOST)
		return *field->host;
	if (field->operand == TABLE_SAMPLED)
		return sampled__text(field->sampled, event);
	if (event->schema)
		return peat_schema__name(event->schema);
	return event->kind == PEAT_EVENT_RECORD ? "record" : "raw";
}

static const void *field_bytes(const struct table_field *field, const struct peat_event *event,
			       uint32_t *count)
{
	if (field->base > event->size)
		return NULL;
	return fields__bytes(field->field, (const char *)event->data + field->base,
			     event->size - field->base, count);
}

/* Appends a string or bytes to the key, and stores their place at offset `at`. */
static int put_bytes(struct strbuf *out, uint32_t at, uint32_t place, const void *bytes,
		     uint32_t count)
{
	uint32_t loc = count << 16 | place;

	if (place + count > TABLE_ROW_BYTES_MAX)
		return -EMSGSIZE;
	strbuf__bytes(out, bytes, count);
	if (out->failed)
		return -ENOMEM;
	memcpy(out->bytes + at, &loc, sizeof(loc));
	return 1;
}

static int put_text(struct strbuf *out, const struct table_column *column, uint32_t place,
		    const struct table_field *field, const struct peat_event *event)
{
	const void *bytes;
	uint32_t count, none = NO_PLACE;

	if (field->operand == TABLE_FIELD) {
		bytes = field_bytes(field, event, &count);
		if (!bytes)
			return 0;
		if (column->is_string)
			count = (uint32_t)strnlen(bytes, count);
		if (count > TABLE_ROW_BYTES_MAX)
			return -EMSGSIZE;
		return put_bytes(out, column->field.offset, place, bytes, count);
	}
	bytes = common_text(field, event);
	if (bytes)
		return put_bytes(out, column->field.offset, place, bytes, (uint32_t)strlen(bytes));
	memcpy(out->bytes + column->field.offset, &none, sizeof(none));
	return 1;
}

/* The two zeroes of floats are one key. */
static bool read_float(const struct table_field *field, const struct peat_event *event,
		       double *value)
{
	if (field->base > event->size ||
	    !field_text__float(field->field, (const char *)event->data + field->base,
			       event->size - field->base, value))
		return false;
	*value += 0.0;
	return true;
}

/* Stores a field of one size at `at`.  False: the event ends before it. */
static bool put_fixed(char *at, const struct table_column *column, const struct table_field *field,
		      const struct peat_event *event)
{
	const void *bytes;
	uint64_t number;
	uint32_t count;
	double value;

	switch (column->class) {
	case PEAT_CLASS_FLOAT:
		if (!read_float(field, event, &value))
			return false;
		memcpy(at, &value, sizeof(value));
		return true;
	case PEAT_CLASS_ADDRESS:
		bytes = field_bytes(field, event, &count);
		if (!bytes || count != column->field.bytes)
			return false;
		memcpy(at, bytes, count);
		return true;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_TEXT:
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_MEMBERS:
	case PEAT_CLASS_ELEMENTS:
	case PEAT_CLASS_STACK:
		break;
	}
	if (!table_column__number(field, event, &number))
		return false;
	if (column->is_truth)
		number = number != 0;
	memcpy(at, &number, sizeof(number));
	return true;
}

/* As table_keys__make(). */
static int put_stack(char *at, const struct table_types *types, const struct peat_event *event)
{
	uint64_t id = 0;
	int err = types->stack_id(types->stack_arg, event, &id);

	memcpy(at, &id, sizeof(id));
	return err < 0 ? err : 1;
}

int table_keys__make(const struct table_types *types, const struct table_plan *plan,
		     const struct peat_event *event, uint32_t strings_at, struct strbuf *out)
{
	int done = 1;

	strbuf__cut(out, 0);
	strbuf__fill(out, 0, types->key_bytes);
	if (out->failed)
		done = -ENOMEM;
	for (uint32_t i = 0; done == 1 && i < types->key_count; i++) {
		const struct table_column *column = &types->keys[i];
		uint32_t place = strings_at + (uint32_t)out->count - types->key_bytes;

		if (plan->keys[i].operand == TABLE_STACK)
			done = put_stack(out->bytes + column->field.offset, types, event);
		else if (table_column__has_place(column))
			done = put_text(out, column, place, &plan->keys[i], event);
		else
			done = put_fixed(out->bytes + column->field.offset, column, &plan->keys[i],
					 event);
	}
	if (out->failed)
		strbuf__free(out);
	return done;
}

void table_keys__store(const struct table_types *types, const void *key, uint32_t key_bytes,
		       uint32_t strings_at, char *row)
{
	memcpy(row, key, types->key_bytes);
	memcpy(row + strings_at, (const char *)key + types->key_bytes,
	       key_bytes - types->key_bytes);
}
