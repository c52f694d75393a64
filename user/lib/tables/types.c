// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/types.c: the fields of a table, resolved for each type of events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "tables/types.h"

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_known_path(const struct table_types *types, const char *path)
{
	for (uint32_t i = 0; i < types->key_count; i++)
		if (!strcmp(types->keys[i].path, path))
			return true;
	return false;
}

bool table_types__lack_owner(const struct table_types *types, const struct peat_schema *schema)
{
	for (uint32_t i = 0; i < types->key_count; i++) {
		const char *path = types->keys[i].path;
		struct table_field field;

		if (sampled__is_of_owner(path) && !table_column__find(path, schema, &field))
			return true;
	}
	return false;
}

static int add_path(struct table_types *types, const char *by, const char *path, size_t bytes)
{
	char *copy;

	while (bytes && path[0] == ' ') {
		path++;
		bytes--;
	}
	while (bytes && path[bytes - 1] == ' ')
		bytes--;
	if (!bytes || types->key_count == TABLE_KEYS_MAX) {
		log__error("a table by '%s': %s", by,
			   bytes ? "at most 16 fields" : "a name is missing beside a comma");
		return -EINVAL;
	}
	copy = strndup(path, bytes);
	if (!copy)
		return -ENOMEM;
	if (is_known_path(types, copy)) {
		log__error("a table by '%s': '%s' is there twice", by, copy);
		free(copy);
		return -EINVAL;
	}
	types->keys[types->key_count++].path = copy;
	return 0;
}

static int add_paths(struct table_types *types, const char *by)
{
	const char *path = by;
	int err = 0;

	if (!by || !*by)
		return 0;
	while (!err) {
		size_t bytes = strcspn(path, ",");

		err = add_path(types, by, path, bytes);
		if (!path[bytes])
			break;
		path += bytes + 1;
	}
	return err;
}

int table_types__init(struct table_types *types, const char *by, const char *field)
{
	int err;

	*types = (struct table_types){ .has_value = field != NULL };
	types->end = &types->first;
	table_hash__init(&types->types, sizeof(struct table_type));
	err = add_paths(types, by);
	if (!err && field) {
		types->value.path = strdup(field);
		err = types->value.path ? 0 : -ENOMEM;
	}
	types->known = !types->key_count && !field;
	if (err)
		table_types__free(types);
	return err;
}

void table_types__free(struct table_types *types)
{
	for (uint32_t i = 0; i < types->key_count; i++)
		free(types->keys[i].path);
	free(types->value.path);
	table_hash__clear(&types->types);
	*types = (struct table_types){ 0 };
}

/* ---- resolving ------------------------------------------------------------------------------- */

static bool find_key(const struct table_types *types, const char *path,
		     const struct peat_schema *schema, struct table_field *field)
{
	if (!types->host || strcmp(path, "host") != 0)
		return table_column__find(path, schema, field);
	*field = (struct table_field){ .operand = TABLE_HOST, .host = &types->host };
	return true;
}

/* Finds the fields.  1: the type has all of them; 0: it lacks one. */
static int find_fields(struct table_types *types, struct table_plan *plan)
{
	bool has_all = true;

	plan->key_count = types->key_count;
	plan->has_value = types->has_value;
	for (uint32_t i = 0; i < types->key_count; i++) {
		bool found = find_key(types, types->keys[i].path, plan->schema, &plan->keys[i]);

		types->found |= (uint32_t)found << i;
		has_all &= found;
	}
	if (types->has_value) {
		bool found = table_column__find(types->value.path, plan->schema, &plan->value);

		types->value_found |= found;
		has_all &= found;
	}
	return has_all;
}

static int check_key(const struct table_types *types, const struct table_plan *plan, uint32_t i)
{
	if (plan->keys[i].operand == TABLE_STACK && !types->stack_id) {
		log__error("a table by 'stack': the stacks of %s have no numbers: set "
			   "peat_table_opts.stack_id",
			   table_column__type_name(plan->schema));
		return -EINVAL;
	}
	return table_column__check_key(types->keys[i].path, &plan->keys[i], plan->schema);
}

static int check_fields(const struct table_types *types, const struct table_plan *plan)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < types->key_count; i++)
		err = check_key(types, plan, i);
	if (!err && types->has_value)
		err = table_column__check_value(types->value.path, &plan->value, plan->schema);
	return err;
}

