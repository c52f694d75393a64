// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* account.c: what became of each event of a channel. */
#include <stdlib.h>

#include "account.h"
#include "balance.h"
#include "internal.h"

/* What programs counted before does not count here; what they left staged does. */
static void open_account(struct accounts *accounts, uint32_t cpu)
{
	struct peat_ledger *base = &accounts->of_cpus[cpu].base;

	for (uint32_t index = cpu * PEAT_SLOTS; index < (cpu + 1) * PEAT_SLOTS; index++) {
		struct peat_slot slot;

		stage__read_still(&accounts->live->stage, index, &slot);
		balance__add_slot(base, &slot);
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
	balance__add_cpu(ledger, &accounts->live->stage, cpu);
	balance__subtract(ledger, &account->base);
	ledger->delivered = account->delivered;
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
