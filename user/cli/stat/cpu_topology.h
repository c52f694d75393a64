/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_CPU_TOPOLOGY_H
#define CLI_STAT_CPU_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include <peat/counters.h>

/* cpu_topology.h: the cores and sockets of CPUs, by /sys/devices/system/cpu/cpuN/topology. */

/* Numbers of cores are unique in a die, numbers of dies in a socket.  -1: unknown. */
struct cpu_place {
	int socket, die, core;
};

#define CPU_PLACE_NONE                                                                             \
	(struct cpu_place)                                                                         \
	{                                                                                          \
		-1, -1, -1                                                                         \
	}

/*
 * The places of all CPUs that were asked for.  They are kept, since a CPU that goes offline loses
 * its directory.  All zero: none.
 */
struct cpu_topology {
	struct known_place *at;
	size_t count;
};

/*
 * Reads the places of the CPUs that are counted.  0, or -errno after printing that cores and
 * sockets are not known here; `wanted`: the option that needs them.
 */
int cpu_topology__read(struct cpu_topology *topology, const struct peat_counters *counters,
		       const char *wanted);

/*
 * The place of a CPU; it is CPU_PLACE_NONE if the CPU came online and went offline again before it
 * was asked for.  0 or -ENOMEM.
 */
int cpu_topology__find(struct cpu_topology *topology, uint32_t cpu, struct cpu_place *place);

void cpu_topology__free(struct cpu_topology *topology);

/* Less than, equal to or greater than 0, by socket, die and core.  Unknown places are last. */
int cpu_topology__compare(const struct cpu_place *one, const struct cpu_place *other);

#endif /* CLI_STAT_CPU_TOPOLOGY_H */
