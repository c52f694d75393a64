// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/where.c: an expression and the types of events that it was resolved for. */
#include <stdlib.h>
#include <string.h>

#include <peat/reader.h>

#include "base/errors.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/name_list.h"
#include "field/sampled.h"
#include "where/evaluate.h"
#include "where/identity.h"
#include "where/message.h"
#include "where/resolve.h"

#define LIST_BYTES 300

/* A type of events. */
struct where_type {
	struct hash_link link;
	const struct peat_schema *schema; /* may be NULL */
	int result;			  /* of peat_where__add_type() */
	struct where_tests *tests;
	const struct where_test *tree; /* NULL: no event matches */
	struct where_needs needs;
};

struct peat_where {
	struct where_functions functions; /* first */
	struct where_expr expr;
	struct hash types;	       /* by the address of the schema */
	const struct where_type *last; /* the type of the last event */
};

/* ---- types ----------------------------------------------------------------------------------- */

static const struct where_type *find_type(const struct peat_where *where,
					  const struct peat_schema *schema)
{
	const struct hash_link *link = hash__first(&where->types, hash__number((uintptr_t)schema));

	return link ? HASH_ENTRY(link, const struct where_type, link) : NULL;
}

static void free_type(struct where_type *type)
{
	if (!type)
		return;
	where_tests__free(type->tests);
	free(type->needs.tests);
	free(type);
}

static int resolve_type(struct where_type *type, const struct where_expr *expr)
{
	int err = 0;

	type->result = where_resolve(expr, type->schema, &type->tests, &type->tree);
	if (type->result == 1)
		err = where_needs__init(&type->needs, type->tree);
	if (type->result == -ENOMEM)
		err = -ENOMEM;
	return err;
}

static const struct where_type *add_type(struct peat_where *where, const struct peat_schema *schema)
{
	struct where_type *type = calloc(1, sizeof(*type));
	int err = -ENOMEM;

	if (type) {
		type->schema = schema;
		err = resolve_type(type, &where->expr);
	}
	if (!err)
		err = hash__add(&where->types, &type->link, hash__number((uintptr_t)schema));
	if (err) {
		free_type(type);
		log__error("where: no memory for a type of events");
		return fail_null(err);
	}
	return type;
}

int peat_where__add_type(struct peat_where *where, const struct peat_schema *schema)
{
	const struct where_type *type = find_type(where, schema);

	if (!type)
		type = add_type(where, schema);
	if (!type)
		return fail(-ENOMEM);
	return type->result < 0 ? fail(type->result) : type->result;
}

const struct where_test *where__resolved(const struct peat_where *where,
					 const struct peat_schema *schema)
{
	const struct where_type *type = find_type(where, schema);

	return type ? type->tree : NULL;
}

bool where__lacks_owner(const struct peat_where *where, const struct peat_schema *schema)
{
	for (uint32_t i = 0; i < where->expr.node_count; i++) {
		const struct where_node *node = &where->expr.nodes[i];

		if (node->kind == NODE_TEST && where_path__lacks_owner(schema, node->path))
			return true;
	}
	return false;
}

bool where__names_identity(const struct peat_where *where)
{
	const char *path, *last;

	for (uint32_t i = 0; (path = where__path(where, i)); i++) {
		last = strrchr(path, '.');
		if (sampled__is_of_identity(last ? last + 1 : path))
			return true;
	}
	return false;
}

bool where__excludes(const struct peat_where *where, const struct peat_identity *identity)
{
	bool has_any = false;

	for_each_entry (&where->types, link) {
		const struct where_type *type = HASH_ENTRY(link, struct where_type, link);

		if (!type->schema || !peat_schema__has_owner(type->schema))
			continue;
		has_any = true;
		if (type->tree && !where_identity__excludes(type->tree, identity))
			return false;
	}
	return has_any;
}

const char *where__path(const struct peat_where *where, uint32_t i)
{
	for (uint32_t at = 0; at < where->expr.node_count; at++)
		if (where->expr.nodes[at].kind == NODE_TEST && !i--)
			return where->expr.nodes[at].path;
	return NULL;
}

const char *where__text(const struct peat_where *where)
{
	return where->expr.text;
}

/* ---- fields that no type has ----------------------------------------------------------------- */

/* The fields of all types. */
struct field_names {
	struct suggestion alike;
	char list[LIST_BYTES];
};

static bool is_listed(const char *list, const char *name)
{
	size_t bytes = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += bytes)
		if ((at == list || at[-1] == ' ') && (!at[bytes] || at[bytes] == ','))
			return true;
	return false;
}

static void note_name(void *context, const char *path)
{
	struct field_names *names = context;

	suggestion__try(&names->alike, path);
	if (*path && !strchr(path, '.') && !is_listed(names->list, path))
		name_list__append(names->list, sizeof(names->list), path);
}

static void note_names(const struct peat_where *where, struct field_names *names)
{
	for_each_entry (&where->types, link) {
		const struct where_type *type = HASH_ENTRY(link, struct where_type, link);

		if (type->schema)
			where_path__list(type->schema, note_name, names);
	}
	where_path__list_common(note_name, names);
}

static int log_missing_field(const struct peat_where *where, const struct where_node *node)
{
	struct field_names names = { .alike.wanted = node->path };
	char alike[192];

	if (node->elements) {
		where_message(where->expr.text, node->begin,
			      "no element %s: the array has %u elements, counted from 0",
			      node->path, node->elements);
		return fail(-EINVAL);
	}
	note_names(where, &names);
	where_message(where->expr.text, node->begin, "no field \"%.100s\"%sthe fields are %s",
		      node->path, suggestion__text(&names.alike, alike), names.list);
	return fail(-EINVAL);
}

int peat_where__check(const struct peat_where *where)
{
	struct where_place place;

	for (uint32_t i = 0; i < where->expr.node_count; i++) {
		const struct where_node *node = &where->expr.nodes[i];

		if (node->kind == NODE_TEST && !node->found &&
		    where_path__find(NULL, node->path, &place) != WHERE_FOUND)
			return log_missing_field(where, node);
	}
	return 0;
}

/* ---- the rest -------------------------------------------------------------------------------- */

struct peat_where *peat_where__parse(const char *text)
{
	struct peat_where *where = calloc(1, sizeof(*where));
	int err;

	if (!where)
		return fail_null(-ENOMEM);
	where->functions.test = peat_where__test;
	err = where_expr__parse(&where->expr, text ? text : "");
	if (!err)
		return where;
	peat_where__free(where);
	return fail_null(err);
}

/* A type that was not added is resolved here; without memory, at its next event. */
static const struct where_type *type_of(struct peat_where *where, const struct peat_schema *schema)
{
	const struct where_type *type = find_type(where, schema);

	if (!type)
		type = add_type(where, schema);
	where->last = type;
	return type;
}

bool peat_where__test(struct peat_where *where, const struct peat_event *event)
{
	const struct where_type *type = where->last;

	if (event->kind == PEAT_EVENT_LOST)
		return true;
	if (__builtin_expect(!type || type->schema != event->schema, 0))
		type = type_of(where, event->schema);
	return type && type->tree && where_evaluate(type->tree, &type->needs, event);
}

void peat_where__free(struct peat_where *where)
{
	if (!where)
		return;
	for_each_entry (&where->types, link)
		free_type(HASH_ENTRY(link, struct where_type, link));
	hash__free(&where->types);
	where_expr__free(&where->expr);
	free(where);
}
