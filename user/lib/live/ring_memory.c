// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/ring_memory.c: the size of each ring. */
#include <unistd.h>

#include "ring/sizing.h"
#include "live/ring_memory.h"

/* A page, or more if a frame of the channel needs it: a frame larger than the ring is lost. */
static uint64_t min_ring_bytes(const struct inputs *inputs)
{
	uint64_t bytes = (uint64_t)sysconf(_SC_PAGESIZE);

	while (bytes < inputs->stage.slot_bytes)
		bytes *= 2;
	return bytes;
}

/*
 * The memory for all rings: memory_bytes without the stage.  If memory_bytes is 0, the stage is not
 * subtracted from the default: rounded down to a power of two, each ring would have half the size.
 */
static uint64_t bytes_for_rings(const struct inputs *inputs, uint32_t cpus, uint64_t memory_bytes)
{
	uint64_t ram_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t stage_bytes = inputs->stage.slots * inputs->stage.slot_bytes;

	if (!memory_bytes)
		return sizing__default_bytes(cpus, ram_bytes);
	return memory_bytes > stage_bytes ? memory_bytes - stage_bytes : 0;
}

/*
 * In a ring that overwrites, nothing keeps a program from writing over the record of a program that
 * it interrupted, which is not complete yet: __perf_output_begin() compares with data_tail only in
 * other rings (Linux 4.7 to 7.2).  So the ring has room for the largest records of all programs
 * that can write at once on a CPU: as many as slots.  Without slots, bpf_perf_event_output() allows
 * three.
 */
#define WRITERS_MAX	 PEAT_SLOTS /* a power of 2 */
#define RAW_RECORD_BYTES 65536u

static uint64_t min_overwrite_bytes(const struct inputs *inputs)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t record_bytes = inputs->stage.slot_bytes ?: RAW_RECORD_BYTES;

	return sizing__overwrite_bytes(WRITERS_MAX * record_bytes, page_bytes);
}

uint64_t ring_memory__least_bytes(const struct inputs *inputs, const struct peat_reader_opts *opts)
{
	return opts->overwrite ? min_overwrite_bytes(inputs) : min_ring_bytes(inputs);
}

uint64_t ring_memory__bytes(const struct inputs *inputs, uint32_t cpus,
			    const struct peat_reader_opts *opts)
{
	uint64_t least_bytes = ring_memory__least_bytes(inputs, opts);

	if (opts->overwrite)
		return sizing__overwrite_bytes(opts->overwrite, least_bytes);
	return sizing__ring_bytes(bytes_for_rings(inputs, cpus, opts->memory_bytes), cpus,
				  least_bytes);
}
