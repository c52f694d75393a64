/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_MAPS_TYPE_TEXT_H
#define PEAT_MAPS_TYPE_TEXT_H

#include <stdint.h>

struct btf;

/*
 * The name of a type as in C: "struct hist_key", "__u64[27]", "struct request *".  The caller frees
 * it.  NULL: no memory.
 */
char *type_text__new(const struct btf *btf, uint32_t id);

#endif /* PEAT_MAPS_TYPE_TEXT_H */
