/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef LOADING_H
#define LOADING_H

struct peat_session;

/*
 * Loads all objects.  With best_effort programs that cannot be loaded are left out, and the log
 * says why; one has to be left.  0 or a negative errno, the reason in the log.
 */
int loading__load(const struct peat_session *session);

#endif /* LOADING_H */
