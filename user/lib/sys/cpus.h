/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CPUS_H
#define CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of CPU numbers.  Numbers have holes: nothing may be keyed by a CPU's position in it. */
struct cpus {
	uint64_t *words; /* one bit a CPU */
	uint32_t limit;	 /* highest CPU number + 1; 0 when empty */
};

/* The kernel's own bound is NR_CPUS, 8192 at most today; more is a mistake or an attack. */
#define CPUS_MAX 65536u

/*
 * Reads a list as the kernel writes it and people type it: "0-3,8,10-11", "0-14:2/4" (of every
 * four, the first two), spaces and a final newline allowed, an empty list is an empty set.
 * -EINVAL for anything else, -ERANGE for a number past CPUS_MAX, -ENOMEM.  `set` needs
 * cpus__free() after success only.
 */
int cpus__parse(struct cpus *set, const char *list);

/* The kernel's lists: "online" or "possible" under /sys/devices/system/cpu.  Negative errno. */
int cpus__read(struct cpus *set, const char *which);

/* 0 or -ENOMEM: the set is as before then.  To an empty one too: { 0 }. */
int cpus__add(struct cpus *set, uint32_t cpu);

bool cpus__has(const struct cpus *set, uint32_t cpu);
uint32_t cpus__count(const struct cpus *set);
void cpus__free(struct cpus *set);

#define for_each_cpu(cpu, set)                                                                     \
	for (uint32_t cpu = 0; cpu < (set)->limit; cpu++)                                          \
		if (cpus__has(set, cpu))

#endif /* CPUS_H */
