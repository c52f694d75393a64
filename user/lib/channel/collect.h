/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/collect.h: the results of channel/collect.bpf.c. */
#ifndef PEAT_CHANNEL_COLLECT_H
#define PEAT_CHANNEL_COLLECT_H

enum collect_result {
	COLLECT_BUSY,	  /* a program holds the lock */
	COLLECT_EMPTY,	  /* no events are staged */
	COLLECT_NOT_NEXT, /* events that the slot sent have not arrived yet */
	COLLECT_REFUSED,  /* the kernel is locked down: bpf_probe_read_kernel() fails */
	COLLECT_DONE
};

#endif /* PEAT_CHANNEL_COLLECT_H */
