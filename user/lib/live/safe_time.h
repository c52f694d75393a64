/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/safe_time.h: the time before which all emitted events have been returned or lost. */
#ifndef PEAT_LIVE_SAFE_TIME_H
#define PEAT_LIVE_SAFE_TIME_H

#include "sys/cpus.h"
#include "channel/stage.h"

struct safe_time {
	const struct stage *stage;
	const struct cpus *cpus; /* only their slots; NULL: all */
	struct safe_time_slot *slots;
	uint64_t unseen_ns;  /* delay after which a slot's lock is visible at the latest */
	uint64_t timeout_ns; /* delay after which a slot without progress is ignored */
	uint32_t drains;     /* completed ones */
};

/* 0 or -ENOMEM; safe_time__free() accepts the result of either, and zeroes. */
int safe_time__init(struct safe_time *safe, const struct stage *stage, uint64_t now_ns);
void safe_time__free(struct safe_time *safe);

/*
 * Reads all slots at the end of a drain; `now_ns` is from before the call.  All events older than
 * the result have been returned or are lost.  Returned events are those of
 * stage__add_consumed(), so do not call it while a frame is being decoded.
 */
uint64_t safe_time__find(struct safe_time *safe, uint64_t now_ns);

#endif /* PEAT_LIVE_SAFE_TIME_H */
