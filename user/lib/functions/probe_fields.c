// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/probe_fields.c: makes the fields of a source's events. */
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "field/fields.h"
#include "functions/probe_parts.h"
#include "functions/usdt_field.h"
#include "functions/usdt_notes.h"
#include "functions/user_prototypes.h"

static bool is_tracepoint(const struct making *making)
{
	return making->probe->source.kind == SOURCE_TRACEPOINT;
}

int subject__open(struct subject *subject, const struct making *making, size_t i)
{
	const struct found_function *function = &making->probe->found.at[i];

	*subject = (struct subject){ .function = function };
	if (is_tracepoint(making))
		return tracepoint_record__read(&subject->record, function->module, function->name);
	if (making->prototypes)
		prototypes__find(making->prototypes, function->name, function->module,
				 &subject->prototype);
	else
		user_prototypes__find(making->user_btf, function, &subject->prototype);
	subject->prototype.is_user = function_source__is_user(&making->probe->source);
	return 0;
}

void subject__close(struct subject *subject)
{
	tracepoint_record__free(&subject->record);
}

/* Events of a glob have 0 for an argument that their USDT lacks. */
static uint32_t usdt_arguments(const struct making *making, const struct subject *subject)
{
	return making->probe->source.is_glob
		       ? USDT_ARGUMENTS
		       : usdt_notes__count_arguments(subject->function->arguments);
}

int probe_fields__make_one(struct function_field *field, struct field_types *types,
			   const struct making *making, const struct subject *subject,
			   const char *path, struct strbuf *why)
{
	*field = (struct function_field){ 0 };
	if (is_tracepoint(making))
		return tracepoint_record__field(field, types, &subject->record, path, why);
	if (making->probe->source.kind == SOURCE_USDT)
		return usdt_field__make(field, types, path, usdt_arguments(making, subject), why);
	return function_field__make(field, types, &subject->prototype, making__moment(making), path,
				    why);
}

static bool has_field(const struct making *making, const char *path)
{
	for (uint32_t i = 0; i < making->count; i++)
		if (!strcmp(making->fields[i].path, path))
			return true;
	return false;
}

static int log_no_field(const struct making *making, const struct subject *subject,
			const char *path, const struct strbuf *why, int err)
{
	log__error("%s: no field '%s' of %s: %.*s", function_probe__name(making->probe), path,
		   subject->function->name, why->failed ? 0 : (int)why->count,
		   why->bytes ? why->bytes : "");
	return err;
}

static int log_too_many(const struct making *making)
{
	log__error("%s: more than %u fields: name fewer", function_probe__name(making->probe),
		   PLAN_READS);
	return -E2BIG;
}

/* "pid", "comm" and others, which expressions, tables and outputs know without the function. */
static bool all_events_have(const char *path)
{
	static const char *const others[] = { "size", "stack", "uid", "cgroup" };

	for (size_t i = 0; fields__event_reserved[i]; i++)
		if (!strcmp(path, fields__event_reserved[i]))
			return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(path, others[i]))
			return true;
	return false;
}

/* An absent field is no error if it need not exist. */
static int add_field(struct making *making, const struct subject *subject, const char *path,
		     bool has_to_exist)
{
	struct strbuf why = { 0 };
	int err;

	if (has_field(making, path))
		return 0;
	if (making->count == PLAN_READS)
		return log_too_many(making);
	err = probe_fields__make_one(&making->fields[making->count], &making->types, making,
				     subject, path, &why);
	making->count += !err;
	if (err && err != -ENOMEM && has_to_exist)
		err = log_no_field(making, subject, path, &why, err);
	else if (err == -ENOENT)
		err = 0;
	strbuf__free(&why);
	return err;
}

static int add_wanted(struct making *making, const struct subject *subject)
{
	const struct wanted_fields *wanted = making->wanted;
	int err = 0;

	for (uint32_t i = 0; !err && i < wanted->count; i++)
		err = add_field(making, subject, wanted->paths[i],
				!all_events_have(wanted->paths[i]));
	for (uint32_t i = 0; !err && i < wanted->name_count; i++)
		err = add_field(making, subject, wanted->names[i], false);
	return err;
}

/* The first arguments of USDT, as many as events have fields. */
static int add_arguments(struct making *making, const struct subject *subject)
{
	uint32_t count = usdt_arguments(making, subject);
	char path[16];
	int err = 0;

	for (uint32_t i = 0; !err && i < count && i < USDT_ARGUMENTS && making->count < PLAN_READS;
	     i++) {
		snprintf(path, sizeof(path), "arg%u", i + 1);
		err = add_field(making, subject, path, true);
	}
	return err;
}

