// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/cell_text.c: how values look in columns and in lines alike. */
#include <string.h>

#include <peat/reader.h>

#include "base/escape.h"
#include "field/field_type.h"
#include "field/fields.h"
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

void cell_text__append_comm(struct strbuf *out, const char *comm)
{
	if (comm)
		escape__text(out, comm, strlen(comm), 0);
	else
		strbuf__char(out, '-');
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
