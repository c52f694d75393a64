/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/record.h>

/*
 * The perf events whose records lie in one CPU's ring, and which layout is whose:
 *
 *     output   what BPF programs write: SAMPLE
 *     side     what the kernel writes by itself, an event of no samples: FORK, COMM, MMAP2, ...
 *
 * Two events, so that PERF_FORMAT_LOST of `output` counts frames and nothing else.
 */
struct events {
	struct peat_layout output, side;
	bool has_output;     /* else BPF programs write nothing here */
	uint32_t side_kinds; /* PEAT_KIND_*, or-ed; 0: there is no side event */
	uint32_t watermark_bytes;
	bool counts_lost; /* read(2) of an event gives PERF_FORMAT_LOST */
};

/* Both events; `has_ids`: samples have the time, and the task that ran. */
void events__init(struct events *events, bool has_ids, uint32_t side_kinds);

/* Which layout a record of this type has. */
const struct peat_layout *events__layout(const struct events *events, uint32_t record_type);

/*
 * Opens an event on the CPU and returns its fd, or a negative errno, which the log explains but for
 * -ENODEV: the CPU is offline.
 */
int events__open_output(struct events *events, uint32_t cpu);
int events__open_side(struct events *events, uint32_t cpu);

#endif /* EVENTS_H */
