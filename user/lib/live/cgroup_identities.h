/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/cgroup_identities.h: the identities of this machine's cgroups (v2).
 *
 * Those that exist are read when the reader is opened, and the kernel's records have the paths of
 * later ones.  So a container that has ended before its events are read has its identity.  A cgroup
 * that neither has is looked for by its id: no records are written for cgroups without the
 * controller perf_event, which the first write to cgroup.subtree_control enables.
 */
#ifndef PEAT_LIVE_CGROUP_IDENTITIES_H
#define PEAT_LIVE_CGROUP_IDENTITIES_H

#include "identity/identities.h"

struct inputs;
struct peat_reader_opts;

/*
 * Adds the cgroups that exist.  Programs of a channel leave out those of which no event is
 * wanted, now and later.  A failure is logged: identities are unknown then.  False: the records of
 * this machine are of other cgroups, which is logged, too.
 */
bool cgroup_identities__open(struct identities *identities, const struct inputs *inputs,
			     const struct peat_reader_opts *opts);

/* Looks for a cgroup that was not added, and adds it, also if it is not there any more. */
const struct peat_identity *cgroup_identities__look_up(struct identities *identities, uint64_t id);

#endif /* PEAT_LIVE_CGROUP_IDENTITIES_H */
