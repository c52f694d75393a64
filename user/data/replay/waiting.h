/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/waiting.h: the file descriptors by which a reader of a recording waits. */
#ifndef PEAT_REPLAY_WAITING_H
#define PEAT_REPLAY_WAITING_H

#include "replay/source.h"

/* Once the recording is open.  0 or a negative errno: close it in any case. */
int replay_waiting__open(struct replay *replay);
void replay_waiting__close(struct replay *replay);

/* Marks the reader as readable or not: the fd of a pipe does not report bytes that were read. */
void replay_waiting__mark(struct replay *replay, bool is_ready);

/* Async-signal-safe. */
void replay_waiting__interrupt(const struct replay *replay);

/* Whether it was called since. */
bool replay_waiting__was_interrupted(const struct replay *replay);

#endif /* PEAT_REPLAY_WAITING_H */
