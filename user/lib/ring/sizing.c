// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* budget.c: ring sizes, watermarks and ticks from a latency and an amount of memory. */
#include "ring/sizing.h"

#define MIB (1ULL << 20)

/* A record's size is 16 bits, so past 2 GiB a ring only hides that its reader is too slow. */
#define RING_BYTES_MAX (2048 * MIB)

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t budget__default_bytes(uint32_t cpus, uint64_t ram_bytes)
{
	return smaller(cpus * MIB, smaller(ram_bytes / 100, 256 * MIB));
}

uint64_t budget__ring_bytes(uint64_t memory_bytes, uint32_t cpus, uint64_t page_bytes)
{
	uint64_t share = smaller(memory_bytes / (cpus ? cpus : 1), RING_BYTES_MAX);
	uint64_t bytes = page_bytes;

	while (bytes * 2 <= share)
		bytes *= 2;
	return bytes;
}

/*
 * A wakeup costs the traced program microseconds, so there should be few of them; but what is left
 * of the ring has to hold what is written until the reader runs.  A quarter leaves three quarters.
 */
uint32_t budget__watermark_bytes(uint64_t ring_bytes, uint32_t latency_ms)
{
	return latency_ms ? (uint32_t)(ring_bytes / 4) : 1;
}

/*
 * An event may come just after a tick, so the period has to be shorter than the latency: a quarter
 * is left for the wakeup and the drain.  With latency 0 every record wakes, and the tick is only a
 * net: poll(2) on a perf event takes its readiness away, so an event seen while the fd is being
 * added to somebody's epoll would wait for the next one (Linux 6.18, perf_poll()).
 */
uint32_t budget__tick_ms(uint32_t latency_ms)
{
	if (!latency_ms)
		return 100;
	return latency_ms < 2 ? 1 : (uint32_t)(latency_ms * 3ULL / 4);
}

/* Half of what a tick leaves of the latency: it waits for a whole period then. */
uint64_t budget__young_ns(uint32_t latency_ms)
{
	return latency_ms * 1000000ULL / 8;
}
