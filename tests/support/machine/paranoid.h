/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* paranoid.h: the privileges that perf_event_open(2) needs here. */
#ifndef TESTS_SUPPORT_MACHINE_PARANOID_H
#define TESTS_SUPPORT_MACHINE_PARANOID_H

#include <stdbool.h>
#include <stdio.h>

/* kernel.perf_event_paranoid; the kernel's default, 2, if it cannot be read. */
static inline int paranoid_level(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = 2;

	if (file && fscanf(file, "%d", &level) != 1)
		level = 2;
	if (file)
		fclose(file);
	return level;
}

/* Debian's kernels have a level 3, at which only CAP_SYS_ADMIN is enough. */
static inline bool perfmon_is_enough(void)
{
	return paranoid_level() <= 2;
}

#endif /* TESTS_SUPPORT_MACHINE_PARANOID_H */
