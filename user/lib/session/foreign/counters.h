/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/foreign/counters.h: the counters of a session's objects: PEAT_COUNTER(). */
#ifndef PEAT_SESSION_FOREIGN_COUNTERS_H
#define PEAT_SESSION_FOREIGN_COUNTERS_H

#include <stdbool.h>

struct bpf_map;
struct peat_session;

/* Adds the counters of the object added last, which does not use peat.bpf.h: a channel has its own.
 */
int counters__add(struct peat_session *session);

/* Whether the map is a counter of an object without peat.bpf.h. */
bool counters__has(const struct peat_session *session, const struct bpf_map *map);

/* Opens those counters: the reader keeps them open.  0 or a negative errno, which is logged. */
int counters__open(struct peat_session *session);

/*
 * Gives the counter `name` another event, before the start.
 *
 *	1	done
 *	0	no object has such a counter
 *	-EBUSY	the session was started; or another negative errno; all are logged
 */
int counters__set(struct peat_session *session, const char *name, const char *event);

/* Forgets the counters of objects without peat.bpf.h, or those of the object added last. */
void counters__remove_last(struct peat_session *session);
void counters__free(struct peat_session *session);

#endif /* PEAT_SESSION_FOREIGN_COUNTERS_H */
