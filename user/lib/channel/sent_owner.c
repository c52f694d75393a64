// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/sent_owner.c: whether programs send the user and the cgroup of tasks. */
#include <bpf/libbpf.h>

#include "channel/sent_owner.h"
#include "channel/task_helpers.h"
#include "object/globals.h"
#include "schema/event_types.h"
#include "schema/plan.h"
#include "tables/table.h"
#include "where/tree.h"

/* Objects that were compiled with an older peat.bpf.h lack the constant. */
static bool can_send(const struct peat_channel *channel, struct bpf_object *object)
{
	size_t bytes;

	return !channel->opts.no_ids && globals__find(object, "peat_head_bytes", &bytes) &&
	       task_helpers__have(object, BPF_FUNC_get_current_pid_tgid) &&
	       task_helpers__have(object, BPF_FUNC_get_current_uid_gid) &&
	       task_helpers__have(object, BPF_FUNC_get_current_cgroup_id);
}

static bool lacks(const struct peat_channel *channel, const struct peat_schema *schema)
{
	const struct peat_channel_opts *opts = &channel->opts;

	return (opts->where && where__lacks_owner(opts->where, schema)) ||
	       (opts->table && table__lacks_owner(opts->table, schema));
}

static bool type_lacks(const struct peat_channel *channel, const struct btf *btf, uint32_t id)
{
	struct peat_schema *schema = btf_schema__new(btf, id, -1, 0);
	bool result = schema && lacks(channel, schema);

	peat_schema__free(schema);
	return result;
}

bool sent_owner__is_needed(const struct peat_channel *channel, struct bpf_object *object)
{
	const struct btf *btf = bpf_object__btf(object);
	uint32_t id;

	if (!channel->opts.owner && !channel->opts.where && !channel->opts.table)
		return false;
	if (!can_send(channel, object))
		return false;
	if (channel->opts.owner)
		return true;
	for (uint32_t i = 0; event_types__at(btf, i, &id) > 0; i++)
		if (event_types__is_first(btf, i) && type_lacks(channel, btf, id))
			return true;
	return false;
}
