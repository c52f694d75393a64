// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* memory.c: default memory of rings and stage by number of CPUs, computed by the library's code. */
#include <stdio.h>
#include <unistd.h>

#include <peat/wire.h>

#include "ring/sizing.h"
#include "scale.h"

#define KIB	   1024.0
#define GIB	   (1ULL << 30)
#define SLOT_BYTES 8192 /* of a channel with events up to about 8,000 bytes */
#define LATENCY_MS 100

/* Assumed RAM of a machine per CPU. */
#define RAM_OF_CPU (4 * GIB)

static void print_memory(uint32_t cpus)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t least_bytes = page_bytes > SLOT_BYTES ? page_bytes : SLOT_BYTES;
	uint64_t all_bytes = sizing__default_bytes(cpus, cpus * RAM_OF_CPU);
	uint64_t stage_bytes = (uint64_t)cpus * PEAT_SLOTS * SLOT_BYTES;
	uint64_t ring_bytes = sizing__ring_bytes(all_bytes, cpus, least_bytes);

	printf("%-13u %8.0f GiB %10.0f KiB %8.0f KiB %10.1f MiB %8.1f MiB %10.1f MiB\n", cpus,
	       (double)(cpus * RAM_OF_CPU) / (double)GIB, (double)ring_bytes / KIB,
	       sizing__watermark_bytes(ring_bytes, LATENCY_MS) / KIB,
	       (double)(cpus * (ring_bytes + page_bytes)) / KIB / KIB,
	       (double)stage_bytes / KIB / KIB,
	       (double)(cpus * (ring_bytes + page_bytes) + stage_bytes) / KIB / KIB);
}

int scale_memory__measure(struct scale *scale)
{
	static const uint32_t cpus[] = { 4, 64, 512 };

	(void)scale;
	puts("\nMemory: rings, each with the kernel's page, and stage, by default; computed.\n");
	printf("%-13s %12s %14s %12s %14s %12s %14s\n", "CPUs", "RAM", "each ring", "watermark",
	       "rings", "stage", "total");
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++)
		print_memory(cpus[i]);
	return 0;
}
