// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* account.c: what became of each event of a channel. */
#include <stdlib.h>

#include "live/account.h"
#include "channel/ledger.h"
#include "base/internal.h"

/*
 * Programs that outlive their readers lose events while there is none: those that no ledger has
 * told of yet are in that of the next reader.
 */
static void add_untold(struct peat_ledger *base, const struct peat_slot *slot)
{
	uint64_t ring_full = slot->lost_ring_full - slot->told_ring_full;
	uint64_t no_ring = slot->lost_no_ring - slot->told_no_ring;
	uint64_t other = slot->lost_other - slot->told_other;

	base->emitted -= ring_full + no_ring + other;
	base->lost_ring_full -= ring_full;
	base->lost_no_ring -= no_ring;
	base->lost_other -= other;
}

/* What programs counted before does not count here; what they left staged does. */
static void open_account(struct accounts *accounts, uint32_t cpu)
{
	struct peat_ledger *base = &accounts->of_cpus[cpu].base;

	for (uint32_t index = cpu * PEAT_SLOTS; index < (cpu + 1) * PEAT_SLOTS; index++) {
		struct peat_slot slot;

		stage__read_still(&accounts->live->stage, index, &slot);
		balance__add_slot(base, &slot);
		if (accounts->live->rings.keep_slots)
			add_untold(base, &slot);
		accounts->streams[index].base_lost = stage__lost_behind(&slot);
	}
	base->emitted -= base->staged;
	base->staged = 0;
}

int account__open(struct accounts *accounts, struct live *live)
{
	accounts->live = live;
	accounts->cpus = live->channel->cpus;
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

/*
 * The BPF side counts what it could not write before it writes what comes after.  So of the events
 * that are missing in a stream, those beyond its count were written, in frames that made no sense.
 */
static uint64_t corrupt_of(const struct accounts *accounts, uint32_t cpu)
{
	uint64_t corrupt = 0;

	for (uint32_t index = cpu * PEAT_SLOTS; index < (cpu + 1) * PEAT_SLOTS; index++) {
		const struct stream *stream = &accounts->streams[index];
		struct peat_slot slot;
		uint64_t lost;

		stage__read(&accounts->live->stage, index, &slot);
		lost = stage__lost_behind(&slot) - stream->base_lost;
		if (stream->missing > (int64_t)lost)
			corrupt += (uint64_t)stream->missing - lost;
	}
	return corrupt;
}

static int fill(const struct accounts *accounts, uint32_t cpu, struct peat_ledger *ledger)
{
	const struct account *account = &accounts->of_cpus[cpu];

	*ledger = (struct peat_ledger){ 0 };
	balance__add_cpu(ledger, &accounts->live->stage, cpu, accounts->live->rings.keep_slots);
	balance__subtract(ledger, &account->base);
	ledger->delivered = account->delivered;
	if (cpu == accounts->uncounted_cpu)
		ledger->delivered += account__uncounted(accounts);
	ledger->corrupt = corrupt_of(accounts, cpu);
	ledger->held = account->held;
	balance__close(ledger);
	return live__lost(accounts->live, cpu, &ledger->frames_lost);
}

static int fill_all(const struct accounts *accounts, struct peat_ledger *all)
{
	*all = (struct peat_ledger){ 0 };
	for (uint32_t cpu = 0; cpu < accounts->cpus; cpu++) {
		struct peat_ledger one;
		int err = fill(accounts, cpu, &one);

		if (err)
			return err;
		balance__add(all, &one);
	}
	return 0;
}

int account__fill(const struct accounts *accounts, uint32_t cpu, struct peat_ledger *ledger)
{
	return cpu == PEAT_ALL_CPUS ? fill_all(accounts, ledger) : fill(accounts, cpu, ledger);
}
