// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/stack_check.c: refuses stacks that no event of the session can have. */
#include <errno.h>

#include "base/log.h"
#include "channel/channel.h"
#include "field/fields.h"
#include "ring/stack_opts.h"
#include "session/parts/session.h"
#include "session/stack_check.h"

static bool any_event_has_stack(const struct peat_session *session)
{
	const struct peat_schema *schema;

	for (uint32_t i = 0; (schema = peat_session__type(session, i)); i++)
		if (fields__stack(schema))
			return true;
	return false;
}

static int refuse(const char *why)
{
	log__error("stacks: %s", why);
	return -EINVAL;
}

int stack_check__session(const struct peat_session *session)
{
	bool is_sampled = session->maps.count || session->part_count || session->sampling;

	if (!(session->channel_opts.stacks.kinds & STACK_OPTS_KINDS))
		return 0;
	if (!session->channel)
		return is_sampled ? 0 : refuse("records of a side band have none");
	if (session->maps.count)
		return refuse("the programs run already, and take the stacks that they were "
			      "started with");
	if (any_event_has_stack(session))
		return 0;
	return refuse("no event of these objects has a stack: add PEAT_STACKS to its struct "
		      "(peat.bpf.h)");
}
