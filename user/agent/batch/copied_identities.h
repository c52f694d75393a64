/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* batch/copied_identities.h: copies of the identities of a batch's tasks, one for each cgroup. */
#ifndef PEAT_BATCH_COPIED_IDENTITIES_H
#define PEAT_BATCH_COPIED_IDENTITIES_H

#include <peat/identity.h>

#include "base/arena.h"
#include "base/hash.h"

/* Zeroes: none. */
struct copied_identities {
	struct arena memory;
	struct hash hash; /* by cgroup */
};

/* The copy for a cgroup, whose identity does not change; made at its first event.  NULL: no memory.
 */
const struct peat_identity *copied_identities__get(struct copied_identities *identities,
						   uint64_t cgroup,
						   const struct peat_identity *identity);

void copied_identities__free(struct copied_identities *identities);

#endif /* PEAT_BATCH_COPIED_IDENTITIES_H */
