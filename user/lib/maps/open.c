// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* foreign.c: perf event arrays that others made, found and opened. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/map.h>

#include "base/internal.h"
#include "maps/map_file.h"
#include "base/strbuf.h"

/* ---- finding --------------------------------------------------------------------------------- */

static int explain(const char *which, int err)
{
	if (err == -ENOENT)
		log__error("there is no BPF map '%s'", which);
	else
		log__error("cannot open the BPF map '%s': %s%s", which, strerror(-err),
			   err == -EPERM ? ": to find one by its id or name takes CAP_SYS_ADMIN; "
					   "another way is a path where it is pinned"
					 : "");
	return err;
}

static int open_id(const char *which, const char *number)
{
	unsigned long id;
	char *end;
	int fd;

	errno = 0;
	id = strtoul(number, &end, 10);
	if (*number < '0' || *number > '9' || *end || errno || id > UINT32_MAX) {
		log__error("'%s': that is not the id of a map", which);
		return -EINVAL;
	}
	fd = bpf_map_get_fd_by_id((uint32_t)id);
	return fd < 0 ? explain(which, -errno) : fd;
}

static int open_path(const char *path)
{
	int fd = bpf_obj_get(path);
	char number[16];
	struct map_file file;

	if (fd < 0)
		return explain(path, -errno);
	snprintf(number, sizeof(number), "%d", fd);
	if (map_file__read(&file, "self", number))
		return fd;
	close(fd);
	log__error("'%s' is not a BPF map: another object is pinned there", path);
	return -EINVAL;
}

/* Those that were found by name: the first is open, all have their ids in the text. */
struct matches {
	const char *name;
	int fd;
	uint32_t count, of_other_types;
	struct out ids;
};

/* The kernel keeps 15 bytes of a name. */
static bool is_called(const struct bpf_map_info *info, const char *name)
{
	return !strncmp(info->name, name, sizeof(info->name) - 1);
}

static void match(struct matches *matches, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	bool is_array;

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes) || !is_called(&info, matches->name)) {
		close(fd);
		return;
	}
	is_array = info.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	if (!is_array)
		matches->of_other_types++;
	if (!is_array || matches->count++)
		close(fd);
	else
		matches->fd = fd;
	if (!is_array)
		return;
	out__text(&matches->ids, matches->ids.count ? ", id=" : "id=");
	out__unsigned(&matches->ids, info.id);
}

static int match_all(struct matches *matches)
{
	uint32_t id = 0;

	while (!bpf_map_get_next_id(id, &id)) {
		int fd = bpf_map_get_fd_by_id(id);

		if (fd >= 0)
			match(matches, fd);
		else if (errno != ENOENT)
			return -errno;
	}
	return errno == ENOENT ? 0 : -errno;
}

static int choose(const struct matches *matches)
{
	if (matches->count == 1)
		return 0;
	if (matches->count) {
		log__error("%u perf event arrays are called '%s': %.*s", matches->count,
			   matches->name, (int)matches->ids.count, matches->ids.bytes);
		return -ENOTUNIQ;
	}
	log__error("there is no perf event array '%s'%s", matches->name,
		   matches->of_other_types ? ": the maps of that name are of other types" : "");
	return -ENOENT;
}

static int open_name(const char *which, const char *name)
{
	struct matches matches = { .name = name, .fd = -1 };
	int err = match_all(&matches);

	if (err)
		explain(which, err);
	else
		err = matches.ids.failed ? -ENOMEM : choose(&matches);
	out__free(&matches.ids);
	if (!err)
		return matches.fd;
	if (matches.fd >= 0)
		close(matches.fd);
	return err;
}

/* Whether `which` is "WORD=..." and what is behind that; bpftool's users try a colon or a blank. */
static const char *behind(const char *which, const char *word)
{
	size_t bytes = strlen(word);

	if (strncmp(which, word, bytes) || !which[bytes] || !strchr("=: ", which[bytes]))
		return NULL;
	return which + bytes + 1;
}

