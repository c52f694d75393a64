// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* list.c: peat list: probes, with their events, options, variables and hooks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "cli.h"
#include "messages.h"
#include "json_text.h"
#include "list_attached.h"
#include "options.h"
#include "probe.h"
#include "sources.h"

/* ---- names of kinds -------------------------------------------------------------------------- */

/* Kind of a field, with the unit of its number. */
static const char *const kind_words[] = {
	[PEAT_FIELD_UNSIGNED] = "number",	[PEAT_FIELD_SIGNED] = "number",
	[PEAT_FIELD_HEX] = "hex number",	[PEAT_FIELD_BOOL] = "true or false",
	[PEAT_FIELD_FLOAT] = "number",		[PEAT_FIELD_ENUM] = "name",
	[PEAT_FIELD_FLAGS] = "flags",		[PEAT_FIELD_STRING] = "text",
	[PEAT_FIELD_STRINGS] = "texts",		[PEAT_FIELD_BYTES] = "bytes",
	[PEAT_FIELD_IPV4] = "IPv4 address",	[PEAT_FIELD_IPV6] = "IPv6 address",
	[PEAT_FIELD_MAC] = "MAC address",	[PEAT_FIELD_PORT] = "port",
	[PEAT_FIELD_ERRNO] = "number or error", [PEAT_FIELD_SIGNAL] = "signal",
	[PEAT_FIELD_DURATION] = "duration, ns", [PEAT_FIELD_SIZE] = "size, bytes",
	[PEAT_FIELD_KADDR] = "kernel symbol",	[PEAT_FIELD_KSTACK] = "kernel stack",
	[PEAT_FIELD_STRUCT] = "struct",		[PEAT_FIELD_UNION] = "union",
	[PEAT_FIELD_ARRAY] = "array",
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* The element type of an array, or the field itself. */
static const struct peat_field *innermost(const struct peat_field *field)
{
	while (field->kind == PEAT_FIELD_ARRAY && field->span > 1)
		field++;
	return field;
}

static void print_fields(const struct peat_field *field, const struct peat_field *end, int depth)
{
	for (; field < end; field += field->span) {
		const struct peat_field *shown = innermost(field);

		printf("    %*s%-*s %s%s%s%s\n", depth * 2, "", 16 - depth * 2, field->name,
		       kind_words[shown->kind], shown != field ? ", several" : "",
		       field->doc ? "; " : "", or_empty(field->doc));
		print_fields(shown + 1, shown + shown->span, depth + 1);
	}
}

static void print_json_fields(const struct peat_field *field, const struct peat_field *end)
{
	const char *comma = "";

	printf("\"fields\":[");
	for (; field < end; field += field->span, comma = ",") {
		printf("%s{", comma);
		json_text__member("", "name", field->name);
		json_text__member(",", "kind", kind_words[field->kind]);
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
	printf("  event %s%s%s\n", peat_schema__name(schema), peat_schema__doc(schema) ? ": " : "",
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

static const char *name_of(const struct peat_option *option)
{
	for (uint32_t i = 0; i < option->field->name_count; i++)
		if (option->field->names[i].value == option->value)
			return option->field->names[i].name;
	return NULL;
}

static bool is_signed(const struct peat_option *option)
{
	return option->kind == PEAT_FIELD_SIGNED || option->field->is_signed;
}

/* Prints the default value as a user would type it. */
static void print_default(const struct peat_option *option)
{
	const char *name = name_of(option);

	if (option->kind == PEAT_FIELD_STRING)
		printf("\"%s\"", or_empty(option->text));
	else if (option->kind == PEAT_FIELD_BOOL)
		fputs(option->value ? "true" : "false", stdout);
	else if (option->kind == PEAT_FIELD_DURATION && option->value)
		printf("%" PRIu64 "ns", option->value);
	else if (name)
		fputs(name, stdout);
	else if (is_signed(option))
		printf("%" PRId64, (int64_t)option->value);
	else
		printf("%" PRIu64, option->value);
}

/* " (name: tcp, udp)" */
static void print_form(const struct peat_option *option)
{
	const struct peat_field *field = option->field;

	printf(" (%s", kind_words[option->kind]);
	for (uint32_t i = 0; i < field->name_count; i++)
		printf("%s%s", i ? ", " : ": ", field->names[i].name);
	putchar(')');
}

static void print_options(const struct peat_object *object)
{
	struct peat_option option = { .sz = sizeof(option) };

	for (uint32_t i = 0; peat_object__option(object, i, &option) > 0; i++) {
		printf("  option %s=", option.name);
		print_default(&option);
		print_form(&option);
		printf(": %s\n", or_empty(option.doc));
	}
}

/* Whether the variable is a single value that can be printed. */
static bool is_single(const struct peat_option *variable)
{
	switch (variable->kind) {
	case PEAT_FIELD_STRUCT:
	case PEAT_FIELD_UNION:
	case PEAT_FIELD_ARRAY:
	case PEAT_FIELD_BYTES:
	case PEAT_FIELD_FLOAT:
	case PEAT_FIELD_STRINGS:
	case PEAT_FIELD_IPV4:
	case PEAT_FIELD_IPV6:
	case PEAT_FIELD_MAC:
		return false;
	default:
		return true;
	}
}

/* Without the braces. */
static void print_json_setting(const struct peat_option *option)
{
	json_text__member("", "name", option->name);
	json_text__member(",", "kind", kind_words[option->kind]);
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

	printf("  variable %s", variable->name);
	if (is_single(variable)) {
		putchar('=');
		print_default(variable);
	}
	for (const struct peat_field *field = variable->field; field < shown; field++)
		printf("[%u]", field->count);
	if (variable->kind == PEAT_FIELD_BYTES)
		printf("[%u]", variable->bytes);
	printf(" (%s)%s%s\n", kind_words[shown->kind], variable->doc ? ": " : "",
	       or_empty(variable->doc));
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
		printf("  hook %s, program %s%s\n", hook.section, hook.program,
		       hook.optional ? " (if the kernel has it)" : "");
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

/* ---- perf event arrays ----------------------------------------------------------------------- */

static void print_array(const struct peat_array *array)
{
	const struct peat_field *fields;
	uint32_t count;

	if (!array->schema) {
		printf("  array %s: bytes: %s\n", array->map, array->why);
		return;
	}
	fields = peat_schema__fields(array->schema, &count);
	printf("  array %s: %sstruct %s: %s\n", array->map, array->is_guess ? "probably " : "",
	       peat_schema__name(array->schema), array->why);
	print_fields(fields, fields + count, 0);
}

static void print_json_array(const struct peat_array *array)
{
	putchar('{');
	json_text__member("", "name", array->map);
	json_text__member(",", "why", array->why);
	printf(",\"guess\":%s,\"type\":", array->is_guess ? "true" : "false");
	if (array->schema)
		print_json_type(array->schema);
	else
		printf("null");
	putchar('}');
}

static void print_arrays(struct peat_session *session)
{
	struct peat_array array = { .sz = sizeof(array) };

	for (uint32_t i = 0; peat_session__array(session, i, &array) > 0; i++)
		print_array(&array);
}

static void print_json_arrays(struct peat_session *session)
{
	struct peat_array array = { .sz = sizeof(array) };

	printf(",\"arrays\":[");
	for (uint32_t i = 0; session && peat_session__array(session, i, &array) > 0; i++) {
		fputs(i ? "," : "", stdout);
		print_json_array(&array);
	}
	putchar(']');
}

/* An object without peat.bpf.h has arrays, which only a session can describe.  NULL: it has none.
 */
static struct peat_session *open_arrays(const struct peat_object *object, const char *path)
{
	struct peat_session *session;

	if (peat_object__has_channel(object))
		return NULL;
	session = peat_session__new(NULL);
	if (!session || !peat_session__add_file(session, path))
		return session;
	peat_session__free(session);
	return NULL;
}

/* ---- an object ------------------------------------------------------------------------------- */

static const char *summary_of(const struct peat_object *object)
{
	const struct peat_schema *first = peat_object__type(object, 0);

	return first ? or_empty(peat_schema__doc(first)) : "its events have no description";
}

static void print_object(const struct peat_object *object, struct peat_session *session,
			 bool verbose)
{
	const struct peat_schema *schema;

	printf("%-11s %s\n", peat_object__name(object), summary_of(object));
	if (!verbose)
		return;
	for (uint32_t i = 0; (schema = peat_object__type(object, i)); i++)
		print_type(schema);
	if (session)
		print_arrays(session);
	print_options(object);
	print_variables(object);
	print_hooks(object);
	putchar('\n');
}

static void print_json_object(const struct peat_object *object, struct peat_session *session)
{
	const struct peat_schema *schema;

	putchar('{');
	json_text__member("", "name", peat_object__name(object));
	json_text__member(",", "summary", summary_of(object));
	printf(",\"events\":[");
	for (uint32_t i = 0; (schema = peat_object__type(object, i)); i++) {
		fputs(i ? "," : "", stdout);
		print_json_type(schema);
	}
	putchar(']');
	print_json_arrays(session);
	print_json_options(object);
	print_json_variables(object);
	print_json_hooks(object);
	putchar('}');
}

/* ---- kernel records -------------------------------------------------------------------------- */

static const char *summary_of_kind(enum peat_kind kind)
{
	switch (kind) {
	case PEAT_KIND_OTHER:
		return "only in recordings: the kernel's other records";
	case PEAT_KIND_TOOL:
		return "only in recordings: records of perf itself";
	default:
		return peat_schema__doc(peat_kind__schema(kind, 0));
	}
}

static void print_kind(enum peat_kind kind, bool verbose)
{
	const struct peat_schema *schema;

	printf("@%-10s %s\n", peat_kind__name(kind), or_empty(summary_of_kind(kind)));
	for (uint32_t i = 0; verbose && (schema = peat_kind__schema(kind, i)); i++)
		print_type(schema);
	if (verbose)
		putchar('\n');
}

static void print_json_kind(enum peat_kind kind)
{
	const struct peat_schema *schema;

	printf("{\"name\":\"@%s\"", peat_kind__name(kind));
	json_text__member(",", "summary", summary_of_kind(kind));
	printf(",\"events\":[");
	for (uint32_t i = 0; (schema = peat_kind__schema(kind, i)); i++) {
		fputs(i ? "," : "", stdout);
		print_json_type(schema);
	}
	printf("],\"arrays\":[],\"options\":[],\"variables\":[],\"hooks\":[]}");
}

/* ---- the verb -------------------------------------------------------------------------------- */

static bool first_of_json = true;

static void begin_item(bool json)
{
	if (json)
		fputs(first_of_json ? "[" : ",\n ", stdout);
	first_of_json = false;
}

static int list_object(const char *name, const struct options *options)
{
	struct peat_session *session = NULL;
	struct peat_object *object;
	int status = sources__open_object(name, &object);

	if (status)
		return status;
	if (options->json || options->verbose)
		session = open_arrays(object, name);
	begin_item(options->json);
	if (options->json)
		print_json_object(object, session);
	else
		print_object(object, session, options->verbose);
	peat_session__free(session);
	peat_object__free(object);
	return 0;
}

static void list_kind(enum peat_kind kind, const struct options *options)
{
	begin_item(options->json);
	if (options->json)
		print_json_kind(kind);
	else
		print_kind(kind, options->verbose);
}

static int list_named(const char *name, const struct options *options)
{
	uint32_t kind;

	if (*name != '@')
		return list_object(name, options);
	kind = sources__find_kind(name);
	if (kind)
		list_kind((enum peat_kind)kind, options);
	return kind ? 0 : EXIT_USAGE;
}

static int list_all(const struct options *options)
{
	const struct probe *probe;
	int status = 0;

	for (size_t i = 0; !status && (probe = probe__at(i)); i++)
		status = list_object(probe->name, options);
	for (uint32_t kind = 1; peat_kind__name((enum peat_kind)kind); kind *= 2)
		if (!(kind & SOURCES_RECORDED))
			list_kind((enum peat_kind)kind, options);
	return status;
}

int list_main(int argc, char **argv)
{
	struct options options;
	int status = 0;

	options__parse(
		&options, VERB_LIST, "[SOURCE...]",
		"Lists the probes and the kinds of kernel records that peat trace can print, or "
		"each SOURCE, which may also be a FILE.bpf.o.  With -v, also lists fields, hooks, "
		"options, other variables and perf event arrays.  With --attached, lists the perf "
		"event arrays of "
		"this machine and their users.",
		argc, argv);
	messages__set_verbosity(0);
	if (options.attached)
		status = list_attached__print(options.json);
	for (size_t i = 0; !status && i < options.name_count; i++)
		status = list_named(options.names[i], &options);
	if (!options.name_count && !options.attached)
		status = list_all(&options);
	if (options.json && !first_of_json)
		puts("]");
	return cli__flush_stdout() ? EXIT_FAILED : status;
}
