/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/library_programs.h: programs of functions of a library: PEAT_LIBRARY(). */
#ifndef PEAT_SESSION_ATTACH_LIBRARY_PROGRAMS_H
#define PEAT_SESSION_ATTACH_LIBRARY_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "session/attach/uprobe_target.h"

struct bpf_program;
struct part;
struct peat_session;
struct used_file;

/* Whether the program has a PEAT_LIBRARY(). */
bool library_programs__accepts(const struct part *part, const struct bpf_program *program);

/*
 * Attaches a loaded program to its function in each file of the library.  0, -ENOENT: there is no
 * such library, or it has no such function; or a negative errno.  `why`, of `room` bytes, gets the
 * cause and the remedy.
 */
int library_programs__attach(struct peat_session *session, struct part *part,
			     const struct bpf_program *program, char *why, size_t room);

/* The library that a program is for, with the user's option.  False: it has no valid one. */
bool library_programs__file(const struct part *part, const struct bpf_program *program,
			    char name[UPROBE_NAME_BYTES]);

/*
 * Attaches all loaded programs for the library `name` to a further file of it.  0: one at least;
 * -ENOENT: the file has none of their functions; or another negative errno.
 */
int library_programs__attach_file(struct peat_session *session, struct part *part, const char *name,
				  const struct used_file *file);

/*
 * After all programs: 0, or -ENOENT, logged: the object has such programs, and none of them is
 * attached, since all are optional.
 */
int library_programs__check(const struct part *part);

#endif /* PEAT_SESSION_ATTACH_LIBRARY_PROGRAMS_H */
