// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader/resolve.c: finds the fields of an expression and a table in all types of events. */
#include <peat/table.h>
#include <peat/where.h>

#include "base/errors.h"
#include "event/source.h"
#include "reader/resolve.h"

int resolve__type(struct resolve *resolve, const struct peat_schema *schema)
{
	int err = resolve->where ? peat_where__add_type(resolve->where, schema) : 0;

	if (err >= 0 && resolve->table)
		err = peat_table__add_type(resolve->table, schema);
	resolve->types++;
	return err < 0 ? err : 0;
}

static int add_kind(struct resolve *resolve, enum peat_side_band kind)
{
	const struct peat_schema *schema;
	int err = 0;

	for (uint32_t i = 0; !err && (schema = peat_side_band__schema(kind, i)); i++)
		err = resolve__type(resolve, schema);
	return err;
}

int resolve__side_band(struct resolve *resolve, uint32_t kinds)
{
	int err = 0;

	for (uint32_t kind = 1; !err && kind && kind <= kinds; kind <<= 1)
		if (kind & kinds)
			err = add_kind(resolve, (enum peat_side_band)kind);
	return err;
}

int resolve__check(const struct resolve *resolve)
{
	int err = resolve->where ? peat_where__check(resolve->where) : 0;

	return err || !resolve->table ? err : peat_table__check(resolve->table);
}

int peat_reader__resolve(struct peat_reader *reader, struct peat_where *where,
			 struct peat_table *table, uint32_t side_band)
{
	struct resolve resolve = { .where = where, .table = table };
	struct peat_type type = { .sz = sizeof(type) };
	int more = where || table, err = 0;

	for (uint32_t i = 0; !err && more > 0; i++) {
		more = peat_reader__type_at(reader, i, &type);
		if (more > 0 && type.schema)
			err = resolve__type(&resolve, type.schema);
	}
	if (!err)
		err = more < 0 ? more : resolve__side_band(&resolve, side_band);
	if (!err && resolve.types && !reader->lacks_types)
		err = resolve__check(&resolve);
	return err ? fail(err) : 0;
}
