/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/cgroup_filter.h: programs drop events of cgroups whose container, pod or unit the
 * channel's expression excludes (PEAT_FILTER_IDENTITY).
 *
 * Programs cannot parse the path of a cgroup, so they have a map of the cgroups to leave out.
 * Events of a cgroup that the map does not have yet are sent, and the reader tests them: the
 * filter misses no event of a container that begins.
 */
#ifndef PEAT_CHANNEL_CGROUP_FILTER_H
#define PEAT_CHANNEL_CGROUP_FILTER_H

#include "channel/channel.h"

struct bpf_object;
struct peat_identity;

/*
 * Makes the programs of an object filter, if the channel's expression names a part of the
 * identity.  The object's programs send the owner of events.  0, or a negative errno that the log
 * explains.
 */
int cgroup_filter__set(struct peat_channel *channel, struct bpf_object *object);

/* Leaves a cgroup out by its identity.  False: it is left out.  Without a filter: true. */
bool cgroup_filter__update(const struct peat_channel *channel, uint64_t cgroup,
			   const struct peat_identity *identity);

#endif /* PEAT_CHANNEL_CGROUP_FILTER_H */
