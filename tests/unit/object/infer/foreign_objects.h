/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TESTS_UNIT_OBJECT_INFER_FOREIGN_OBJECTS_H
#define TESTS_UNIT_OBJECT_INFER_FOREIGN_OBJECTS_H

#include "support/machine/object.h"

/* The objects of the *.bpf.c files in this folder, for several tests. */
extern const struct object_file *const borrowed, *const declared;
extern const struct object_file *const foreign, *const lone;
extern const struct object_file *const several, *const single, *const limits;
extern const struct object_file *const alone_computed, *const alone_equal, *const alone_mixed;

#endif /* TESTS_UNIT_OBJECT_INFER_FOREIGN_OBJECTS_H */
