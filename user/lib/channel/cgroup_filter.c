// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/cgroup_filter.c: the cgroups whose events programs do not send. */
#include <errno.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "base/log.h"
#include "channel/cgroup_filter.h"
#include "object/globals.h"
#include "where/tree.h"

static int create_map(struct peat_channel *channel)
{
	if (channel->left_out_fd < 0)
		channel->left_out_fd = bpf_map_create(BPF_MAP_TYPE_LRU_HASH, "peat_left_out", 8, 4,
						      PEAT_CGROUPS_LEFT_OUT, NULL);
	return channel->left_out_fd < 0 ? -errno : 0;
}

/* Adds to the filters that are set already. */
static int add_filter(struct bpf_object *object)
{
	size_t bytes;
	const uint32_t *set = globals__find(object, "peat_filters", &bytes);
	uint32_t filters = PEAT_FILTER_IDENTITY | (set && bytes == sizeof(*set) ? *set : 0);

	return globals__set(object, "peat_filters", &filters, sizeof(filters));
}

/* An object that was compiled with an older peat.bpf.h has no such map: the reader filters. */
int cgroup_filter__set(struct peat_channel *channel, struct bpf_object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, "peat_left_out");
	int err;

	if (!map || !channel->opts.where || !where__names_identity(channel->opts.where))
		return 0;
	err = create_map(channel) ?: bpf_map__reuse_fd(map, channel->left_out_fd);
	if (!err)
		err = add_filter(object);
	if (err)
		log__error("%s: cannot filter by container, pod or unit: %s",
			   bpf_object__name(object), strerror(-err));
	return err;
}

/* If the map cannot be changed, programs send the events, and the reader rejects them. */
bool cgroup_filter__update(const struct peat_channel *channel, uint64_t cgroup,
			   const struct peat_identity *identity)
{
	uint32_t is_left_out = 1;

	if (channel->left_out_fd < 0)
		return true;
	if (!where__excludes(channel->opts.where, identity)) {
		bpf_map_delete_elem(channel->left_out_fd, &cgroup);
		return true;
	}
	bpf_map_update_elem(channel->left_out_fd, &cgroup, &is_left_out, BPF_ANY);
	return false;
}
