// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/chosen_fields.c: the fields of peat_sink_opts.fields. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "print/chosen_fields.h"

/* Names that every event has. */
static const struct {
	const char *name;
	enum content content;
} common[] = {
	{ "type", CONTENT_TYPE }, { "time", CONTENT_TIME }, { "pid", CONTENT_PID },
	{ "tid", CONTENT_TID },	  { "comm", CONTENT_COMM }, { "cpu", CONTENT_CPU },
};

#define COMMON (sizeof(common) / sizeof(*common))

void chosen_fields__free(struct chosen_fields *chosen)
{
	free(chosen->text);
	*chosen = (struct chosen_fields){ 0 };
}

const char *chosen_fields__next(const struct chosen_fields *chosen, const char *name)
{
	const char *last = chosen->text;

	if (!name)
		return chosen->text;
	for (uint32_t i = 1; i < chosen->count; i++)
		last += strlen(last) + 1;
	return name == last ? NULL : name + strlen(name) + 1;
}

bool chosen_fields__has(const struct chosen_fields *chosen, const char *name)
{
	for (const char *other = NULL; (other = chosen_fields__next(chosen, other));)
		if (!strcmp(other, name))
			return true;
	return false;
}

bool chosen_fields__find(const struct peat_schema *schema, const char *name,
			 struct chosen_field *found)
{
	*found = (struct chosen_field){ 0 };
	for (size_t i = 0; i < COMMON; i++)
		if (!strcmp(name, common[i].name)) {
			found->content = common[i].content;
			return true;
		}
	found->field = peat_schema__find(schema, name, &found->base);
	if (!found->field && sampled__is_of_identity(name)) {
		found->content = CONTENT_IDENTITY;
		found->sampled = sampled__find(schema, name);
		return found->sampled;
	}
	return found->field && field_type__of(found->field)->class != PEAT_CLASS_STACK;
}

char *chosen_fields__outer(const char *name)
{
	const char *dot = strrchr(name, '.');

	return strndup(name, dot ? (size_t)(dot - name) : 0);
}

bool chosen_fields__identity(const struct peat_schema *schema, uint32_t i,
			     struct chosen_field *found)
{
	static const char *const names[] = { "container", "pod", "unit", "nspid" };

	*found = (struct chosen_field){ .content = CONTENT_IDENTITY };
	if (i < sizeof(names) / sizeof(*names))
		found->sampled = sampled__find(schema, names[i]);
	return found->sampled;
}

/* Logs that the type has no field `name`, and the fields that it has. */
static void log_unknown(const struct peat_schema *schema, const char *name)
{
	const struct peat_field *end = fields__end(schema);
	struct suggestion suggestion = { .wanted = name };
	struct strbuf names = { 0 };
	char text[192];

	for (size_t i = 0; i < COMMON; i++)
		suggestion__try(&suggestion, common[i].name);
	for (const struct peat_field *field = schema->fields; field < end; field += field->span) {
		suggestion__try(&suggestion, field->name);
		strbuf__text(&names, field->name);
		strbuf__text(&names, ", ");
	}
	strbuf__char(&names, 0);
	log__error("no field \"%s\" in events of type %s%sthere are %stime, type, pid, tid, comm "
		   "and cpu",
		   name, schema->name, suggestion__text(&suggestion, text),
		   names.failed ? "" : names.bytes);
	strbuf__free(&names);
}

static bool is_list(const char *list)
{
	return *list && *list != ',' && !strstr(list, ",,") && list[strlen(list) - 1] != ',';
}

int chosen_fields__read(struct chosen_fields *chosen, const char *list,
			const struct peat_schema *schema)
{
	struct chosen_field found;

	*chosen = (struct chosen_fields){ 0 };
	if (!list)
		return 0;
	if (!is_list(list)) {
		log__error("fields \"%s\": a name is missing: expected FIELD,FIELD", list);
		return -EINVAL;
	}
	chosen->text = strdup(list);
	if (!chosen->text)
		return -ENOMEM;
	chosen->count = 1;
	for (char *at = chosen->text; (at = strchr(at, ',')); at++) {
		*at = 0;
		chosen->count++;
	}
	for (const char *name = NULL; schema && (name = chosen_fields__next(chosen, name));)
		if (!chosen_fields__find(schema, name, &found)) {
			log_unknown(schema, name);
			return -EINVAL;
		}
	return 0;
}
