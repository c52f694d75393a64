/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * collector.h: what is staged, taken by a program that runs on the CPU whose it is.
 *
 * Where there is one, programs take their slots without an atomic operation (peat_lock() in
 * peat.bpf.h), and user space may not lock any, but those of CPUs that are offline.
 */
#ifndef COLLECTOR_H
#define COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel/collect.h"

struct collector;

/*
 * For the stage, the ring's map being needed by nobody.  -EOPNOTSUPP: this kernel, or this machine,
 * has none; or another negative errno.
 */
int collector__new(struct collector **collector, int stage_fd, size_t slot_bytes);
void collector__free(struct collector *collector); /* takes NULL */

/*
 * Takes what is staged in the slot, if it sent `expected` events before.  An answer (COLLECT_*);
 * -ENXIO: the CPU is offline; or another negative errno.
 */
int collector__take(struct collector *collector, uint32_t index, uint64_t expected);

/* Whether the slot's CPU is offline.  Takes nothing. */
bool collector__is_offline(struct collector *collector, uint32_t index);

/* The frame that was taken; lent until the next time.  No longer than what holds it. */
const void *collector__frame(const struct collector *collector, size_t *bytes);

#endif /* COLLECTOR_H */
