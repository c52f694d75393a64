/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef SOURCES_H
#define SOURCES_H

#include <stdbool.h>

#include <peat/peat.h>

struct probe;

/*
 * sources.h: the sources of live events named on the command line: a PROBE that is compiled in, a
 * FILE.bpf.o, functions and tracepoints (kprobe:vfs_*), or a @KIND of kernel records.  The first
 * two may have options: NAME,OPTION=VALUE,...
 *
 * Functions return 0 or an exit status; errors have been printed.
 */

/* The fields that events of functions have. */
struct source_fields {
	const char *const *names; /* by --fields; NULL: not given */
	uint32_t count;
	uint32_t most; /* functions of a source; 0: the default */
	bool only;     /* without names, only those that the expression and the table name */
};

/*
 * Adds the objects to the session and collects the kinds.  0 or an exit status: a probe may not be
 * given twice with the same options, and this is printed like other errors.
 */
int sources__add(struct peat_session *session, const char *const *names, size_t count,
		 const struct source_fields *fields, uint32_t *kinds);

/* Sets the types of events in perf event arrays: [MAP=]TYPE each. */
int sources__name_events(struct peat_session *session, const char *const *types, size_t count);

/*
 * For all objects that have been added: set variables, NAME=VALUE each; set numbers of entries,
 * MAP=ENTRIES each; do not load programs.
 */
int sources__set_variables(struct peat_session *session, const char *const *sets, size_t count);
int sources__set_map_entries(struct peat_session *session, const char *const *sizes, size_t count);
int sources__leave_out_programs(struct peat_session *session, const char *const *programs,
				size_t count);

/* Attaches programs whose sections name no target: PROGRAM=TARGET each. */
int sources__choose_targets(struct peat_session *session, const char *const *targets, size_t count);

/* Whether it is the path of a file, not the name of a probe. */
bool sources__is_file(const char *name);

/* Finds a probe by its name.  NULL: unknown, and printed. */
const struct probe *sources__find_probe(const char *name);

/* Opens the object of a source without options, for listing it. */
int sources__open_object(const char *name, struct peat_object **object);

/*
 * Opens the object of a source, which may have options, to ask what it has.  It becomes NULL for
 * @KIND, and for functions: these keep no tables and have no options, and finding them can take as
 * long as loading them, so that the session alone does it.
 */
int sources__inspect(const char *source, struct peat_object **object);

typedef bool (*sources_has_fn)(const struct peat_object *object, const void *arg);

/* 1: one of the inspected objects has it; 0: none; negative: an exit status. */
int sources__any(const char *const *names, size_t count, sources_has_fn has, const void *arg);

/* The kinds that exist only in recordings. */
#define SOURCES_RECORDED ((uint32_t)PEAT_SIDE_BAND_OTHER | (uint32_t)PEAT_SIDE_BAND_TOOL)

/* As sources__any(): programs that are for one process only, PEAT_ONE_PROCESS of peat.bpf.h. */
int sources__follow_one_process(const char *const *names, size_t count);

/* Returns the kind of records "@NAME", also one of recordings; 0: unknown, and printed. */
uint32_t sources__find_kind(const char *name);

#endif /* SOURCES_H */
