// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/map_memory.c: RLIMIT_MEMLOCK as the limit of BPF maps. */
#include <sys/resource.h>
#include <bpf/libbpf.h>

#include "object/map_memory.h"
#include "sys/caps.h"

/* Linux 5.11 has both this helper and the memory cgroup's limit: libbpf concludes so, too. */
bool map_memory__is_limited(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_ktime_get_coarse_ns, NULL) ==
	       0;
}

void map_memory__raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    !map_memory__is_limited())
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_MEMLOCK,
		  &limit); /* otherwise the kernel refuses, and explain() says why */
}

const char *map_memory__explain(void)
{
	struct rlimit limit;

	if (caps__any_missing() || getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY || !map_memory__is_limited())
		return caps__explain();
	return "RLIMIT_MEMLOCK is too low, which limits the memory of BPF maps and programs before "
	       "Linux 5.11: raise it (ulimit -l unlimited), or give the program CAP_SYS_RESOURCE";
}
