/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_MAPS_HOOKS_NETDEV_H
#define PEAT_MAPS_HOOKS_NETDEV_H

struct hook_list;

/*
 * Adds the programs attached to the interfaces of this network namespace: XDP, and filters of
 * clsact, ingress and other qdiscs (not of their classes).  0 or a negative errno.
 */
int hooks_netdev__read(struct hook_list *list);

#endif /* PEAT_MAPS_HOOKS_NETDEV_H */
