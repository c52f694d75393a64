// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/ledger.c: sums and differences of ledgers and of slot counts. */
#include "channel/ledger.h"

void ledger__add_slot(struct peat_ledger *ledger, const struct peat_slot *slot)
{
	ledger->emitted += slot->seq + slot->lost_nested + slot->lost_throttled +
			   slot->lost_too_big + slot->lost_abandoned + slot->ended;
	ledger->staged += slot->count;
	ledger->lost_ring_full += slot->lost_ring_full;
	ledger->lost_nested += slot->lost_nested;
	ledger->lost_no_ring += slot->lost_no_ring;
	ledger->lost_too_big += slot->lost_too_big;
	ledger->lost_throttled += slot->lost_throttled;
	ledger->lost_abandoned += slot->lost_abandoned;
	ledger->lost_other += slot->lost_other;
	ledger->filtered += slot->ended; /* less those counted: see ledger__add_counted() */
	ledger->discarded += slot->discarded;
	ledger->misuse += slot->misuse;
	ledger->frames += slot->frames;
	ledger->frames_ring_full += slot->frames_ring_full;
}

void ledger__add_counted(struct peat_ledger *ledger, uint64_t counted)
{
	ledger->filtered -= counted;
	ledger->counted += counted;
}

void ledger__add_cpu(struct peat_ledger *ledger, struct stage *stage, uint32_t cpu,
		     bool mark_reported)
{
	struct peat_slot slot;

	for (uint32_t i = 0; i < PEAT_SLOTS; i++) {
		stage__read(stage, cpu * PEAT_SLOTS + i, &slot);
		ledger__add_slot(ledger, &slot);
		if (mark_reported)
			stage__mark_reported(stage, cpu * PEAT_SLOTS + i, &slot);
	}
}

/* All members of a ledger after `sz` are u64 counts. */
#define FIRST	offsetof(struct peat_ledger, emitted)
#define NUMBERS ((sizeof(struct peat_ledger) - FIRST) / sizeof(uint64_t))

static uint64_t *numbers(struct peat_ledger *ledger)
{
	return (uint64_t *)((char *)ledger + FIRST);
}

static const uint64_t *const_numbers(const struct peat_ledger *ledger)
{
	return (const uint64_t *)((const char *)ledger + FIRST);
}

void ledger__add(struct peat_ledger *ledger, const struct peat_ledger *other)
{
	for (size_t i = 0; i < NUMBERS; i++)
		numbers(ledger)[i] += const_numbers(other)[i];
}

void ledger__subtract(struct peat_ledger *ledger, const struct peat_ledger *other)
{
	for (size_t i = 0; i < NUMBERS; i++)
		numbers(ledger)[i] -= const_numbers(other)[i];
}

void ledger__close(struct peat_ledger *ledger)
{
	ledger->in_ring = ledger->emitted - ledger->delivered - ledger->held - ledger->staged -
			  ledger->filtered - ledger->counted - ledger->former -
			  peat_ledger__lost(ledger);
}
