/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_RING_SIZING_H
#define PEAT_RING_SIZING_H

#include <stdint.h>

/*
 * Converts the user's options (a latency and an amount of memory) into ring sizes, watermarks and
 * ticks.  Pure: no clock, no system call.
 */

/* Memory to use by default: 1 MiB per CPU, at most 1 % of RAM and 256 MiB. */
uint64_t sizing__default_bytes(uint32_t cpus, uint64_t ram_bytes);

/* Largest size with which `cpus` rings fit `memory_bytes`: pages times a power of two. */
uint64_t sizing__ring_bytes(uint64_t memory_bytes, uint32_t cpus, uint64_t page_bytes);

/* The size of a ring that keeps the last `bytes`: pages times a power of two, min_bytes or more. */
uint64_t sizing__overwrite_bytes(uint64_t bytes, uint64_t min_bytes);

/* Unread bytes at which a ring wakes its reader; 1: every record does. */
uint32_t sizing__watermark_bytes(uint64_t ring_bytes, uint32_t latency_ms);

/* Interval at which the reader drains rings that stay below their watermark. */
uint32_t sizing__tick_ms(uint32_t latency_ms);

/* Age below which staged events can wait for the next tick. */
uint64_t sizing__min_age_ns(uint32_t latency_ms);

#endif /* PEAT_RING_SIZING_H */
