/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/adding.h: opens BPF objects, and adds them to a session. */
#ifndef PEAT_SESSION_ADDING_H
#define PEAT_SESSION_ADDING_H

#include <stddef.h>

struct part;
struct peat_session;

/*
 * Adds the object in an ELF file, as the session's last part.  `name` is for messages.  0, or a
 * negative errno; logged, and errno is set.
 */
int adding__elf(struct peat_session *session, const char *name, const void *object, size_t bytes);

void adding__free_part(struct part *part);

#endif /* PEAT_SESSION_ADDING_H */
