/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * told_names.h: of which threads a recording has said the name.  Pure.
 *
 * What /proc says when a recording begins is of then: a thread that had another name at the time of
 * its first event, or that has ended since, is not told of by it.
 */
#ifndef TOLD_NAMES_H
#define TOLD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define TOLD_NAMES_TIDS (1u << 22) /* the kernel's PID_MAX_LIMIT */

struct told_names {
	uint64_t *bits; /* by thread id */
};

/* Of none.  0 or -ENOMEM. */
int told_names__init(struct told_names *told);
void told_names__free(struct told_names *told); /* also of zeroes */

/* The idle tasks of all CPUs have the number 0, and each a name of its own. */
static inline bool told_names__is_thread(uint32_t tid)
{
	return tid && tid < TOLD_NAMES_TIDS;
}

/* True for what is no thread's id: there is nothing to be said. */
static inline bool told_names__has(const struct told_names *told, uint32_t tid)
{
	return !told_names__is_thread(tid) || (told->bits[tid / 64] >> tid % 64 & 1);
}

void told_names__set(struct told_names *told, uint32_t tid, bool has);

#endif /* TOLD_NAMES_H */
