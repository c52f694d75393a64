// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* list_source.c: one source of `peat list`, as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/base/json_text.h"
#include "cli/list/list_source.h"
#include "cli/run/object_files.h"
#include "cli/base/terminal_text.h"

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* The element type of an array, or the field itself. */
static const struct peat_field *innermost(const struct peat_field *field)
{
	while (peat_field__class(field) == PEAT_CLASS_ELEMENTS && field->span > 1)
		field++;
	return field;
}

/* Bits that peat adds to the events of functions: whether a field was read. */
static bool is_internal(const struct peat_field *field)
{
	return field->is_hidden && !strncmp(field->name, "peat_", strlen("peat_"));
}

static void print_fields(const struct peat_field *field, const struct peat_field *end, int depth)
{
	for (; field < end; field += field->span) {
		const struct peat_field *shown = innermost(field);

		if (is_internal(field))
			continue;
		terminal_text__print(stdout, "    %*s%-*s %s%s%s%s\n", depth * 2, "",
				     16 - depth * 2, field->name, peat_field__word(shown),
				     shown != field ? ", several"
				     : peat_field__class(shown) == PEAT_CLASS_STACK
					     ? ", by --stacks"
					     : "",
				     field->doc ? "; " : "", or_empty(field->doc));
		print_fields(shown + 1, shown + shown->span, depth + 1);
	}
}

static void print_json_fields(const struct peat_field *field, const struct peat_field *end)
{
	const char *comma = "";

	printf("\"fields\":[");
	for (; field < end; field += field->span) {
		if (is_internal(field))
			continue;
		printf("%s{", comma);
		comma = ",";
		json_text__member("", "name", field->name);
		json_text__member(",", "kind", peat_field__word(field));
		json_text__member(",", "doc", field->doc);
		if (field->span > 1) {
			putchar(',');
			print_json_fields(field + 1, field + field->span);
		}
		putchar('}');
	}
	putchar(']');
}

static void print_type(const struct peat_schema *schema)
{
	const struct peat_field *fields;
	uint32_t count;

	fields = peat_schema__fields(schema, &count);
	terminal_text__print(stdout, "  event %s%s%s\n", peat_schema__name(schema),
			     peat_schema__doc(schema) ? ": " : "",
			     or_empty(peat_schema__doc(schema)));
	print_fields(fields, fields + count, 0);
}

static void print_json_type(const struct peat_schema *schema)
{
	const struct peat_field *fields;
	uint32_t count;

	fields = peat_schema__fields(schema, &count);
	putchar('{');
	json_text__member("", "type", peat_schema__name(schema));
	json_text__member(",", "doc", peat_schema__doc(schema));
	putchar(',');
	print_json_fields(fields, fields + count);
	putchar('}');
}

/* ---- objects --------------------------------------------------------------------------------- */

static bool is_signed(const struct peat_option *option)
{
	return option->kind == PEAT_FIELD_SIGNED || option->field->is_signed;
}

/* Prints the value as in an event. */
static void print_value(const struct peat_option *option)
{
	struct peat_field field = *option->field;
	char text[256];

	field.offset = field.bits = field.bit_offset = 0;
	field.bytes = sizeof(option->value);
	field.big_endian = false;
	peat_field__text(&field, &option->value, field.bytes, text, sizeof(text));
	terminal_text__put(stdout, text, 0);
}

/* Prints the default value as a user would type it.  Events have times and sizes rounded. */
static void print_default(const struct peat_option *option)
{
	enum peat_field_class class = peat_field__class(option->field);
	const char *unit = peat_field__unit(option->field);

	if (option->kind == PEAT_FIELD_STRING)
		terminal_text__print(stdout, "\"%s\"", or_empty(option->text));
	else if (class == PEAT_CLASS_NAMED || (class == PEAT_CLASS_NUMBER && !unit))
		print_value(option);
	else if (is_signed(option))
		printf("%" PRId64, (int64_t)option->value);
	else
		printf("%" PRIu64, option->value);
	if (unit && !strcmp(unit, "ns") && option->value)
		fputs(unit, stdout);
}

/* " (name: tcp, udp)" */
static void print_form(const struct peat_option *option)
{
	const struct peat_field *field = option->field;

	terminal_text__print(stdout, " (%s", peat_field__word(option->field));
	for (uint32_t i = 0; i < field->name_count; i++)
		terminal_text__print(stdout, "%s%s", i ? ", " : ": ", field->names[i].name);
	putchar(')');
}

