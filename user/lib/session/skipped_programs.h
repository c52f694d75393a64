/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/skipped_programs.h: the programs whose skipped runs a raw reader counts. */
#ifndef PEAT_SESSION_SKIPPED_PROGRAMS_H
#define PEAT_SESSION_SKIPPED_PROGRAMS_H

struct peat_session;

/*
 * Makes the session's reader count the skipped runs of the loaded objects' programs, and of the
 * programs that use maps of others.  0 or a negative errno, which is logged.
 */
int skipped_programs__count(const struct peat_session *session);

#endif /* PEAT_SESSION_SKIPPED_PROGRAMS_H */
