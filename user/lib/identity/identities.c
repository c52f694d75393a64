// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* identity/identities.c: keeps the identities of cgroups, also of those that were removed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/number_hash.h"
#include "identity/identities.h"

struct cgroup_identity {
	struct cgroup_identity *newer;
	uint64_t id;
	char *path; /* NULL: unknown */
	struct peat_identity identity;
};

void identities__init(struct identities *identities, size_t limit)
{
	*identities = (struct identities){ .limit = limit };
	sip_hash__seed(identities->seed);
}

/* ---- slots ----------------------------------------------------------------------------------- */

#define SLOTS_LEAST 32

static size_t home_of(const struct identities *identities, uint64_t id)
{
	return number_hash(identities->seed, id) & (identities->slot_count - 1);
}

static size_t next_of(const struct identities *identities, size_t at)
{
	return (at + 1) & (identities->slot_count - 1);
}

/* The slot of the id, or the free one where it belongs. */
static size_t find_slot(const struct identities *identities, uint64_t id)
{
	size_t at = home_of(identities, id);

	while (identities->slots[at].entry && identities->slots[at].id != id)
		at = next_of(identities, at);
	return at;
}

static void put(struct identities *identities, struct cgroup_identity *entry)
{
	identities->slots[find_slot(identities, entry->id)] =
		(struct identity_slot){ entry->id, entry };
}

static int grow(struct identities *identities)
{
	struct identities grown = *identities;

	grown.slot_count = identities->slot_count ? 2 * identities->slot_count : SLOTS_LEAST;
	grown.slots = calloc(grown.slot_count, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (size_t i = 0; i < identities->slot_count; i++)
		if (identities->slots[i].entry)
			put(&grown, identities->slots[i].entry);
	free(identities->slots);
	*identities = grown;
	return 0;
}

/* Later entries move up to the free slot, unless they would pass their home. */
static void free_slot(struct identities *identities, size_t at)
{
	struct identity_slot *slots = identities->slots;
	size_t mask = identities->slot_count - 1;

	for (size_t next = next_of(identities, at); slots[next].entry;
	     next = next_of(identities, next)) {
		size_t home = home_of(identities, slots[next].id);

		if (((next - home) & mask) < ((next - at) & mask))
			continue;
		slots[at] = slots[next];
		at = next;
	}
	slots[at].entry = NULL;
}

/* ---------------------------------------------------------------------------------------------- */

static void remove_oldest(struct identities *identities)
{
	struct cgroup_identity *oldest = identities->oldest;

	free_slot(identities, find_slot(identities, oldest->id));
	identities->count--;
	identities->oldest = oldest->newer;
	free(oldest->path);
	free(oldest);
}

void identities__free(struct identities *identities)
{
	while (identities->oldest)
		remove_oldest(identities);
	free(identities->slots);
	identities->slots = NULL;
	identities->slot_count = 0;
}

static struct cgroup_identity *find(const struct identities *identities, uint64_t id)
{
	return identities->slot_count ? identities->slots[find_slot(identities, id)].entry : NULL;
}

static struct cgroup_identity *add(struct identities *identities, uint64_t id)
{
	struct cgroup_identity *added;

	if (2 * (identities->count + 1) > identities->slot_count && grow(identities))
		return NULL;
	added = calloc(1, sizeof(*added));
	if (!added)
		return NULL;
	added->id = id;
	added->identity.sz = sizeof(added->identity);
	put(identities, added);
	if (!identities->count)
		identities->oldest = added;
	else
		identities->newest->newer = added;
	identities->newest = added;
	if (++identities->count > identities->limit)
		remove_oldest(identities);
	return added;
}

/* A caller's function may have left a text without its end. */
static void find_names(const struct identities *identities, struct peat_identity *identity)
{
	if (!identities->find_names || (!*identity->container && !*identity->pod))
		return;
	identities->find_names(identities->find_names_arg, identity);
	identity->container_name[sizeof(identity->container_name) - 1] = '\0';
	identity->pod_name[sizeof(identity->pod_name) - 1] = '\0';
}

int identities__add(struct identities *identities, uint64_t id, const char *path)
{
	struct cgroup_identity *entry = find(identities, id);
	bool is_new = !entry;
	int err;

	if (!entry)
		entry = add(identities, id);
	if (!entry)
		return -ENOMEM;
	if (entry->path || (!is_new && !*path))
		return 0;
	entry->path = *path ? strdup(path) : NULL;
	if (*path && !entry->path)
		return -ENOMEM;
	err = peat_identity__parse(entry->path ? entry->path : "", &entry->identity);
	if (!err)
		find_names(identities, &entry->identity);
	if (!err && identities->added)
		identities->wanted += identities->added(identities->arg, id, &entry->identity);
	return err;
}

const struct peat_identity *identities__find(const struct identities *identities, uint64_t id)
{
	const struct cgroup_identity *entry = find(identities, id);

	return entry ? &entry->identity : NULL;
}
