/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * function_btf.h: prototypes in BTF that each test begins anew (`btf` of schema/event_btf.h), and
 * fields made of them in the BTF of events.
 */
#ifndef TESTS_UNIT_FUNCTIONS_FUNCTION_BTF_H
#define TESTS_UNIT_FUNCTIONS_FUNCTION_BTF_H

#include <linux/btf.h>
#include <string.h>

#include <peat/schema.h>

#include "functions/event_struct.h"
#include "unit/schema/event_btf.h"
#include "unit/suite.h"

/* Arguments in registers; the first place on the stack. */
#if defined(__x86_64__)
#define REGISTERS   6
#define STACK_START 8
#elif defined(__aarch64__)
#define REGISTERS   8
#define STACK_START 0
#else
#define REGISTERS   5
#define STACK_START 160
#endif

#define IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

struct parameter {
	const char *name;
	int type;
};

static struct field_types types;

static inline uint32_t add_prototype(int result, const struct parameter *parameters, size_t count)
{
	int id = known(btf__add_func_proto(btf, result));

	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(btf__add_func_param(btf, parameters[i].name, parameters[i].type),
				 0);
	return (uint32_t)id;
}

/* PROTOTYPE(result, { "name", type }, ...) */
#define PROTOTYPE(result, ...)                                                                     \
	((struct prototype){                                                                       \
		.btf = btf,                                                                        \
		.id = add_prototype(result, (const struct parameter[]){ __VA_ARGS__ },             \
				    sizeof((const struct parameter[]){ __VA_ARGS__ }) /            \
					    sizeof(struct parameter)) })

static inline int pointer(int target)
{
	return known(btf__add_ptr(btf, target));
}

static inline int constant(int type)
{
	return known(btf__add_const(btf, type));
}

static inline void begin_types(void)
{
	struct btf *events = btf__new_empty();

	setup();
	ck_assert_ptr_nonnull(events);
	ck_assert_int_eq(btf__set_pointer_size(events, 8), 0);
	ck_assert_int_eq(field_types__init(&types, events), 0);
}

static inline void end_types(void)
{
	btf__free(types.btf);
	teardown();
}

static inline struct function_field field_of(struct prototype prototype,
					     enum function_moment moment, const char *path)
{
	struct function_field field = { 0 };
	struct strbuf why = { 0 };
	int err = function_field__make(&field, &types, &prototype, moment, path, &why);

	ck_assert_msg(!err, "%s: %s: %.*s", path, strerror(-err), (int)why.count, why.bytes);
	ck_assert_uint_eq(why.count, 0);
	ck_assert_str_eq(field.path, path);
	return field;
}

/* The read alone. */
static inline struct plan_read read_of(struct prototype prototype, enum function_moment moment,
				       const char *path)
{
	struct function_field field = field_of(prototype, moment, path);
	struct plan_read read = field.read;

	function_field__free(&field);
	return read;
}

/* Checks the error and the reason of a path that is refused. */
static inline void refused_path(struct prototype prototype, enum function_moment moment,
				const char *path, int wanted, const char *reason)
{
	struct function_field field = { 0 };
	struct strbuf why = { 0 };
	int err = function_field__make(&field, &types, &prototype, moment, path, &why);

	ck_assert_msg(err == wanted, "%s: %d, not %d", path, err, wanted);
	ck_assert_ptr_null(field.path);
	strbuf__char(&why, '\0');
	ck_assert_str_eq(why.bytes, reason);
	strbuf__free(&why);
	ck_assert_int_eq(function_field__make(&field, &types, &prototype, moment, path, NULL),
			 wanted);
}

/* The schema of an event with these fields, which are freed. */
static inline struct peat_schema *schema_of(struct function_field *fields, uint32_t count,
					    int stacks, struct function_plan *plan)
{
	struct peat_schema *schema;

	ck_assert_int_eq(event_struct__add(&types, "event", fields, count, stacks, plan), 0);
	for (uint32_t i = 0; i < count; i++)
		function_field__free(&fields[i]);
	schema = peat_schema__new(types.btf, plan->type);
	ck_assert_ptr_nonnull(schema);
	ck_assert_uint_eq(warnings + errors, 0);
	ck_assert_uint_eq(peat_schema__bytes(schema), plan->bytes);
	return schema;
}

static inline const struct peat_field *find_field(const struct peat_schema *schema,
						  const char *path)
{
	const struct peat_field *field = peat_schema__find(schema, path, NULL);

	ck_assert_msg(field != NULL, "no field %s", path);
	return field;
}

/* The kind of a path as the only field of an event. */
static inline enum peat_field_kind kind_of(struct prototype prototype, enum function_moment moment,
					   const char *path)
{
	struct function_field field = field_of(prototype, moment, path);
	enum peat_field_kind kind;
	struct function_plan plan;
	struct peat_schema *schema = schema_of(&field, 1, 0, &plan);

	kind = find_field(schema, path)->kind;
	peat_schema__free(schema);
	return kind;
}

#endif /* TESTS_UNIT_FUNCTIONS_FUNCTION_BTF_H */
