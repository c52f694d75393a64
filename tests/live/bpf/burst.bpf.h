/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* burst.bpf.h: what burst.bpf.c and its tests share. */
#ifndef TESTS_LIVE_BPF_BURST_BPF_H
#define TESTS_LIVE_BPF_BURST_BPF_H

#define BURST_CPUS	   64
#define BURST_PER_CALL_MAX 64

struct burst_head {
	unsigned long long number; /* of this event among those of its CPU */
	unsigned long long check;  /* its complement */
};

struct burst_payload {
	struct burst_head head;
	unsigned char bytes[65536 - sizeof(struct burst_head)];
};

struct burst_counts {
	unsigned long long emitted, refused;
};

#endif /* TESTS_LIVE_BPF_BURST_BPF_H */
