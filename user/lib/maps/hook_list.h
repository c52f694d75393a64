/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* maps/hook_list.h: programs, and where each of them is attached. */
#ifndef PEAT_MAPS_HOOK_LIST_H
#define PEAT_MAPS_HOOK_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOOK_BYTES 256 /* of a text */

struct hook {
	uint32_t program;
	/*
	 * Read from a link, which gives the id of an interface or cgroup but not its name.  The
	 * same hook may be in the list by its name.
	 */
	bool is_link;
	uint64_t at; /* ifindex or cgroup id; 0: neither */
	char *text;  /* "raw_tracepoint sys_enter"; "": see `own` of hook_list__text() */
};

struct hook_list {
	struct hook *hooks;
	size_t count;
};

/* Adds the hook if the list lacks it; copies its text.  0 or -ENOMEM. */
int hook_list__add(struct hook_list *list, const struct hook *hook);

/*
 * All hooks of a program, separated by ", "; `own` replaces empty texts.  The caller frees the
 * result.  NULL: no memory.
 */
char *hook_list__text(const struct hook_list *list, uint32_t program, const char *own);

void hook_list__free(struct hook_list *list);

#endif /* PEAT_MAPS_HOOK_LIST_H */
