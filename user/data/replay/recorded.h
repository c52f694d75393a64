/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/recorded.h: what the context of a recorded event points to. */
#ifndef PEAT_REPLAY_RECORDED_H
#define PEAT_REPLAY_RECORDED_H

#include "event/recorded.h"
#include "perf_data/attrs.h"
#include "perf_data/tool_record.h"
#include "replay/build_ids.h"

extern const struct recorded_names replay_names;

#endif /* PEAT_REPLAY_RECORDED_H */