static void lay_out(struct table_types *types)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < types->key_count; i++) {
		uint32_t bytes = types->keys[i].field.bytes;

		types->keys[i].field.offset = at;
		at += bytes > 8 ? (bytes + 7) / 8 * 8 : 8;
	}
	types->key_bytes = at;
}

/* Merges all fields, or none. */
static int merge_fields(struct table_types *types, const struct table_plan *plan)
{
	struct table_column keys[TABLE_KEYS_MAX], value = types->value;
	int err = 0;

	memcpy(keys, types->keys, sizeof(keys));
	for (uint32_t i = 0; !err && i < types->key_count; i++)
		err = table_column__merge(&keys[i], &plan->keys[i], plan->schema, types->fixed);
	if (!err && types->has_value)
		err = table_column__merge(&value, &plan->value, plan->schema, types->fixed);
	if (err)
		return err;
	memcpy(types->keys, keys, sizeof(keys));
	types->value = value;
	types->known = true;
	lay_out(types);
	return 0;
}

static int resolve(struct table_types *types, struct table_plan *plan)
{
	int err = find_fields(types, plan);

	if (err != 1)
		return err;
	err = check_fields(types, plan);
	if (!err)
		err = merge_fields(types, plan);
	return err ? err : 1;
}

const struct table_type *table_types__add(struct table_types *types,
					  const struct peat_schema *schema)
{
	struct table_type *type;
	bool is_new;

	if (types->last && types->last->plan.schema == schema)
		return types->last;
	type = table_hash__add(&types->types, &schema, sizeof(schema), &is_new);
	if (!type)
		return NULL;
	if (is_new) {
		type->plan.schema = schema;
		type->result = resolve(types, &type->plan);
		*types->end = type;
		types->end = &type->next;
	}
	types->last = type;
	return type;
}

const struct table_type *table_types__find(const struct table_types *types,
					   const struct peat_schema *schema)
{
	return table_hash__find(&types->types, &schema, sizeof(schema));
}

/* ---- checking -------------------------------------------------------------------------------- */

static void append_name(void *out, const char *name)
{
	strbuf__char(out, ' ');
	strbuf__text(out, name);
}

static void append_fields(struct strbuf *out, const struct peat_schema *schema)
{
	const struct peat_field *end = schema->fields + schema->count;

	strbuf__text(out, out->count ? "; " : "");
	strbuf__text(out, schema->name);
	strbuf__char(out, ':');
	for (const struct peat_field *field = schema->fields; field < end; field += field->span)
		append_name(out, field->name);
	sampled__list(schema, append_name, out);
}

/* Logs that no type has the field, and the fields that there are. */
static int no_such_field(const struct table_types *types, const char *path)
{
	struct strbuf fields = { 0 };

	for (const struct table_type *type = types->first; type; type = type->next)
		if (type->plan.schema)
			append_fields(&fields, type->plan.schema);
	strbuf__char(&fields, '\0');
	log__error("no type of events has a field '%s': there are pid tid cpu comm type%s%s%s",
		   path, types->stack_id ? " stack" : "", fields.count > 1 ? "; " : "",
		   fields.failed ? "" : fields.bytes);
	strbuf__free(&fields);
	return -EINVAL;
}

/* Types whose fields do not fit were logged when they were added. */
static int check_results(const struct table_types *types)
{
	bool logged = false;

	for (const struct table_type *type = types->first; type; type = type->next) {
		if (type->result == 1)
			return 0;
		logged |= type->result < 0;
	}
	if (!logged)
		log__error("no type of events has all fields of the table: make a table for each "
			   "type");
	return -EINVAL;
}

int table_types__check(const struct table_types *types)
{
	struct table_field field;

	for (uint32_t i = 0; i < types->key_count; i++)
		if (!(types->found >> i & 1) && !find_key(types, types->keys[i].path, NULL, &field))
			return no_such_field(types, types->keys[i].path);
	if (types->has_value && !types->value_found &&
	    !table_column__find(types->value.path, NULL, &field))
		return no_such_field(types, types->value.path);
	return types->types.count ? check_results(types) : 0;
}
