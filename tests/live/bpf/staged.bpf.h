/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* staged.bpf.h: what staged.bpf.c, wide.bpf.c and other.bpf.c share with their tests. */
#ifndef TESTS_LIVE_BPF_STAGED_BPF_H
#define TESTS_LIVE_BPF_STAGED_BPF_H

#define STAGED_CPUS 64
#define STAGED_PATTERN_BYTES                                                                       \
	65536 /* twice the maximum: an event is a copy from anywhere in the first half */
#define STAGED_MAX (8192 - 192 - 16)  /* the largest event of a slot of 8192 bytes */
#define WIDE_MAX   (65408 - 192 - 16) /* the largest event of the largest slot */

struct sized {
	unsigned char bytes[8]; /* or more, or fewer */
};

struct numbered {
	unsigned long long number; /* of this event among those of its CPU */
	unsigned long long check;  /* its complement */
	unsigned int cpu, slot;
};

/* A program's own counts of its actions. */
struct staged_counts {
	unsigned long long refused, submitted;
};

enum misuse {
	SUBMIT_TWICE,
	DISCARD_AFTER_SUBMIT,
	SUBMIT_AFTER_DISCARD,
	DISCARD_TWICE,
	SUBMIT_BYTES_TWICE,
	JUST_DISCARD,
};

#endif /* TESTS_LIVE_BPF_STAGED_BPF_H */
