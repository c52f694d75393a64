/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* damage.h: damages the ELF file of a BPF object, always in the same way for a seed. */
#ifndef TESTS_OBJECTS_DAMAGE_H
#define TESTS_OBJECTS_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/* Damages `bytes` in place, at up to three places.  Returns their number: a cut file has fewer. */
size_t damage__make(uint64_t seed, uint8_t *bytes, size_t count);

#endif /* TESTS_OBJECTS_DAMAGE_H */
