/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/declared_tag.h: the tags of an object's variables and programs: PEAT_OPTION(),
 * PEAT_OPTIONAL. */
#ifndef PEAT_OBJECT_DECLARED_TAG_H
#define PEAT_OBJECT_DECLARED_TAG_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_object;

/* Whether the variable or function (`kind` of BTF) `name` has a tag that begins with `start`. */
bool declared_tag__is_on(const struct bpf_object *object, uint32_t kind, const char *name,
			 const char *start);

#endif /* PEAT_OBJECT_DECLARED_TAG_H */
