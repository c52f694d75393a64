/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/own_ids.h: the ids that tasks have in their own pid namespaces.
 *
 * A BPF program notes them, of tasks that exist and at each fork: programs of events need not send
 * them.  Ids that are not in its map are looked for in /proc.
 */
#ifndef PEAT_CHANNEL_OWN_IDS_H
#define PEAT_CHANNEL_OWN_IDS_H

struct own_ids_map;
struct tasks;

/*
 * Lets `tasks` find the ids.  If the program cannot run, which is logged, they come from /proc
 * alone.  In a pid namespace, whose tasks have other ids than events, `map` stays NULL.  0 or
 * -ENOMEM.
 */
int own_ids__follow(struct own_ids_map **map, struct tasks *tasks);

void own_ids__close(struct own_ids_map *map); /* after the tasks were freed; NULL is allowed */

#endif /* PEAT_CHANNEL_OWN_IDS_H */
