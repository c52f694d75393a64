// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/names.c: the names of generic events. */
#include <stdio.h>
#include <string.h>
#include <linux/perf_event.h>

#include "pmu/names.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Linux 5.13; not in older headers. */
#define SW_CGROUP_SWITCHES 11

static const struct {
	uint32_t type;
	uint32_t config;
	const char *name, *alias;
} symbols[] = {
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branch-instructions",
	  "branches" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, "branch-misses", NULL },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, "bus-cycles", NULL },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, "cache-misses", NULL },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, "cache-references", NULL },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "cpu-cycles", "cycles" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "instructions", NULL },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, "ref-cycles", NULL },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "stalled-cycles-backend",
	  "idle-cycles-backend" },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "stalled-cycles-frontend",
	  "idle-cycles-frontend" },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS, "alignment-faults", NULL },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, "bpf-output", NULL },
	{ PERF_TYPE_SOFTWARE, SW_CGROUP_SWITCHES, "cgroup-switches", NULL },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, "context-switches", "cs" },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock", NULL },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, "cpu-migrations", "migrations" },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, "dummy", NULL },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, "emulation-faults", NULL },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "major-faults", NULL },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, "minor-faults", NULL },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "page-faults", "faults" },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, "task-clock", NULL },
};

static bool is_same(const char *name, size_t bytes, const char *string)
{
	return string && strlen(string) == bytes && !memcmp(name, string, bytes);
}

static bool find_symbol(struct pmu_generic *event, const char *name, size_t bytes)
{
	for (size_t i = 0; i < COUNT(symbols); i++) {
		if (!is_same(name, bytes, symbols[i].name) &&
		    !is_same(name, bytes, symbols[i].alias))
			continue;
		*event = (struct pmu_generic){ symbols[i].type, symbols[i].config };
		return true;
	}
	return false;
}

/* ---- caches ---------------------------------------------------------------------------------- */

/* The names of a number, the first being the one that lists have; by number. */
typedef const char *const cache_words[6];

static cache_words caches[] = {
	[PERF_COUNT_HW_CACHE_L1D] = { "L1-dcache", "l1-d", "l1d", "L1-data" },
	[PERF_COUNT_HW_CACHE_L1I] = { "L1-icache", "l1-i", "l1i", "L1-instruction" },
	[PERF_COUNT_HW_CACHE_LL] = { "LLC", "L2" },
	[PERF_COUNT_HW_CACHE_DTLB] = { "dTLB", "d-tlb", "Data-TLB" },
	[PERF_COUNT_HW_CACHE_ITLB] = { "iTLB", "i-tlb", "Instruction-TLB" },
	[PERF_COUNT_HW_CACHE_BPU] = { "branch", "branches", "bpu", "btb", "bpc" },
	[PERF_COUNT_HW_CACHE_NODE] = { "node" },
};

static cache_words operations[] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { "load", "loads", "read" },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { "store", "stores", "write" },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetch", "prefetches", "speculative-read",
					      "speculative-load" },
};

static cache_words results[] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { "refs", "Reference", "ops", "access" },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { "misses", "miss" },
};

/* Bits of the operations that a cache has, as perf has them. */
static bool has_operation(size_t cache, size_t operation)
{
	switch (cache) {
	case PERF_COUNT_HW_CACHE_ITLB:
	case PERF_COUNT_HW_CACHE_BPU:
		return operation == PERF_COUNT_HW_CACHE_OP_READ;
	case PERF_COUNT_HW_CACHE_L1I:
		return operation != PERF_COUNT_HW_CACHE_OP_WRITE;
	default:
		return true;
	}
}

/* Moves `name` behind a word, which a '-' or the end follows.  Its number, or -1. */
static int next_word(const char **name, const char *end, cache_words *words, size_t count)
{
	size_t left = (size_t)(end - *name);

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < COUNT(words[i]) && words[i][j]; j++) {
			size_t bytes = strlen(words[i][j]);

			if (left < bytes || memcmp(*name, words[i][j], bytes) ||
			    (left > bytes && (*name)[bytes] != '-'))
				continue;
			*name += left > bytes ? bytes + 1 : bytes;
			return (int)i;
		}
	}
	return -1;
}

/* CACHE[-OPERATION][-RESULT], or with the result first. */
static bool find_cache(struct pmu_generic *event, const char *name, size_t bytes)
{
	const char *end = name + bytes;
	int cache = next_word(&name, end, caches, COUNT(caches));
	int operation = -1, result = -1;

	if (cache < 0 || end[-1] == '-')
		return false;
	while (name < end) {
		int found =
			operation < 0 ? next_word(&name, end, operations, COUNT(operations)) : -1;

		if (found >= 0) {
			operation = found;
			continue;
		}
		found = result < 0 ? next_word(&name, end, results, COUNT(results)) : -1;
		if (found < 0)
			return false;
		result = found;
	}
	operation = operation < 0 ? PERF_COUNT_HW_CACHE_OP_READ : operation;
	result = result < 0 ? PERF_COUNT_HW_CACHE_RESULT_ACCESS : result;
	event->type = PERF_TYPE_HW_CACHE;
	event->config = (uint64_t)(cache | operation << 8 | result << 16);
	return has_operation((size_t)cache, (size_t)operation);
}

bool pmu_generic__find(struct pmu_generic *event, const char *name, size_t bytes)
{
	return bytes && (find_symbol(event, name, bytes) || find_cache(event, name, bytes));
}

/* ---- all of them ----------------------------------------------------------------------------- */

const char *pmu_generic__name(uint32_t n, struct pmu_generic *event, const char **also)
{
	if (n >= COUNT(symbols))
		return NULL;
	*event = (struct pmu_generic){ symbols[n].type, symbols[n].config };
	*also = symbols[n].alias;
	return symbols[n].name;
}

/* L1-dcache-loads, L1-dcache-load-misses, ...: the names of perf list. */
static void format_cache(char name[32], size_t cache, size_t operation, size_t result)
{
	if (result == PERF_COUNT_HW_CACHE_RESULT_ACCESS)
		snprintf(name, 32, "%s-%s", caches[cache][0], operations[operation][1]);
	else
		snprintf(name, 32, "%s-%s-%s", caches[cache][0], operations[operation][0],
			 results[result][0]);
}

bool pmu_generic__cache_name(uint32_t n, char name[32])
{
	for (size_t i = 0; i < COUNT(caches) * COUNT(operations) * COUNT(results); i++) {
		size_t result = i % COUNT(results), operation = i / COUNT(results);
		size_t cache = operation / COUNT(operations);

		operation %= COUNT(operations);
		if (!has_operation(cache, operation) || n--)
			continue;
		format_cache(name, cache, operation, result);
		return true;
	}
	return false;
}

void pmu_generic__suggest(struct suggestion *suggestion)
{
	char name[32];

	for (size_t i = 0; i < COUNT(symbols); i++) {
		suggestion__try(suggestion, symbols[i].name);
		if (symbols[i].alias)
			suggestion__try(suggestion, symbols[i].alias);
	}
	for (uint32_t n = 0; pmu_generic__cache_name(n, name); n++)
		suggestion__try(suggestion, name);
}
