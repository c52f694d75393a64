// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* operation.c: measures an operation in blocks. */
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "bench/table.h"
#include "cli/base/messages.h"
#include "operation.h"
#include "process.h"

#define BLOCK_NS 1000000 /* at least */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

double operation__measure(void (*run)(void), size_t blocks, double *operations)
{
	double ns[OPERATION_BLOCKS_MAX];

	for (size_t i = 0; i < blocks; i++) {
		uint64_t start_ns = now_ns(), passed_ns = 0, count = 0;

		for (; passed_ns < BLOCK_NS; passed_ns = now_ns() - start_ns, count++)
			run();
		ns[i] = (double)passed_ns / (double)count;
		*operations += (double)count;
	}
	return bench_table__spread(ns, blocks).median;
}

static void choose_cpus(struct operation_cpus *cpus)
{
	bool has_first = false;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		CPU_ZERO(&set);
	for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		if (!has_first)
			cpus->operation = cpu;
		has_first = true;
		cpus->tool = cpu;
	}
}

void operation__take_cpus(struct operation_cpus *cpus)
{
	*cpus = (struct operation_cpus){ 0 };
	choose_cpus(cpus);
	if (cpus->operation == cpus->tool)
		messages__print("the tools run on the CPU of the operations: there is one only");
	if (peer_process__pin(cpus->operation))
		messages__print("cannot use one CPU alone");
}
