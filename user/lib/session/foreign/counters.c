// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * session/foreign/counters.c: the counters that programs read, of objects with and without a
 * channel.
 */
#include <errno.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "channel/channel.h"
#include "live/source.h"
#include "session/foreign/counters.h"
#include "session/parts/session.h"

int counters__add(struct peat_session *session)
{
	const struct part *part = &session->parts[session->part_count - 1];

	session->counters_before = session->counters.count;
	return map_counters__add(&session->counters, part->object, part->name);
}

void counters__remove_last(struct peat_session *session)
{
	map_counters__truncate(&session->counters, session->counters_before);
}

bool counters__has(const struct peat_session *session, const struct bpf_map *map)
{
	return map_counters__has(&session->counters, map);
}

int counters__open(struct peat_session *session)
{
	if (!session->counters.count)
		return 0;
	return live_source__open_counters(session->reader, &session->counters);
}

int counters__set(struct peat_session *session, const char *name, const char *event)
{
	struct map_counters *counters =
		session->channel ? &session->channel->counters : &session->counters;
	int found = map_counters__set(counters, name, event);

	if (found == -ENOMEM)
		log__error("cannot set the event of the counter %s: %s", name, strerror(-found));
	return found > 0 ? parts__check_not_started(session) ?: found : found;
}

void counters__free(struct peat_session *session)
{
	map_counters__free(&session->counters);
}
