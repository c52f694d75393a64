/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef HOTPLUG_H
#define HOTPLUG_H

#include <stdbool.h>
#include <stddef.h>

#include "ring/rings.h"

/* Learns of CPUs that come and go: the kernel tells, or it is looked for twice a second. */
struct hotplug {
	int fd; /* readable when there is something to hear */
	bool is_told;
	struct cpus named;  /* what was heard of since the last look */
	bool any;	    /* and it may have been of others as well */
	struct cpus failed; /* those that rings could not be opened for, since they came */
};

/* 0 or a negative errno. */
int hotplug__open(struct hotplug *hotplug);
void hotplug__close(struct hotplug *hotplug);

/* Whether CPUs may have come or gone since the last time.  Does not wait. */
bool hotplug__heard(struct hotplug *hotplug);

/*
 * Makes all CPUs of `wanted` that are online now be read, those as well that were offline for a
 * moment only.  How many were not.
 */
uint32_t hotplug__look(struct hotplug *hotplug, struct rings *rings, const struct cpus *wanted);

/* Which CPU a message of the kernel, of any bytes, tells of; -1: none. */
int hotplug__cpu_of(const char *message, size_t bytes);

#endif /* HOTPLUG_H */
