/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/record.h>

/*
 * The perf events whose records lie in one CPU's ring, and which layout is whose:
 *
 *     output   what BPF programs write: SAMPLE; one event for each map that they write to
 *     side     what the kernel writes by itself, an event of no samples: FORK, COMM, MMAP2, ...
 *
 * Events of their own, so that PERF_FORMAT_LOST of `output` counts frames and nothing else.
 */
struct events {
	struct peat_layout output, side;
	uint32_t outputs;    /* events of BPF programs: numbers 0 to outputs - 1 in each ring */
	uint32_t side_kinds; /* PEAT_KIND_*, or-ed; 0: there is no side event, else it comes next */
	uint32_t watermark_bytes;
	bool counts_lost; /* read(2) of an event gives PERF_FORMAT_LOST */
};

/*
 * `has_ids`: samples have the time, and the task that ran; and with several outputs the id of the
 * one that it is of (ring__find()).
 */
void events__init(struct events *events, uint32_t outputs, bool has_ids, uint32_t side_kinds);

/* Has samples hold more: PEAT_SAMPLE_*, of SAMPLED_ALL. */
void events__sample(struct events *events, uint64_t what);

/* How many there are of each CPU. */
uint32_t events__count(const struct events *events);

/* Which layout a record of this type has. */
const struct peat_layout *events__layout(const struct events *events, uint32_t record_type);

/*
 * Opens event `index` on the CPU and returns its fd, or a negative errno, which the log explains
 * but for -ENODEV: the CPU is offline.
 */
int events__open(struct events *events, uint32_t index, uint32_t cpu);

#endif /* EVENTS_H */
