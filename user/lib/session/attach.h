/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef ATTACH_H
#define ATTACH_H

struct peat_session;

/*
 * Attaches the programs of all objects, which are loaded, to what their sections name.  Links are
 * in the session; those of programs that were attached before another failed, too.  0 or a negative
 * errno, the reason in the log.
 */
int attach__all(struct peat_session *session);

#endif /* ATTACH_H */
