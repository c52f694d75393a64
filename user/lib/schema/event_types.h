/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TYPES_H
#define TYPES_H

#include <stdbool.h>
#include <stdint.h>

struct btf;

/*
 * The size of the largest event that programs reserve, by what peat_reserve() notes in the section
 * .peat.types.  0: there are none.  -EBADMSG: it is not as peat.bpf.h writes it.
 */
int types__largest(const struct btf *btf, uint32_t *bytes);

/*
 * The type in note `i` of that section: 1 and its id, 0 behind the last note, -EBADMSG.  A type
 * that is reserved in several places comes several times.
 */
int types__at(const struct btf *btf, uint32_t i, uint32_t *btf_id);

/* Whether note `i` is the first of its type. */
bool types__is_first(const struct btf *btf, uint32_t i);

#endif /* TYPES_H */
