/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * machine.h: checks what this machine allows the calling process, each by trying it.
 *
 *	static int print(void *arg, const struct peat_check *check)
 *	{
 *		printf("%s: %s\n", check->name, check->found);
 *		return 0;
 *	}
 *
 *	peat_machine__check(print, NULL);
 *
 * A check loads the smallest program, opens an event or maps a ring, and closes it again.  Nothing
 * is mounted, attached or changed.  All checks together take less than a second.
 */
#ifndef PEAT_MACHINE_H
#define PEAT_MACHINE_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

enum peat_check_state {
	PEAT_CHECK_OK,
	PEAT_CHECK_LIMITED, /* some sources or options do not work, or work worse */
	PEAT_CHECK_MISSING, /* most sources do not work */
};

struct peat_check {
	size_t sz;	    /* this struct's size in the library */
	const char *name;   /* "CAP_BPF", "tracefs": the word that messages about it contain */
	const char *topic;  /* "privileges", "files", "programs", "perf events", "limits" ... */
	const char *found;  /* the result in a few words */
	const char *remedy; /* NULL: none is needed, or none is known */
	enum peat_check_state state;
	uint32_t reserved;
};

/*
 * Calls `visit` for each check, by topic.  Stops when `visit` returns non-zero, and returns that.
 * The check is valid during the call only.  Messages of the library about failures are not logged:
 * `found` and `remedy` have them.
 */
PEAT_API int peat_machine__check(int (*visit)(void *arg, const struct peat_check *check),
				 void *arg);

PEAT_END_DECLS

#endif /* PEAT_MACHINE_H */
