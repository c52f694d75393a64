/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* paranoid.h: whether CAP_PERFMON is enough here for perf_event_open(2). */
#ifndef TESTS_SUPPORT_MACHINE_PARANOID_H
#define TESTS_SUPPORT_MACHINE_PARANOID_H

#include <stdbool.h>
#include <stdio.h>

/* Debian's kernels know a level 3, at which only CAP_SYS_ADMIN is. */
static inline bool perfmon_is_enough(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = 2;

	if (file && fscanf(file, "%d", &level) != 1)
		level = 2;
	if (file)
		fclose(file);
	return level <= 2;
}

#endif /* TESTS_SUPPORT_MACHINE_PARANOID_H */
