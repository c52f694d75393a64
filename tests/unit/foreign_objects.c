// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* foreign_objects.c: objects that know nothing of peat. */
#include "foreign_objects.h"

EMBED_OBJECT(foreign)
EMBED_OBJECT(lone)

const struct object_file *const foreign = &foreign_object, *const lone = &lone_object;
