/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pmu_tree.h: made-up PMUs of sysfs and tracepoints of tracefs, and the messages about them. */
#ifndef TESTS_UNIT_PMU_PMU_TREE_H
#define TESTS_UNIT_PMU_PMU_TREE_H

/* A new, empty directory; its file descriptor. */
int pmu_tree__new(void);

/* Makes a file, and the directories of its path. */
void pmu_tree__add(int tree, const char *path, const char *text);

/*
 * A server of Intel: cpu (type 4; its events cpu-cycles, mem-loads and, with a term to be given,
 * offcore), power (cpumask, units, scales), uncore_imc_0 to uncore_imc_3 with cpumasks,
 * uncore_imc_free_running and msr.
 */
int pmu_tree__server(void);

/* cpu_core on CPUs 40000-40001, cpu_atom on CPUs 40002-40003. */
int pmu_tree__hybrid(void);

/* armv8_pmuv3, with cpus and caps. */
int pmu_tree__arm(void);

/* The events of tracefs: sched and a system "probe" with an event "hup". */
int pmu_tree__tracepoints(void);

/* Closes and removes. */
void pmu_tree__free(int tree);

/* Keeps messages from now on. */
void pmu_tree__catch(void);

/* The last message, which is forgotten. */
const char *pmu_tree__message(void);

#endif /* TESTS_UNIT_PMU_PMU_TREE_H */
