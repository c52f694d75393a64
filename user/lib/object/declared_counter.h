/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/declared_counter.h: a map that its object declares as a counter: PEAT_COUNTER(). */
#ifndef PEAT_OBJECT_DECLARED_COUNTER_H
#define PEAT_OBJECT_DECLARED_COUNTER_H

#include <stdbool.h>

struct bpf_map;
struct bpf_object;
struct btf_tags;

/* Its strings are the object's. */
struct declared_counter {
	const char *name;  /* the map's */
	const char *event; /* as the object has it: "cycles:u" */
	const char *doc;   /* of PEAT_DOC(); NULL: none */
	bool is_optional;
};

/*
 * Reads the declaration of a map.  `tags`: of the object's BTF.  `object_name`: for messages.
 *
 *	1	a counter
 *	0	the map is not declared as a counter
 *	-EINVAL	its type is no perf event array, or it names no event; logged
 */
int declared_counter__read(struct declared_counter *counter, const struct bpf_object *object,
			   const struct btf_tags *tags, const struct bpf_map *map,
			   const char *object_name);

#endif /* PEAT_OBJECT_DECLARED_COUNTER_H */
