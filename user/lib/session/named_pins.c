// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/named_pins.c: pins maps by their name, beside maps that others have pinned. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/magic.h>

#include "base/array.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "maps/map_users.h"
#include "session/named_pins.h"
#include "session/parts/session.h"

/* ---- checking -------------------------------------------------------------------------------- */

/* Whether libbpf would pin the map, or use the map that is pinned. */
static bool is_pinned_by_name(const struct bpf_map *map)
{
	return bpf_map__pin_path(map) && bpf_map__autocreate(map) && bpf_map__fd(map) < 0;
}

/* Whether pins cannot be made at a path; other errors are those of the attempt. */
static bool lacks_file_system(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	struct statfs system;
	bool lacks = false;

	if (directory && !statfs(directory, &system))
		lacks = (unsigned long)system.f_type != BPF_FS_MAGIC;
	else if (directory)
		lacks = errno == ENOENT || errno == ENOTDIR;
	free(directory);
	return lacks;
}

static int refuse(const struct part *part, const struct bpf_map *map, const char *path)
{
	struct strbuf users = { 0 };
	int err = -EBUSY;

	map_users__append_of_pin(&users, path);
	if (users.failed)
		err = -ENOMEM;
	else
		log__error("cannot load %s: its map %s is pinned already, at %s: %s", part->name,
			   bpf_map__name(map), path, users.bytes);
	strbuf__free(&users);
	return err;
}

static int check_part(struct peat_session *session, const struct part *part)
{
	const struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, part->object)
	{
		const char *path = bpf_map__pin_path(map);

		if (err == -ENOMEM || !is_pinned_by_name(map) || access(path, F_OK) ||
		    lacks_file_system(path))
			continue;
		if (session->opts.steal)
			session->pins.any_stolen = true;
		else
			err = refuse(part, map, path);
	}
	return err;
}

/* Logs all pins in the way, so that they can be removed at once. */
static int check(struct peat_session *session)
{
	int err = 0;

	for (size_t i = 0; err != -ENOMEM && i < session->part_count; i++)
		err = check_part(session, &session->parts[i]) ?: err;
	return err;
}

/* ---- preparing ------------------------------------------------------------------------------- */

/* One line for each path, however many objects have it. */
static void warn_private(const struct named_pins *pins, const struct part *part,
			 const struct bpf_map *map)
{
	const char *path = bpf_map__pin_path(map);

	for (size_t i = 0; i < pins->count; i++)
		if (!strcmp(pins->at[i].path, path))
			return;
	log__warn("%s: its map %s is not pinned, so no other program can share it: %s is not on a "
		  "BPF file system (mount -t bpf none /sys/fs/bpf)",
		  part->name, bpf_map__name(map), path);
}

static int add_pin(struct named_pins *pins, const struct bpf_map *map, bool is_private)
{
	char *path = strdup(bpf_map__pin_path(map));

	if (!path || !ARRAY_RESERVE_NEXT(pins->at, pins->count)) {
		free(path);
		return -ENOMEM;
	}
	pins->at[pins->count++] =
		(struct named_pin){ .map = map, .path = path, .is_private = is_private };
	return 0;
}

static int prepare_map(struct peat_session *session, const struct part *part, struct bpf_map *map)
{
	bool is_private = lacks_file_system(bpf_map__pin_path(map));
	int err;

	if (!is_private && !access(bpf_map__pin_path(map), F_OK))
		return 0;
	if (is_private)
		warn_private(&session->pins, part, map);
	err = add_pin(&session->pins, map, is_private);
	return err ? err : bpf_map__set_pin_path(map, NULL);
}

static int prepare_part(struct peat_session *session, const struct part *part)
{
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, part->object)
	{
		if (!err && is_pinned_by_name(map))
			err = prepare_map(session, part, map);
	}
	return err;
}

int named_pins__prepare(struct peat_session *session)
{
	int err = check(session);

	for (size_t i = 0; !err && i < session->part_count; i++)
		err = prepare_part(session, &session->parts[i]);
	return err;
}

/* ---- pinning --------------------------------------------------------------------------------- */

static struct named_pin *find_pin(const struct named_pins *pins, const struct bpf_map *map)
{
	for (size_t i = 0; i < pins->count; i++)
		if (pins->at[i].map == map)
			return &pins->at[i];
	return NULL;
}

/* The map of an earlier object that is at a path; NULL: there is none. */
static const struct named_pin *find_made(const struct named_pins *pins, const char *path)
{
	for (size_t i = 0; i < pins->count; i++)
		if (pins->at[i].id && !strcmp(pins->at[i].path, path))
			return &pins->at[i];
	return NULL;
}

/* Makes a map the same as that of an earlier object. */
static int share_map(const struct named_pins *pins, struct bpf_map *map)
{
	const struct named_pin *pin = find_pin(pins, map);
	const struct named_pin *made = pin ? find_made(pins, pin->path) : NULL;

	if (!made)
		return 0;
	return made->is_private ? bpf_map__reuse_fd(map, bpf_map__fd(made->map))
				: bpf_map__set_pin_path(map, pin->path);
}

int named_pins__share(struct peat_session *session, struct bpf_object *object)
{
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, object)
	{
		if (!err)
			err = share_map(&session->pins, map);
	}
	return err;
}

/* 0: no such map. */
static uint32_t id_of(int map_fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	return bpf_obj_get_info_by_fd(map_fd, &info, &bytes) ? 0 : info.id;
}

static int explain_pin_error(const struct part *part, const struct named_pin *pin, int err)
{
	if (err == -EEXIST) /* since the check */
		return refuse(part, pin->map, pin->path);
	log__error("cannot pin the map %s of %s at %s: %s%s", bpf_map__name(pin->map), part->name,
		   pin->path, strerror(-err),
		   err == -EPERM || err == -EINVAL || err == -ENOENT
			   ? ": is that a BPF file system (mount -t bpf none /sys/fs/bpf)?"
			   : "");
	return err;
}

static int pin_map(const struct part *part, struct named_pin *pin)
{
	int map_fd = bpf_map__fd(pin->map);
	uint32_t id = id_of(map_fd);

	if (!id)
		return -errno;
	if (!pin->is_private && bpf_obj_pin(map_fd, pin->path))
		return explain_pin_error(part, pin, -errno);
	pin->id = id;
	return 0;
}

int named_pins__pin(struct peat_session *session, const struct part *part)
{
	const struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, part->object)
	{
		struct named_pin *pin = find_pin(&session->pins, map);

		if (!err && pin && !find_made(&session->pins, pin->path))
			err = pin_map(part, pin);
	}
	return err;
}

/* ---- removing -------------------------------------------------------------------------------- */

static void remove_pin(struct named_pin *pin)
{
	int fd = bpf_obj_get(pin->path);
	bool is_own = fd >= 0 && id_of(fd) == pin->id;

	if (fd >= 0)
		close(fd);
	if (is_own && unlink(pin->path))
		log__warn("cannot remove the pin %s: %s", pin->path, strerror(errno));
	pin->id = 0;
}

void named_pins__remove(struct peat_session *session)
{
	for (size_t i = 0; i < session->pins.count; i++)
		if (session->pins.at[i].id && !session->pins.at[i].is_private)
			remove_pin(&session->pins.at[i]);
}

void named_pins__free(struct peat_session *session)
{
	for (size_t i = 0; i < session->pins.count; i++)
		free(session->pins.at[i].path);
	free(session->pins.at);
}
