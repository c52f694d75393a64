/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bench.bpf.h: settings that user space passes to the benchmark's programs. */
#ifndef BENCH_BPF_BENCH_BPF_H
#define BENCH_BPF_BENCH_BPF_H

#define BENCH_PER_CALL_MAX 100

/* bench_setup.wake_bytes of BPF ring buffers: the kernel decides, or the reader is never woken. */
#define BENCH_WAKE_DEFAULT 0
#define BENCH_WAKE_NEVER   (~0ULL)

/* Read-only, so that the verifier removes unused code. */
struct bench_setup {
	unsigned int pid;     /* process that makes the system calls */
	unsigned int syscall; /* the number of getpgid(2) */
	unsigned int bytes;   /* of an event: 16, 64, 256 or 1024 */
	unsigned int stamped; /* its first 8 bytes are the time */
	unsigned long long wake_bytes;
};

/* Changed while the programs run. */
struct bench_control {
	unsigned int per_call; /* events, at most BENCH_PER_CALL_MAX */
	unsigned int _pad;
	unsigned long long refused; /* events that a perf event array had no room for */
};

#endif /* BENCH_BPF_BENCH_BPF_H */
