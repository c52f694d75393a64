// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/cgroup_identities.c: finds the identities of this machine's cgroups. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include <peat/reader.h>

#include "base/log.h"
#include "live/cgroup_identities.h"
#include "live/input.h"
#include "sys/cgroup_tree.h"

/* An entry has less than 1,400 bytes. */
#define CGROUPS_MAX 16384

static int add_cgroup(void *identities, uint64_t id, const char *path)
{
	return identities__add(identities, id, path);
}

bool cgroup_identities__open(struct identities *identities, const struct inputs *inputs,
			     const struct peat_reader_opts *opts)
{
	int err;

	identities__init(identities, CGROUPS_MAX);
	identities->added =
		inputs->channel_functions ? inputs->channel_functions->filter_cgroup : NULL;
	identities->arg = (void *)inputs->channel;
	identities->find_names = opts->find_names;
	identities->find_names_arg = opts->find_names_arg;
	err = cgroup_tree__walk(add_cgroup, identities);
	if (err == -ENOENT)
		log__warn("no cgroup2 file system is mounted: containers, pods and units that "
			  "exist already are not known: mount -t cgroup2 none /sys/fs/cgroup");
	else if (err)
		log__warn("cannot read the cgroups: containers, pods and units that exist already "
			  "may not be known: %s",
			  strerror(-err));
	else if (identities->added && !identities->wanted)
		log__warn("no container, pod or unit of this machine matches: waiting for one that "
			  "does");
	if (cgroup_tree__has_records())
		return true;
	log__warn("the controller perf_event is in a hierarchy of cgroup v1: a container that ends "
		  "before its events are read has no name");
	return false;
}

const struct peat_identity *cgroup_identities__look_up(struct identities *identities, uint64_t id)
{
	char path[PATH_MAX];

	if (cgroup_tree__find(id, path, sizeof(path)))
		*path = '\0';
	return identities__add(identities, id, path) ? NULL : identities__find(identities, id);
}
