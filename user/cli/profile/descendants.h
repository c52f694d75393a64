/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_DESCENDANTS_H
#define CLI_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <peat/peat.h>

/* descendants.h: a process, its children, their children and so on. */

struct descendants {
	uint64_t *words; /* one bit per process id */
	size_t count;	 /* words */
};

/* 0 or -ENOMEM. */
int descendants__add(struct descendants *descendants, uint32_t pid);

/*
 * Applies a FORK record: a child of a process of the set joins it.  The id of a process that has
 * ended may be given to another one, which leaves the set.  Other events change nothing.  0 or
 * -ENOMEM.
 */
int descendants__follow(struct descendants *descendants, const struct peat_event *event);

bool descendants__has(const struct descendants *descendants, uint32_t pid);
void descendants__free(struct descendants *descendants);

#endif /* CLI_DESCENDANTS_H */
