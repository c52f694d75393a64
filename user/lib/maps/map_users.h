/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* maps/map_users.h: the users of a map, in words, for messages. */
#ifndef PEAT_MAPS_MAP_USERS_H
#define PEAT_MAPS_MAP_USERS_H

#include "base/strbuf.h"

struct peat_map;

/*
 * Appends the processes and pins of a map, and a NUL: "it is held by process 12 (agent), process 14
 * (tool); it is pinned at /sys/fs/bpf/events".
 */
void map_users__append(struct strbuf *out, const struct peat_map *map);

/*
 * Appends the users of the map pinned at `path`, of any type, and a NUL: "it is held by
 * process 12 (agent); it is used by program 53 (on_rename)".  Without a process, the text says how
 * to remove the pin.
 */
void map_users__append_of_pin(struct strbuf *out, const char *path);

#endif /* PEAT_MAPS_MAP_USERS_H */
