// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/foreign/pinned_types.c: the types of events, pinned beside their perf event arrays. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include <peat/map.h>

#include "base/log.h"
#include "maps/list.h"
#include "maps/map_file.h"
#include "object/infer/type_file.h"
#include "session/foreign/pinned_types.h"
#include "session/foreign/raw_arrays.h"

#define MAP_NAME "peat_type"
#define MAGIC	 0x74616570 /* changes with the format */

/* The value of the map; the BTF follows. */
struct pinned_type {
	uint32_t magic;
	uint32_t map_id;  /* of the perf event array */
	uint32_t type_id; /* of its events, in the BTF; 0: unknown */
	uint32_t btf_bytes;
	uint32_t is_guess;
	char name[128]; /* of the array */
	char why[256];	/* the reason for the type, or for none; it may be cut */
};

/* ---- pinning --------------------------------------------------------------------------------- */

static int read_map_info(int map_fd, struct bpf_map_info *info)
{
	uint32_t bytes = sizeof(*info);

	*info = (struct bpf_map_info){ 0 };
	return bpf_obj_get_info_by_fd(map_fd, info, &bytes) ? -errno : 0;
}

static int pin_value(const void *value, size_t bytes, const char *path)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, MAP_NAME, 4, (uint32_t)bytes, 1, NULL);
	uint32_t key = 0;
	int err = 0;

	if (fd < 0)
		return -errno;
	if (bpf_map_update_elem(fd, &key, value, BPF_ANY) || bpf_obj_pin(fd, path))
		err = -errno;
	close(fd);
	return err;
}

int pinned_types__pin(const struct array *array, const char *path)
{
	uint32_t bytes = 0;
	const void *data = array->btf ? btf__raw_data(array->btf, &bytes) : NULL;
	struct pinned_type *value = calloc(1, sizeof(*value) + bytes);
	struct bpf_map_info info;
	int err = value ? read_map_info(parts__map_fd(array), &info) : -ENOMEM;

	if (!err) {
		value->magic = MAGIC;
		value->map_id = info.id;
		value->type_id = array->type_id;
		value->btf_bytes = bytes;
		value->is_guess = array->is_guess;
		strncpy(value->name, array->name, sizeof(value->name) - 1);
		strncpy(value->why, array->why, sizeof(value->why) - 1);
		if (data)
			memcpy(value + 1, data, bytes);
		err = pin_value(value, sizeof(*value) + bytes, path);
	}
	free(value);
	return err;
}

/* ---- finding --------------------------------------------------------------------------------- */

struct search {
	uint32_t map_id;
	struct pinned_type *found; /* NULL: not found */
};

/* The value of a map that pinned_types__pin() made; NULL: it is another map, or no memory. */
static struct pinned_type *read_value(int fd)
{
	struct pinned_type *value;
	struct bpf_map_info info;
	uint32_t key = 0;

	if (read_map_info(fd, &info) || info.type != BPF_MAP_TYPE_ARRAY ||
	    strcmp(info.name, MAP_NAME) || info.value_size < sizeof(*value))
		return NULL;
	value = calloc(1, (size_t)info.value_size + 8); /* the kernel rounds up */
	if (value && !bpf_map_lookup_elem(fd, &key, value) && value->magic == MAGIC &&
	    value->btf_bytes <= info.value_size - sizeof(*value)) {
		value->name[sizeof(value->name) - 1] = 0;
		value->why[sizeof(value->why) - 1] = 0;
		return value;
	}
	free(value);
	return NULL;
}

/* 1 ends the search. */
static int check_pin(void *context, const char *path, const struct map_file *file)
{
	struct search *search = context;
	struct pinned_type *value;
	int fd = bpf_obj_get(path);

	(void)file;
	if (fd < 0)
		return 0;
	value = read_value(fd);
	close(fd);
	if (value && value->map_id == search->map_id) {
		search->found = value;
		return 1;
	}
	free(value);
	return 0;
}

