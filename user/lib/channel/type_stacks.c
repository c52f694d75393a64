// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/type_stacks.c: the stacks that programs take with events of each type. */
#include <string.h>

#include <peat/channel.h>
#include <peat/wire.h>

#include "channel/channel.h"
#include "channel/type_stacks.h"
#include "field/fields.h"
#include "object/globals.h"
#include "ring/stack_opts.h"

/* The constant is the default of the object until channel/program_stacks.c has set it. */
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
	return (uint32_t)kinds & STACK_OPTS_KINDS;
}

uint32_t type_stacks__of(const struct peat_channel *channel, uint32_t type)
{
	const struct peat_schema *schema = peat_channel__schema(channel, type);

	if (!schema || !fields__stack(schema))
		return 0;
	return stacks_of(peat_channel__type(channel, type, NULL));
}

uint32_t type_stacks__all(const struct peat_channel *channel)
{
	uint32_t stacks = 0, type;

	for (uint32_t i = 0; channel__type_at(channel, i, &type); i++)
		stacks |= type_stacks__of(channel, type);
	return stacks;
}
