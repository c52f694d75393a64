// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/row_schema.c: the schema of the rows of a table of events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "tables/row_schema.h"

static bool is_path(const struct table_types *types, const char *name)
{
	for (uint32_t i = 0; i < types->key_count; i++)
		if (!strcmp(types->keys[i].path, name))
			return true;
	return false;
}

/* Sets the name of a key's column in `name`, with its NUL. */
static int name_key(const struct table_types *types, uint32_t key, struct strbuf *name)
{
	const char *path = types->keys[key].path;
	size_t underscores = key_counts__is_column(path);

	do {
		strbuf__cut(name, 0);
		strbuf__text(name, path);
		strbuf__fill(name, '_', underscores);
		strbuf__char(name, '\0');
	} while (!name->failed && underscores++ && is_path(types, name->bytes));
	return name->failed ? -ENOMEM : 0;
}

static int plan_values(const struct table_types *types, const struct table_numbers *numbers,
		       struct plan *plan)
{
	struct peat_field field = types->value.field;
	int err = table_column__plan_names(plan, &field);

	if (!err)
		err = key_counts__plan(plan, numbers, types->key_bytes, &field);
	return err;
}

static int plan_columns(const struct table_types *types, const struct table_numbers *numbers,
			struct plan *plan, struct strbuf *names)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < types->key_count; i++) {
		err = name_key(types, i, &names[i]);
		if (!err)
			err = table_column__plan(plan, &types->keys[i], names[i].bytes);
	}
	return err ? err : plan_values(types, numbers, plan);
}

/* Addresses of recorded events may be of another kernel: rows print them as the events do. */
static void set_kernel(const struct table_types *types, struct peat_schema *schema)
{
	for (uint32_t i = 0; i < types->key_count; i++) {
		const struct table_column *key = &types->keys[i];
		const struct peat_field *like = key->like.field;

		if (field_type__of(&key->field)->class != PEAT_CLASS_CODE || !like->schema ||
		    !like->schema->is_recorded)
			continue;
		schema->same_kernel = like->schema->same_kernel;
		schema->is_recorded = true;
	}
}

/* Stacks are in a map that the schema of their events names. */
static void set_stacks(const struct table_types *types, struct peat_schema *schema)
{
	for (uint32_t i = 0; i < types->key_count; i++) {
		const struct table_column *key = &types->keys[i];

		if (!field_type__of(&key->field)->frames || !key->like.field->schema)
			continue;
		schema->stacks_fd = key->like.field->schema->stacks_fd;
		schema->stack_max = key->like.field->schema->stack_max;
	}
}

static bool may_be_unknown(const struct table_field *field)
{
	return field->operand == TABLE_PID || field->operand == TABLE_TID ||
	       field->operand == TABLE_CPU;
}

static void set_unknown(const struct table_types *types, struct peat_schema *schema)
{
	const struct peat_field *column = schema->fields;

	for (uint32_t i = 0; i < types->key_count; i++, column += column->span)
		if (may_be_unknown(&types->keys[i].like) && column - schema->fields < 64)
			schema->unknown |= 1ULL << (column - schema->fields);
}

int row_schema__new(const struct table_types *types, const struct table_numbers *numbers,
		    struct peat_schema **schema)
{
	static const char *const nothing_reserved[] = { NULL };
	struct strbuf names[TABLE_KEYS_MAX] = { 0 };
	struct plan plan = { 0 };
	int err = plan_columns(types, numbers, &plan, names);

	if (!err)
		err = plan__pack(&plan, "table", NULL,
				 types->key_bytes + key_counts__row_bytes(numbers),
				 nothing_reserved, schema);
	if (!err) {
		set_stacks(types, *schema);
		set_kernel(types, *schema);
		set_unknown(types, *schema);
	}
	for (uint32_t i = 0; i < types->key_count; i++)
		strbuf__free(&names[i]);
	plan__free(&plan);
	return err;
}

/* ---- the order ------------------------------------------------------------------------------- */

static int find_key(const struct table_types *types, const char *column)
{
	struct strbuf name = { 0 };
	int found = 0;

	for (uint32_t i = 0; !found && i < types->key_count; i++) {
		found = name_key(types, i, &name);
		if (!found)
			found = !strcmp(name.bytes, column);
	}
	strbuf__free(&name);
	return found;
}

int row_schema__check_column(const struct table_types *types, const struct table_numbers *numbers,
			     const char *column)
{
	uint32_t value = key_counts__value(column);
	int found;

	if (value & numbers->values)
		return 0;
	if (value) {
		log__error("cannot sort a table by '%s': it has no such value: add it to "
			   "peat_table_opts.values",
			   column);
		return -EINVAL;
	}
	found = find_key(types, column);
	if (found < 0)
		return found;
	if (!found)
		log__error("cannot sort a table by '%s': it is no field of the key, and no value",
			   column);
	return found ? 0 : -EINVAL;
}
