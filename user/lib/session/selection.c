// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/selection.c: finds the fields of the session's expression and table. */
#include <errno.h>
#include <peat/table.h>
#include <peat/where.h>

#include "base/log.h"
#include "base/opts.h"
#include "session/selection.h"
#include "session/parts/session.h"

static int add_type(struct peat_session *session, const struct peat_schema *schema)
{
	struct peat_where *where = session->opts.where;
	struct peat_table *table = session->opts.table;
	int err = where ? peat_where__add_type(where, schema) : 0;

	if (err >= 0 && table)
		err = peat_table__add_type(table, schema);
	return err < 0 ? err : 0;
}

static int add_kind(struct peat_session *session, enum peat_side_band kind)
{
	const struct peat_schema *schema;
	int err = 0;

	for (uint32_t i = 0; !err && (schema = peat_side_band__schema(kind, i)); i++)
		err = add_type(session, schema);
	return err;
}

int selection__resolve(struct peat_session *session, const struct peat_reader_opts *callers_opts)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	const struct peat_schema *schema;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_reader_opts");

	if (!session->opts.where && !session->opts.table)
		return 0;
	if (!err && session->opts.table && session->maps.pin_path) {
		log__error("a session with a table cannot pin its programs: what they count after "
			   "it ended would be lost");
		return -EINVAL;
	}
	for (uint32_t i = 0; !err && (schema = peat_session__type(session, i)); i++)
		err = add_type(session, schema);
	for (uint32_t kind = 1; !err && kind && kind <= opts.where_side_band; kind <<= 1)
		if (kind & opts.where_side_band)
			err = add_kind(session, (enum peat_side_band)kind);
	if (!err && session->opts.where)
		err = peat_where__check(session->opts.where);
	if (!err && session->opts.table)
		err = peat_table__check(session->opts.table);
	return err;
}
