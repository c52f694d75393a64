/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_CONDITIONS_H
#define PEAT_SESSION_CONDITIONS_H

struct part;

/*
 * Leaves out the programs whose PEAT_IF() names an option that is false.  -EINVAL: it names no bool
 * of the object.
 */
int conditions__apply(const struct part *part);

#endif /* PEAT_SESSION_CONDITIONS_H */
