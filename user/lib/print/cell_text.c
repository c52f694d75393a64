// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/cell_text.c: how values look in columns and in lines alike. */
#include <string.h>

#include "base/escape.h"
#include "field/field_type.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "print/cell_text.h"

void cell_text__append_id(struct strbuf *out, uint32_t id)
{
	if (id == PEAT_NO_TASK)
		strbuf__char(out, '-');
	else
		strbuf__unsigned(out, id);
}

void cell_text__append_cpu(struct strbuf *out, uint32_t cpu)
{
	if (cpu == PEAT_NO_CPU) {
		strbuf__char(out, '-');
		return;
	}
	strbuf__char(out, '[');
	if (cpu < 1000)
		strbuf__padded(out, cpu, 3);
	else
		strbuf__unsigned(out, cpu);
	strbuf__char(out, ']');
}

static void append_name(struct strbuf *out, const char *name)
{
	if (name && *name)
		escape__text(out, name, strlen(name), 0);
	else
		strbuf__char(out, '-');
}

static void append_identity(struct strbuf *out, const struct sampled_number *part,
			    const struct peat_event *event)
{
	uint64_t id;

	if (sampled__read(part, event, &id) && id)
		strbuf__unsigned(out, id);
	else
		append_name(out, sampled__text(part, event));
}

void cell_text__append_common(struct strbuf *out, const struct chosen_field *part,
			      const struct peat_event *event)
{
	switch (part->content) {
	case CONTENT_TYPE:
		append_name(out, event->schema->name);
		return;
	case CONTENT_PID:
		cell_text__append_id(out, event->pid);
		return;
	case CONTENT_TID:
		cell_text__append_id(out, event->tid);
		return;
	case CONTENT_COMM:
		append_name(out, event->comm);
		return;
	case CONTENT_CPU:
		cell_text__append_cpu(out, event->cpu);
		return;
	case CONTENT_IDENTITY:
		append_identity(out, part->sampled, event);
		return;
	case CONTENT_FIELD:
	case CONTENT_TIME:
		return;
	}
}

bool cell_text__is_error(const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t number;

	return field_type__of(field)->is_error_below_0 &&
	       peat_field__number(field, data, bytes, &number) && (int64_t)number < 0;
}

bool cell_text__is_nothing(const struct peat_field *field, const void *data, uint32_t bytes)
{
	bool is_text = field_type__of(field)->strings == FIELD_ONE_STRING;
	const char *value;
	uint64_t number;
	uint32_t count;

	if (!field->is_rare)
		return false;
	if (fields__is_number(field))
		return !peat_field__number(field, data, bytes, &number) || !number;
	value = fields__bytes(field, data, bytes, &count);
	return !value || !count || (!*value && (is_text || !memcmp(value, value + 1, count - 1)));
}
