// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/account.c: the ledgers of a channel's events, per CPU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "live/input.h"
#include "channel/function_counts.h"
#include "channel/ledger.h"
#include "sys/grace_period.h"

#define READ_TRIES 4

/*
 * Programs that outlive their readers lose events while there is no reader.  Losses that no ledger
 * has reported yet are subtracted from the base, so they are in the ledger of this reader.
 */
static void exclude_unreported(struct peat_ledger *base, const struct peat_slot *slot)
{
	uint64_t ring_full = slot->lost_ring_full - slot->reported_ring_full;
	uint64_t no_ring = slot->lost_no_ring - slot->reported_no_ring;
	uint64_t other = slot->lost_other - slot->reported_other;

	base->emitted -= ring_full + no_ring + other;
	base->lost_ring_full -= ring_full;
	base->lost_no_ring -= no_ring;
	base->lost_other -= other;
}

/* Events that a slot lost since the reader was opened, and those in invalid frames. */
static void read_losses(const struct accounts *accounts, uint32_t index,
			uint64_t losses[LOST_CAUSES])
{
	const struct stream *stream = &accounts->streams[index];
	struct peat_slot slot;
	int64_t corrupt;

	stage__read(&accounts->inputs->stage, index, &slot);
	corrupt = stream->missing - (int64_t)(stage__lost_output(&slot) - stream->base_lost);
	losses[PEAT_LOST_UNKNOWN] = 0;
	losses[PEAT_LOST_RING_FULL] = slot.lost_ring_full;
	losses[PEAT_LOST_NESTED] = slot.lost_nested;
	losses[PEAT_LOST_NO_RING] = slot.lost_no_ring;
	losses[PEAT_LOST_TOO_BIG] = slot.lost_too_big;
	losses[PEAT_LOST_THROTTLED] = slot.lost_throttled;
	losses[PEAT_LOST_ABANDONED] = slot.lost_abandoned;
	losses[PEAT_LOST_OTHER] = slot.lost_other;
	losses[PEAT_LOST_CORRUPT] = corrupt > 0 ? (uint64_t)corrupt : 0;
}

static void begin_reports(struct accounts *accounts, uint32_t index)
{
	uint64_t *reported = accounts->streams[index].reported;
	struct peat_slot slot;

	read_losses(accounts, index, reported);
	if (!accounts->inputs->rings.keep_slots)
		return;
	stage__read(&accounts->inputs->stage, index, &slot);
	reported[PEAT_LOST_RING_FULL] = slot.reported_ring_full;
	reported[PEAT_LOST_NO_RING] = slot.reported_no_ring;
	reported[PEAT_LOST_OTHER] = slot.reported_other;
}

bool account__next_gap(struct accounts *accounts, uint32_t index, struct peat_event *event)
{
	uint64_t losses[LOST_CAUSES], *reported = accounts->streams[index].reported;

	read_losses(accounts, index, losses);
	for (uint32_t cause = 0; cause < LOST_CAUSES; cause++) {
		if (losses[cause] <= reported[cause])
			continue;
		event->kind = PEAT_EVENT_LOST;
		event->cpu = index / PEAT_SLOTS;
		event->lost = losses[cause] - reported[cause];
		event->cause = (enum peat_lost_cause)cause;
		reported[cause] = losses[cause];
		return true;
	}
	return false;
}

bool account__next_loss(struct accounts *accounts, struct peat_event *event)
{
	for (; accounts->next_loss < accounts->cpus * PEAT_SLOTS; accounts->next_loss++)
		if (account__next_gap(accounts, accounts->next_loss, event))
			return true;
	accounts->next_loss = 0;
	return false;
}

void account__skip(struct accounts *accounts, uint32_t index, uint64_t seq)
{
	struct stream *stream = &accounts->streams[index];

	if ((int64_t)(seq - stream->next_seq) <= 0)
		return;
	stream->skipped += seq - stream->next_seq;
	stream->next_seq = seq;
}

void account__deliver(struct accounts *accounts, uint32_t index, uint64_t seq, uint64_t end,
		      uint64_t count)
{
	struct stream *stream = &accounts->streams[index];

	stream->missing += (int64_t)(seq - stream->next_seq);
	stream->next_seq = end;
	accounts->of_cpus[index / PEAT_SLOTS].delivered += count;
}

void account__overwrite(struct accounts *accounts, uint32_t cpu, uint64_t events)
{
	accounts->of_cpus[cpu].delivered -= events;
	accounts->of_cpus[cpu].unwritten += events;
}

