/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/attach_file.h: attaches all programs of an object to a file. */
#ifndef PEAT_SESSION_ATTACH_ATTACH_FILE_H
#define PEAT_SESSION_ATTACH_ATTACH_FILE_H

#include <stdbool.h>

struct part;
struct peat_session;
struct used_file;

/*
 * Attaches the programs for the library or program `name`, in their order, to a further file, which
 * is open.  0; -ENOENT: it has none of the functions; or another negative errno.
 */
int attach_file__run(struct peat_session *session, struct part *part, const char *name,
		     const struct used_file *file);

/* Whether it is the file that a source of functions was made from, and is attached to. */
bool attach_file__is_first(const struct part *part, const struct used_file *file);

#endif /* PEAT_SESSION_ATTACH_ATTACH_FILE_H */
