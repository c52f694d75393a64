// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/resolve.c: the tests of an expression for one type of events. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_list.h"
#include "field/fields.h"
#include "field/field_value.h"
#include "where/message.h"
#include "where/resolve.h"

#define LIST_BYTES   300
#define REASON_BYTES 700
#define LABEL_BYTES  128

/* ---- tests ----------------------------------------------------------------------------------- */

static struct where_test *new_test(struct where_resolver *resolver, enum where_op op)
{
	struct where_tests *tests = *resolver->tests;
	struct where_test *test;

	if (!tests || tests->used == sizeof(tests->tests) / sizeof(*tests->tests)) {
		tests = calloc(1, sizeof(*tests));
		if (!tests) {
			resolver->err = -ENOMEM;
			return NULL;
		}
		tests->next = *resolver->tests;
		*resolver->tests = tests;
	}
	test = &tests->tests[tests->used++];
	test->op = op;
	test->begin = resolver->node->begin;
	test->end = resolver->node->end;
	return test;
}

void where_tests__free(struct where_tests *tests)
{
	while (tests) {
		struct where_tests *next = tests->next;

		free(tests);
		tests = next;
	}
}

struct where_test *where_resolver__test(struct where_resolver *resolver, enum where_op op)
{
	const struct where_place *place = &resolver->place;
	const struct field_type *type = field_type__of(place->field);
	struct where_test *test = new_test(resolver, op);

	if (!test)
		return NULL;
	test->operand = place->operand;
	test->field = place->operand == WHERE_FIELD ? place->field : NULL;
	test->sampled = place->sampled;
	test->base = place->base;
	test->array = place->array;
	test->array_base = place->array_base;
	test->is_signed = place->field->is_signed;
	test->class = type->class;
	test->strings = type->strings;
	return test;
}

struct where_test *where_resolver__constant(struct where_resolver *resolver, bool value)
{
	return where_resolver__test(resolver, value ? WHERE_TRUE : WHERE_FALSE);
}

struct where_test *where_resolver__not(struct where_resolver *resolver, struct where_test *a)
{
	struct where_test *test = a ? new_test(resolver, WHERE_NOT) : NULL;

	if (test)
		test->a = a;
	return test;
}

struct where_test *where_resolver__or(struct where_resolver *resolver, struct where_test *a,
				      struct where_test *b)
{
	struct where_test *test = a && b ? new_test(resolver, WHERE_OR) : NULL;

	if (!test)
		return NULL;
	test->a = a;
	test->b = b;
	return test;
}

/* ---- errors ---------------------------------------------------------------------------------- */

