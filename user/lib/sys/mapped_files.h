/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sys/mapped_files.h: files that processes have mapped to execute, also in other mount namespaces
 * and roots, and files that were removed or replaced since.
 */
#ifndef PEAT_SYS_MAPPED_FILES_H
#define PEAT_SYS_MAPPED_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "sys/proc_maps.h"

struct mapped_file {
	char path[PATH_MAX]; /* leads to the file as long as the process has it */
	int fd;
	struct stat stat;
};

/*
 * Whether the file at a path, as /proc/PID/maps and MMAP2 records have it, is a version of the
 * library or program `name`, as of libraries__matches().  Pure.
 */
bool mapped_files__is_of(const char *path, const char *name);

/*
 * Opens the file of a mapping of a process.  map->path may be relative to the root of this process,
 * as in /proc/PID/maps, or of that one, as in records.  0, and the caller closes file->fd; or a
 * negative errno: -ESTALE: the path leads to another file by now; -ENOENT: the process has ended.
 */
int mapped_files__open(struct mapped_file *file, uint32_t pid, const struct proc_map *map);

/* Opens the file that has this path in the root of a process.  Likewise. */
int mapped_files__open_in_root(struct mapped_file *file, uint32_t pid, const char *path);

struct mapped_visitor {
	bool (*accepts)(void *arg, uint32_t pid); /* whether to look at the process */
	/* Called for each executable mapping of a file.  Other values than 0 end the walk. */
	int (*use)(void *arg, uint32_t pid, const struct proc_map *map);
	void *arg;
	unsigned denied; /* result: accepted processes that this user may not look at */
};

/* All processes; the value of `use`, or a negative errno. */
int mapped_files__visit(struct mapped_visitor *visitor);

/* The same for one process that is accepted: -ENOENT: it has ended. */
int mapped_files__visit_process(const struct mapped_visitor *visitor, uint32_t pid);

#endif /* PEAT_SYS_MAPPED_FILES_H */
