/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* named.bpf.h: what named.bpf.c and its tests share. */
#ifndef TESTS_LIVE_BPF_NAMED_BPF_H
#define TESTS_LIVE_BPF_NAMED_BPF_H

struct named {
	char comm[16]; /* the task's name at that moment, by the kernel */
	unsigned int tid, zero;
};

#endif /* TESTS_LIVE_BPF_NAMED_BPF_H */
