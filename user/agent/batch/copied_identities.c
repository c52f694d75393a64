// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* batch/copied_identities.c: copies the identities of a batch's tasks. */
#include <string.h>

#include "batch/copied_identities.h"

struct copy {
	struct hash_link link;
	uint64_t cgroup;
	struct peat_identity identity;
};

static struct copy *find(const struct copied_identities *identities, uint64_t cgroup)
{
	struct hash_link *link = hash__first(&identities->hash, hash__number(cgroup));

	while (link && HASH_ENTRY(link, struct copy, link)->cgroup != cgroup)
		link = hash__next(link);
	return link ? HASH_ENTRY(link, struct copy, link) : NULL;
}

const struct peat_identity *copied_identities__get(struct copied_identities *identities,
						   uint64_t cgroup,
						   const struct peat_identity *identity)
{
	struct copy *copy = find(identities, cgroup);

	if (copy)
		return &copy->identity;
	copy = arena__take(&identities->memory, sizeof(*copy));
	if (!copy)
		return NULL;
	copy->cgroup = cgroup;
	copy->identity = *identity;
	if (identity->path) {
		copy->identity.path =
			arena__copy(&identities->memory, identity->path, strlen(identity->path));
		if (!copy->identity.path)
			return NULL;
	}
	return hash__add(&identities->hash, &copy->link, hash__number(cgroup)) ? NULL
									       : &copy->identity;
}

void copied_identities__free(struct copied_identities *identities)
{
	hash__free(&identities->hash);
	arena__free(&identities->memory);
}
