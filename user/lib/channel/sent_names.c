// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/sent_names.c: whether programs send the names of tasks. */
#include <bpf/libbpf.h>

#include <peat/binding.h>
#include <peat/wire.h>

#include "channel/sent_names.h"
#include "channel/program_stacks.h"
#include "channel/task_helpers.h"
#include "schema/event_types.h"
#include "sys/pid_namespace.h"

/* The name that a slot keeps, and that of the last event of a batch; the batch has the others. */
#define KEPT_AND_LAST (2 * sizeof(struct peat_task_name))

#define EVENT_HEAD_BYTES                                                                           \
	(sizeof(struct peat_event_head) + sizeof(struct peat_event_owner) +                        \
	 sizeof(struct peat_event_ids))

uint32_t sent_names__slot_bytes(const struct peat_channel *channel, uint32_t largest)
{
	size_t bytes = PEAT_SLOT_HEAD_BYTES + channel->opts.batch_bytes + EVENT_HEAD_BYTES +
		       largest + KEPT_AND_LAST; /* at most 64 KiB each */

	if (pid_namespace__is_initial())
		return 0;
	bytes = (bytes + 63) & ~(size_t)63;
	if (bytes > PEAT_DEFAULT_SLOT_BYTES && !channel__slot_fits((uint32_t)bytes))
		return 0;
	return (uint32_t)bytes;
}

bool sent_names__apply(const struct peat_channel *channel, struct bpf_object *object)
{
	uint32_t room = program_stacks__room_of(&channel->opts, object), largest, bytes;

	if (event_types__largest(bpf_object__btf(object), room, &largest))
		return false;
	bytes = sent_names__slot_bytes(channel, largest);
	return bytes && bytes <= channel->slot_bytes &&
	       task_helpers__have(object, BPF_FUNC_get_current_comm);
}
