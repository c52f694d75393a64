/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_LIVE_SAMPLING_TYPES_H
#define PEAT_LIVE_SAMPLING_TYPES_H

#include "live/sampling.h"

/* Makes the types of all events, whose attrs are final.  0 or a negative errno, which is logged. */
int sampling_types__make(struct sampling *sampling);
void sampling_types__free(struct sampling *sampling);

/* The type of event `i`.  False: no such event, or no types yet. */
bool sampling_types__at(const struct sampling *sampling, uint32_t i, struct reader_type *type);

#endif /* PEAT_LIVE_SAMPLING_TYPES_H */
