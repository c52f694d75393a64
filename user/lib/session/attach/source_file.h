/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/source_file.h: finds the file that a source of functions of user space names. */
#ifndef PEAT_SESSION_ATTACH_SOURCE_FILE_H
#define PEAT_SESSION_ATTACH_SOURCE_FILE_H

#include <limits.h>

struct peat_session_opts;

/*
 * Finds the file of a path, of a library's name or of a program's name.  Without opts->pid, it is
 * the one of this machine, as of uprobe_target__find_file(), or else the first one of that name
 * that a process executes, in any container.  With it, the one that this process executes, or else
 * of its root directory.
 *
 * Paths that do not begin with "/", or begin with "/proc/", are those of the caller.  0, -ENOENT,
 * -ESRCH: there is no such process; or another negative errno.
 */
int source_file__find(const struct peat_session_opts *opts, const char *name, char path[PATH_MAX]);

#endif /* PEAT_SESSION_ATTACH_SOURCE_FILE_H */
