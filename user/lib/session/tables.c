// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/tables.c: maps of the objects that are tables. */
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/internal.h"
#include "maps/table_types.h"
#include "session/array_names.h"
#include "session/session.h"
#include "session/tables.h"
#include "tables/map_table.h"

/* ---- adding ---------------------------------------------------------------------------------- */

static struct map_type type_of(const struct peat_session *session,
			       const struct session_table *table)
{
	return (struct map_type){
		.name = bpf_map__name(table->map),
		.doc = table->tags.doc,
		.btf = bpf_object__btf(session->parts[table->part].object),
		.key_id = table->key_id,
		.value_id = table->value_id,
		.key_bytes = bpf_map__key_size(table->map),
		.value_bytes = bpf_map__value_size(table->map),
		.is_histogram = table->tags.unit != NULL,
	};
}

static int check_type(const struct part *part, const struct bpf_map *map)
{
	bool is_per_cpu;

	if (table_types__has(bpf_map__type(map), &is_per_cpu))
		return 0;
	log__error("the map %s of %s has PEAT_TABLE or PEAT_HIST, but is no hash table or array",
		   bpf_map__name(map), part->name);
	return -EINVAL;
}

static struct session_table *append(struct peat_session *session, const struct bpf_map *map)
{
	struct session_table *grown =
		reallocarray(session->tables, session->table_count + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	session->tables = grown;
	grown += session->table_count++;
	*grown = (struct session_table){
		.map = map,
		.part = session->part_count - 1,
		.key_id = bpf_map__btf_key_type_id(map),
		.value_id = bpf_map__btf_value_type_id(map),
	};
	return grown;
}

/* Owns the tags. */
static int add_table(struct peat_session *session, const struct bpf_map *map,
		     const struct map_tags *tags)
{
	int err = check_type(&session->parts[session->part_count - 1], map);
	struct session_table *table = err ? NULL : append(session, map);
	struct map_tags unused = *tags;
	struct map_type type;

	if (!table) {
		map_tags__free(&unused);
		return err ? err : -ENOMEM;
	}
	table->tags = *tags;
	table->name = strdup(bpf_map__name(map));
	if (!table->name)
		return -ENOMEM;
	type = type_of(session, table);
	return map_schema__make(&table->made, &type);
}

static int add_if_tagged(struct peat_session *session, const struct bpf_map *map)
{
	const struct part *part = &session->parts[session->part_count - 1];
	struct map_tags tags;
	int err = map_tags__read(&tags, bpf_object__btf(part->object), bpf_map__name(map), false);

	if (err)
		log__error("cannot read the tags of the map %s of %s: %s", bpf_map__name(map),
			   part->name, strerror(-err));
	return err || !tags.is_table ? err : add_table(session, map, &tags);
}

/* Tables of several objects with the same name get their object's in front. */
static int add_object_name(struct peat_session *session, struct session_table *table)
{
	const char *name = bpf_map__name(table->map);
	char *full;

	for (size_t i = 0; i < session->table_count; i++) {
		struct session_table *other = &session->tables[i];

		if (other == table || strcmp(bpf_map__name(other->map), name))
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

	if (!bpf_object__btf(object))
		return 0;
	bpf_object__for_each_map(map, object)
	{
		if (!err)
			err = add_if_tagged(session, map);
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
	map_schema__free(&table->made);
	map_tags__free(&table->tags);
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

/* Stack ids refer to the object's only map of stacks. */
static const struct bpf_map *find_stacks(const struct bpf_object *object)
{
	const struct bpf_map *map;

	bpf_object__for_each_map(map, object)
	{
		if (bpf_map__type(map) == BPF_MAP_TYPE_STACK_TRACE)
			return map;
	}
	return NULL;
}

static int open_table(struct peat_session *session, struct session_table *table)
{
	struct peat_map_table_opts opts = PEAT_MAP_TABLE_OPTS_INIT;
	const struct bpf_map *stacks = find_stacks(session->parts[table->part].object);
	struct map_type type = type_of(session, table);

	if (bpf_map__fd(table->map) < 0) /* the caller has excluded it */
		return 0;
	opts.unit = table->tags.unit;
	table->table =
		map_table__new(bpf_map__fd(table->map), &type, stacks ? bpf_map__fd(stacks) : -1,
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
	result.doc = table->tags.doc;
	result.unit = table->tags.unit;
	result.source = session->parts[table->part].name;
	result.schema = table->made.schema;
	result.keys = table->made.keys;
	result.table = table->table;
	err = opts__write(callers_table, &result, sizeof(result), "peat_session_table");
	return err ? fail(err) : 1;
}
