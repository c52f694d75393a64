/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pmu/sysfs.h: PMUs as /sys/bus/event_source/devices describes them. */
#ifndef PEAT_PMU_SYSFS_H
#define PEAT_PMU_SYSFS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/directory.h"
#include "sys/cpus.h"

#define PMU_DEVICES "/sys/bus/event_source/devices"

/* A term of a PMU: the bits of config, config1, ... that its value is stored in. */
struct pmu_format {
	char *name;
	uint32_t word; /* 0: config, 1: config1, ... */
	uint64_t bits; /* the value's lowest bit is stored in the lowest of these */
};

/* An event that the PMU has a name for. */
struct pmu_alias {
	char *terms; /* event=0x3c,umask=0x1 */
	char *unit;  /* NULL: none */
	double scale;
	bool is_snapshot;    /* a value at one time, not a count */
	bool is_per_package; /* the same count on all CPUs of a package */
};

struct pmu {
	char *name;
	int dir;
	uint32_t type;
	struct pmu_format *formats;
	uint32_t format_count;
	struct cpus cpus;    /* limit 0: all */
	bool is_system_wide; /* it has a cpumask: it counts all tasks of these CPUs */
	bool is_core;	     /* a CPU's own PMU: it counts generic events */
};

/*
 * Reads a PMU in the directory of all.  A negative errno; -ENOENT: no such PMU; -EBADMSG: a file
 * is not as the kernel writes it, and the log has its name.
 */
int pmu__read(struct pmu *pmu, int devices, const char *name);

/* NULL: the PMU has no such term. */
const struct pmu_format *pmu__find_format(const struct pmu *pmu, const char *name, size_t bytes);

/* The largest value. */
uint64_t pmu_format__max(const struct pmu_format *format);

/* Stores a value, which is not larger than that; other bits of the word stay. */
void pmu_format__store(const struct pmu_format *format, uint64_t value, uint64_t *word);

/* Parses "config1:0-7,32-35".  -EINVAL. */
int pmu_format__parse(struct pmu_format *format, const char *text);

/* Call pmu_alias__free() after success only.  A negative errno; -ENOENT: no such alias. */
int pmu__read_alias(const struct pmu *pmu, struct pmu_alias *alias, const char *name);

void pmu_alias__free(struct pmu_alias *alias);

/* The names of all aliases, sorted; none if the PMU has none.  Also files such as NAME.unit. */
int pmu__read_alias_names(const struct pmu *pmu, struct pmu_entries *entries);

/* Whether an entry of `events` is a part of an alias: NAME.unit, .scale, .per-pkg, .snapshot. */
bool pmu_alias__is_part(const char *name);

/* Accepts { 0 } with dir -1. */
void pmu__free(struct pmu *pmu);

/*
 * Whether NAME/.../ means this PMU: its name, a pattern of it, or its beginning; and each of them
 * without "uncore_".
 */
bool pmu__matches(const char *pmu, const char *name);

#endif /* PEAT_PMU_SYSFS_H */
