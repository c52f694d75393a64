/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/foreign/raw_arrays.h: the perf event arrays of objects without peat.bpf.h. */
#ifndef PEAT_SESSION_FOREIGN_RAW_ARRAYS_H
#define PEAT_SESSION_FOREIGN_RAW_ARRAYS_H

#include "session/parts/session.h"

/* Adds the arrays of the object that was added last. */
int raw_arrays__add(struct peat_session *session);

/* Appends an array with this base name.  NULL: no memory. */
struct array *raw_arrays__append(struct peat_session *session, const char *name);

/* Before the objects are loaded: infers the types of events.  -EINVAL: an object has no array. */
int raw_arrays__identify(struct peat_session *session);

/*
 * After the objects are loaded: merges arrays that are one map, pinned by its name, and names maps
 * and types.  0 or a negative errno.
 */
int raw_arrays__settle(struct peat_session *session);

/* After that: opens one reader of all arrays, over one ring per CPU.  NULL and errno. */
struct peat_reader *raw_arrays__open_reader(const struct peat_session *session,
					    const struct peat_reader_opts *opts);

void raw_arrays__free(struct peat_session *session);

#endif /* PEAT_SESSION_FOREIGN_RAW_ARRAYS_H */
