// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/declared_table.c: maps that are declared as tables, with their columns. */
#include <errno.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "object/declared_table.h"
#include "schema/table_types.h"

static int check_type(const struct bpf_map *map, const char *name)
{
	bool is_per_cpu;

	if (table_types__has(bpf_map__type(map), &is_per_cpu))
		return 0;
	log__error("cannot show the map %s of %s as a table: its type is no hash table or array: "
		   "choose such a type, or remove PEAT_TABLE or PEAT_HIST",
		   bpf_map__name(map), name);
	return -EINVAL;
}

/* libbpf forgets the ids of types if it loads the map without them. */
static int make_columns(struct declared_table *table, const struct bpf_object *object)
{
	table->type = (struct map_type){
		.name = bpf_map__name(table->map),
		.doc = table->tags.doc,
		.btf = bpf_object__btf(object),
		.key_id = bpf_map__btf_key_type_id(table->map),
		.value_id = bpf_map__btf_value_type_id(table->map),
		.key_bytes = bpf_map__key_size(table->map),
		.value_bytes = bpf_map__value_size(table->map),
		.is_histogram = table->tags.unit != NULL,
	};
	return map_schema__make(&table->made, &table->type);
}

int declared_table__read(struct declared_table *table, const struct bpf_object *object,
			 const struct bpf_map *map, const char *name)
{
	const struct btf *btf = bpf_object__btf(object);
	int err;

	*table = (struct declared_table){ .map = map };
	err = btf ? map_tags__read(&table->tags, btf, bpf_map__name(map), false) : 0;
	if (err)
		log__error("cannot read the tags of the map %s of %s: %s", bpf_map__name(map), name,
			   strerror(-err));
	if (err || !table->tags.is_table)
		return err;
	err = check_type(map, name);
	if (!err)
		err = make_columns(table, object);
	if (err)
		declared_table__free(table);
	return err ? err : 1;
}

void declared_table__free(struct declared_table *table)
{
	map_schema__free(&table->made);
	map_tags__free(&table->tags);
}
