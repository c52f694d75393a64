// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/stack_weight.c: the weight of an event's stack. */
#include <errno.h>

#include "stacks/stack_weight.h"
#include "base/log.h"
#include "base/text.h"
#include "base/suggestion.h"
#include "field/field_type.h"
#include "where/path.h"

#define PERIOD "period"

const char *stack_weight__event_name(const struct peat_event *event)
{
	return event->schema ? peat_schema__name(event->schema) : "unknown";
}

bool stack_weight__is_clock(const char *event)
{
	size_t bytes = strcspn(event, ":/");

	return (bytes == strlen("cpu-clock") && begins_with(event, "cpu-clock")) ||
	       (bytes == strlen("task-clock") && begins_with(event, "task-clock"));
}

/* ---- periods --------------------------------------------------------------------------------- */

/* False: it has no period.  That of a program's event, 1, is none. */
static bool read_period(struct stack_weight *weight, const struct peat_event *event,
			uint64_t *value)
{
	const struct peat_record *rec = event->record;

	if (!rec || rec->type != PEAT_RECORD_SAMPLE)
		return false;
	*value = rec->has & PEAT_SAMPLE_PERIOD ? rec->sample.period : 0;
	weight->unit = stack_weight__is_clock(stack_weight__event_name(event))
			       ? PEAT_FIELD_DURATION
			       : PEAT_FIELD_UNSIGNED;
	return *value != 0;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void try_name(void *context, const char *path)
{
	suggestion__try(context, path);
}

static int log_missing(const struct stack_weight *weight, const struct peat_event *event)
{
	struct suggestion alike = { .wanted = weight->path };
	char text[192];

	if (event->schema)
		where_path__list(event->schema, try_name, &alike);
	log__error("weight \"%.100s\": %s has no such field%schoose a field with a number, or "
		   "period",
		   weight->path, stack_weight__event_name(event), suggestion__text(&alike, text));
	return -EINVAL;
}

static bool can_add_up(const struct peat_field *field)
{
	const struct field_type *type = field_type__of(field);

	return type->sum && type->class != PEAT_CLASS_FLOAT;
}

/* The types of a pipe are not known yet: they arrive with its events. */
int stack_weight__check(const char *path, struct peat_reader *reader)
{
	const struct stack_weight weight = { .path = path };
	const struct peat_schema *first = peat_reader__type(reader, 0), *type = first;

	if (!path || !strcmp(path, PERIOD))
		return 0;
	for (uint32_t i = 1; type && !peat_schema__find(type, path, NULL); i++)
		type = peat_reader__type(reader, i);
	if (type || !first)
		return 0;
	return log_missing(&weight, &(struct peat_event){ .schema = first });
}

/* Finds the field in the type of an event. */
static int find_field(struct stack_weight *weight, const struct peat_event *event)
{
	weight->schema = event->schema;
	weight->field = event->schema
				? peat_schema__find(event->schema, weight->path, &weight->base)
				: NULL;
	if (!weight->field || can_add_up(weight->field))
		return 0;
	weight->field = NULL;
	log__error("weight \"%.100s\": the field of %s is not a whole number: choose a field with "
		   "a number, or period",
		   weight->path, stack_weight__event_name(event));
	return -EINVAL;
}

/* Recordings of formats have numbers without a unit: the field's name tells it. */
static bool is_named_as_time(const char *name)
{
	size_t bytes = strlen(name);

	return !strcmp(name, "duration") || !strcmp(name, "delay") ||
	       (bytes > 3 && !strcmp(name + bytes - 3, "_ns"));
}

static enum peat_field_kind unit_of(const struct peat_field *field)
{
	if (field_type__of(field)->unit)
		return field->kind;
	return is_named_as_time(field->name) ? PEAT_FIELD_DURATION : PEAT_FIELD_UNSIGNED;
}

static uint64_t read_field(struct stack_weight *weight, const struct peat_event *event)
{
	const struct peat_field *field = weight->field;
	uint64_t value;

	weight->unit = unit_of(field);
	if (event->size < weight->base ||
	    !peat_field__number(field, (const uint8_t *)event->data + weight->base,
				event->size - weight->base, &value))
		return 0;
	if ((int64_t)value >= 0 ||
	    !(field_type__is_signed(field) || field_type__of(field)->is_error_below_0))
		return value;
	weight->negative++;
	return 0;
}

int stack_weight__of(struct stack_weight *weight, const struct peat_event *event, uint64_t *value)
{
	int err;

	*value = 0;
	if (!weight->path)
		return read_period(weight, event, value);
	if (!weight->field || weight->schema != event->schema) {
		err = find_field(weight, event);
		if (err)
			return err;
	}
	if (weight->field) {
		*value = read_field(weight, event);
		return 1;
	}
	if (!strcmp(weight->path, PERIOD) && read_period(weight, event, value))
		return 1;
	return log_missing(weight, event);
}
