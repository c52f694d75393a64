/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_MAPS_LIST_H
#define PEAT_MAPS_LIST_H

struct peat_maps;

/*
 * Makes a list with one map of any type.  Without CAP_SYS_ADMIN its programs are missing, and the
 * processes of other users.  NULL and errno; nothing is logged.
 */
struct peat_maps *maps__new_of(int map_fd);

#endif /* PEAT_MAPS_LIST_H */
