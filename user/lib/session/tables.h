/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/tables.h: maps of the objects that are tables: PEAT_TABLE() and PEAT_HIST(). */
#ifndef PEAT_SESSION_TABLES_H
#define PEAT_SESSION_TABLES_H

#include <stddef.h>

struct peat_session;

/* Adds the tables of the object added last.  0 or a negative errno, logged. */
int tables__add(struct peat_session *session);

/* Removes the tables of object `part` and of those after it. */
void tables__remove(struct peat_session *session, size_t part);

/* Opens the tables, once the objects are loaded.  0 or a negative errno, logged. */
int tables__open(struct peat_session *session);

#endif /* PEAT_SESSION_TABLES_H */