static void print_options(const struct peat_object *object)
{
	struct peat_option option = { .sz = sizeof(option) };

	for (uint32_t i = 0; peat_object__option(object, i, &option) > 0; i++) {
		terminal_text__print(stdout, "  option %s=", option.name);
		print_default(&option);
		print_form(&option);
		terminal_text__print(stdout, ": %s\n", or_empty(option.doc));
	}
}

/* Whether the variable is a single value that can be printed. */
static bool is_single(const struct peat_option *variable)
{
	switch (peat_field__class(variable->field)) {
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_STACK:
		return true;
	case PEAT_CLASS_TEXT:
		return variable->kind == PEAT_FIELD_STRING;
	case PEAT_CLASS_FLOAT:
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_ADDRESS:
	case PEAT_CLASS_MEMBERS:
	case PEAT_CLASS_ELEMENTS:
		break;
	}
	return false;
}

/* Without the braces. */
static void print_json_setting(const struct peat_option *option)
{
	json_text__member("", "name", option->name);
	json_text__member(",", "kind", peat_field__word(option->field));
	json_text__member(",", "doc", option->doc);
	if (option->kind == PEAT_FIELD_STRING)
		json_text__member(",", "default", option->text);
	else if (is_single(option) && is_signed(option))
		printf(",\"default\":%" PRId64, (int64_t)option->value);
	else if (is_single(option))
		printf(",\"default\":%" PRIu64, option->value);
}

static void print_variable(const struct peat_option *variable)
{
	const struct peat_field *shown = innermost(variable->field);

	terminal_text__print(stdout, "  variable %s", variable->name);
	if (is_single(variable)) {
		putchar('=');
		print_default(variable);
	}
	for (const struct peat_field *field = variable->field; field < shown; field++)
		printf("[%u]", field->count);
	if (peat_field__class(variable->field) == PEAT_CLASS_BYTES)
		printf("[%u]", variable->bytes);
	terminal_text__print(stdout, " (%s)%s%s\n", peat_field__word(shown),
			     variable->doc ? ": " : "", or_empty(variable->doc));
	print_fields(shown + 1, shown + shown->span, 0);
}

static void print_variables(const struct peat_object *object)
{
	struct peat_option variable = { .sz = sizeof(variable) };

	for (uint32_t i = 0; peat_object__variable(object, i, &variable) > 0; i++)
		print_variable(&variable);
}

static void print_json_variables(const struct peat_object *object)
{
	struct peat_option variable = { .sz = sizeof(variable) };

	printf(",\"variables\":[");
	for (uint32_t i = 0; peat_object__variable(object, i, &variable) > 0; i++) {
		const struct peat_field *field = variable.field;

		printf("%s{", i ? "," : "");
		print_json_setting(&variable);
		if (field->span > 1) {
			putchar(',');
			print_json_fields(field + 1, field + field->span);
		}
		putchar('}');
	}
	putchar(']');
}

static void print_json_options(const struct peat_object *object)
{
	struct peat_option option = { .sz = sizeof(option) };

	printf(",\"options\":[");
	for (uint32_t i = 0; peat_object__option(object, i, &option) > 0; i++) {
		printf("%s{", i ? "," : "");
		print_json_setting(&option);
		putchar('}');
	}
	putchar(']');
}

static void print_hooks(const struct peat_object *object)
{
	struct peat_hook hook = { .sz = sizeof(hook) };

	for (uint32_t i = 0; peat_object__hook(object, i, &hook) > 0; i++)
		terminal_text__print(stdout, "  hook %s, program %s%s\n", hook.section,
				     hook.program, hook.optional ? " (if it exists)" : "");
}

