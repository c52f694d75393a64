/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/foreign/pinned_types.h: the types of events, pinned beside their perf event arrays.
 *
 * A perf event array has no BTF in the kernel.  So the session pins another map, `type-NAME`, whose
 * only value has the id of the array, its name, and BTF with the type of its events.
 */
#ifndef PEAT_SESSION_FOREIGN_PINNED_TYPES_H
#define PEAT_SESSION_FOREIGN_PINNED_TYPES_H

struct array;
struct peat_session;

/* Pins the name, and the types if there are any, at `path`.  0 or a negative errno. */
int pinned_types__pin(const struct array *array, const char *path);

/*
 * Adds an array of another program, with the name and the types that are pinned for it.  0 or a
 * negative errno.
 */
int pinned_types__add_array(struct peat_session *session, int map_fd);

/* Sets the types of the arrays of other programs.  0 or a negative errno, which is logged. */
int pinned_types__identify(struct peat_session *session);

#endif /* PEAT_SESSION_FOREIGN_PINNED_TYPES_H */
