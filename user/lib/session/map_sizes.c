// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/map_sizes.c: completes the sizes of maps, which other loaders set at run time. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/name_list.h"
#include "session/map_sizes.h"
#include "session/parts/session.h"
#include "sys/cpus.h"

#define STACK_FRAMES 127 /* the default of kernel.perf_event_max_stack */

/* Defaults of libbpf-tools; 0: the object has to set the size. */
static const struct {
	enum bpf_map_type type;
	uint32_t value_bytes, entries;
} defaults[] = {
	{ BPF_MAP_TYPE_HASH, 0, 10240 },
	{ BPF_MAP_TYPE_PERCPU_HASH, 0, 10240 },
	{ BPF_MAP_TYPE_LRU_HASH, 0, 10240 },
	{ BPF_MAP_TYPE_LRU_PERCPU_HASH, 0, 10240 },
	{ BPF_MAP_TYPE_STACK_TRACE, STACK_FRAMES * sizeof(uint64_t), 16384 },
};

/* ---- perf event arrays ----------------------------------------------------------------------- */

/* The sizes of an existing pin are fixed: libbpf compares them. */
static bool is_pinned(const struct bpf_map *map)
{
	const char *path = bpf_map__pin_path(map);

	return path && !access(path, F_OK);
}

/* libbpf (1.1) has a default for max_entries 0 only.  CPU numbers may have holes. */
static int add_slots(const struct part *part, struct bpf_map *map)
{
	uint32_t slots = bpf_map__max_entries(map);
	struct cpus possible;
	int err;

	if (!slots || is_pinned(map))
		return 0;
	err = cpus__read(&possible, "possible");
	if (err)
		return err;
	if (slots < possible.limit) {
		log__info("map %s of %s: %u slots instead of %u, one for each CPU",
			  bpf_map__name(map), part->name, possible.limit, slots);
		err = bpf_map__set_max_entries(map, possible.limit);
	}
	cpus__free(&possible);
	return err;
}

/* The kernel accepts no other sizes.  A larger value is the struct of the events. */
static int complete_array(const struct part *part, struct bpf_map *map)
{
	int err = bpf_map__set_key_size(map, sizeof(uint32_t));

	if (!err)
		err = bpf_map__set_value_size(map, sizeof(uint32_t));
	return err ? err : add_slots(part, map);
}

/* ---- other maps ------------------------------------------------------------------------------ */

static int set_defaults(const struct part *part, struct bpf_map *map)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++) {
		if (bpf_map__type(map) != defaults[i].type)
			continue;
		if (!bpf_map__value_size(map) && defaults[i].value_bytes)
			err = bpf_map__set_value_size(map, defaults[i].value_bytes);
		if (err || bpf_map__max_entries(map))
			return err;
		log__warn("map %s of %s has no number of entries: it gets %u; another can be set "
			  "(peat_session__set_map_entries())",
			  bpf_map__name(map), part->name, defaults[i].entries);
		return bpf_map__set_max_entries(map, defaults[i].entries);
	}
	return 0;
}

int map_sizes__complete(const struct part *part)
{
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, part->object)
	{
		if (err || bpf_map__fd(map) >= 0 || !bpf_map__autocreate(map))
			continue;
		err = bpf_map__type(map) == BPF_MAP_TYPE_PERF_EVENT_ARRAY
			      ? complete_array(part, map)
			      : set_defaults(part, map);
		if (err)
			log__error("cannot set the sizes of map %s of %s: %s", bpf_map__name(map),
				   part->name, strerror(-err));
	}
	return err;
}

/* ---- messages -------------------------------------------------------------------------------- */

void map_sizes__text(const struct bpf_map *map, char *text)
{
	const char *type = libbpf_bpf_map_type_str(bpf_map__type(map));
	char number[32];

	snprintf(number, sizeof(number), "type %u", (unsigned)bpf_map__type(map));
	snprintf(text, MAP_SIZES_BYTES, "%s, keys of %u bytes, values of %u bytes, %u entries",
		 type ? type : number, bpf_map__key_size(map), bpf_map__value_size(map),
		 bpf_map__max_entries(map));
}

static bool lacks_inner_map(const struct bpf_map *map)
{
	enum bpf_map_type type = bpf_map__type(map);

	return (type == BPF_MAP_TYPE_ARRAY_OF_MAPS || type == BPF_MAP_TYPE_HASH_OF_MAPS) &&
	       !bpf_map__inner_map((struct bpf_map *)map);
}

const char *map_sizes__remedy(const struct bpf_map *map)
{
	if (lacks_inner_map(map))
		return ": it has no inner map: declare one in the object: __array(values, ...)";
	if (!bpf_map__max_entries(map))
		return ": set its number of entries (peat_session__set_map_entries())";
	return "";
}

/* ---- set by the user ------------------------------------------------------------------------- */

static int log_unknown_map(const struct peat_session *session, const char *name)
{
	char list[600] = "";
	const struct bpf_map *map;

	for (size_t i = 0; i < session->part_count; i++)
		bpf_object__for_each_map(map, session->parts[i].object)
			name_list__append(list, sizeof(list), bpf_map__name(map));
	log__error("no map '%s': the objects have %s", name, *list ? list : "none");
	return -ENOENT;
}

int peat_session__set_map_entries(struct peat_session *session, const char *name, uint32_t entries)
{
	int err = parts__check_not_started(session);
	bool found = false;

	for (size_t i = 0; !err && i < session->part_count; i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(session->parts[i].object, name);

		if (!map)
			continue;
		found = true;
		/* libbpf (1.1) would accept the number and ignore it. */
		err = bpf_map__fd(map) >= 0 ? -EBUSY : bpf_map__set_max_entries(map, entries);
		if (err)
			log__error("cannot set the entries of map %s of %s: %s", name,
				   session->parts[i].name, strerror(-err));
	}
	if (!err && !found)
		err = log_unknown_map(session, name);
	return err ? fail(err) : 0;
}
