/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* operation.h: the time that an operation takes, on a CPU of its own. */
#ifndef BENCH_PEERS_OPERATION_H
#define BENCH_PEERS_OPERATION_H

#include <stddef.h>
#include <stdint.h>

#define OPERATION_BLOCKS_MAX 200

/*
 * Returns the ns of one operation in the median of so many blocks, each a millisecond: blocks in
 * which others ran do not count.  Adds the number of operations to `operations`.
 */
double operation__measure(void (*run)(void), size_t blocks, double *operations);

struct operation_cpus {
	uint32_t operation, tool;
};

/* Chooses the first and the last CPU that this process may use, and stays on the first. */
void operation__take_cpus(struct operation_cpus *cpus);

#endif /* BENCH_PEERS_OPERATION_H */
