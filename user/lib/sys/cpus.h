/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SYS_CPUS_H
#define PEAT_SYS_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of CPU numbers.  Numbers have holes: key nothing by a CPU's position in the set. */
struct cpus {
	uint64_t *words; /* one bit per CPU */
	uint32_t limit;	 /* highest CPU number + 1; 0 when empty */
};

/* The kernel's own limit is NR_CPUS, at most 8192; a larger number is a mistake or an attack. */
#define CPUS_MAX 65536u

/*
 * Parses a list as the kernel writes it: "0-3,8,10-11", or "0-14:2/4" (the first two of every
 * four).  Spaces and a final newline are allowed; an empty list is an empty set.  Call cpus__free()
 * after success only.
 *
 *     -EINVAL   not such a list
 *     -ERANGE   a number of CPUS_MAX or more
 *     -ENOMEM
 */
int cpus__parse(struct cpus *set, const char *list);

/*
 * Parses a list of the user, and checks it against this machine; the log has the reason.
 *
 *     -EINVAL, -ERANGE, -ENOMEM   as cpus__parse()
 *     -ENODEV                     a CPU does not exist, or none is online
 */
int cpus__choose(struct cpus *set, const char *list);

/* Reads a list of /sys/devices/system/cpu, such as "online".  0 or a negative errno. */
int cpus__read(struct cpus *set, const char *which);

/* The same, and logs an error. */
int cpus__read_logged(struct cpus *set, const char *which);

/* `set` may be empty, { 0 }.  0, or -ENOMEM: the set is unchanged. */
int cpus__add(struct cpus *set, uint32_t cpu);

bool cpus__has(const struct cpus *set, uint32_t cpu);
uint32_t cpus__count(const struct cpus *set);
void cpus__free(struct cpus *set);

#define for_each_cpu(cpu, set)                                                                     \
	for (uint32_t cpu = 0; cpu < (set)->limit; cpu++)                                          \
		if (cpus__has(set, cpu))

#endif /* PEAT_SYS_CPUS_H */
