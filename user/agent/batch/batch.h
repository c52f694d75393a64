/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* batch/batch.h: memory for the events of a batch, ahead of them. */
#ifndef PEAT_BATCH_BATCH_H
#define PEAT_BATCH_BATCH_H

#include <peat/batch.h>

/* Bytes of the events in a batch. */
size_t batch__event_bytes(const struct peat_batch *batch);

/* Makes room for events of so many bytes, if there is memory: a batch that grows is copied. */
void batch__reserve(struct peat_batch *batch, size_t bytes);

#endif /* PEAT_BATCH_BATCH_H */
