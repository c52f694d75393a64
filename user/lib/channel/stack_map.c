// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/stack_map.c: the map with the frames of numbered stacks. */
#include <string.h>
#include <bpf/libbpf.h>

#include "channel/stack_map.h"

bool stack_map__is(uint32_t type, const char *name)
{
	return type == BPF_MAP_TYPE_STACK_TRACE ||
	       (type == BPF_MAP_TYPE_HASH && !strcmp(name, "peat_stack_ids"));
}

struct bpf_map *stack_map__find(const struct bpf_object *object)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object)
	{
		if (stack_map__is(bpf_map__type(map), bpf_map__name(map)))
			return map;
	}
	return NULL;
}
