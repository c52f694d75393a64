/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_LOAD_H
#define PEAT_SESSION_LOAD_H

struct peat_session;

/*
 * Loads all objects.  With best_effort, programs that cannot be loaded are left out and logged; at
 * least one must remain.  0 or a negative errno, the reason in the log.
 */
int load__all(struct peat_session *session);

#endif /* PEAT_SESSION_LOAD_H */
