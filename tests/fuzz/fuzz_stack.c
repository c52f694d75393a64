// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_stack.c: stacks of events, from tails and callchains of anything.
 *
 * Input: a byte: the kind of event, and the number of addresses that are asked for; then the event.
 * The result lies within the event.
 */
#include <stdlib.h>
#include <string.h>

#include <peat/stack.h>

#include "field/fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ADDRESSES 300

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Every byte of the stack can be read, and every register. */
static uint64_t read_state(const struct peat_event *event)
{
	struct peat_user_state state = { .sz = sizeof(state) };
	const unsigned char *stack;
	uint64_t sum = 0;

	if (!peat_event__user_state(event, &state))
		return 0;
	stack = state.stack;
	require(state.stack_bytes <= event->size);
	for (uint64_t i = 0; i < state.stack_bytes; i++)
		sum = sum * 31 + stack[i];
	for (uint64_t i = 0; i < state.regs.values.count; i++)
		sum += peat_words__at(&state.regs.values, i);
	return sum;
}

static void check_addresses(const struct peat_event *event, uint32_t max)
{
	static struct peat_address few[ADDRESSES], all[ADDRESSES];
	uint32_t count = peat_event__addresses(event, few, max);

	require(count == peat_event__addresses(event, all, ADDRESSES));
	require(count <= event->size / 8);
	for (uint32_t i = 0; i < count && i < max && i < ADDRESSES; i++)
		require(few[i].address == all[i].address && few[i].space == all[i].space);
	require(read_state(event) == read_state(event));
}

static void check_tail(struct peat_event *event, uint32_t max)
{
	struct peat_field fields[2] = {
		{ .name = "number", .span = 1, .bytes = 8 },
		{ .name = "stack", .kind = PEAT_FIELD_STACK, .span = 1, .offset = 8 },
	};
	const struct peat_schema schema = {
		.name = "e", .bytes = 16, .count = 2, .fields = fields
	};

	event->schema = &schema;
	check_addresses(event, max);
}

/* A record as the decoder makes it: the words are inside. */
static void check_callchain(struct peat_event *event, uint32_t max, uint16_t misc)
{
	struct peat_record record = { .sz = sizeof(record) };

	record.type = PEAT_RECORD_SAMPLE;
	record.misc = misc;
	record.has = PEAT_SAMPLE_CALLCHAIN;
	record.sample.callchain = (struct peat_words){ event->data, event->size / 8, misc & 8 };
	event->record = &record;
	check_addresses(event, max);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA };
	uint8_t *copy;

	if (!size)
		return 0;
	copy = malloc(size);
	if (!copy)
		return 0;
	memcpy(copy, data + 1, size - 1);
	event.data = copy;
	event.size = (uint32_t)(size - 1);
	if (*data & 1)
		check_tail(&event, *data >> 4);
	else
		check_callchain(&event, *data >> 4, *data & 15);
	free(copy);
	return 0;
}