void *where_resolver__fail(struct where_resolver *resolver, uint32_t at, const char *format, ...)
{
	char reason[REASON_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	where_message(resolver->expr->text, at, "%s", reason);
	resolver->err = -EINVAL;
	return NULL;
}

/* The part of a value that is no name: "O_CRAET" of "O_CREAT|O_CRAET". */
static void find_misspelt(const struct peat_field *field, const char *text, char name[64])
{
	bool joins = field_type__of(field)->joins_names;

	for (size_t bytes; *text; text += bytes + (text[bytes] == '|')) {
		uint32_t i = 0;

		bytes = strcspn(text, joins ? "|" : "");
		snprintf(name, 64, "%.*s", (int)bytes, text);
		while (i < field->name_count && strcmp(field->names[i].name, name))
			i++;
		if (i == field->name_count)
			return;
	}
}

/* Types can have fields of the same name and of another kind. */
static const char *field_label(const struct where_resolver *resolver, char label[LABEL_BYTES])
{
	const char *path = resolver->node->path;

	if (resolver->place.operand == WHERE_FIELD)
		snprintf(label, LABEL_BYTES, "%.60s in %.60s", path, resolver->schema->name);
	else
		snprintf(label, LABEL_BYTES, "%.60s", path);
	return label;
}

static void *fail_name(struct where_resolver *resolver, const struct where_value *value)
{
	const struct peat_field *field = resolver->place.field;
	char list[LIST_BYTES] = "", name[64] = "", alike[192], label[LABEL_BYTES];
	struct suggestion suggestion = { .wanted = name };

	find_misspelt(field, value->text, name);
	for (uint32_t i = 0; i < field->name_count; i++) {
		name_list__append(list, sizeof(list), field->names[i].name);
		suggestion__try(&suggestion, field->names[i].name);
	}
	return where_resolver__fail(
		resolver, value->begin, "\"%.60s\" is no value of %s%s%s: %s", name,
		field_label(resolver, label), suggestion__text(&suggestion, alike),
		field_type__of(field)->joins_names ? "a number, or names joined by |"
						   : "a number or a name",
		list);
}

void *where_resolver__bad_value(struct where_resolver *resolver, const struct where_value *value)
{
	const struct peat_field *field = resolver->place.field;
	char label[LABEL_BYTES];

	if (field->name_count)
		return fail_name(resolver, value);
	return where_resolver__fail(resolver, value->begin, "\"%.60s\" is no value of %s: %s",
				    value->text, field_label(resolver, label),
				    field_value__form(field->kind));
}

static void *fail_field(struct where_resolver *resolver)
{
	const struct peat_field *field = resolver->place.field;
	const char *path = resolver->node->path;
	uint32_t at = resolver->node->begin;

	switch (field_type__of(field)->class) {
	case PEAT_CLASS_MEMBERS:
		return where_resolver__fail(resolver, at, "%s is a struct: test a member, %s.%s",
					    path, path, field->span > 1 ? field[1].name : "NAME");
	case PEAT_CLASS_ELEMENTS:
		return where_resolver__fail(resolver, at, "%s is an array: test an element, %s[0]",
					    path, path);
	case PEAT_CLASS_STACK:
		return where_resolver__fail(resolver, at,
					    "%s is the event's stack, which has no tests", path);
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_FLOAT:
	case PEAT_CLASS_TEXT:
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_ADDRESS:
		break;
	}
	return where_resolver__fail(resolver, at, "%s is a number of %u bytes, which has no tests",
				    path, field->bytes);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static const struct where_class *find_class(const struct peat_field *field)
{
	switch (field_type__of(field)->class) {
	case PEAT_CLASS_TEXT:
		return &where_texts;
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_ADDRESS:
		return &where_bytes;
	case PEAT_CLASS_FLOAT:
		return field->bytes == 4 || field->bytes == 8 ? &where_floats : NULL;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_STACK:
		return fields__is_number(field) ? &where_numbers : NULL;
	case PEAT_CLASS_MEMBERS:
	case PEAT_CLASS_ELEMENTS:
		break;
	}
	return NULL;
}

static struct where_test *resolve_list(struct where_resolver *resolver,
				       const struct where_class *class)
{
	const struct where_value *value = resolver->node->values;
	struct where_test *first = class->equal(resolver, value), **last = &first;

	while (*last && value->next) {
		value = value->next;
		*last = where_resolver__or(resolver, *last, class->equal(resolver, value));
		if (*last)
			last = &(*last)->b;
	}
	return *last ? first : NULL;
}

static struct where_test *make_comparison(struct where_resolver *resolver,
					  const struct where_class *class)
{
	const struct where_node *node = resolver->node;

	switch (node->compare) {
	case COMPARE_SET:
		return class->is_set(resolver);
	case COMPARE_EQUAL:
		return class->equal(resolver, node->values);
	case COMPARE_IN:
		return resolve_list(resolver, class);
	case COMPARE_GLOB:
		if (class->glob)
			return class->glob(resolver, node->values);
		return where_resolver__fail(resolver, node->begin,
					    "%s is no text: ~ is for text only", node->path);
	default:
		if (class->less)
			return class->less(resolver, node->values,
					   node->compare == COMPARE_LESS_EQUAL);
		return where_resolver__fail(resolver, node->begin,
					    "%s has no order: compare it by ==, != or in",
					    node->path);
	}
}

static struct where_test *resolve_test(struct where_resolver *resolver,
				       const struct where_node *node)
{
	const struct where_class *class;
	struct where_test *test;

	resolver->node = node;
	if (where_path__find(resolver->schema, node->path, &resolver->place) ==
	    WHERE_OF_ANOTHER_TYPE)
		return new_test(resolver, WHERE_FALSE);
	class = find_class(resolver->place.field);
	if (!class)
		return fail_field(resolver);
	if (node->mask && !class->has_masks)
		return where_resolver__fail(resolver, node->mask->begin,
					    "%s has no bits: & is for numbers, addresses and bytes",
					    node->path);
	test = make_comparison(resolver, class);
	return node->inverted ? where_resolver__not(resolver, test) : test;
}

/* Follows the chain of `b`; only parentheses recurse. */
static struct where_test *resolve_node(struct where_resolver *resolver,
				       const struct where_node *node)
{
	struct where_test *first = NULL, **at = &first;

	for (;; node = node->b) {
		resolver->node = node;
		if (node->negated) {
			*at = new_test(resolver, WHERE_NOT);
			if (!*at)
				return NULL;
			at = &(*at)->a;
		}
		if (node->kind == NODE_TEST) {
			*at = resolve_test(resolver, node);
			return resolver->err ? NULL : first;
		}
		*at = new_test(resolver, node->kind == NODE_AND ? WHERE_AND : WHERE_OR);
		if (!*at)
			return NULL;
		(*at)->a = resolve_node(resolver, node->a);
		if (!(*at)->a)
			return NULL;
		at = &(*at)->b;
	}
}

/* Whether the type has all fields. */
static bool find_fields(const struct where_expr *expr, const struct peat_schema *schema)
{
	struct where_place place;
	bool has_all = true;

	for (uint32_t i = 0; i < expr->node_count; i++) {
		struct where_node *node = &expr->nodes[i];
		enum where_found found;

		if (node->kind != NODE_TEST)
			continue;
		found = where_path__find(schema, node->path, &place);
		node->found |= found == WHERE_FOUND;
		has_all &= found != WHERE_LACKED;
		if (place.elements)
			node->elements = place.elements;
	}
	return has_all;
}

int where_resolve(const struct where_expr *expr, const struct peat_schema *schema,
		  struct where_tests **tests, const struct where_test **tree)
{
	struct where_resolver resolver = { .expr = expr, .schema = schema, .tests = tests };

	if (!find_fields(expr, schema))
		return 0;
	*tree = resolve_node(&resolver, expr->root);
	return resolver.err ? resolver.err : 1;
}
