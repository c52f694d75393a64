/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/clsact.h: the qdisc clsact of an interface, whose filters are tc programs. */
#ifndef PEAT_SESSION_ATTACH_CLSACT_H
#define PEAT_SESSION_ATTACH_CLSACT_H

#include <stdbool.h>
#include <stdint.h>

enum clsact_direction { CLSACT_INGRESS, CLSACT_EGRESS, CLSACT_DIRECTIONS };

struct clsact_filter {
	int ifindex;
	enum clsact_direction direction;
	uint32_t handle, priority;
	uint32_t program_id; /* distinguishes it from a later filter of the same numbers */
};

/*
 * Adds clsact to the interface, unless it has one.
 *
 *     1         added
 *     0         it was there
 *     -EBUSY    another qdisc has its place
 *     -ENOENT   this kernel has no clsact
 */
int clsact__add(int ifindex);

/* Removes clsact, unless it has filters. */
void clsact__remove(int ifindex);

/* Adds a filter that runs a program on packets of one direction.  -ENOENT: no cls_bpf. */
int clsact__attach(struct clsact_filter *filter, int ifindex, enum clsact_direction direction,
		   int program_fd);

/*
 * Removes the filter, if it still exists.  False: another tool has removed or replaced it, perhaps
 * together with the clsact.
 */
bool clsact__detach(const struct clsact_filter *filter);

#endif /* PEAT_SESSION_ATTACH_CLSACT_H */
