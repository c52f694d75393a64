// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/selection.c: finds the fields of the session's expression and table. */
#include <errno.h>

#include "base/log.h"
#include "base/opts.h"
#include "reader/resolve.h"
#include "session/selection.h"
#include "session/parts/session.h"

int selection__resolve(struct peat_session *session, const struct peat_reader_opts *callers_opts)
{
	struct resolve resolve = { .where = session->opts.where, .table = session->opts.table };
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
		err = resolve__type(&resolve, schema);
	if (!err)
		err = resolve__side_band(&resolve, opts.where_side_band);
	return err ? err : resolve__check(&resolve);
}