/* Events that the programs of a CPU counted in their tables. */
static uint64_t counted_of(const struct accounts *accounts, uint32_t cpu)
{
	const struct inputs *inputs = accounts->inputs;

	return inputs->channel_functions->counted(&inputs->channel->cells, cpu);
}

/*
 * Reads the CPU's slots, and `counted`, at a moment when no program is between two of its stores:
 * the sums of a torn copy would be off for as long as the reader is open.  Programs that hold a
 * slot for longer have ended after a grace period; a slot that none of them released stays as it
 * is.
 */
static void read_between_events(struct accounts *accounts, uint32_t cpu,
				struct peat_slot slots[PEAT_SLOTS], uint64_t *counted)
{
	bool is_whole;

	for (int tries = 0; tries < READ_TRIES; tries++) {
		is_whole = true;
		*counted = counted_of(accounts, cpu);
		for (uint32_t i = 0; i < PEAT_SLOTS; i++)
			is_whole &= stage__read_consistent(&accounts->inputs->stage,
							   cpu * PEAT_SLOTS + i, &slots[i]);
		if (!is_whole && grace_period__wait())
			return;
		if (is_whole && *counted == counted_of(accounts, cpu))
			return;
	}
}

/* Nothing is excluded: events that left the programs are those of earlier readers, or are lost. */
static void count_since_load(struct account *account)
{
	const struct peat_ledger *base = &account->base;

	account->former = base->emitted - base->filtered - base->counted - peat_ledger__lost(base);
	account->base = (struct peat_ledger){ 0 };
}

/* The base has all events counted before the reader was opened, except those that are still staged.
 */
static void open_account(struct accounts *accounts, uint32_t cpu)
{
	struct peat_ledger *base = &accounts->of_cpus[cpu].base;
	struct peat_slot slots[PEAT_SLOTS];
	uint64_t counted;

	read_between_events(accounts, cpu, slots, &counted);
	for (uint32_t i = 0; i < PEAT_SLOTS; i++) {
		const struct peat_slot *slot = &slots[i];
		uint32_t index = cpu * PEAT_SLOTS + i;

		ledger__add_slot(base, slot);
		if (accounts->inputs->rings.keep_slots && !accounts->inputs->is_since_load)
			exclude_unreported(base, slot);
		accounts->streams[index].base_lost = stage__lost_output(slot);
		accounts->streams[index].next_seq = slot->seq - slot->count;
		begin_reports(accounts, index);
	}
	ledger__add_counted(base, counted);
	base->emitted -= base->staged;
	base->staged = 0;
	if (accounts->inputs->is_since_load)
		count_since_load(&accounts->of_cpus[cpu]);
}

int account__open(struct accounts *accounts, struct inputs *inputs)
{
	accounts->inputs = inputs;
	accounts->cpus = inputs->channel->cpus;
	accounts->streams = calloc(accounts->cpus * PEAT_SLOTS, sizeof(*accounts->streams));
	accounts->of_cpus = calloc(accounts->cpus, sizeof(*accounts->of_cpus));
	if (!accounts->streams || !accounts->of_cpus)
		return -ENOMEM;
	for (uint32_t cpu = 0; cpu < accounts->cpus; cpu++)
		open_account(accounts, cpu);
	return 0;
}

void account__close(struct accounts *accounts)
{
	free(accounts->streams);
	free(accounts->of_cpus);
	*accounts = (struct accounts){ 0 };
}

int account__open_copy(struct accounts *copy, const struct accounts *accounts)
{
	size_t streams = accounts->cpus * PEAT_SLOTS;

	*copy = (struct accounts){ .inputs = accounts->inputs,
				   .cpus = accounts->cpus,
				   .is_copy = true };
	copy->streams = calloc(streams, sizeof(*copy->streams));
	copy->of_cpus = calloc(copy->cpus, sizeof(*copy->of_cpus));
	if (!copy->streams || !copy->of_cpus)
		return -ENOMEM;
	memcpy(copy->streams, accounts->streams, streams * sizeof(*copy->streams));
	memcpy(copy->of_cpus, accounts->of_cpus, copy->cpus * sizeof(*copy->of_cpus));
	return 0;
}

static void copy_stream(struct stream *copy, const struct stream *stream)
{
	copy->missing = stream->missing;
	copy->skipped = stream->skipped;
}

