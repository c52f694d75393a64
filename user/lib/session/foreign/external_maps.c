// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/foreign/external_maps.c: maps of other programs, and pins that outlive the session. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "session/foreign/adopt.h"
#include "channel/channel.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "session/attach/links.h"
#include "session/parts/session.h"
#include "session/foreign/external_maps.h"
#include "session/foreign/sampled_events.h"
#include "session/foreign/pinned_types.h"

/* ---- maps to read ---------------------------------------------------------------------------- */

/* 1: the map is the ring of a channel, which the session now owns. */
static int adopt_channel(struct peat_session *session, int map_fd)
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
	const struct external_maps *maps = &session->maps;

	for (uint32_t i = 0; i < maps->count; i++)
		if (is_map(maps->fds[i], id))
			return true;
	return maps->is_channel && is_map(session->channel->ring_fd, id);
}

/* A second ring per CPU would replace the first in its slot, which would then stay empty. */
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
	struct external_maps *maps = &session->maps;
	int err = parts__check_not_started(session), fd;

	if (!err && session->sampling)
		err = sampled_events__refuse();
	if (!err)
		err = check_new(session, map_fd);
	if (err)
		return fail(err);
	if (maps->is_channel) {
		log__error("a channel of other programs cannot be read together with other maps");
		return fail(-EINVAL);
	}
	if (maps->count == INPUTS_MAPS) {
		log__error("too many maps: at most %u can be read together", INPUTS_MAPS);
		return fail(-E2BIG);
	}
	err = adopt_channel(session, map_fd);
	if (err)
		return err < 0 ? fail(err) : 0;
	fd = fcntl(map_fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return fail(-errno);
	err = pinned_types__add_array(session, fd);
	if (err) {
		close(fd);
		return fail(err);
	}
	maps->fds[maps->count++] = fd;
	return 0;
}

bool external_maps__keep_programs(const struct peat_session *session)
{
	return session->maps.count || session->maps.is_channel || session->maps.pin_path ||
	       session->pins.any_stolen;
}

bool external_maps__outlive(const struct peat_session *session)
{
	const char *path = session->maps.pin_path;
	bool is_removed = path && access(path, F_OK) && errno == ENOENT;

	return external_maps__keep_programs(session) && !is_removed;
}

int external_maps__reader_opts(const struct peat_session *session,
			       const struct peat_reader_opts *callers,
			       struct peat_reader_opts *opts)
{
	int err;

	*opts = (struct peat_reader_opts)PEAT_READER_OPTS_INIT;
	err = opts__read(opts, sizeof(*opts), callers, "peat_reader_opts");
	if (external_maps__keep_programs(session))
		opts->keep_slots = true;
	return err;
}

/* ---- pins ------------------------------------------------------------------------------------ */

int peat_session__pin(struct peat_session *session, const char *path)
{
	int err = parts__check_not_started(session);

	if (!err && session->maps.pin_path) {
		log__error("the session is pinned already, at %s", session->maps.pin_path);
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

int external_maps__prepare(const struct peat_session *session, struct bpf_object *object)
{
	struct bpf_map *map;
	int err = 0;

	if (session->maps.count || session->maps.is_channel) {
		log__error("maps of other programs cannot be read together with objects");
		return -EINVAL;
	}
	if (!session->maps.pin_path)
		return 0;
	bpf_object__for_each_map(map, object)
	{
		/* Neither the channel's map nor one that is pinned already. */
		if (!err && is_array(map) && bpf_map__fd(map) < 0 && !bpf_map__pin_path(map))
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
		   : err == -EEXIST ? ": read it (peat_session__add_map()), or end it with rm -r"
				    : "");
	return err;
}

/* The path of a pin: DIRECTORY/KIND-NAME.  NULL: no memory. */
static char *path_of(const struct peat_session *session, const char *kind, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s-%s", session->maps.pin_path, kind, name) < 0)
		return NULL;
	for (char *at = strrchr(path, '/') + 1; *at; at++)
		if (*at == '.') /* bpffs refuses it */
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

/* Without its type, the map can still be read. */
static int pin_type(const struct peat_session *session, const struct array *array)
{
	char *path = path_of(session, "type", array->name);
	int err = path ? pinned_types__pin(array, path) : -ENOMEM;

	if (err && path)
		log__warn("cannot pin %s: %s: events of %s will be bytes for the next reader", path,
			  strerror(-err), array->name);
	free(path);
	return path ? 0 : -ENOMEM;
}

static int pin_arrays(const struct peat_session *session)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < session->array_count; i++) {
		const struct array *array = &session->arrays[i];

		err = pin_map(session, array->name, bpf_map__fd(array->map));
		if (!err)
			err = pin_type(session, array);
	}
	return err;
}

/* Before Linux 5.15, programs of tracepoints, kprobes, uprobes and perf events have no link. */
static int explain_pin_link(const struct peat_session *session, uint32_t number, const char *path,
			    int err)
{
	if (links__is_link(session, number))
		return explain_pin(path, err);
	log__error(
		"cannot pin %s: programs of tracepoints, kprobes, uprobes and perf events can be "
		"pinned on Linux 5.15 and newer: use raw_tp or tp_btf instead of tp",
		path);
	return -EOPNOTSUPP;
}

/* Links have numbers: one program may have several. */
static int pin_link(const struct peat_session *session, uint32_t number)
{
	char name[16], *path;
	int err;

	snprintf(name, sizeof(name), "%u", number);
	path = path_of(session, "link", name);
	err = path ? links__pin(session, number, path) : -ENOMEM;
	if (err && path)
		err = explain_pin_link(session, number, path, err);
	free(path);
	return err;
}

/* Removes an incomplete directory of pins. */
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

int external_maps__pin(const struct peat_session *session)
{
	const char *directory = session->maps.pin_path;
	int err = 0;

	if (!directory)
		return 0;
	if (mkdir(directory, 0700))
		return explain_pin(directory, -errno);
	if (session->channel)
		err = pin_map(session, "peat_ring", session->channel->ring_fd);
	else
		err = pin_arrays(session);
	for (uint32_t i = 0; !err && i < session->link_count; i++)
		err = pin_link(session, i);
	if (err)
		unpin(directory);
	return err;
}

/* ---------------------------------------------------------------------------------------------- */

void external_maps__free(struct peat_session *session)
{
	for (uint32_t i = 0; i < session->maps.count; i++)
		close(session->maps.fds[i]);
	free(session->maps.pin_path);
}
