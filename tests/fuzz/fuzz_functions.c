// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_functions.c: events of the functions of any BTF.
 *
 * Input: BTF.  Each of its functions gets a prototype in C, and an event of all its fields and of
 * members that its pointers lead to.  The event has to have a schema, and its reads have to be
 * inside.  The seeds are sections .BTF of objects with functions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <peat/schema.h>

#include "functions/event_struct.h"
#include "functions/plain_type.h"
#include "functions/type_members.h"

#define MEMBERS_TRIED 4
#define DEPTH_TRIED   3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct attempt {
	const struct prototype *prototype;
	struct field_types *types;
	struct function_field fields[PLAN_READS];
	uint32_t count, tried, depth;
	char path[4096 + 64];
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void check_field(const struct function_field *field)
{
	const struct plan_read *read = &field->read;

	require(field->type > 0 && field->bytes && field->align && field->bytes <= PLAN_TEXT_BYTES);
	require(read->source < PLAN_SCRATCH && read->steps <= PLAN_STEPS);
	require(read->width ? read->width == field->bytes : read->bytes == field->bytes);
	require(!read->flags || read->steps);
	require(!(read->flags & (read->flags - 1)));
	require(read->width || read->steps);
}

static void try_path(struct attempt *attempt)
{
	struct strbuf why = { 0 };
	struct function_field field = { 0 };
	int err = function_field__make(&field, attempt->types, attempt->prototype, FUNCTION_CALL,
				       attempt->path, &why);

	require(!err == !why.count);
	if (!err)
		check_field(&field);
	if (!err && attempt->count < PLAN_READS)
		attempt->fields[attempt->count++] = field;
	else if (!err)
		function_field__free(&field);
	strbuf__free(&why);
}

static void try_members(struct attempt *attempt, uint32_t type);

static bool try_member(void *context, const struct type_member *member)
{
	struct attempt *attempt = context;
	size_t bytes = strlen(attempt->path);

	if (strlen(member->name) + bytes + 2 > sizeof(attempt->path))
		return false;
	strcat(strcat(attempt->path, "."), member->name);
	try_path(attempt);
	try_members(attempt, member->type);
	attempt->path[bytes] = '\0';
	return ++attempt->tried >= MEMBERS_TRIED;
}

/* The members of a struct, or of one that a pointer leads to. */
static void try_members(struct attempt *attempt, uint32_t id)
{
	const struct btf *btf = attempt->prototype->btf;
	struct plain_type type;
	int err = plain_type__find(&type, btf, id);

	if (!err && btf_is_ptr(type.type))
		err = plain_type__find(&type, btf, type.type->type);
	if (err || !btf_is_composite(type.type) || attempt->depth == DEPTH_TRIED)
		return;
	attempt->depth++;
	attempt->tried = 0;
	type_members__each(btf, type.type, try_member, attempt);
	attempt->depth--;
}

static void try_parameters(struct attempt *attempt)
{
	const struct btf *btf = attempt->prototype->btf;
	const struct btf_type *type = btf__type_by_id(btf, attempt->prototype->id);
	uint32_t named = prototype__named(attempt->prototype, NULL);

	for (uint32_t i = 0; i < named && i < PLAN_READS; i++) {
		snprintf(attempt->path, sizeof(attempt->path), "arg%u", i + 1);
		try_path(attempt);
		try_members(attempt, btf_params(type)[i].type);
	}
}

/* ---- events ---------------------------------------------------------------------------------- */

static void check_plan(const struct function_plan *plan)
{
	require(plan->bytes && plan->bytes <= PLAN_BYTES && plan->cleared <= plan->bytes);
	for (int i = 0; i < plan->reads; i++) {
		const struct plan_read *read = &plan->read[i];

		require(read->to + (read->width ? read->width : read->bytes) <= plan->bytes);
		require(!read->steps == !read->present);
		require(!read->present || read->present_at < plan->cleared);
	}
}

/* Fields may have one name, if the BTF says so. */
static void make_event(struct field_types *types, struct function_field *fields, uint32_t count)
{
	struct function_plan plan = { 0 };
	int err = event_struct__add(types, "event", fields, count, 0, &plan);
	struct peat_schema *schema;

	for (uint32_t i = 0; i < count; i++)
		function_field__free(&fields[i]);
	require(!err || err == -EEXIST || err == -E2BIG || err == -EINVAL);
	if (err)
		return;
	check_plan(&plan);
	schema = peat_schema__new(types->btf, plan.type);
	require(schema && peat_schema__bytes(schema) == plan.bytes);
	peat_schema__free(schema);
	require(!event_struct__finish(types, &plan.type, &(uint32_t){ plan.bytes }, 1));
}

static void make_all(struct field_types *types, const struct prototype *prototype,
		     enum function_moment moment)
{
	struct function_field fields[PLAN_READS] = { 0 };
	int count = function_field__make_all(fields, types, prototype, moment);

	require(count >= 0 || count == -EBADMSG);
	for (int i = 0; i < count; i++)
		check_field(&fields[i]);
	if (count >= 0)
		make_event(types, fields, (uint32_t)count);
}

static struct btf *begin(struct field_types *types)
{
	struct btf *btf = btf__new_empty();

	require(btf && !field_types__init(types, btf));
	return btf;
}

static void check_prototype(const struct prototype *prototype, const char *name)
{
	struct attempt attempt = { .prototype = prototype };
	struct field_types types;
	struct strbuf text = { 0 };
	struct btf *btf = begin(&types);

	prototype__append(&text, prototype, name);
	require(!text.failed);
	strbuf__free(&text);
	make_all(&types, prototype, FUNCTION_CALL);
	btf__free(btf);
	btf = begin(&types);
	make_all(&types, prototype, FUNCTION_RETURN);
	btf__free(btf);
	btf = begin(&types);
	attempt.types = &types;
	try_parameters(&attempt);
	make_event(&types, attempt.fields, attempt.count);
	btf__free(btf);
}

static void check_function(struct prototypes *prototypes, const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const char *name;
	struct prototype found;

	if (!btf_is_func(type))
		return;
	name = btf__name_by_offset(btf, type->name_off);
	if (name && prototypes__find(prototypes, name, NULL, &found))
		check_prototype(&found, name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prototypes *prototypes;
	struct btf *btf;
	uint32_t types;

	libbpf_set_print(NULL);
	btf = btf__new(data, (uint32_t)size);
	if (btf && !prototypes__open_btf(&prototypes, btf, data[size - 1] & 1)) {
		types = btf__type_cnt(btf);
		for (uint32_t id = 1; id < types; id++)
			check_function(prototypes, btf, id);
		prototypes__free(prototypes);
	}
	btf__free(btf);
	return 0;
}
