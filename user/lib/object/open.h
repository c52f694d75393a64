/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/open.h: opens BPF objects in a form that this kernel can load. */
#ifndef PEAT_OBJECT_OPEN_H
#define PEAT_OBJECT_OPEN_H

#include <stddef.h>

struct bpf_object;
struct bpf_object_open_opts;

/*
 * Open an object as libbpf's functions do.  Before Linux 5.12, one that includes peat.bpf.h gets
 * plain locks (object/plain_locks.h).  Programs of uprobes keep the stacks of their tasks
 * (object/own_stacks.h).  NULL and errno on failure: the log has the reason, and names `name`, or
 * the path.
 */
struct bpf_object *open__mem(const char *name, const void *bytes, size_t count,
			     const struct bpf_object_open_opts *opts);
struct bpf_object *open__file(const char *path, const struct bpf_object_open_opts *opts);

/*
 * Reads a file into memory, for free().  Who opens an object several times reads its file once: the
 * file may change meanwhile.  NULL and errno on failure.
 */
void *open__read(const char *path, size_t *bytes);

#define OPEN_NAME_ROOM 64

/* Names the object of a file as libbpf does: without directories and what follows the first dot. */
void open__name_object(char name[OPEN_NAME_ROOM], const char *path);

/*
 * A copy of the ELF file in the form that this kernel can load, for free(), and its size in
 * `count`.  NULL and 0 in `err`: open it as it is, also if it is no valid ELF file.  NULL and a
 * negative errno in `err`: the log has the reason.
 */
void *open__prepare(const char *name, const void *bytes, size_t *count, int *err);

#endif /* PEAT_OBJECT_OPEN_H */
