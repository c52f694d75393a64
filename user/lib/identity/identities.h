/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* identity/identities.h: the identities of cgroups, by their ids.  Ids are not used again. */
#ifndef PEAT_IDENTITY_IDENTITIES_H
#define PEAT_IDENTITY_IDENTITIES_H

#include <peat/identity.h>

struct cgroup_identity;

/* A place for a cgroup: by the hash of its id, or the next free one after it. */
struct identity_slot {
	uint64_t id;
	struct cgroup_identity *entry; /* NULL: free */
};

struct identities {
	/*
	 * Apart from the entries, which are large: of many cgroups, slots are in the CPU's caches
	 * when entries are not.
	 */
	struct identity_slot *slots;
	size_t slot_count; /* a power of two, twice the entries at least; or 0 */
	size_t count;	   /* of entries */
	uint64_t seed[2];
	struct cgroup_identity *oldest, *newest;
	size_t limit; /* more entries remove the oldest */
	/*
	 * Called with each cgroup that is added, and again if its path becomes known: whether its
	 * events are wanted.  NULL: not called.
	 */
	bool (*added)(void *arg, uint64_t id, const struct peat_identity *identity);
	void *arg;
	/* peat_reader_opts.find_names, or NULL. */
	void (*find_names)(void *arg, struct peat_identity *identity);
	void *find_names_arg;
	size_t wanted; /* cgroups */
};

void identities__init(struct identities *identities, size_t limit); /* limit: at least 1 */
void identities__free(struct identities *identities);

/*
 * Adds the cgroup of this id; "": its path is unknown, and it has no container, pod and unit.  The
 * path of a cgroup that was added before is parsed again if it was unknown.  0 or -ENOMEM.
 */
int identities__add(struct identities *identities, uint64_t id, const char *path);

/* The identity, valid until the next call of identities__add(); NULL: it was not added. */
const struct peat_identity *identities__find(const struct identities *identities, uint64_t id);

#endif /* PEAT_IDENTITY_IDENTITIES_H */