/* Whether an expression or a table names a member of the field. */
static bool is_opened(const struct making *making, const char *path)
{
	size_t bytes = strlen(path);

	for (uint32_t i = 0; i < making->wanted->name_count; i++) {
		const char *name = making->wanted->names[i];

		if (!strncmp(name, path, bytes) && name[bytes] == '.')
			return true;
	}
	return false;
}

/* An event has a pointer, or what it leads to: the members that are named. */
static void keep_closed(struct making *making, uint32_t added)
{
	uint32_t end = making->count + added;

	for (uint32_t i = making->count; i < end; i++) {
		if (is_opened(making, making->fields[i].path))
			function_field__free(&making->fields[i]);
		else
			making->fields[making->count++] = making->fields[i];
	}
}

/* A glob has the fields that all functions have. */
static int add_others(struct making *making, const struct subject *subject)
{
	struct function_field *fields = &making->fields[making->count];
	int count;

	if (making->wanted->count || making->wanted->no_others)
		return 0;
	if (making->probe->source.is_glob)
		return making__moment(making) == FUNCTION_RETURN
			       ? add_field(making, subject, "latency", true)
			       : 0;
	if (making->probe->source.kind == SOURCE_USDT)
		return add_arguments(making, subject);
	if (is_tracepoint(making))
		count = tracepoint_record__fields(fields, PLAN_READS - making->count,
						  &making->types, &subject->record);
	else
		count = function_field__make_all(fields, &making->types, &subject->prototype,
						 making__moment(making));
	if (count < 0)
		return count;
	keep_closed(making, (uint32_t)count);
	return 0;
}

/* "function", or "event" of tracepoints and USDT: the enum of the names. */
static int add_name(struct making *making)
{
	const struct found_functions *found = &making->probe->found;
	const char **names = calloc(found->count, sizeof(*names));
	int err;

	if (!names)
		return -ENOMEM;
	for (size_t i = 0; i < found->count; i++)
		names[i] = found->at[i].name;
	err = function_field__make_name(&making->fields[0], &making->types,
					making->probe->source.group ? "event" : "function", names,
					(uint32_t)found->count);
	free(names);
	making->count = making->own = err ? 0 : 1;
	return err;
}

static bool can_make(const struct making *making, struct field_types *types,
		     const struct subject *subject, const char *path)
{
	struct function_field field;
	struct strbuf why = { 0 };
	int err = probe_fields__make_one(&field, types, making, subject, path, &why);

	strbuf__free(&why);
	if (!err)
		function_field__free(&field);
	return !err;
}

/* The number of wanted fields that a function has; negative: an error. */
static int count_wanted(const struct making *making, struct field_types *types, size_t i)
{
	const struct wanted_fields *wanted = making->wanted;
	struct subject subject;
	int count = 0, err = subject__open(&subject, making, i);

	if (err)
		return err;
	for (uint32_t path = 0; path < wanted->count; path++)
		count += can_make(making, types, &subject, wanted->paths[path]);
	for (uint32_t name = 0; name < wanted->name_count; name++)
		count += can_make(making, types, &subject, wanted->names[name]);
	subject__close(&subject);
	return count;
}

static int find_model(const struct making *making, struct field_types *types, size_t *model)
{
	int most = 0;

	*model = 0;
	for (size_t i = 0; i < making->probe->found.count; i++) {
		int count = count_wanted(making, types, i);

		if (count < 0)
			return count;
		if (count > most) {
			most = count;
			*model = i;
		}
	}
	return 0;
}

/* The function with the most of the wanted fields becomes the first, from which the type is made.
 */
static int choose_model(const struct making *making)
{
	struct found_function *at = making->probe->found.at, first = at[0];
	struct field_types types;
	struct btf *btf = btf__new_empty();
	size_t model = 0;
	int err = btf ? field_types__init(&types, btf) : -ENOMEM;

	if (!err)
		err = find_model(making, &types, &model);
	btf__free(btf);
	at[0] = at[model];
	at[model] = first;
	return err;
}

static bool needs_model(const struct making *making)
{
	return making->probe->source.is_glob &&
	       (making->wanted->count || making->wanted->name_count);
}

int probe_fields__make(struct making *making)
{
	struct subject subject;
	int err = needs_model(making) ? choose_model(making) : 0;

	if (!err && making->probe->source.is_glob)
		err = add_name(making);
	if (!err)
		err = subject__open(&subject, making, 0);
	if (err)
		return err;
	err = add_others(making, &subject);
	if (!err)
		err = add_wanted(making, &subject);
	subject__close(&subject);
	return err;
}
