/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/ring_memory.h: the size of each ring, by the options of the reader.  The stage is open. */
#ifndef PEAT_LIVE_RING_MEMORY_H
#define PEAT_LIVE_RING_MEMORY_H

#include "live/inputs.h"

/* The bytes of each ring, if there are rings of this many CPUs. */
uint64_t ring_memory__bytes(const struct inputs *inputs, uint32_t cpus,
			    const struct peat_reader_opts *opts);

/* The size below which a ring is useless: records of the programs would not fit. */
uint64_t ring_memory__least_bytes(const struct inputs *inputs, const struct peat_reader_opts *opts);

#endif /* PEAT_LIVE_RING_MEMORY_H */
