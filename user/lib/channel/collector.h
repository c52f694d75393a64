/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/collector.h: collecting staged events by a BPF program that runs on the slot's CPU.
 *
 * Programs with plain locks (object/plain_locks.h) look at a lock and then store it.  So nothing on
 * another CPU may lock a slot, unless the slot's CPU is offline.
 */
#ifndef PEAT_CHANNEL_COLLECTOR_H
#define PEAT_CHANNEL_COLLECTOR_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel/collect.h"

/* Functions of a loaded collector: readers without a channel do not link it. */
struct collector {
	int (*run)(struct collector *collector, uint32_t index, uint64_t expected);
	const void *(*frame)(const struct collector *collector, size_t *bytes);
};

/*
 * Loads the collector for the stage map `stage_fd`; it needs
 * no map of rings.  0 or a negative errno, the reason in the log.
 */
int collector__new(struct collector **collector, int stage_fd, size_t slot_bytes);
void collector__free(struct collector *collector); /* NULL is allowed */

/*
 * Whether the kernel runs programs on a CPU on demand (BPF_PROG_TEST_RUN of raw_tp, Linux 5.10).
 * Otherwise nothing may stay in a slot: it is never collected, and collector__run() returns
 * COLLECT_BUSY.
 */
bool collector__can_run(const struct collector *collector);

/*
 * Collects the events of the slot if it has sent `expected` events before.  Returns COLLECT_*;
 * -ENXIO: the CPU is offline; or another negative errno.
 */
static inline int collector__run(struct collector *collector, uint32_t index, uint64_t expected)
{
	return collector->run(collector, index, expected);
}

/*
 * Whether the slot's CPU is offline.  Collects nothing: no slot has sent UINT64_MAX events, so the
 * result is COLLECT_NOT_NEXT at most.
 */
static inline bool collector__is_offline(struct collector *collector, uint32_t index)
{
	return collector__run(collector, index, UINT64_MAX) == -ENXIO;
}

/* The collected frame, valid until the next collector__run(); its length is checked. */
static inline const void *collector__frame(const struct collector *collector, size_t *bytes)
{
	return collector->frame(collector, bytes);
}

#endif /* PEAT_CHANNEL_COLLECTOR_H */
