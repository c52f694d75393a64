/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * dumped_samples.h: parses the samples that perf script -D --ns prints.
 *
 *	dumped_samples__begin(&dump, text);
 *	while (dumped_samples__next(&dump, &sample))
 *		use(&sample);
 */
#ifndef TESTS_SUPPORT_PERF_DUMPED_SAMPLES_H
#define TESTS_SUPPORT_PERF_DUMPED_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUMP_CHAIN_MAX 256
#define DUMP_REGS_MAX  64
#define DUMP_READS_MAX 8

struct dumped_samples {
	char *text, *rest;
	char *sample; /* first line of the next sample */
};

struct dumped_sample {
	bool has_cpu;
	uint32_t cpu, pid, tid;
	uint64_t time_ns, ip, period, addr;
	const char *comm, *event;
	bool is_after_exit; /* perf has no name of the task, whose EXIT came before */
	const char *trace;  /* printed fields of a tracepoint, or "" */
	uint64_t chain[DUMP_CHAIN_MAX];
	size_t chain_count; /* addresses, without context markers */
	struct {
		char name[8];
		uint64_t value;
	} regs[DUMP_REGS_MAX];
	size_t reg_count;
	struct {
		uint64_t id, value, lost;
	} reads[DUMP_READS_MAX];
	size_t read_count;
	uint64_t stack_bytes;
};

/* Splits the text in place; samples point into it. */
void dumped_samples__begin(struct dumped_samples *dump, char *text);

/* Unknown text fails the running test. */
bool dumped_samples__next(struct dumped_samples *dump, struct dumped_sample *sample);

#endif /* TESTS_SUPPORT_PERF_DUMPED_SAMPLES_H */
