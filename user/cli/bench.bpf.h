/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bench.bpf.h: what the benchmark's programs are told. */
#ifndef BENCH_BPF_H
#define BENCH_BPF_H

#define BENCH_PER_CALL_MAX 100

/* bench_setup.wake_bytes, of BPF ring buffers: the kernel decides, or nobody is woken. */
#define BENCH_WAKE_DEFAULT 0
#define BENCH_WAKE_NEVER   (~0ULL)

/* Constants of the load, so that the verifier drops what is not used. */
struct bench_setup {
	unsigned int pid;     /* whose system calls */
	unsigned int syscall; /* the number of getpgid(2) */
	unsigned int bytes;   /* of an event: 16, 64, 256 or 1024 */
	unsigned int stamped; /* its first 8 bytes are the time */
	unsigned long long wake_bytes;
};

/* Set while it runs. */
struct bench_control {
	unsigned int per_call; /* events, at most BENCH_PER_CALL_MAX */
	unsigned int _pad;
	unsigned long long refused; /* by a perf event array: there was no room */
};

#endif /* BENCH_BPF_H */
