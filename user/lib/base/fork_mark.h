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

/* Logs that `what`, such as "the reader", cannot be used here.  -ECHILD. */
int fork_mark__refuse(const char *what);

/*
 * The check of public functions that read or change what fork() did not copy: rings, maps, programs
 * and perf events.  0, or fork_mark__refuse() in a child.
 */
static inline int fork_mark__check(const struct fork_mark *mark, const char *what)
{
	return fork_mark__is_inherited(mark) ? fork_mark__refuse(what) : 0;
}

#endif /* PEAT_BASE_FORK_MARK_H */
