/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TESTS_UNIT_OBJECT_INFER_FOREIGN_OBJECTS_H
#define TESTS_UNIT_OBJECT_INFER_FOREIGN_OBJECTS_H

#include "support/machine/object.h"

/* borrowed.bpf.c, foreign.bpf.c, lone.bpf.c, several.bpf.c and single.bpf.c, for several tests. */
extern const struct object_file *const borrowed, *const foreign, *const lone;
extern const struct object_file *const several, *const single;

#endif /* TESTS_UNIT_OBJECT_INFER_FOREIGN_OBJECTS_H */
