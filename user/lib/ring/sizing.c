// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring/sizing.c: ring sizes, watermarks and ticks from a latency and an amount of memory. */
#include "ring/sizing.h"

#define MIB (1ULL << 20)

/* A larger ring only hides that its reader is too slow: records are at most 64 KiB. */
#define RING_BYTES_MAX (2048 * MIB)

static uint64_t min_bytes(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t sizing__default_bytes(uint32_t cpus, uint64_t ram_bytes)
{
	return min_bytes(cpus * MIB, min_bytes(ram_bytes / 100, 256 * MIB));
}

uint64_t sizing__ring_bytes(uint64_t memory_bytes, uint32_t cpus, uint64_t page_bytes)
{
	uint64_t share = min_bytes(memory_bytes / (cpus ? cpus : 1), RING_BYTES_MAX);
	uint64_t bytes = page_bytes;

	while (bytes * 2 <= share)
		bytes *= 2;
	return bytes;
}

uint64_t sizing__overwrite_bytes(uint64_t bytes, uint64_t min_bytes)
{
	uint64_t ring_bytes = min_bytes;

	while (ring_bytes < bytes && ring_bytes < RING_BYTES_MAX)
		ring_bytes *= 2;
	return ring_bytes;
}

/*
 * A wakeup costs the traced program microseconds, so wakeups should be few.  But the rest of the
 * ring has to hold all that is written until the reader runs: a quarter leaves three quarters.
 */
uint32_t sizing__watermark_bytes(uint64_t ring_bytes, uint32_t latency_ms)
{
	return latency_ms ? (uint32_t)(ring_bytes / 4) : 1;
}

/*
 * An event may arrive just after a tick, so the period is shorter than the latency: a quarter
 * remains for the wakeup and the drain.  With latency 0 every record wakes the reader, and the tick
 * is only a safety net: poll(2) on a perf event clears its readiness, so an event that arrives
 * while the fd is being added to another epoll would wait for the next one (Linux 6.18,
 * perf_poll()).
 */
uint32_t sizing__tick_ms(uint32_t latency_ms)
{
	if (!latency_ms)
		return 100;
	return latency_ms < 2 ? 1 : (uint32_t)(latency_ms * 3ULL / 4);
}

/* Half of what the tick leaves of the latency, as the event then waits for a whole period. */
uint64_t sizing__min_age_ns(uint32_t latency_ms)
{
	return latency_ms * 1000000ULL / 8;
}
