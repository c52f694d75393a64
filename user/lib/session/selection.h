/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/selection.h: the expression, the table and the stacks of a session. */
#ifndef PEAT_SESSION_SELECTION_H
#define PEAT_SESSION_SELECTION_H

#include <peat/session.h>

/*
 * Checks that options->channel leaves them to `options`, and copies them to `channel`, with
 * defaults.  0, or -EINVAL, which is logged.
 */
int selection__copy(struct peat_channel_opts *channel, const struct peat_session_opts *options);

/*
 * Copies them to the session's channel, or without a channel to the options of the reader.  The
 * programs of an adopted channel run already: its reader alone tests and counts.
 */
void selection__pass_on(struct peat_session *session, struct peat_reader_opts *opts);

/*
 * Resolves them for all types of events, those of the kinds in callers_opts->where_side_band too,
 * before anything is loaded.  0, or -EINVAL: a field is in none of them, or callers_opts have a
 * selection of their own; or -ENOMEM; logged.
 */
int selection__resolve(struct peat_session *session, const struct peat_reader_opts *callers_opts);

#endif /* PEAT_SESSION_SELECTION_H */
