/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_LIVE_INPUT_EVENTS_H
#define PEAT_LIVE_INPUT_EVENTS_H

#include "live/inputs.h"

/* Sets the maps and the perf events of the rings, before these are opened. */
void input_events__init(struct rings *rings, const struct inputs_config *source,
			const struct peat_reader_opts *opts);

#endif /* PEAT_LIVE_INPUT_EVENTS_H */