static int find(const char *which)
{
	const char *rest;

	if ((rest = behind(which, "id")))
		return open_id(which, rest);
	if ((rest = behind(which, "name")))
		return open_name(which, rest);
	if ((rest = behind(which, "pinned")))
		return open_path(rest);
	if (strchr(which, '/'))
		return open_path(which);
	log__error("'%s' names no map: id=N, name=X or the path where it is pinned", which);
	return -EINVAL;
}

/* ---- can it be read? ------------------------------------------------------------------------- */

/* BPF_F_RDONLY is a matter of the fd that somebody made the map with: it does not bind ours. */
static int explain_refusal(const char *which, bool is_frozen, int err)
{
	if (is_frozen)
		log__error("map '%s' is frozen: its slots cannot be set any more, and nobody can "
			   "begin to read it",
			   which);
	else
		log__error("map '%s' cannot be changed, and reading it means to set its slots: %s",
			   which, strerror(-err));
	return err;
}

/*
 * What a reader does is to update slots; an update with an fd that there cannot be says whether it
 * may, and does nothing.
 */
static int check_updates(const char *which, int fd)
{
	uint32_t slot = 0;
	int nothing = -1, err;
	struct map_file file;
	char number[16];

	if (!bpf_map_update_elem(fd, &slot, &nothing, BPF_ANY) || errno == EBADF)
		return 0;
	err = -errno;
	snprintf(number, sizeof(number), "%d", fd);
	return explain_refusal(which, map_file__read(&file, "self", number) && file.is_frozen, err);
}

static int check(const char *which, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes))
		return explain(which, -errno);
	if (info.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY)
		return check_updates(which, fd);
	log__error("map '%s' (id %u, '%s') is not a perf event array: its type is %u, not %u",
		   which, info.id, info.name, info.type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	return -EINVAL;
}

int peat_map__open(const char *which)
{
	int fd = find(which), err;

	if (fd < 0)
		return fail(fd);
	err = check(which, fd);
	if (!err)
		return fd;
	close(fd);
	return fail(err);
}

/* ---- does somebody read it? ------------------------------------------------------------------ */

/* "process 12 (agent), process 14 (tool); it is pinned at /sys/fs/bpf/events" */
static void name_others(struct out *out, const struct peat_map *map)
{
	for (uint32_t i = 0; i < map->holder_count; i++) {
		out__text(out, i ? ", process " : "it is held by process ");
		out__unsigned(out, map->holders[i].pid);
		out__text(out, " (");
		out__text(out, map->holders[i].comm);
		out__char(out, ')');
	}
	for (uint32_t i = 0; i < map->pin_count; i++) {
		out__text(out, i		   ? ", "
			       : map->holder_count ? "; it is pinned at "
						   : "it is pinned at ");
		out__text(out, map->pins[i]);
	}
	out__char(out, 0);
}

static int refuse(const struct peat_map *map)
{
	struct out out = { 0 };
	int err = -EBUSY;

	if (!map->holder_count && !map->pin_count)
		return 0;
	name_others(&out, map);
	if (out.failed)
		err = -ENOMEM;
	else
		log__error("map '%s' (id %u) may have a reader, whose events a second one takes "
			   "away: %s. No more can be known, as a perf event array cannot be read "
			   "back",
			   map->name, map->id, out.bytes);
	out__free(&out);
	return err;
}

static int check_unread(uint32_t id)
{
	struct peat_maps *maps = peat_maps__new();
	const struct peat_map *map;
	int err = maps ? 0 : -errno;

	for (uint32_t i = 0; maps && (map = peat_maps__at(maps, i)); i++)
		if (map->id == id)
			err = refuse(map);
	peat_maps__free(maps);
	return err;
}

int peat_map__check_unread(int map_fd)
{
	struct map_file file;
	char number[16];
	int err = -EBADF;

	snprintf(number, sizeof(number), "%d", map_fd);
	if (map_file__read(&file, "self", number))
		err = check_unread(file.id);
	else
		log__error("fd %d is not a BPF map", map_fd);
	return err ? fail(err) : 0;
}
