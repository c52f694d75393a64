// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/map_users.c: the users of a map, in words, for messages. */
#include <unistd.h>
#include <bpf/bpf.h>

#include <peat/map.h>

#include "maps/list.h"
#include "maps/map_users.h"

#define PROGRAMS_MAX 5 /* named in one message */

static void append_holders(struct strbuf *out, const struct peat_map *map)
{
	for (uint32_t i = 0; i < map->holder_count; i++) {
		strbuf__text(out, i ? ", process " : "it is held by process ");
		strbuf__unsigned(out, map->holders[i].pid);
		strbuf__text(out, " (");
		strbuf__text(out, map->holders[i].comm);
		strbuf__char(out, ')');
	}
}

void map_users__append(struct strbuf *out, const struct peat_map *map)
{
	append_holders(out, map);
	for (uint32_t i = 0; i < map->pin_count; i++) {
		strbuf__text(out, i		      ? ", "
				  : map->holder_count ? "; it is pinned at "
						      : "it is pinned at ");
		strbuf__text(out, map->pins[i]);
	}
	strbuf__char(out, 0);
}

static void append_programs(struct strbuf *out, const struct peat_map *map)
{
	for (uint32_t i = 0; i < map->program_count && i < PROGRAMS_MAX; i++) {
		strbuf__text(out, i ? ", program " : "; it is used by program ");
		strbuf__unsigned(out, map->programs[i].id);
		strbuf__text(out, " (");
		strbuf__text(out, map->programs[i].name);
		strbuf__char(out, ')');
	}
	if (map->program_count > PROGRAMS_MAX) {
		strbuf__text(out, " and ");
		strbuf__unsigned(out, map->program_count - PROGRAMS_MAX);
		strbuf__text(out, " more");
	}
}

void map_users__append_of_pin(struct strbuf *out, const char *path)
{
	int fd = bpf_obj_get(path);
	struct peat_maps *maps = fd < 0 ? NULL : maps__new_of(fd);
	const struct peat_map *map = maps ? peat_maps__at(maps, 0) : NULL;
	bool is_held = map && map->holder_count;

	if (is_held)
		append_holders(out, map);
	else
		strbuf__text(out, "no process is seen that holds it");
	if (map)
		append_programs(out, map);
	if (!is_held) {
		strbuf__text(out, ": if it is a remnant, remove it: rm ");
		strbuf__text(out, path);
	}
	strbuf__char(out, 0);
	peat_maps__free(maps);
	if (fd >= 0)
		close(fd);
}
