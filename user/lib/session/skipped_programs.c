// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/skipped_programs.c: finds the programs that write to the maps of a raw reader. */
#include <errno.h>
#include <peat/map.h>

#include "channel/skipped.h"
#include "live/source.h"
#include "maps/list.h"
#include "session/parts/session.h"
#include "session/skipped_programs.h"

/* Without CAP_SYS_ADMIN, the programs of others are not found. */
static int add_programs_of(struct skipped *skipped, int map_fd)
{
	struct peat_maps *maps = maps__new_of(map_fd);
	const struct peat_map *map = maps ? peat_maps__at(maps, 0) : NULL;
	int err = maps ? 0 : -errno;

	if (!map || !map->program_count)
		skipped->is_unknown = true;
	for (uint32_t i = 0; map && !err && i < map->program_count; i++)
		err = skipped__add_id(skipped, map->programs[i].id);
	peat_maps__free(maps);
	return err;
}

int skipped_programs__count(const struct peat_session *session)
{
	struct skipped *skipped = live_source__skipped(session->reader);
	int err = 0;

	if (session->channel || session->sampling)
		return 0;
	skipped->is_unknown = false;
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = skipped__add_object(skipped, session->parts[i].object);
	for (uint32_t i = 0; !err && i < session->maps.count; i++)
		err = add_programs_of(skipped, session->maps.fds[i]);
	return err;
}
