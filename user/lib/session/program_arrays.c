// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/program_arrays.c: fills program arrays with the programs that are loaded. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "session/program_arrays.h"
#include "session/parts/session.h"

/* The kernel cuts names at 15 bytes; libbpf then keeps its own. */
static int create_map(const struct bpf_map *map, enum bpf_map_type type)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = bpf_map__map_flags(map));
	char name[16];
	int fd;

	snprintf(name, sizeof(name), "%s", bpf_map__name(map));
	fd = bpf_map_create(type, name, bpf_map__key_size(map), bpf_map__value_size(map),
			    bpf_map__max_entries(map), &opts);
	return fd < 0 ? -errno : fd;
}

static int replace_fd(int from, int to)
{
	return dup3(from, to, O_CLOEXEC) < 0 ? -errno : 0;
}

static bool is_like(int fd, const struct bpf_map *map)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	return !bpf_obj_get_info_by_fd(fd, &info, &bytes) && info.type == bpf_map__type(map) &&
	       info.key_size == bpf_map__key_size(map) &&
	       info.value_size == bpf_map__value_size(map) &&
	       info.max_entries == bpf_map__max_entries(map);
}

/*
 * The map that is pinned by the name of this one, as libbpf would use it: its slots of programs
 * that are left out stay as they are.  -ENOENT: none; -EINVAL: another kind of map.
 */
static int open_pinned(struct bpf_map *map)
{
	const char *path = bpf_map__pin_path(map);
	int fd = path ? bpf_obj_get(path) : -ENOENT;

	if (fd < 0)
		return path ? -errno : fd;
	if (is_like(fd, map))
		return fd;
	close(fd);
	log__error("the map pinned at %s is not like %s: remove the pin", path, bpf_map__name(map));
	return -EINVAL;
}

/* Without its path, libbpf does not open the pin itself. */
static int open_or_create(struct bpf_map *map)
{
	int fd = open_pinned(map);
	int err = fd >= 0 ? bpf_map__set_pin_path(map, NULL) : 0;

	if (fd == -ENOENT)
		return create_map(map, BPF_MAP_TYPE_PROG_ARRAY);
	if (err)
		close(fd);
	return err ?: fd;
}

/*
 * libbpf fills program arrays, those given to it as well, and it learns the type of a given map
 * from the map.  So it is given an ordinary array, whose fd is made a program array's afterwards.
 */
static int replace(struct bpf_map *map)
{
	int real = open_or_create(map);
	int stand_in = create_map(map, BPF_MAP_TYPE_ARRAY);
	int err = stand_in < 0 ? stand_in : real < 0 ? real : 0;

	if (!err)
		err = bpf_map__reuse_fd(map, stand_in);
	if (!err)
		err = replace_fd(real, bpf_map__fd(map));
	if (stand_in >= 0)
		close(stand_in);
	if (real >= 0)
		close(real);
	return err;
}

static bool needs_replacement(const struct program_slot *slot)
{
	return !bpf_program__autoload(slot->program) &&
	       bpf_map__type(slot->map) == BPF_MAP_TYPE_PROG_ARRAY && bpf_map__fd(slot->map) < 0;
}

int program_arrays__replace(const struct part *part)
{
	int err = 0;

	for (size_t i = 0; !err && i < part->slots.count; i++) {
		const struct program_slot *slot = &part->slots.at[i];

		if (!needs_replacement(slot))
			continue;
		err = replace(slot->map);
		if (err)
			log__error("cannot create the map %s of %s: %s", bpf_map__name(slot->map),
				   part->name, strerror(-err));
	}
	return err;
}

static int fill_slot(const struct part *part, const struct program_slot *slot)
{
	int program_fd = bpf_program__fd(slot->program);
	int err = bpf_map_update_elem(bpf_map__fd(slot->map), &slot->index, &program_fd, BPF_ANY);

	if (err)
		log__error("cannot set slot %u of the map %s of %s to program %s: %s", slot->index,
			   bpf_map__name(slot->map), part->name, bpf_program__name(slot->program),
			   strerror(-err));
	return err;
}

int program_arrays__fill(const struct part *part)
{
	int err = 0;

	for (size_t i = 0; !err && i < part->slots.count; i++) {
		const struct program_slot *slot = &part->slots.at[i];

		if (bpf_map__type(slot->map) != BPF_MAP_TYPE_PROG_ARRAY &&
		    bpf_program__autoload(slot->program))
			err = fill_slot(part, slot);
	}
	return err;
}
