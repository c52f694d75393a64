// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/stack_check.c: refuses stacks that no event of the session can have. */
#include <errno.h>

#include "base/log.h"
#include "channel/channel.h"
#include "field/fields.h"
#include "ring/stack_opts.h"
#include "session/parts/session.h"
#include "session/stack_check.h"

int stack_check__session(const struct peat_session *session)
{
	const struct peat_schema *schema;

	if (!(session->channel_opts.stacks.kinds & STACK_OPTS_KINDS))
		return 0;
	if (session->maps.count && session->channel) {
		log__error("stacks: the programs run already, and take the stacks that they were "
			   "started with");
		return -EINVAL;
	}
	for (uint32_t i = 0; session->channel && (schema = peat_session__type(session, i)); i++)
		if (fields__stack(schema))
			return 0;
	if (!session->channel)
		return 0;
	log__error("stacks: no event of these objects has a stack: add PEAT_STACKS to its struct "
		   "(peat.bpf.h)");
	return -EINVAL;
}
