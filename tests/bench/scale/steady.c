// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* steady.c: a million events of 64 bytes per second for a long time, with the library's defaults.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/base/messages.h"
#include "scale.h"

#define RATE 1e6

/* Replaces the rig's reader, which has the benchmark's ring size, by one with default options. */
static int open_by_default(struct bench_rig *rig, const struct bench_transport *transport)
{
	const struct bench_events events = { .bytes = 64 };
	int err = bench_rig__open(rig, transport, &events);

	if (err)
		return err;
	peat_reader__free(rig->reader);
	rig->reader = peat_reader__new(rig->channel, NULL);
	return rig->reader ? 0 : -errno;
}

static void print_line(const char *name, uint64_t count)
{
	if (count)
		printf("  %-26s %12llu\n", name, (unsigned long long)count);
}

static void print_ledger(const struct peat_ledger *ledger, const struct bench_result *result)
{
	printf("  %-26s %12llu\n", "emitted (program)", (unsigned long long)result->emitted);
	printf("  %-26s %12llu\n", "emitted (ledger)", (unsigned long long)ledger->emitted);
	printf("  %-26s %12llu\n", "= delivered", (unsigned long long)ledger->delivered);
	printf("  %-26s %12llu\n", "+ lost", (unsigned long long)peat_ledger__lost(ledger));
	print_line("+ staged", ledger->staged);
	print_line("+ in rings", ledger->in_ring);
	print_line("+ corrupt", ledger->corrupt);
}

static int print_result(const struct bench_rig *rig, const struct bench_result *result)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	int err = peat_reader__ledger(rig->reader, PEAT_ALL_CPUS, &ledger);

	if (err)
		return err;
	peat_reader__stats(rig->reader, &stats);
	printf("\nSteady: %.0f k events of 64 bytes per second for %.1f s, time and ids, default "
	       "options: %u rings of %llu KiB,\nwatermark %llu KiB, latency 100 ms.\n\n",
	       (double)result->emitted / result->emit_ns * 1e6, result->emit_ns / 1e9, stats.rings,
	       (unsigned long long)stats.ring_bytes / 1024,
	       (unsigned long long)stats.watermark_bytes / 1024);
	print_ledger(&ledger, result);
	printf("  %-26s %12.2f %% of one CPU, %.1f ns per event, %llu rounds\n", "reader",
	       100 * result->reader_ns / result->elapsed_ns,
	       result->reader_ns / (double)result->delivered, (unsigned long long)stats.rounds);
	return 0;
}

int scale_steady__measure(struct scale *scale)
{
	const struct bench_load load = { .producers = 1,
					 .per_call = 1,
					 .rate = RATE,
					 .run_ns = scale->seconds * 1000000000ULL };
	static struct bench_rig rig;
	struct bench_result result;
	int err = open_by_default(&rig, &scale->few.all[0]);

	if (!err)
		err = bench_run__load(&rig, &scale->bench.cpus, &load, &result);
	if (!err)
		err = print_result(&rig, &result);
	if (err)
		messages__print("cannot measure the steady load: %s", strerror(-err));
	bench_rig__close(&rig);
	return err;
}
