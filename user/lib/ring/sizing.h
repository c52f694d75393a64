/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdint.h>

/*
 * From what the user states (a latency and an amount of memory) to what the kernel wants: ring
 * sizes, watermarks, ticks.  Pure: no clock, no system call.
 */

/* The memory to use when none is stated: 1 MiB a CPU, at most 1 % of RAM and 256 MiB. */
uint64_t budget__default_bytes(uint32_t cpus, uint64_t ram_bytes);

/* The largest ring that fits `memory_bytes` for `cpus` rings: pages times a power of two. */
uint64_t budget__ring_bytes(uint64_t memory_bytes, uint32_t cpus, uint64_t page_bytes);

/* Unread bytes at which a ring wakes its reader: 1 is every record. */
uint32_t budget__watermark_bytes(uint64_t ring_bytes, uint32_t latency_ms);

/* How often the reader looks by itself, so that what stays below a watermark is not late. */
uint32_t budget__tick_ms(uint32_t latency_ms);

/* What has been staged for less can wait for the next tick. */
uint64_t budget__young_ns(uint32_t latency_ms);

#endif /* BUDGET_H */
