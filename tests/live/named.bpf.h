/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* named.bpf.h: what named.bpf.c and its tests share. */
#ifndef NAMED_H
#define NAMED_H

struct named {
	char comm[16]; /* what the task is called, as the kernel says it then and there */
	unsigned int tid, zero;
};

#endif /* NAMED_H */
