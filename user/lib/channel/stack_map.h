/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/stack_map.h: the map with the frames of numbered stacks. */
#ifndef PEAT_CHANNEL_STACK_MAP_H
#define PEAT_CHANNEL_STACK_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_map;
struct bpf_object;

/*
 * Whether a map of this type and name has the frames of a stack by its number: the map of
 * bpf_get_stackid(), or a hash table named peat_stack_ids.
 */
bool stack_map__is(uint32_t type, const char *name);

/* The object's only such map, to which its stack numbers refer; NULL: none. */
struct bpf_map *stack_map__find(const struct bpf_object *object);

#endif /* PEAT_CHANNEL_STACK_MAP_H */
