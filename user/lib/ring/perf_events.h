/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_RING_PERF_EVENTS_H
#define PEAT_RING_PERF_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/record.h>

#include "ring/stack_opts.h"

/*
 * The perf events that write into one CPU's ring, and the layouts of their records:
 *
 *     output   SAMPLE records written by BPF programs; one event for each map
 *     side     FORK, COMM, MMAP2, ... written by the kernel; one event without samples
 *
 * They are separate events so that PERF_FORMAT_LOST of `output` counts frames only.
 */
struct samplers;

struct perf_events {
	struct peat_layout output, side;
	uint32_t outputs;    /* number of output events: indexes 0 to outputs - 1 in each ring */
	uint32_t side_kinds; /* PEAT_SIDE_BAND_*, or-ed; 0: no side event, otherwise its index is
				next */
	uint32_t watermark_bytes;
	bool counts_lost; /* read(2) of an event returns PERF_FORMAT_LOST */
	bool data_maps;	  /* MMAP2 also of mappings that are not executable */
	bool overwrites;  /* records overwrite the oldest ones: see ring/backward.h */
	/*
	 * Stacks that are sampled with the outputs from `first_stacked` on, unless these are
	 * samplers.  If that is not 0, their layout is `stacked`.
	 */
	struct peat_stack_request stacks;
	uint32_t first_stacked;
	struct peat_layout stacked;
	/* The outputs are these events, and each task has a side event; NULL: see above. */
	const struct samplers *samplers;
};

/*
 * `has_ids`: samples have TID and TIME.  With several outputs, samples also have the id of their
 * output (ring__event_of_id()).
 */
void perf_events__init(struct perf_events *events, uint32_t outputs, bool has_ids,
		       uint32_t side_kinds);

/* Makes the samplers the outputs, instead of BPF programs.  They have to outlive `events`. */
void perf_events__init_samplers(struct perf_events *events, const struct samplers *samplers,
				uint32_t side_kinds);

/* Adds fields to samples: PEAT_SAMPLE_*, of SAMPLE_FIELDS. */
void perf_events__add_sample_fields(struct perf_events *events, uint64_t what);

/* Adds stacks to the samples of outputs from `first` on. */
void perf_events__add_stacks(struct perf_events *events, const struct peat_stack_request *stacks,
			     uint32_t first);

/* The layout of the samples of output `index`, except samplers. */
const struct peat_layout *perf_events__output_layout(const struct perf_events *events,
						     uint32_t index);

/* The number of events per CPU. */
uint32_t perf_events__count(const struct perf_events *events);

/* The layout of records of this type, except samples of samplers. */
const struct peat_layout *perf_events__layout(const struct perf_events *events,
					      uint32_t record_type);

/*
 * Opens event `index` on the CPU and returns its fd, or a negative errno.  `fds` has the events
 * with lower indexes.  Errors are logged, except -ENODEV: the CPU is offline.  SAMPLERS_NO_EVENT:
 * the CPU does not have the event.
 */
int perf_events__open(struct perf_events *events, uint32_t index, uint32_t cpu, const int *fds);

/*
 * Opens an event like output 0 that wakes the reader of its ring at every record (wire.h), whatever
 * the ring's watermark.  Returns its fd, or a negative errno, which is not logged.
 */
int perf_events__open_bell(const struct perf_events *events, uint32_t cpu);

#endif /* PEAT_RING_PERF_EVENTS_H */
