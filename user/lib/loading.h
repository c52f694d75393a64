/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef LOADING_H
#define LOADING_H

struct peat_session;

/* Loads all objects; what it cannot load is in the log, with the reason.  0 or a negative errno. */
int loading__load(const struct peat_session *session);

#endif /* LOADING_H */
