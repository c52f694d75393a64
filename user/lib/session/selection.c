// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/selection.c: the expression, the table and the stacks of a session, and their fields. */
#include <errno.h>

#include "base/log.h"
#include "base/opts.h"
#include "channel/channel.h"
#include "reader/resolve.h"
#include "ring/stack_opts.h"
#include "session/selection.h"
#include "session/parts/session.h"

/* The options of the session are the only place, since programs are bound by them. */
static int check_empty(const struct peat_where *where, const struct peat_table *table,
		       const struct peat_stack_request *stacks, const char *what)
{
	if (!where && !table && !stacks->kinds && !stacks->depth && !stacks->memory_bytes)
		return 0;
	log__error("%s: where, table and stacks of a session: set them in peat_session_opts", what);
	return -EINVAL;
}

int selection__copy(struct peat_channel_opts *channel, const struct peat_session_opts *options)
{
	int err =
		check_empty(channel->where, channel->table, &channel->stacks, "peat_channel_opts");

	channel->where = options->where;
	channel->table = options->table;
	channel->stacks = options->stacks;
	return err ?: stack_opts__set_defaults(&channel->stacks, "peat_session_opts");
}

void selection__pass_on(struct peat_session *session, struct peat_reader_opts *opts)
{
	const struct peat_channel_opts *of_session = &session->channel_opts;

	if (session->channel) {
		session->channel->opts.where = of_session->where;
		session->channel->opts.table = of_session->table;
		return;
	}
	opts->where = of_session->where;
	opts->table = of_session->table;
	if (session->part_count || session->maps.count) /* the kernel samples the stacks */
		opts->stacks = of_session->stacks;
}

int selection__resolve(struct peat_session *session, const struct peat_reader_opts *callers_opts)
{
	struct resolve resolve = { .where = session->opts.where, .table = session->opts.table };
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	const struct peat_schema *schema;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_reader_opts");

	if (!err)
		err = check_empty(opts.where, opts.table, &opts.stacks, "peat_reader_opts");
	if (err || (!session->opts.where && !session->opts.table))
		return err;
	if (session->opts.table && session->maps.pin_path) {
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
