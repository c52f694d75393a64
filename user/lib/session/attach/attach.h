/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_ATTACH_ATTACH_H
#define PEAT_SESSION_ATTACH_ATTACH_H

struct peat_session;

/*
 * Attaches the programs of all loaded objects as their sections say.  The session owns the links,
 * also after an error.  0 or a negative errno, the reason in the log.
 */
int attach__all(struct peat_session *session);

#endif /* PEAT_SESSION_ATTACH_ATTACH_H */
