// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/taken_stacks.c: the stacks that the programs of a channel take with their events. */
#include <string.h>

#include <peat/channel.h>
#include <peat/wire.h>

#include "channel/channel.h"
#include "channel/taken_stacks.h"
#include "field/fields.h"
#include "object/globals.h"
#include "ring/stack_request.h"

/* The constant is the default of the object until channel/stacks.c has set it. */
static uint32_t stacks_of(struct bpf_object *object)
{
	uint64_t kinds = 0;
	const void *memory;
	size_t bytes;

	if (!object)
		return PEAT_STACK_KERNEL | PEAT_STACK_USER;
	memory = globals__find(object, "peat_stack_kinds", &bytes);
	if (memory && bytes == sizeof(kinds))
		memcpy(&kinds, memory, sizeof(kinds));
	return (uint32_t)kinds & STACK_REQUEST_KINDS;
}

uint32_t taken_stacks__of_type(const struct peat_channel *channel, uint32_t type)
{
	const struct peat_schema *schema = peat_channel__schema(channel, type);

	if (!schema || !fields__stack(schema))
		return 0;
	return stacks_of(peat_channel__type(channel, type, NULL));
}

uint32_t taken_stacks__all(const struct peat_channel *channel)
{
	uint32_t stacks = 0, type;

	for (uint32_t i = 0; channel__type_at(channel, i, &type); i++)
		stacks |= taken_stacks__of_type(channel, type);
	return stacks;
}
