/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * batch/spare_buffers.h: memory of batches that have ended, for the next ones.
 *
 * malloc() maps large blocks and unmaps them, and each of their pages costs a page fault: under
 * load a quarter of the agent's CPU time.  So up to 16 buffers of a full batch are kept, 8 MiB.
 */
#ifndef PEAT_BATCH_SPARE_BUFFERS_H
#define PEAT_BATCH_SPARE_BUFFERS_H

#include "base/strbuf.h"

/* Gives the empty `buffer` room for `bytes` bytes.  False: no spare buffer has so much. */
bool spare_buffers__take(struct strbuf *buffer, size_t bytes);

/* Keeps the buffer's memory, or frees it.  Any thread calls this and the above. */
void spare_buffers__give(struct strbuf *buffer);

#endif /* PEAT_BATCH_SPARE_BUFFERS_H */
