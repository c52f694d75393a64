/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* arrays.h: the perf event arrays of a session's objects that know nothing of peat. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "session/parts.h"

/* Notes those of the object that was added last. */
int arrays__add(struct peat_session *session);

/* Before the objects are loaded: finds out what the events are.  -EINVAL: an object has no array.
 */
int arrays__identify(struct peat_session *session);

/* Then opens the reader of all of them, over one ring a CPU.  NULL and errno. */
struct peat_reader *arrays__open_reader(const struct peat_session *session,
					const struct peat_reader_opts *opts);

void arrays__free(struct peat_session *session);

#endif /* ARRAYS_H */
