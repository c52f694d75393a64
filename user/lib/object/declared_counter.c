// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/declared_counter.c: maps that are declared as counters, with their events. */
#include <errno.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "object/declared_counter.h"
#include "schema/btf_tags.h"

static int check(const struct declared_counter *counter, const struct bpf_map *map,
		 const char *object_name)
{
	if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY) {
		log__error("cannot use the map %s of %s as a counter: its type is no perf event "
			   "array: declare it by PEAT_COUNTER()",
			   counter->name, object_name);
		return -EINVAL;
	}
	if (!*counter->event) {
		log__error("the counter %s of %s names no event: PEAT_COUNTER(%s, \"cycles\")",
			   counter->name, object_name, counter->name);
		return -EINVAL;
	}
	return 1;
}

int declared_counter__read(struct declared_counter *counter, const struct bpf_object *object,
			   const struct btf_tags *tags, const struct bpf_map *map,
			   const char *object_name)
{
	const char *name = bpf_map__name(map);
	int id = btf__find_by_name_kind(bpf_object__btf(object), name, BTF_KIND_VAR);

	if (id <= 0)
		return 0;
	*counter = (struct declared_counter){
		.name = name,
		.event = btf_tags__find(tags, (uint32_t)id, TAGS_WHOLE, "counter:"),
		.doc = btf_tags__find(tags, (uint32_t)id, TAGS_WHOLE, "doc:"),
		.is_optional = btf_tags__find(tags, (uint32_t)id, TAGS_WHOLE, "optional"),
	};
	return counter->event ? check(counter, map, object_name) : 0;
}
