// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* foreign_objects.c: objects that do not use peat.bpf.h. */
#include "foreign_objects.h"

EMBED_OBJECT(alone_computed)
EMBED_OBJECT(alone_equal)
EMBED_OBJECT(alone_mixed)
EMBED_OBJECT(borrowed)
EMBED_OBJECT(declared)
EMBED_OBJECT(foreign)
EMBED_OBJECT(limits)
EMBED_OBJECT(lone)
EMBED_OBJECT(several)
EMBED_OBJECT(single)

const struct object_file *const foreign = &foreign_object, *const lone = &lone_object;
const struct object_file *const several = &several_object, *const single = &single_object;
const struct object_file *const borrowed = &borrowed_object, *const declared = &declared_object;
const struct object_file *const alone_computed = &alone_computed_object;
const struct object_file *const alone_equal = &alone_equal_object;
const struct object_file *const alone_mixed = &alone_mixed_object, *const limits = &limits_object;
