/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* cpu_switch.h: switches CPUs off and on. */
#ifndef CPU_SWITCH_H
#define CPU_SWITCH_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>

/* "0" or "1". 0 or a negative errno: not every CPU of every machine can be switched off. */
static inline int cpu_switch__set(uint32_t cpu, const char *state)
{
	char path[80];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	file = fopen(path, "we");
	if (!file)
		return -errno;
	fputs(state, file);
	return fclose(file) ? -errno : 0;
}

#endif /* CPU_SWITCH_H */
