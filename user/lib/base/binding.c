// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/binding.c: symbols for bindings: the inline functions of public headers, and defaults. */
#include <peat/common.h>

/* Here inline functions are C99's: each one that is declared extern below becomes a symbol. */
#undef PEAT_INLINE
#define PEAT_INLINE PEAT_API inline

#include <peat/peat.h>

extern uint64_t peat_ledger__lost(const struct peat_ledger *ledger);
extern uint64_t peat_words__at(const struct peat_words *words, uint64_t i);
extern struct peat_read_value peat_read__at(const struct peat_read *read, uint64_t i);
extern uint64_t peat_branches__bits(const struct peat_branches *b, uint64_t flags,
				    unsigned int first, unsigned int width);
extern struct peat_branch peat_branches__at(const struct peat_branches *b, uint64_t i);
extern void peat_sample__weights(const struct peat_sample *sample, uint32_t *var1, uint16_t *var2,
				 uint16_t *var3);

const uint32_t peat_default_latency_ms = PEAT_DEFAULT_LATENCY_MS;
const uint32_t peat_default_batch_bytes = PEAT_DEFAULT_BATCH_BYTES;
const uint32_t peat_default_slot_bytes = PEAT_DEFAULT_SLOT_BYTES;
const uint64_t peat_default_replay_memory_bytes = PEAT_DEFAULT_REPLAY_MEMORY_BYTES;
const uint64_t peat_default_queue_bytes = PEAT_DEFAULT_QUEUE_BYTES;

const char *peat_version(void)
{
	return PEAT_VERSION;
}
