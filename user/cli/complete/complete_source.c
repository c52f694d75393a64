// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* complete_source.c: completes sources, and names that depend on them: fields and tables. */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/complete/complete_source.h"
#include "probe.h"
#include "cli/run/sources.h"

/* ---- sources --------------------------------------------------------------------------------- */

/* Opens the object of a source, which may have options.  NULL: it has none. */
static struct peat_object *open_object(const char *source)
{
	size_t bytes = strcspn(source, ",");
	char *name = strndup(source, bytes);
	struct peat_object *object = NULL;

	if (name && (probe__find(name) || sources__is_file(name)))
		sources__open_object(name, &object);
	free(name);
	return object;
}

static void add_kinds(struct completions *completions, uint32_t left_out)
{
	char name[64];

	for (uint32_t kind = 1; peat_side_band__name((enum peat_side_band)kind); kind *= 2) {
		snprintf(name, sizeof(name), "@%s",
			 peat_side_band__name((enum peat_side_band)kind));
		if (!(kind & left_out))
			completions__add(completions, name, "");
	}
}

void complete_source__recorded_kind(struct completions *completions)
{
	add_kinds(completions, 0);
}

static void add_names(struct completions *completions, const struct peat_field *field)
{
	for (uint32_t i = 0; i < field->name_count; i++)
		completions__add(completions, field->names[i].name, "");
}

/* The value after "probe,...,NAME=", of which `text` is the beginning. */
static void add_option_values(struct completions *completions, const struct peat_option *option,
			      const char *text)
{
	size_t bytes = strlen(option->name);

	if (strncmp(option->name, text, bytes) || text[bytes] != '=')
		return;
	completions->kept += bytes + 1;
	if (option->kind == PEAT_FIELD_BOOL)
		completions__add_words(completions, "false true");
	else
		add_names(completions, option->field);
	completions->kept -= bytes + 1;
}

/* "failed", "min=", or the value of an option. */
static void add_options(struct completions *completions)
{
	struct peat_object *object = open_object(completions->word);
	struct peat_option option = { .sz = sizeof(option) };

	completions__keep_to(completions, ",");
	for (uint32_t i = 0; object && peat_object__option(object, i, &option) > 0; i++) {
		const char *part = completions__part(completions);

		if (strchr(part, '='))
			add_option_values(completions, &option, part);
		else
			completions__add(completions, option.name,
					 option.kind == PEAT_FIELD_BOOL ? "" : "=");
	}
	peat_object__free(object);
}

/* Names of functions are not offered: kernels have 40,000. */
static void add_words_of_functions(struct completions *completions)
{
	completions__add_words(completions,
			       "kprobe: kretprobe: uprobe: uretprobe: usdt: tracepoint:");
}

void complete_source__name(struct completions *completions)
{
	const struct probe *probe;

	if (peat_functions__are(completions->word))
		return;
	if (strchr(completions->word, ',')) {
		add_options(completions);
		return;
	}
	for (size_t i = 0; (probe = probe__at(i)); i++)
		completions__add(completions, probe->name, "");
	add_words_of_functions(completions);
	add_kinds(completions, SOURCES_RECORDED);
}

/* ---- types ----------------------------------------------------------------------------------- */

typedef void (*type_fn)(void *arg, const struct peat_schema *type);

static void use_kinds(uint32_t kinds, type_fn use, void *arg)
{
	const struct peat_schema *type;

	for (uint32_t i = 0;
	     kinds && (type = peat_side_band__schema((enum peat_side_band)kinds, i)); i++)
		use(arg, type);
}

static void use_types(const struct typed_sources *sources, type_fn use, void *arg)
{
	for (size_t i = 0; i < sources->count; i++) {
		const char *name = sources->names[i];
		struct peat_object *object = *name == '@' ? NULL : open_object(name);
		const struct peat_schema *type;

		for (uint32_t j = 0; object && (type = peat_object__type(object, j)); j++)
			use(arg, type);
		peat_object__free(object);
		if (*name == '@')
			use_kinds(peat_side_band__find(name + 1), use, arg);
	}
}

/* Whether the fields of a class are offered. */
typedef bool (*offer_fn)(enum peat_field_class class);

static bool is_any(enum peat_field_class class)
{
	return class != PEAT_CLASS_STACK;
}