static void print_json_hooks(const struct peat_object *object)
{
	struct peat_hook hook = { .sz = sizeof(hook) };

	printf(",\"hooks\":[");
	for (uint32_t i = 0; peat_object__hook(object, i, &hook) > 0; i++) {
		printf("%s{", i ? "," : "");
		json_text__member("", "program", hook.program);
		json_text__member(",", "section", hook.section);
		printf(",\"optional\":%s}", hook.optional ? "true" : "false");
	}
	putchar(']');
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void print_tables(const struct peat_object *object)
{
	struct peat_object_table table = { .sz = sizeof(table) };

	for (uint32_t i = 0; peat_object__table(object, i, &table) > 0; i++) {
		const struct peat_field *fields;
		uint32_t count;

		fields = peat_schema__fields(table.schema, &count);
		terminal_text__print(stdout, "  table %s%s%s%s%s\n", table.name,
				     table.unit ? ", histogram of " : "", or_empty(table.unit),
				     table.doc ? ": " : "", or_empty(table.doc));
		print_fields(fields, fields + count, 0);
	}
}

static void print_json_tables(const struct peat_object *object)
{
	struct peat_object_table table = { .sz = sizeof(table) };

	printf(",\"tables\":[");
	for (uint32_t i = 0; peat_object__table(object, i, &table) > 0; i++) {
		const struct peat_field *fields;
		uint32_t count;

		fields = peat_schema__fields(table.schema, &count);
		printf("%s{", i ? "," : "");
		json_text__member("", "name", table.name);
		json_text__member(",", "doc", table.doc);
		json_text__member(",", "unit", table.unit);
		printf(",\"keys\":%u,", table.keys);
		print_json_fields(fields, fields + count);
		putchar('}');
	}
	putchar(']');
}

/* ---- counters -------------------------------------------------------------------------------- */

static void print_counters(const struct peat_object *object)
{
	struct peat_object_counter counter = { .sz = sizeof(counter) };

	for (uint32_t i = 0; peat_object__counter(object, i, &counter) > 0; i++)
		terminal_text__print(stdout, "  counter %s=%s%s%s%s\n", counter.name, counter.event,
				     counter.optional ? " (if the machine has it)" : "",
				     counter.doc ? ": " : "", or_empty(counter.doc));
}

static void print_json_counters(const struct peat_object *object)
{
	struct peat_object_counter counter = { .sz = sizeof(counter) };

	printf(",\"counters\":[");
	for (uint32_t i = 0; peat_object__counter(object, i, &counter) > 0; i++) {
		printf("%s{", i ? "," : "");
		json_text__member("", "name", counter.name);
		json_text__member(",", "event", counter.event);
		json_text__member(",", "doc", counter.doc);
		printf(",\"optional\":%s}", counter.optional ? "true" : "false");
	}
	putchar(']');
}

/* ---- perf event arrays ----------------------------------------------------------------------- */

static void print_array(const struct peat_array *array)
{
	const struct peat_field *fields;
	uint32_t count;

	if (!array->schema) {
		terminal_text__print(stdout, "  array %s: bytes: %s\n", array->name, array->why);
		return;
	}
	fields = peat_schema__fields(array->schema, &count);
	terminal_text__print(stdout, "  array %s: %sstruct %s: %s\n", array->name,
			     array->is_guess ? "probably " : "", peat_schema__name(array->schema),
			     array->why);
	print_fields(fields, fields + count, 0);
}

static void print_json_array(const struct peat_array *array)
{
	putchar('{');
	json_text__member("", "name", array->name);
	json_text__member(",", "why", array->why);
	printf(",\"guess\":%s,\"type\":", array->is_guess ? "true" : "false");
	if (array->schema)
		print_json_type(array->schema);
	else
		printf("null");
	putchar('}');
}

static void print_arrays(const struct list_arrays *arrays)
{
	struct peat_array array = { .sz = sizeof(array) };

	for (uint32_t i = arrays->first; i < arrays->end; i++)
		if (peat_session__array(arrays->session, i, &array) > 0)
			print_array(&array);
}

static void print_json_arrays(const struct list_arrays *arrays)
{
	struct peat_array array = { .sz = sizeof(array) };

	printf(",\"arrays\":[");
	for (uint32_t i = arrays->first; i < arrays->end; i++) {
		fputs(i > arrays->first ? "," : "", stdout);
		if (peat_session__array(arrays->session, i, &array) > 0)
			print_json_array(&array);
	}
	putchar(']');
}

static uint32_t count_arrays(struct peat_session *session)
{
	struct peat_array array = { .sz = sizeof(array) };
	uint32_t count = 0;

	while (peat_session__array(session, count, &array) > 0)
		count++;
	return count;
}

struct list_arrays list_source__add_arrays(struct peat_session *session,
					   const struct peat_object *object, const char *path)
{
	struct list_arrays arrays = { .session = session };

	if (!session || peat_object__has_channel(object))
		return arrays;
	arrays.first = arrays.end = count_arrays(session);
	if (!object_files__add(session, path))
		arrays.end = count_arrays(session);
	return arrays;
}

/* ---- an object ------------------------------------------------------------------------------- */

static const char *summary_of(const struct peat_object *object)
{
	const struct peat_schema *first = peat_object__type(object, 0);
	struct peat_object_table table = { .sz = sizeof(table) };

	if (!first && peat_object__table(object, 0, &table) > 0)
		return or_empty(table.doc);
	return first ? or_empty(peat_schema__doc(first)) : "its events have no description";
}

static const struct peat_schema *first_type(const struct peat_object *object)
{
	return peat_object__type(object, 0);
}

static void print_like(const struct peat_object *object)
{
	const struct peat_schema *first = first_type(object);

	if (first && peat_schema__like(first))
		terminal_text__print(stdout, "  like %s\n", peat_schema__like(first));
}

/* Their programs are the same for all functions, and have no variables to set. */
static bool is_of_functions(const struct peat_object *object)
{
	return peat_functions__are(peat_object__name(object));
}

static void print_object(const struct peat_object *object, const struct list_arrays *arrays,
			 bool verbose)
{
	const struct peat_schema *schema;

	terminal_text__print(stdout, "%-11s %s\n", peat_object__name(object), summary_of(object));
	if (!verbose)
		return;
	print_like(object);
	for (uint32_t i = 0; (schema = peat_object__type(object, i)); i++)
		print_type(schema);
	print_arrays(arrays);
	print_tables(object);
	print_counters(object);
	print_options(object);
	if (!is_of_functions(object)) {
		print_variables(object);
		print_hooks(object);
	}
	putchar('\n');
}

static void print_json_object(const struct peat_object *object, const struct list_arrays *arrays)
{
	const struct peat_schema *schema, *first = first_type(object);

	putchar('{');
	json_text__member("", "name", peat_object__name(object));
	json_text__member(",", "summary", summary_of(object));
	json_text__member(",", "subject", first ? peat_schema__subject(first) : NULL);
	json_text__member(",", "like", first ? peat_schema__like(first) : NULL);
	printf(",\"events\":[");
	for (uint32_t i = 0; (schema = peat_object__type(object, i)); i++) {
		fputs(i ? "," : "", stdout);
		print_json_type(schema);
	}
	putchar(']');
	print_json_arrays(arrays);
	print_json_tables(object);
	print_json_counters(object);
	print_json_options(object);
	if (is_of_functions(object)) {
		printf(",\"variables\":[],\"hooks\":[]");
	} else {
		print_json_variables(object);
		print_json_hooks(object);
	}
	putchar('}');
}

/* ---- kernel records -------------------------------------------------------------------------- */

static const char *summary_of_kind(enum peat_side_band kind)
{
	switch (kind) {
	case PEAT_SIDE_BAND_OTHER:
		return "only in recordings: the kernel's other records";
	case PEAT_SIDE_BAND_TOOL:
		return "only in recordings: records of perf itself";
	default:
		return peat_schema__doc(peat_side_band__schema(kind, 0));
	}
}

static void print_kind(enum peat_side_band kind, bool verbose)
{
	const struct peat_schema *schema;

	terminal_text__print(stdout, "@%-10s %s\n", peat_side_band__name(kind),
			     or_empty(summary_of_kind(kind)));
	for (uint32_t i = 0; verbose && (schema = peat_side_band__schema(kind, i)); i++)
		print_type(schema);
	if (verbose)
		putchar('\n');
}

static void print_json_kind(enum peat_side_band kind)
{
	const struct peat_schema *schema;

	printf("{\"name\":\"@%s\"", peat_side_band__name(kind));
	json_text__member(",", "summary", summary_of_kind(kind));
	printf(",\"events\":[");
	for (uint32_t i = 0; (schema = peat_side_band__schema(kind, i)); i++) {
		fputs(i ? "," : "", stdout);
		print_json_type(schema);
	}
	printf("],\"arrays\":[],\"tables\":[],\"options\":[],\"variables\":[],\"hooks\":[]}");
}

/* ---- a source -------------------------------------------------------------------------------- */

const char *list_source__summary(const struct list_source *source)
{
	return or_empty(source->object ? summary_of(source->object)
				       : summary_of_kind(source->kind));
}

const char *list_source__subject(const struct list_source *source)
{
	const struct peat_schema *first = source->object ? first_type(source->object) : NULL;

	if (!source->object)
		return "records of the kernel";
	return first && peat_schema__subject(first) ? peat_schema__subject(first) : "other";
}

void list_source__print(const struct list_source *source, bool verbose)
{
	if (source->object)
		print_object(source->object, &source->arrays, verbose);
	else
		print_kind(source->kind, verbose);
}

void list_source__print_json(const struct list_source *source)
{
	if (source->object)
		print_json_object(source->object, &source->arrays);
	else
		print_json_kind(source->kind);
}
