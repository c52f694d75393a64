// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/function_field.c: fields of a function's events. */
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/argument_place.h"
#include "functions/field_path.h"
#include "functions/field_types.h"

static int copy_path(struct function_field *field, const char *path)
{
	field->path = strdup(path);
	return field->path ? 0 : -ENOMEM;
}

int function_field__make(struct function_field *field, struct field_types *types,
			 const struct prototype *prototype, enum function_moment moment,
			 const char *path, struct strbuf *why)
{
	struct function_path whole = { types, prototype, moment, path, why };
	struct function_field made = { 0 };
	int err = field_path__resolve(&whole, &made);

	if (!err)
		err = copy_path(&made, path);
	if (!err)
		*field = made;
	return err;
}

int function_field__make_name(struct function_field *field, struct field_types *types,
			      const char *path, const char *const *names, uint32_t count)
{
	struct function_field made = {
		.read = { .source = PLAN_CONSTANT, .width = 4 },
		.bytes = 4,
		.align = 4,
	};
	int err;

	made.type = field_types__add_names(types, names, count);
	if (made.type < 0)
		return made.type;
	err = copy_path(&made, path);
	if (!err)
		*field = made;
	return err;
}

void function_field__free(struct function_field *field)
{
	free(field->path);
	*field = (struct function_field){ 0 };
}

/* ---- all fields ------------------------------------------------------------------------------ */

struct all_fields {
	struct function_field *at;
	uint32_t count;
	struct field_types *types;
	const struct prototype *prototype;
	enum function_moment moment;
};

/* Parameters that cannot be fields are left out. */
static int add_path(struct all_fields *all, const char *path)
{
	int err = function_field__make(&all->at[all->count], all->types, all->prototype,
				       all->moment, path, NULL);

	if (!err)
		all->count++;
	return err == -EINVAL || err == -ENOENT || err == -E2BIG ? 0 : err;
}

/* A parameter without a name of its own is named by its number. */
static int add_parameter(struct all_fields *all, uint32_t index)
{
	const struct prototype *prototype = all->prototype;
	const struct btf_type *type = btf__type_by_id(prototype->btf, prototype->id);
	const char *name = btf__name_by_offset(prototype->btf, btf_params(type)[index].name_off);
	char number[16];

	if (!name)
		return -EBADMSG;
	if (!strchr(name, '.') &&
	    field_path__parameter(prototype, all->moment, name, strlen(name)) == (int)index)
		return add_path(all, name);
	if (index >= ARGUMENTS_NAMED)
		return 0;
	snprintf(number, sizeof(number), "arg%u", index + 1);
	return field_path__parameter(prototype, all->moment, number, strlen(number)) == (int)index
		       ? add_path(all, number)
		       : 0;
}

static int add_all(struct all_fields *all)
{
	bool is_return = all->moment == FUNCTION_RETURN;
	uint32_t named = prototype__named(all->prototype, NULL);
	uint32_t room = is_return ? PLAN_READS - 2 : PLAN_READS;
	int err = 0;

	for (uint32_t i = 0; !err && i < named && all->count < room; i++)
		err = add_parameter(all, i);
	if (!err && is_return)
		err = add_path(all, "result");
	if (!err && is_return)
		err = add_path(all, "latency");
	return err;
}

int function_field__make_all(struct function_field fields[PLAN_READS], struct field_types *types,
			     const struct prototype *prototype, enum function_moment moment)
{
	struct all_fields all = { fields, 0, types, prototype, moment };
	int err = add_all(&all);

	if (!err)
		return (int)all.count;
	while (all.count)
		function_field__free(&fields[--all.count]);
	return err;
}
