// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/probe_plans.c: makes the type of a source's events, and a plan for each function. */
#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "functions/event_struct.h"
#include "functions/probe_parts.h"
#include "functions/user_prototypes.h"

#define NAME_BYTES 128

static void name_type(const struct making *making, char name[NAME_BYTES])
{
	const struct function_probe *probe = making->probe;
	const char *from = probe->source.is_glob ? probe->source.pattern : probe->found.at[0].name;
	size_t bytes = 0;

	for (; *from && bytes + 1 < NAME_BYTES; from++)
		if (isalnum((unsigned char)*from) || (bytes && *from == '_'))
			name[bytes++] = *from;
	while (bytes && name[bytes - 1] == '_')
		bytes--;
	name[bytes] = '\0';
	if (!bytes)
		snprintf(name, NAME_BYTES, "functions");
}

static int log_no_struct(const struct making *making, int err)
{
	if (err == -EEXIST)
		log__error("%s: a field and its members cannot both be read, such as 'file' and "
			   "'file.f_inode': name one of them",
			   function_probe__name(making->probe));
	else if (err == -E2BIG)
		log__error("%s: the fields have more than %d bytes: name fewer",
			   function_probe__name(making->probe), PLAN_BYTES);
	else
		log__error("%s: cannot make the type of its events: %s",
			   function_probe__name(making->probe), strerror(-err));
	return err;
}

static int make_struct(struct making *making)
{
	struct function_plan *plan = &making->probe->plans[1];
	char name[NAME_BYTES];
	uint32_t bytes;
	int stacks = btf__find_by_name_kind(making->types.btf, "peat_stacks", BTF_KIND_STRUCT);
	int err;

	name_type(making, name);
	err = stacks < 0 ? stacks
			 : event_struct__add(&making->types, name, making->fields, making->count,
					     stacks, plan);
	if (err)
		return log_no_struct(making, err);
	bytes = plan->bytes;
	return event_struct__finish(&making->types, &plan->type, &bytes, 1);
}

/* The same field of another function, which has to be as large.  -ENOENT: it has none. */
static int read_field(struct plan_read *read, struct field_types *types,
		      const struct making *making, const struct subject *subject,
		      const struct function_field *like)
{
	struct function_field field;
	struct strbuf why = { 0 };
	int err = probe_fields__make_one(&field, types, making, subject, like->path, &why);

	strbuf__free(&why);
	if (err)
		return err == -ENOMEM ? err : -ENOENT;
	if (field.bytes != like->bytes || field.read.width != like->read.width)
		err = -ENOENT;
	*read = field.read;
	read->to = like->read.to;
	read->bytes = like->read.bytes;
	read->present = like->read.present;
	read->present_at = like->read.present_at;
	function_field__free(&field);
	return err;
}

/* The plan of another function.  -ENOENT: it lacks a field. */
static int make_plan(struct function_plan *plan, struct field_types *types,
		     const struct making *making, size_t i)
{
	struct subject subject;
	int err = subject__open(&subject, making, i);

	*plan = making->probe->plans[1];
	for (uint32_t field = making->own; !err && field < making->count; field++)
		err = read_field(&plan->read[field], types, making, &subject,
				 &making->fields[field]);
	subject__close(&subject);
	return err;
}

/* The names' numbers are those of all functions, also of those that are left out. */
static int make_other_plans(struct making *making, struct field_types *types)
{
	struct found_functions *found = &making->probe->found;
	struct function_plan *plans = making->probe->plans;
	size_t made = 1;
	int err = 0;

	for (size_t i = 1, number = 1; !err && i < found->count; number++) {
		err = make_plan(&plans[made + 1], types, making, i);
		plans[made + 1].read[0].offset[0] =
			making->own ? (int)number : plans[made + 1].read[0].offset[0];
		if (err == -ENOENT) {
			found_functions__leave_out(found, i);
			err = 0;
			continue;
		}
		made++;
		i++;
	}
	return err;
}

/* Types of other functions' fields are the same, and not kept. */
static int make_all(struct making *making)
{
	struct field_types types;
	struct btf *btf = btf__new_empty();
	int err = btf ? field_types__init(&types, btf) : -ENOMEM;

	if (!err)
		err = make_other_plans(making, &types);
	btf__free(btf);
	return err;
}

int probe_plans__make(struct making *making)
{
	return make_struct(making) ?: make_all(making);
}

/* ---- other files ----------------------------------------------------------------------------- */

static int compare_function(const void *left, const void *right)
{
	const struct found_function *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order || !a->module || !b->module ? order : strcmp(a->module, b->module);
}

/* Whether a plan reads the same, whatever the number of the function's name is. */
static bool is_same_plan(struct function_plan made, const struct function_plan *plan, bool has_name)
{
	if (has_name)
		made.read[0].offset[0] = plan->read[0].offset[0];
	return !memcmp(&made, plan, sizeof(made));
}

/*
 * Whether plan `number`, of function `own`, is that of function `i` of the other file.  A plan made
 * without a prototype is the same everywhere.  Without one there, it is unless it reads members:
 * their offsets may differ.  1, 0 or -ENOMEM.
 */
static int try_plan(struct making *other, const struct found_function *own, size_t i,
		    uint64_t number)
{
	const struct function_probe *probe = other->probe;
	struct function_plan made;
	struct prototype prototype;
	int err;

	if (probe->source.kind != SOURCE_USDT && !own->prototype)
		return 1;
	if (probe->source.kind != SOURCE_USDT &&
	    !user_prototypes__find(other->user_btf, &probe->found.at[i], &prototype))
		return !probe->has_members;
	err = make_plan(&made, &other->types, other, i);
	if (err)
		return err == -ENOENT ? 0 : err;
	return is_same_plan(made, &probe->plans[number], other->own);
}

/* Overloads in C++ have one name: the first one with the same plan is taken. */
static int match_one(struct making *other, const struct found_functions *own, size_t i,
		     uint64_t *numbers, size_t *differing)
{
	const struct found_function *function = &other->probe->found.at[i];
	bool has_name = false;
	int is_plan = 0;

	for (size_t at = 0; is_plan <= 0 && at < own->count; at++) {
		if (compare_function(&own->at[at], function))
			continue;
		has_name = true;
		is_plan = try_plan(other, &own->at[at], i, at + 1);
		if (is_plan < 0)
			return is_plan;
		numbers[i] = is_plan ? at + 1 : 0;
	}
	*differing += has_name && !numbers[i];
	return 0;
}

int function_probe__match(const struct function_probe *probe, const struct found_functions *found,
			  struct btf *user_btf, uint64_t *numbers, size_t *differing)
{
	struct function_probe file = *probe;
	struct making other = {
		.probe = &file, .user_btf = user_btf, .count = probe->field_count, .own = probe->own
	};
	struct btf *btf = btf__new_empty();
	int err = btf ? field_types__init(&other.types, btf) : -ENOMEM;

	file.found = *found;
	memcpy(other.fields, probe->fields, probe->field_count * sizeof(*probe->fields));
	for (size_t i = 0; !err && i < found->count; i++)
		err = match_one(&other, &probe->found, i, numbers, differing);
	btf__free(btf);
	return err;
}
