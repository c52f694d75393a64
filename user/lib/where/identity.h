/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where/identity.h: decides expressions by the identity of a task alone. */
#ifndef PEAT_WHERE_IDENTITY_H
#define PEAT_WHERE_IDENTITY_H

#include "where/tree.h"

/*
 * Whether no event of a task with this identity matches: its container, pod and unit decide, and
 * all other fields may have any value.  Pure.
 */
bool where_identity__excludes(const struct where_test *tree, const struct peat_identity *identity);

#endif /* PEAT_WHERE_IDENTITY_H */