static void set_types(struct array *array, const struct pinned_type *value)
{
	array->btf = btf__new(value + 1, value->btf_bytes);
	if (array->btf && value->type_id < btf__type_cnt(array->btf))
		array->type_id = value->type_id;
	array->is_guess = value->is_guess;
	if (asprintf(&array->why, "%s (pinned with the map)", value->why) < 0)
		array->why = NULL; /* pinned_types__identify() fails */
}

static int add_array(struct peat_session *session, int map_fd, const struct bpf_map_info *info,
		     const struct pinned_type *value)
{
	const char *name = value && *value->name ? value->name : info->name;
	struct array *array = raw_arrays__append(session, *name ? name : "map");

	if (!array)
		return -ENOMEM;
	array->part = SIZE_MAX - session->array_count;
	array->id = info->id;
	memcpy(array->map_name, info->name, sizeof(array->map_name));
	array->fd = map_fd;
	if (value)
		set_types(array, value);
	return 0;
}

int pinned_types__add_array(struct peat_session *session, int map_fd)
{
	struct search search = { 0 };
	struct bpf_map_info info;
	int err = read_map_info(map_fd, &info);

	if (err)
		return err;
	search.map_id = info.id;
	err = map_file__each_pin(check_pin, &search);
	if (err < 0)
		log__debug("cannot search pinned types: %s", strerror(-err));
	err = add_array(session, map_fd, &info, search.found);
	free(search.found);
	return err;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* NULL: it has none, or it may not be read. */
static struct btf *btf_of_program(uint32_t id)
{
	struct bpf_prog_info info = { 0 };
	uint32_t bytes = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(id);

	if (fd < 0)
		return NULL;
	if (bpf_obj_get_info_by_fd(fd, &info, &bytes))
		info.btf_id = 0;
	close(fd);
	return info.btf_id ? btf__load_from_kernel_by_id(info.btf_id) : NULL;
}

static void keep_btf(struct array *array, struct btf *btf)
{
	btf__free(array->btf);
	array->btf = btf;
	array->type_id = 0; /* of the BTF before */
}

/* Keeps the BTF of the type that it finds, for recordings. */
static int find_in_programs(struct array *array, const char *name, struct peat_schema **schema)
{
	struct peat_maps *maps = maps__new_of(array->fd);
	const struct peat_map *map = maps ? peat_maps__at(maps, 0) : NULL;
	uint64_t bytes;
	int err = maps ? 0 : -errno;

	for (uint32_t i = 0; !err && !*schema && i < map->program_count; i++) {
		struct btf *btf = btf_of_program(map->programs[i].id);

		if (btf)
			err = type_file__find(btf, NULL, name, schema, &bytes);
		if (*schema)
			keep_btf(array, btf);
		else
			btf__free(btf);
	}
	peat_maps__free(maps);
	return err;
}

static int use_named_type(struct array *array)
{
	const char *name = candidates__name_of(array->as);
	struct peat_schema *schema = NULL;
	uint64_t bytes;
	int err = 0;

	if (array->btf)
		err = type_file__find(array->btf, NULL, name, &schema, &bytes);
	if (!err && !schema)
		err = find_in_programs(array, name, &schema);
	if (!err && !schema) {
		log__error("%s: no struct '%s' is pinned with the map, nor in the BTF of programs "
			   "that use it",
			   array->name, name);
		err = -ENOENT;
	}
	array->schema = schema;
	return err;
}

static int set_why(struct array *array, const char *why)
{
	free(array->why);
	array->why = strdup(why);
	return array->why ? 0 : -ENOMEM;
}

static int identify_array(struct array *array)
{
	int err = 0;

	if (array->as) {
		array->is_guess = false;
		err = strcmp(array->as, "raw") ? use_named_type(array) : 0;
		return err ?: set_why(array, "named");
	}
	if (!array->type_id)
		return array->why ? 0 : set_why(array, "no type is pinned with the map");
	array->schema = peat_schema__new(array->btf, array->type_id);
	if (!array->schema)
		return set_why(array, "the type pinned with the map is invalid");
	return array->why ? 0 : -ENOMEM;
}

int pinned_types__identify(struct peat_session *session)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < session->array_count; i++)
		if (!session->arrays[i].map && !session->arrays[i].schema)
			err = identify_array(&session->arrays[i]);
	return err;
}
