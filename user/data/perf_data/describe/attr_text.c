// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/attr_text.c: prints a perf_event_attr, field by field. */
#include "perf_data/describe/attr_text.h"
#include "record/attr_fields.h"

#define TYPE_BREAKPOINT 5

/* `first` and `second`: the names of a union's members, both of which perf prints; or NULL. */
static void emit_field(struct emit *emit, const char *name, const char *first, const char *second,
		       const struct emit_value *value)
{
	emit__value(emit, name, value);
	if (!value->number)
		return;
	emit__print(emit, second ? ", { " : ", ");
	emit__print(emit, second ? first : name);
	emit__print(emit, second ? ", " : "");
	emit__print(emit, second ? second : "");
	emit__print(emit, second ? " } = " : " = ");
	emit__print_value(emit, value);
}

static const char *attr_field_name(const struct perf_attr *attr, const struct attr_field *field)
{
	bool second = field->second_name && (field->second_if == ATTR_FIELDS_NO_BREAKPOINT
						     ? attr->type != TYPE_BREAKPOINT
						     : perf_attr__has(attr, field->second_if));

	return second ? field->second_name : field->name;
}

static void emit_flags(struct emit *emit, const struct perf_attr *attr)
{
	const char *name;

	for (unsigned i = 0; i < 64; i++) {
		struct emit_value value = { .number = i == PERF_ATTR_PRECISE_IP
							      ? attr->precise_ip
							      : perf_attr__has(attr, i) };

		name = attr_fields__flag_name(i);
		if (name && value.number)
			emit_field(emit, name, NULL, NULL, &value);
	}
}

void attr_text__emit(struct emit *emit, const void *bytes, size_t count, bool swapped)
{
	struct perf_attr attr;

	/* A writer may leave room after the attr. */
	attr_fields__decode(&attr, bytes, count, swapped);
	if (attr.bytes >= ATTR_FIELDS_BYTES_LEAST && attr.bytes < count)
		attr_fields__decode(&attr, bytes, attr.bytes, swapped);
	for (const struct attr_field *field = attr_fields; field->name; field++) {
		struct emit_value value = { .kind = field->kind,
					    .names = field->names,
					    .number = attr_fields__number(&attr, field) };

		if (field->member == offsetof(struct perf_attr, flags))
			emit_flags(emit, &attr);
		else if (value.number || field->always)
			emit_field(emit, attr_field_name(&attr, field), field->name,
				   field->second_name, &value);
	}
}
