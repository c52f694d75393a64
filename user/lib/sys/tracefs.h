/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SYS_TRACEFS_H
#define PEAT_SYS_TRACEFS_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Opens a file of tracefs for reading, `path` from its root: the tracefs mounted at
 * /sys/kernel/tracing or /sys/kernel/debug/tracing, or else one of this process's own, without a
 * mount point.  The file descriptor, or a negative errno:
 *
 *     -ENOENT   tracefs has no such file
 *     -EACCES   tracefs is mounted, but this user may not read it
 *     -ENODEV   no tracefs is mounted, and this process cannot have its own: that takes
 *               CAP_SYS_ADMIN and Linux 5.2
 */
int tracefs__open(const char *path);

/*
 * For a process that will give up CAP_SYS_ADMIN: keeps a tracefs of its own until it ends, if none
 * is mounted.  Not thread-safe.  0, also if it is kept already, or an error of tracefs__open().
 */
int tracefs__keep(void);

/*
 * Appends the content of such a file, and a NUL behind it, which is not counted.  0, -ENOMEM, or an
 * error of tracefs__open() or read(2).
 */
int tracefs__read(struct strbuf *text, const char *path);

/*
 * The id of a tracepoint, `name` being CATEGORY/NAME, for perf_event_attr.config; or a negative
 * errno: those of tracefs__open(), and -EINVAL for another name.
 */
int tracefs__read_id(const char *name);

/* Whether tracefs has this file. */
bool tracefs__has(const char *path);

/* Whether the kernel has kprobes, of perf or of tracefs (CONFIG_KPROBE_EVENTS). */
bool tracefs__has_kprobes(void);

#endif /* PEAT_SYS_TRACEFS_H */
