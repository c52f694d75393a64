// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/objects.c: libbpf's objects and maps of a session, for its caller. */
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/text.h"
#include "session/foreign/array_names.h"
#include "session/parts/session.h"

struct bpf_object *peat_session__object(const struct peat_session *session, uint32_t i)
{
	return i < session->part_count ? session->parts[i].object : NULL;
}

/* 0: the map does not exist yet. */
static uint32_t id_of(const struct bpf_map *map)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_map__fd(map) < 0 || bpf_obj_get_info_by_fd(bpf_map__fd(map), &info, &bytes))
		return 0;
	return info.id;
}

/* The map NAME, or OBJECT.NAME, of an object; NULL: none.  -ENOMEM in `*err`. */
static struct bpf_map *map_of_part(const struct peat_session *session, size_t part,
				   const char *name, int *err)
{
	const struct bpf_object *object = session->parts[part].object;
	struct bpf_map *map = bpf_object__find_map_by_name(object, name);
	char *start;

	if (map)
		return map;
	start = array_names__full(session, part, "");
	if (!start)
		*err = -ENOMEM;
	else if (begins_with(name, start))
		map = bpf_object__find_map_by_name(object, name + strlen(start));
	free(start);
	return map;
}

static int log_unknown_map(const char *name)
{
	log__error("no map '%s' in the objects of the session", name);
	return -ENOENT;
}

static int log_ambiguous_map(const char *name)
{
	log__error("several objects have a map '%s': name the object too, OBJECT.MAP, such as "
		   "execsnoop.%s for execsnoop.bpf.o",
		   name, name);
	return -EINVAL;
}

/* Objects share the maps of a channel, and those pinned by name: they are one map. */
struct bpf_map *peat_session__map(const struct peat_session *session, const char *name)
{
	struct bpf_map *found = NULL;
	int err = 0;

	for (size_t i = 0; !err && i < session->part_count; i++) {
		struct bpf_map *map = map_of_part(session, i, name, &err);

		if (map && found && (!id_of(map) || id_of(map) != id_of(found)))
			err = log_ambiguous_map(name);
		else if (map && !found)
			found = map;
	}
	if (!err && !found)
		err = log_unknown_map(name);
	return err ? fail_null(err) : found;
}

int peat_session__map_fd(const struct peat_session *session, const char *name)
{
	const struct bpf_map *map;
	int err = parts__check_process(session);

	if (err)
		return fail(err);
	map = peat_session__map(session, name);
	if (!map)
		return -errno;
	if (bpf_map__fd(map) >= 0)
		return bpf_map__fd(map);
	log__error("the map '%s' does not exist yet: call peat_session__start() first", name);
	return fail(-EINVAL);
}
