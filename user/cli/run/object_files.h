/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef OBJECT_FILES_H
#define OBJECT_FILES_H

#include <stdbool.h>

#include <peat/peat.h>

/*
 * object_files.h: files of BPF objects.  Each is read once, checked in a child, since libbpf 1.1
 * crashes on some damaged objects, and kept: the bytes that are loaded are those that were checked,
 * also if somebody writes to the file meanwhile.
 */

/* Opens the object of a file.  NULL: an error, which has been printed. */
struct peat_object *object_files__open(const char *path);

/* Adds the object of a file to a session.  0 or -1: an error, which has been printed. */
int object_files__add(struct peat_session *session, const char *path);

/* Whether the object can be loaded without a crash.  False: a message has been printed. */
bool object_files__load(const char *path);

#endif /* OBJECT_FILES_H */
