/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_MAPS_FLAGS_H
#define PEAT_MAPS_FLAGS_H

#include <stdint.h>

#define MAP_FLAGS_BYTES 512

/* "BPF_F_NUMA_NODE BPF_F_RDONLY"; unknown flags are a number at the end. */
void flags__text(uint32_t flags, char text[MAP_FLAGS_BYTES]);

#endif /* PEAT_MAPS_FLAGS_H */
