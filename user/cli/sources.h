/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef SOURCES_H
#define SOURCES_H

#include <peat/peat.h>

/*
 * Where events come from, as named on the command line: a PROBE that is compiled in, a FILE.bpf.o,
 * or a @KIND of the kernel's own records, live ones.  The first two can be followed by options:
 * NAME,OPTION=VALUE,...
 */

/* Adds the objects to the session and collects the kinds; 0, or an exit status: it has complained.
 */
int sources__add(struct peat_session *session, const char *const *names, size_t count,
		 uint32_t *kinds);

/* Says what is written to perf event arrays: [MAP=]TYPE each.  0 or an exit status. */
int sources__name_events(struct peat_session *session, const char *const *types, size_t count);

/* Then, of all objects: sets the variables NAME=VALUE, and leaves programs out; likewise. */
int sources__set(struct peat_session *session, const char *const *sets, size_t count);
int sources__leave_out(struct peat_session *session, const char *const *programs, size_t count);

/* What an object says of itself, of a probe or a file; 0, or an exit status likewise. */
int sources__describe(const char *name, struct peat_object **object);

/* The kinds that recordings have, and nothing else. */
#define SOURCES_RECORDED ((uint32_t)PEAT_KIND_OTHER | (uint32_t)PEAT_KIND_TOOL)

/* The kind of records that is called `name`, with its @, one of those as well; 0: it has
 * complained. */
uint32_t sources__kind(const char *name);

#endif /* SOURCES_H */
