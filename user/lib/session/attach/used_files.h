/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/used_files.h: the files of the libraries and programs that a session names.
 *
 *	name ──▶ files of this machine (or of the process of -p)
 *	    └──▶ different files of that name that processes execute: in containers, removed ones
 *
 * A probe is attached to the inode of a file.  So it covers all processes of the file, also later
 * ones, and each file is needed once.  Files that appear while the session runs are attached when
 * session/new_files.c reads the record of their mapping: its first calls are missed.  The probes of
 * a file that disappears stay until the session ends.
 *
 * Sources that name a file by a path, or an offset in it, have this file alone.
 */
#ifndef PEAT_SESSION_ATTACH_USED_FILES_H
#define PEAT_SESSION_ATTACH_USED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "session/attach/process_filter.h"

struct peat_session;
struct proc_map;

/* Files of processes, in all: more are left out, with a warning. */
#define USED_FILES_MAX 256

/* Links of one place each with which no more files are added: removing one takes 80 ms. */
#define USED_LINKS_MAX 200

struct used_file {
	char *path; /* for messages: it may be gone */
	struct stat stat;
	bool is_overlay; /* stat() does not show the inode that has the content */
	bool is_further; /* of a process, and not of this machine */
	bool is_attached;
	int fd; /* -1: closed */
};

struct used_name {
	char *name;
	struct used_file *files;
	size_t count;
	int err; /* why this machine, or the process, has no such file; 0: it has */
};

struct used_files {
	struct used_name *names;
	size_t count;
	struct process_filter filter;
	size_t further;	 /* files of processes */
	size_t links;	 /* of one place, of these */
	bool is_full;	 /* and the log has it */
	bool has_failed; /* likewise */
};

/*
 * Finds the names, and the files of this machine or process.  The session has no `files` then if it
 * names none.  0 or a negative errno.
 */
int used_files__open(struct peat_session *session);
void used_files__free(struct peat_session *session);

/* Whether files of processes are used: there are names, and no process was chosen. */
bool used_files__follow_processes(const struct peat_session *session);

/* Before attaching: adds the files of all processes, or of opts.ancestor. */
int used_files__scan(struct peat_session *session);

/* The files of a name; NULL: it was not found by used_files__open(). */
struct used_name *used_files__of(struct peat_session *session, const char *name);

#define USED_PATH_BYTES 32

/*
 * The path to attach to.  That of a further file leads to it as long as it is open, also if the
 * process has ended.
 */
const char *used_files__path(const struct used_file *file, char path[USED_PATH_BYTES]);

/*
 * Before and after attaching to a file.  may_attach: false, with a warning: it is a further file,
 * and these have too many links of one place.  count_links: counts the links of the session from
 * number `before` on.
 */
bool used_files__may_attach(struct peat_session *session, const struct used_file *file);
void used_files__count_links(struct peat_session *session, const struct used_file *file,
			     uint32_t before);

/* After the first file of each source: attaches its functions to the further ones. */
void used_files__attach(struct peat_session *session);

/* While the session runs: attaches all programs of the file's name, unless they are. */
void used_files__see(struct peat_session *session, uint32_t pid, const struct proc_map *map);
void used_files__see_process(struct peat_session *session, uint32_t pid);
void used_files__see_all(struct peat_session *session);

#endif /* PEAT_SESSION_ATTACH_USED_FILES_H */
