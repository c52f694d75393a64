/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * binding.h: symbols for bindings that cannot use the macros of the other headers, such as those
 * made with ctypes.  libpeat-data.so has the functions that data.h declares or names,
 * libpeat-agent.so those of agent.h, libpeat.so everything else.
 *
 * C and C++ inline six functions of record.h and ledger.h.  libpeat.so exports them as well, by the
 * same names: peat_words__at(), peat_read__at(), peat_branches__at(), peat_branches__bits(),
 * peat_sample__weights() and peat_ledger__lost().
 *
 * Options need no macro: fill the struct with zeroes and set its first member, `sz`, to its size.
 */
#ifndef PEAT_BINDING_H
#define PEAT_BINDING_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/* The version of the library at run time, such as "0.9.0".  The headers have PEAT_VERSION. */
PEAT_API const char *peat_version(void);

/* Values that the library uses for options that are 0. */
#define PEAT_DEFAULT_LATENCY_MS		 100	     /* peat_reader_opts.latency_ms */
#define PEAT_DEFAULT_BATCH_BYTES	 4096	     /* peat_channel_opts.batch_bytes */
#define PEAT_DEFAULT_SLOT_BYTES		 8192	     /* peat_channel_opts.slot_bytes, at least */
#define PEAT_DEFAULT_REPLAY_MEMORY_BYTES (256 << 20) /* peat_replay_opts.memory_bytes */
#define PEAT_DEFAULT_QUEUE_BYTES	 (16 << 20)  /* peat_perf_opts.queue_bytes */

/* The same values as symbols. */
PEAT_API extern const uint32_t peat_default_latency_ms;
PEAT_API extern const uint32_t peat_default_batch_bytes;
PEAT_API extern const uint32_t peat_default_slot_bytes;
PEAT_API extern const uint64_t peat_default_replay_memory_bytes;
PEAT_API extern const uint64_t peat_default_queue_bytes;

PEAT_END_DECLS

#endif /* PEAT_BINDING_H */
