// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session_maps.c: maps that others made, and producers that outlive their reader. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "session/adopt.h"
#include "channel/channel.h"
#include "base/internal.h"
#include "session/parts.h"
#include "session/external_maps.h"

/* ---- maps of others -------------------------------------------------------------------------- */

/* 1: it was the ring of a channel, which is the session's now. */
static int adopt(struct peat_session *session, int map_fd)
{
	struct peat_channel *channel;
	int found = adopt__channel(map_fd, &channel);

	if (found <= 0)
		return found;
	if (!session->channel && !session->part_count && !session->maps.count) {
		session->channel = channel;
		session->maps.is_channel = true;
		return found;
	}
	peat_channel__free(channel);
	log__error("the channel of other programs cannot be read together with anything else");
	return -EINVAL;
}

static bool is_map(int fd, uint32_t id)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	return !bpf_obj_get_info_by_fd(fd, &info, &bytes) && info.id == id;
}

static bool has_map(const struct peat_session *session, uint32_t id)
{
	const struct session_maps *maps = &session->maps;

	for (uint32_t i = 0; i < maps->count; i++)
		if (is_map(maps->fds[i], id))
			return true;
	return maps->is_channel && is_map(session->channel->ring_fd, id);
}

/* The second ring of a CPU would take the slot from the first, and that one stay empty. */
static int check_new(const struct peat_session *session, int map_fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(map_fd, &info, &bytes))
		return -errno;
	if (!has_map(session, info.id))
		return 0;
	log__error("map %s (id %u) is named twice", info.name, info.id);
	return -EEXIST;
}

int peat_session__add_map(struct peat_session *session, int map_fd)
{
	struct session_maps *maps = &session->maps;
	int err = parts__check_not_started(session), fd;

	if (!err)
		err = check_new(session, map_fd);
	if (err)
		return fail(err);
	if (maps->is_channel) {
		log__error("a channel of other programs cannot be read together with other maps");
		return fail(-EINVAL);
	}
	if (maps->count == LIVE_MAPS) {
		log__error("more than %u maps at once are too many", LIVE_MAPS);
		return fail(-E2BIG);
	}
	err = adopt(session, map_fd);
	if (err)
		return err < 0 ? fail(err) : 0;
	fd = fcntl(map_fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return fail(-errno);
	maps->fds[maps->count++] = fd;
	return 0;
}

bool session_maps__are_kept(const struct peat_session *session)
{
	return session->maps.count || session->maps.is_channel || session->maps.pin_path;
}

int session_maps__adapt(const struct peat_session *session, const struct peat_reader_opts *callers,
			struct peat_reader_opts *opts)
{
	int err;

	*opts = (struct peat_reader_opts)PEAT_READER_OPTS_INIT;
	opts->names = !callers;
	err = opts__read(opts, sizeof(*opts), callers, "peat_reader_opts");
	if (session_maps__are_kept(session))
		opts->keep_slots = true;
	return err;
}

/* ---- producers that stay --------------------------------------------------------------------- */

int peat_session__pin(struct peat_session *session, const char *path)
{
	int err = parts__check_not_started(session);

	if (!err && session->maps.pin_path) {
		log__error("a session is pinned in one place, which is %s already",
			   session->maps.pin_path);
		err = -EBUSY;
	}
	if (err)
		return fail(err);
	session->maps.pin_path = strdup(path);
	return session->maps.pin_path ? 0 : fail(-ENOMEM);
}

static bool is_array(const struct bpf_map *map)
{
	return bpf_map__type(map) == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
}

int session_maps__prepare(const struct peat_session *session, struct bpf_object *object)
{
	struct bpf_map *map;
	int err = 0;

	if (session->maps.count || session->maps.is_channel) {
		log__error("maps of others cannot be read together with objects");
		return -EINVAL;
	}
	if (!session->maps.pin_path)
		return 0;
	bpf_object__for_each_map(map, object)
	{
		if (!err && is_array(map) && bpf_map__fd(map) < 0) /* no channel's */
			err = bpf_map__set_map_flags(map, bpf_map__map_flags(map) |
								  BPF_F_PRESERVE_ELEMS);
	}
	return err;
}

static int explain_pin(const char *path, int err)
{
	log__error("cannot pin %s: %s%s", path, strerror(-err),
		   err == -EPERM || err == -EINVAL
			   ? ": is that a BPF file system (mount -t bpf none /sys/fs/bpf)?"
		   : err == -EEXIST ? ": read it with --map, or end it with rm -r"
				    : "");
	return err;
}

/* The path of what is pinned: DIRECTORY/map-NAME; NULL: no memory. */
static char *path_of(const struct peat_session *session, const char *kind, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s-%s", session->maps.pin_path, kind, name) < 0)
		return NULL;
	for (char *at = strrchr(path, '/') + 1; *at; at++)
		if (*at == '.') /* which bpffs refuses */
			*at = '_';
	return path;
}

static int pin_map(const struct peat_session *session, const char *name, int map_fd)
{
	char *path = path_of(session, "map", name);
	int err = path ? 0 : -ENOMEM;

	if (path && bpf_obj_pin(map_fd, path))
		err = -errno;
	if (err && path)
		explain_pin(path, err);
	free(path);
	return err;
}

static int pin_maps(const struct peat_session *session, const struct bpf_object *object)
{
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, object)
	{
		if (!err && is_array(map))
			err = pin_map(session, bpf_map__name(map), bpf_map__fd(map));
	}
	return err;
}

/* Links are numbered: several may be of one program. */
static int pin_link(const struct peat_session *session, int number)
{
	char name[16], *path;
	int err;

	snprintf(name, sizeof(name), "%d", number);
	path = path_of(session, "link", name);
	err = path ? bpf_link__pin(session->links[number], path) : -ENOMEM;
	if (err && path)
		explain_pin(path, err);
	free(path);
	return err;
}

/* What of it was made, if it did not become whole. */
static void unpin(const char *directory)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;

	while (entries && (entry = readdir(entries)))
		if (*entry->d_name != '.')
			unlinkat(dirfd(entries), entry->d_name, 0);
	if (entries)
		closedir(entries);
	rmdir(directory);
}

int session_maps__pin(const struct peat_session *session)
{
	const char *directory = session->maps.pin_path;
	int err = 0;

	if (!directory)
		return 0;
	if (mkdir(directory, 0700))
		return explain_pin(directory, -errno);
	if (session->channel)
		err = pin_map(session, "peat_ring", session->channel->ring_fd);
	for (size_t i = 0; !err && !session->channel && i < session->part_count; i++)
		err = pin_maps(session, session->parts[i].object);
	for (int i = 0; !err && i < session->link_count; i++)
		err = pin_link(session, i);
	if (err)
		unpin(directory);
	return err;
}

/* ---------------------------------------------------------------------------------------------- */

void session_maps__free(struct peat_session *session)
{
	for (uint32_t i = 0; i < session->maps.count; i++)
		close(session->maps.fds[i]);
	free(session->maps.pin_path);
}
