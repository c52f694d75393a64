/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* faults.h: a load of page faults, each in a stack of its own. */
#ifndef BENCH_PARTS_FAULTS_H
#define BENCH_PARTS_FAULTS_H

#include <stdint.h>

/* Frames of a stack, without those of the program that calls parts_faults__run(). */
#define PARTS_FAULTS_FRAMES 18

/*
 * Causes page faults, `per_second` of them (0: as fast as possible), each 18 frames deep in other
 * functions than the one before.  0 or a negative errno.
 */
int parts_faults__run(uint64_t count, uint64_t per_second);

#endif /* BENCH_PARTS_FAULTS_H */
