/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/sample_owner.h: the sampler that wrote a sample. */
#ifndef PEAT_LIVE_SAMPLE_OWNER_H
#define PEAT_LIVE_SAMPLE_OWNER_H

#include "live/sampling.h"
#include "ring/ring.h"

/* Returns the sampler's number; UINT32_MAX: unknown. */
uint32_t sample_owner__find(struct sampling *sampling, const struct ring *ring,
			    const struct perf_event_header *sample);

#endif /* PEAT_LIVE_SAMPLE_OWNER_H */
