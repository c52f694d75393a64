/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* record/data_src.h: prints where a sampled memory access was served, like perf script.  Pure. */
#ifndef PEAT_RECORD_DATA_SRC_H
#define PEAT_RECORD_DATA_SRC_H

#include "base/emit.h"

/*
 * A union perf_mem_data_src: {value=0x68100142 op=LOAD lvl="L1 hit" snoop=None tlb="L1 or L2 hit"
 * lock=No blk=N/A}.  Its number is the same in both byte orders: the kernel declares its
 * bit-fields in reverse for big-endian machines.
 */
void data_src__emit(struct emit *emit, const char *name, uint64_t value);

#endif /* PEAT_RECORD_DATA_SRC_H */
