/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/foreign/sampled_events.h: a session of events that the kernel samples (peat/sampling.h).
 */
#ifndef PEAT_SESSION_FOREIGN_SAMPLED_EVENTS_H
#define PEAT_SESSION_FOREIGN_SAMPLED_EVENTS_H

#include "session/parts/session.h"

/* Before the start: makes the events final.  0, also without events, or a negative errno. */
int sampled_events__choose(struct peat_session *session, const struct peat_reader_opts *opts);

/* The type of event `i`; NULL: no such event. */
const struct peat_schema *sampled_events__schema(const struct peat_session *session, uint32_t i);

struct peat_reader *sampled_events__open_reader(struct peat_session *session,
						const struct peat_reader_opts *opts);

/* Logs that objects and maps cannot be read beside events.  -EINVAL. */
int sampled_events__refuse(void);

void sampled_events__free(struct peat_session *session);

#endif /* PEAT_SESSION_FOREIGN_SAMPLED_EVENTS_H */
