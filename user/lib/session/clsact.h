/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* clsact.h: the place of a network interface where BPF programs of type tc run. */
#ifndef CLSACT_H
#define CLSACT_H

#include <stdint.h>

enum clsact_direction { CLSACT_INGRESS, CLSACT_EGRESS, CLSACT_DIRECTIONS };

struct clsact_filter {
	int ifindex;
	enum clsact_direction direction;
	uint32_t handle, priority;
};

/*
 * Makes sure that the interface has it: 1 if it was made, 0 if it was there.  -EBUSY: another qdisc
 * has its place; -ENOENT: the kernel has none.
 */
int clsact__add(int ifindex);

/* Removes it, unless somebody's filters are there. */
void clsact__remove(int ifindex);

/* Runs a program on packets of one direction; `filter` is filled.  -ENOENT: no cls_bpf. */
int clsact__attach(struct clsact_filter *filter, int ifindex, enum clsact_direction direction,
		   int program_fd);

/* Nothing happens where it is gone already. */
void clsact__detach(const struct clsact_filter *filter);

#endif /* CLSACT_H */
