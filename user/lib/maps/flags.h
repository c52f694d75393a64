/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef MAP_FLAGS_H
#define MAP_FLAGS_H

#include <stdint.h>

#define MAP_FLAGS_BYTES 512

/* "BPF_F_NUMA_NODE BPF_F_RDONLY"; what this version does not know as a number at the end. */
void map_flags__text(uint32_t flags, char text[MAP_FLAGS_BYTES]);

#endif /* MAP_FLAGS_H */
