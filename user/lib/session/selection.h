/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/selection.h: the expression and the table of a session. */
#ifndef PEAT_SESSION_SELECTION_H
#define PEAT_SESSION_SELECTION_H

#include <peat/session.h>

/*
 * Resolves them for all types of events, those of the kinds in callers_opts->where_side_band too,
 * before anything is loaded.  0, or -EINVAL: a field is in none of them, or -ENOMEM; logged.
 */
int selection__resolve(struct peat_session *session, const struct peat_reader_opts *callers_opts);

#endif /* PEAT_SESSION_SELECTION_H */
