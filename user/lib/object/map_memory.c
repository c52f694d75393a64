// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/map_memory.c: RLIMIT_MEMLOCK as the limit of BPF maps. */
#include <sys/resource.h>
#include <bpf/libbpf.h>

#include "object/map_memory.h"

/* Linux 5.11 has both this helper and the memory cgroup's limit: libbpf concludes so, too. */
bool map_memory__is_limited(void)
{
	return !libbpf_probe_bpf_helper(BPF_PROG_TYPE_SOCKET_FILTER, BPF_FUNC_ktime_get_coarse_ns,
					NULL);
}

/* Raises it before the trial, which loads a program.  If the kernel still refuses maps, the caller
 * reports that.
 */
void map_memory__raise_limit(void)
{
	struct rlimit limit, raised;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	raised = limit;
	raised.rlim_cur = limit.rlim_max;
	if (!setrlimit(RLIMIT_MEMLOCK, &raised) && !map_memory__is_limited())
		setrlimit(RLIMIT_MEMLOCK, &limit);
}
