/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef FOREIGN_OBJECTS_H
#define FOREIGN_OBJECTS_H

#include "object.h"

/* foreign.bpf.c and lone.bpf.c, for several tests. */
extern const struct object_file *const foreign, *const lone;

#endif /* FOREIGN_OBJECTS_H */
