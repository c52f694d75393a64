/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SYS_HOTPLUG_H
#define PEAT_SYS_HOTPLUG_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/cpus.h"

/*
 * Notices CPUs that go online or offline: by the kernel's uevents, or if those do not arrive here,
 * by a timer twice a second.
 */
struct hotplug {
	int fd;		    /* a uevent socket or a timer, readable when CPUs may have changed */
	bool has_uevents;   /* fd is a socket */
	struct cpus named;  /* CPUs named by uevents since the last hotplug__reopen_rings() */
	bool any;	    /* other CPUs may have changed as well */
	struct cpus failed; /* CPUs whose ring could not be opened since they came online */
};

/* 0 or a negative errno. */
int hotplug__open(struct hotplug *hotplug);
void hotplug__close(struct hotplug *hotplug);

/* Whether CPUs may have changed since hotplug__reopen_rings().  Does not wait. */
bool hotplug__poll(struct hotplug *hotplug);

/* The CPU that a uevent (any bytes) names; -1: none. */
int hotplug__parse_uevent(const char *message, size_t bytes);

#endif /* PEAT_SYS_HOTPLUG_H */
