/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* hook_list.h: programs, and where each of them is attached. */
#ifndef HOOK_LIST_H
#define HOOK_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOOK_BYTES 256 /* of a text */

struct hook {
	uint32_t program;
	/* What a link says of an interface or a cgroup, without its name: it may be here as well.
	 */
	bool is_link;
	uint64_t at; /* the number of the interface or the cgroup; 0: it is of neither */
	char *text;  /* "raw_tracepoint sys_enter"; "": the program says what */
};

struct hook_list {
	struct hook *of;
	size_t count;
};

/* Unless it is there; the text is copied.  0 or -ENOMEM. */
int hook_list__add(struct hook_list *list, const struct hook *hook);

/*
 * All hooks of a program, ", " between them, and `own` for those that say nothing; to be freed.
 * NULL: no memory.
 */
char *hook_list__text(const struct hook_list *list, uint32_t program, const char *own);

void hook_list__free(struct hook_list *list);

#endif /* HOOK_LIST_H */