static bool is_number(enum peat_field_class class)
{
	return class == PEAT_CLASS_NUMBER || class == PEAT_CLASS_NAMED || class == PEAT_CLASS_CODE;
}

/* Elements of arrays have no path. */
static void add_paths(struct completions *completions, const struct peat_field *field,
		      const struct peat_field *end, const char *before, offer_fn is_offered)
{
	for (; field < end; field += field->span) {
		enum peat_field_class class = peat_field__class(field);
		char path[512];

		snprintf(path, sizeof(path), "%s%s", before, field->name);
		if (is_offered(class))
			completions__add(completions, path, "");
		if (field->span == 1 || class == PEAT_CLASS_ELEMENTS || class == PEAT_CLASS_STACK)
			continue;
		strncat(path, ".", sizeof(path) - strlen(path) - 1);
		add_paths(completions, field + 1, field + field->span, path, is_offered);
	}
}

static void add_fields(void *arg, const struct peat_schema *type)
{
	const struct peat_field *fields;
	uint32_t count;

	fields = peat_schema__fields(type, &count);
	add_paths(arg, fields, fields + count, "", is_any);
}

static void add_numbers(void *arg, const struct peat_schema *type)
{
	const struct peat_field *fields;
	uint32_t count;

	fields = peat_schema__fields(type, &count);
	add_paths(arg, fields, fields + count, "", is_number);
}

void complete_source__field(struct completions *completions, const struct typed_sources *sources)
{
	use_types(sources, add_fields, completions);
}

void complete_source__number(struct completions *completions, const struct typed_sources *sources)
{
	use_types(sources, add_numbers, completions);
}

void complete_source__table(struct completions *completions, const struct typed_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		struct peat_object *object = open_object(sources->names[i]);
		struct peat_object_table table = { .sz = sizeof(table) };

		for (uint32_t j = 0; object && peat_object__table(object, j, &table) > 0; j++)
			completions__add(completions, table.name, "");
		peat_object__free(object);
	}
}

/* ---- expressions ----------------------------------------------------------------------------- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static size_t back_over_blanks(const char *text, size_t at)
{
	while (at && text[at - 1] == ' ')
		at--;
	return at;
}

/* The field that is compared before `at`: its bytes begin at the result.  NULL: none. */
static const char *compared_field(const char *text, size_t at, size_t *bytes)
{
	size_t end = back_over_blanks(text, at), operator_end = end, start;

	while (end && strchr("=<>!~", text[end - 1]))
		end--;
	if (end == operator_end)
		return NULL;
	end = back_over_blanks(text, end);
	for (start = end; start && is_name(text[start - 1]);)
		start--;
	*bytes = end - start;
	return end > start ? text + start : NULL;
}

#define ERRNO_MAX 133 /* EHWPOISON; the numbers of MIPS are larger */

static void add_errors(struct completions *completions)
{
	const char *name;

	for (int err = 1; err <= ERRNO_MAX; err++)
		if ((name = strerrorname_np(err)))
			completions__add(completions, name, "");
}

static void add_signals(struct completions *completions)
{
	const char *name;
	char text[32];

	for (int signal = 1; signal < NSIG; signal++) {
		name = sigabbrev_np(signal);
		snprintf(text, sizeof(text), "SIG%s", name ? name : "");
		if (name)
			completions__add(completions, text, "");
	}
}

struct values {
	struct completions *completions;
	char *path;
};

static void add_values(void *arg, const struct peat_schema *type)
{
	const struct values *values = arg;
	const struct peat_field *field = peat_schema__find(type, values->path, NULL);

	if (!field)
		return;
	add_names(values->completions, field);
	if (field->kind == PEAT_FIELD_ERRNO)
		add_errors(values->completions);
	else if (field->kind == PEAT_FIELD_SIGNAL)
		add_signals(values->completions);
}

void complete_source__expression(struct completions *completions,
				 const struct typed_sources *sources)
{
	const char *text = completions__part(completions), *field;
	size_t at = strlen(text), bytes;
	struct values values = { .completions = completions };

	while (at && is_name(text[at - 1]))
		at--;
	completions->kept += at;
	field = compared_field(text, at, &bytes);
	if (!field) {
		completions__add_words(completions, "pid tid comm cpu type");
		complete_source__field(completions, sources);
		return;
	}
	values.path = strndup(field, bytes);
	if (values.path)
		use_types(sources, add_values, &values);
	free(values.path);
}
