// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/grace_period.c: waits for running BPF programs, by an RCU grace period. */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "sys/grace_period.h"

/*
 * An update of a map of maps returns after all programs that may see the old inner map have ended
 * (maybe_wait_bpf_programs(), kernel/bpf/syscall.c, Linux 4.18 to 6.18).  membarrier(2) would be
 * shorter, but does not wait with one CPU online or under nohz_full.
 */
static int update_outer(int outer, int inner)
{
	uint32_t key = 0;

	return bpf_map_update_elem(outer, &key, &inner, BPF_ANY) ? -errno : 0;
}

static int wait_with(int inner)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = (uint32_t)inner);
	int err, outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "peat_grace", 4, 4, 1, &opts);

	if (outer < 0)
		return -errno;
	err = update_outer(outer, inner);
	close(outer);
	return err;
}

int grace_period__wait(void)
{
	int err, inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "peat_grace", 4, 4, 1, NULL);

	if (inner < 0)
		return -errno;
	err = wait_with(inner);
	close(inner);
	return err;
}
