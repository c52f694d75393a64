// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/stack_sample.c: events with stacks as samples with call chains. */
#include <peat/stack.h>

#include "record/encode.h"
#include "record/regs.h"
#include "record/sample_regs.h"
#include "recorder/stack_sample.h"
#include "symbols/dwarf/unwind_regs.h"

#define WORD 8u

/* A channel takes at most 1024 addresses of each stack, and some frames of the program. */
#define FRAMES_MAX (2 * 1024 + PEAT_STACK_MACHINERY)

/* Words of a sample beside frames, payload and memory. */
#define WORDS_MAX (20 + 64)

struct stack_parts {
	struct peat_address frames[FRAMES_MAX];
	uint32_t first,
		count; /* frames without those of the BPF program: from `first` to `count` */
	struct peat_user_state state;
	bool has_state;
	uint32_t memory_bytes;
};

void stack_sample__request(struct perf_attr *attr, uint32_t stacks, uint32_t memory_bytes)
{
	struct peat_layout *layout = &attr->layout;

	layout->sample_type |= PEAT_SAMPLE_IP | PEAT_SAMPLE_CALLCHAIN;
	if (!(stacks & PEAT_STACK_DWARF))
		return;
	layout->sample_type |= PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER;
	layout->regs_user = SAMPLE_REGS_USER;
	attr->stack_user = memory_bytes;
	attr->flags |= UINT64_C(1) << PERF_ATTR_EXCLUDE_CALLCHAIN_USER;
}

/* ---- the parts ------------------------------------------------------------------------------- */

static void read_parts(struct stack_parts *parts, struct bpf_frames *machinery,
		       const struct sample_plan *plan, const struct peat_event *event)
{
	parts->count = peat_event__addresses(event, parts->frames, FRAMES_MAX);
	if (parts->count > FRAMES_MAX)
		parts->count = FRAMES_MAX;
	parts->first = bpf_frames__count(machinery, event, parts->frames, parts->count);
	parts->state.sz = sizeof(parts->state);
	parts->has_state = plan->has_memory && peat_event__user_state(event, &parts->state);
	parts->memory_bytes = parts->has_state ? (uint32_t)parts->state.stack_bytes : 0;
	parts->memory_bytes -= parts->memory_bytes % WORD;
}

/* ---- the sample ------------------------------------------------------------------------------ */

static char *put_u64(char *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static uint64_t marker_of(enum peat_space space)
{
	return space == PEAT_SPACE_KERNEL ? PEAT_CONTEXT_KERNEL : PEAT_CONTEXT_USER;
}

/* A marker is before the frames of each address space. */
static char *put_chain(char *at, const struct stack_parts *parts)
{
	char *start = at;

	at += WORD;
	for (uint32_t i = parts->first; i < parts->count; i++) {
		const struct peat_address *frame = &parts->frames[i];

		if (i == parts->first || frame->space != frame[-1].space)
			at = put_u64(at, marker_of(frame->space));
		at = put_u64(at, frame->address);
	}
	put_u64(start, (uint64_t)(at - start) / WORD - 1);
	return at;
}

/* The padding is zero.  *payload as sample_plan__put_payload() returns it. */
static char *put_raw(char *at, const struct sample_plan *plan, const struct peat_event *event,
		     uint32_t *payload)
{
	uint32_t bytes, padded;

	*payload = sample_plan__put_payload(plan, event, at + sizeof(bytes));
	bytes = *payload & PAYLOAD_BYTES;
	padded = ((uint32_t)sizeof(bytes) + bytes + WORD - 1) & ~(WORD - 1);
	memset(at + sizeof(bytes) + bytes, 0, padded - sizeof(bytes) - bytes);
	bytes = sample_plan__raw_bytes(plan, bytes);
	memcpy(at, &bytes, sizeof(bytes));
	return at + padded;
}

static char *put_registers(char *at, const struct stack_parts *parts)
{
	const struct peat_regs *regs = &parts->state.regs;

	if (!parts->has_state || regs->abi == PEAT_REGS_ABI_NONE)
		return put_u64(at, PEAT_REGS_ABI_NONE);
	at = put_u64(at, regs->abi);
	for (uint64_t i = 0; i < regs->values.count; i++)
		at = put_u64(at, peat_words__at(&regs->values, i));
	return at;
}

/* Cut to the room that the record has left. */
static char *put_memory(char *at, const struct stack_parts *parts, size_t room)
{
	uint32_t bytes = parts->memory_bytes;

	if (bytes + 2 * WORD > room)
		bytes = room > 2 * WORD ? (uint32_t)(room - 2 * WORD) & ~(WORD - 1) : 0;
	at = put_u64(at, bytes);
	if (!bytes)
		return at;
	memcpy(at, parts->state.stack, bytes);
	return put_u64(at + bytes, bytes);
}

/* The user address that the registers have; 0: unknown. */
static uint64_t user_address(const struct stack_parts *parts)
{
	const struct unwind_machine *machine = unwind_machine__of(reg_names__here);
	const struct peat_regs *regs = &parts->state.regs;
	uint64_t bit = machine ? UINT64_C(1) << machine->perf_pc : 0, at;

	if (!parts->has_state || !(regs->mask & bit))
		return 0;
	at = (uint64_t)__builtin_popcountll(regs->mask & (bit - 1));
	return at < regs->values.count ? peat_words__at(&regs->values, at) : 0;
}

static uint64_t first_address(const struct stack_parts *parts)
{
	return parts->first < parts->count ? parts->frames[parts->first].address
					   : user_address(parts);
}

static uint16_t cpu_mode(const struct stack_parts *parts)
{
	bool in_kernel = parts->first < parts->count &&
			 parts->frames[parts->first].space == PEAT_SPACE_KERNEL;

	return in_kernel ? PEAT_MISC_KERNEL : PEAT_MISC_USER;
}

static size_t room_of(const struct sample_plan *plan, const struct stack_parts *parts)
{
	size_t markers = 1 + (size_t)parts->count; /* at most one before each frame */

	return (WORDS_MAX + parts->count + markers) * WORD + plan->raw_most + parts->memory_bytes;
}

static int put_parts(const struct sample_plan *plan, const struct peat_event *event,
		     const struct stack_parts *parts, struct strbuf *out)
{
	char *start = strbuf__room(out, room_of(plan, parts)), *at;
	uint32_t payload;

	if (!start) {
		out->failed = false; /* memory may be free again later */
		return 0;
	}
	sample_plan__put_head(plan, event, start);
	put_u64(start + plan->tid_at - WORD, first_address(parts));
	at = put_chain(start + plan->tid_at + SAMPLE_PLAN_IDS_BYTES, parts);
	at = put_raw(at, plan, event, &payload);
	if (plan->has_memory) {
		at = put_registers(at, parts);
		at = put_memory(at, parts, ENCODE_RECORD_MOST - WORD - (size_t)(at - start));
	}
	if (plan->has_cgroup)
		at = put_u64(at, event->cgroup);
	sample_plan__put_size(cpu_mode(parts), (uint16_t)(at - start), start);
	out->count += (size_t)(at - start);
	return payload & PAYLOAD_CUT ? 2 : 1;
}

int stack_sample__put(const struct sample_plan *plan, struct bpf_frames *machinery,
		      const struct peat_event *event, struct strbuf *out)
{
	struct stack_parts parts;

	read_parts(&parts, machinery, plan, event);
	return put_parts(plan, event, &parts, out);
}
