/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_BASE_FORK_MARK_H
#define PEAT_BASE_FORK_MARK_H

#include <stdbool.h>

/*
 * A page that the kernel empties in the children of fork(), so that reading it tells a child from
 * the process that made the mark.  This costs a load, and getpid() a system call.
 */
struct fork_mark {
	bool is_mine;
};

/* NULL and errno on failure. */
struct fork_mark *fork_mark__new(void);

/* Accepts NULL. */
void fork_mark__free(struct fork_mark *mark);

/* Whether this process is a child of the one that made the mark.  NULL: false. */
static inline bool fork_mark__is_inherited(const struct fork_mark *mark)
{
	return mark && !mark->is_mine;
}

#endif /* PEAT_BASE_FORK_MARK_H */
