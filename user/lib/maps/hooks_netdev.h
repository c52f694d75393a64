/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef INTERFACE_HOOKS_H
#define INTERFACE_HOOKS_H

struct hook_list;

/*
 * Adds the programs that see packets at the interfaces of this network namespace: filters of
 * clsact, ingress and other qdiscs (of a qdisc, not of its classes), and XDP.  0 or a negative
 * errno.
 */
int interface_hooks__read(struct hook_list *list);

#endif /* INTERFACE_HOOKS_H */
