/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sampled.bpf.h: the counts of sampled.bpf.c. */
#ifndef SAMPLED_BPF_H
#define SAMPLED_BPF_H

#define SAMPLED_CPUS 64

/* Runs on a CPU, by program. */
struct sampled_runs {
	unsigned long long stated, other;
};

#endif /* SAMPLED_BPF_H */
