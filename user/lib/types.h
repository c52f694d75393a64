/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TYPES_H
#define TYPES_H

#include <stdint.h>

struct btf;

/*
 * The size of the largest event that programs reserve, by what peat_reserve() notes in the section
 * .peat.types.  0: there are none.  -EBADMSG: it is not as peat.bpf.h writes it.
 */
int types__largest(const struct btf *btf, uint32_t *bytes);

#endif /* TYPES_H */