void account__copy_counts(struct accounts *copy, const struct accounts *accounts)
{
	for (uint32_t cpu = 0; cpu < copy->cpus; cpu++) {
		copy->of_cpus[cpu].delivered = accounts->of_cpus[cpu].delivered;
		copy->of_cpus[cpu].held = accounts->of_cpus[cpu].held;
		copy->of_cpus[cpu].unwritten = accounts->of_cpus[cpu].unwritten;
	}
	for (uint32_t index = 0; index < copy->cpus * PEAT_SLOTS; index++)
		copy_stream(&copy->streams[index], &accounts->streams[index]);
}

/*
 * A program counts events that it could not write before it writes the next frame.  So if more
 * events are missing in a stream than were counted as lost, the others were in invalid frames.
 */
static uint64_t count_corrupt(const struct accounts *accounts, uint32_t cpu)
{
	uint64_t corrupt = 0;

	for (uint32_t index = cpu * PEAT_SLOTS; index < (cpu + 1) * PEAT_SLOTS; index++) {
		const struct stream *stream = &accounts->streams[index];
		struct peat_slot slot;
		uint64_t lost;

		stage__read(&accounts->inputs->stage, index, &slot);
		lost = stage__lost_output(&slot) - stream->base_lost;
		if (stream->missing > (int64_t)lost)
			corrupt += (uint64_t)stream->missing - lost;
	}
	return corrupt;
}

/* Losses are in gaps between frames, or among the events before the first frame of a snapshot. */
static uint64_t count_overwritten(const struct accounts *accounts, uint32_t cpu)
{
	uint64_t overwritten = 0;

	for (uint32_t index = cpu * PEAT_SLOTS; index < (cpu + 1) * PEAT_SLOTS; index++) {
		const struct stream *stream = &accounts->streams[index];
		struct peat_slot slot;
		int64_t lost;

		if (!stream->skipped)
			continue;
		stage__read(&accounts->inputs->stage, index, &slot);
		lost = (int64_t)(stage__lost_output(&slot) - stream->base_lost) - stream->missing;
		if (lost < (int64_t)stream->skipped)
			overwritten += stream->skipped - (lost > 0 ? (uint64_t)lost : 0);
	}
	return overwritten;
}

/*
 * Programs count an event as ended before they count it in their table.  Machines that do not order
 * stores show both in any order: an event that is counted has ended.
 */
static void complete_ended(struct peat_ledger *ledger)
{
	if ((int64_t)ledger->filtered >= 0)
		return;
	ledger->emitted -= ledger->filtered;
	ledger->filtered = 0;
}

static int fill(const struct accounts *accounts, uint32_t cpu, struct peat_ledger *ledger)
{
	const struct account *account = &accounts->of_cpus[cpu];
	uint64_t counted;

	*ledger = (struct peat_ledger){ 0 };
	/* Before the events that ended, which include those. */
	counted = counted_of(accounts, cpu);
	ledger__add_cpu(ledger, &accounts->inputs->stage, cpu,
			accounts->inputs->rings.keep_slots && !accounts->is_copy);
	ledger__add_counted(ledger, counted);
	ledger__subtract(ledger, &account->base);
	complete_ended(ledger);
	ledger->delivered = account->delivered;
	if (cpu == accounts->uncounted_cpu)
		ledger->delivered += account__uncounted(accounts);
	ledger->read = ledger->delivered;
	ledger->former = account->former;
	ledger->corrupt = count_corrupt(accounts, cpu);
	ledger->overwritten = count_overwritten(accounts, cpu) + account->unwritten;
	ledger->held = account->held;
	ledger__close(ledger);
	return inputs__lost(accounts->inputs, cpu, &ledger->frames_lost);
}

static int fill_all(const struct accounts *accounts, struct peat_ledger *all)
{
	*all = (struct peat_ledger){ 0 };
	for (uint32_t cpu = 0; cpu < accounts->cpus; cpu++) {
		struct peat_ledger ledger;
		int err = fill(accounts, cpu, &ledger);

		if (err)
			return err;
		ledger__add(all, &ledger);
	}
	skipped__read(&accounts->inputs->skipped, &all->skipped);
	return function_counts__add(accounts->inputs->channel, all);
}

int account__fill(const struct accounts *accounts, uint32_t cpu, struct peat_ledger *ledger)
{
	if (!accounts->cpus)
		return -ENOTSUP;
	if (cpu == PEAT_ALL_CPUS)
		return fill_all(accounts, ledger);
	return cpu < accounts->cpus ? fill(accounts, cpu, ledger) : -EINVAL;
}
