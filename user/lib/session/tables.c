// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/tables.c: maps of the objects that are tables. */
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/opts.h"
#include "channel/stack_map.h"
#include "session/foreign/array_names.h"
#include "session/parts/session.h"
#include "session/tables.h"
#include "tables/map_table.h"

/* ---- adding ---------------------------------------------------------------------------------- */

/* Owns the declaration. */
static int append_table(struct peat_session *session, const struct declared_table *declared)
{
	struct declared_table unused = *declared;
	struct session_table *added;

	if (!ARRAY_RESERVE_NEXT(session->tables, session->table_count)) {
		declared_table__free(&unused);
		return -ENOMEM;
	}
	added = &session->tables[session->table_count++];
	*added = (struct session_table){
		.declared = *declared,
		.part = session->part_count - 1,
		.name = strdup(bpf_map__name(declared->map)),
	};
	return added->name ? 0 : -ENOMEM;
}

static int add_if_declared(struct peat_session *session, const struct bpf_map *map)
{
	const struct part *part = &session->parts[session->part_count - 1];
	struct declared_table declared;
	int found = declared_table__read(&declared, part->object, map, part->name);

	return found > 0 ? append_table(session, &declared) : found;
}

/* Tables of several objects with the same name get their object's in front. */
static int add_object_name(struct peat_session *session, struct session_table *table)
{
	const char *name = bpf_map__name(table->declared.map);
	char *full;

	for (size_t i = 0; i < session->table_count; i++) {
		struct session_table *other = &session->tables[i];

		if (other == table || strcmp(bpf_map__name(other->declared.map), name))
			continue;
		full = array_names__full(session, table->part, name);
		if (!full)
			return -ENOMEM;
		free(table->name);
		table->name = full;
		return 0;
	}
	return 0;
}

int tables__add(struct peat_session *session)
{
	const struct bpf_object *object = session->parts[session->part_count - 1].object;
	const struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, object)
	{
		if (!err)
			err = add_if_declared(session, map);
	}
	for (size_t i = 0; !err && i < session->table_count; i++)
		err = add_object_name(session, &session->tables[i]);
	if (err)
		tables__remove(session, session->part_count - 1);
	return err;
}

static void free_table(struct session_table *table)
{
	peat_table__free(table->table);
	declared_table__free(&table->declared);
	free(table->name);
}

void tables__remove(struct peat_session *session, size_t part)
{
	while (session->table_count && session->tables[session->table_count - 1].part >= part)
		free_table(&session->tables[--session->table_count]);
	if (session->table_count)
		return;
	free(session->tables);
	session->tables = NULL;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_table(struct peat_session *session, struct session_table *table)
{
	struct peat_map_table_opts opts = PEAT_MAP_TABLE_OPTS_INIT;
	const struct bpf_map *stacks = stack_map__find(session->parts[table->part].object);

	if (bpf_map__fd(table->declared.map) < 0) /* the caller has excluded it */
		return 0;
	opts.unit = table->declared.tags.unit;
	table->table = map_table__new(bpf_map__fd(table->declared.map), &table->declared.type,
				      stacks ? bpf_map__fd(stacks) : -1,
				      stacks ? bpf_map__value_size(stacks) / 8 : 0, &opts);
	return table->table ? 0 : -errno;
}

int tables__open(struct peat_session *session)
{
	int err = 0;

	for (size_t i = 0; !err && i < session->table_count; i++)
		err = open_table(session, &session->tables[i]);
	return err;
}

/* ---- for the caller -------------------------------------------------------------------------- */

int peat_session__table(struct peat_session *session, uint32_t i,
			struct peat_session_table *callers_table)
{
	struct peat_session_table result = { 0 };
	const struct session_table *table;
	int err;

	if (i >= session->table_count)
		return 0;
	table = &session->tables[i];
	result.name = table->name;
	result.doc = table->declared.tags.doc;
	result.unit = table->declared.tags.unit;
	result.source = session->parts[table->part].name;
	result.schema = table->declared.made.schema;
	result.keys = table->declared.made.keys;
	result.table = table->table;
	err = opts__write(callers_table, &result, sizeof(result), "peat_session_table");
	return err ? fail(err) : 1;
}
