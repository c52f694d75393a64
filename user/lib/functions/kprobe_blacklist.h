/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/kprobe_blacklist.h: functions that kprobes may not probe, from debugfs.  Pure. */
#ifndef PEAT_FUNCTIONS_KPROBE_BLACKLIST_H
#define PEAT_FUNCTIONS_KPROBE_BLACKLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functions/kernel_symbols.h"

struct blacklist_range {
	uint64_t start, end; /* 0: the kernel hides them */
	uint64_t reach;	     /* the largest end of this range and those before */
	struct word name;
};

struct kprobe_blacklist {
	struct blacklist_range *at; /* by rising start */
	size_t count, room;
};

/* Parses kprobes/blacklist; NULL: there is none.  0 or -ENOMEM: nothing is to be freed. */
int kprobe_blacklist__parse(struct kprobe_blacklist *list, const char *text);
void kprobe_blacklist__free(struct kprobe_blacklist *list);

/* By the address of the function; by its name if an address is hidden. */
bool kprobe_blacklist__has(const struct kprobe_blacklist *list,
			   const struct kernel_function *function);

#endif /* PEAT_FUNCTIONS_KPROBE_BLACKLIST_H */
