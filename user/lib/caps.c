// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* caps.c: which capability is missing. */
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/capability.h>

#include "caps.h"

/* Linux 5.8 has both; older headers do not. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF	    39
#endif

static bool has(const struct __user_cap_data_struct *data, int cap)
{
	return data[cap / 32].effective & (1u << (cap % 32));
}

const char *caps__explain(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
	bool bpf, perfmon;

	if (syscall(SYS_capget, &header, data))
		return "run it as root";
	bpf = has(data, CAP_BPF) || has(data, CAP_SYS_ADMIN);
	perfmon = has(data, CAP_PERFMON) || has(data, CAP_SYS_ADMIN);
	if (!bpf && !perfmon)
		return "CAP_BPF and CAP_PERFMON are missing: run it as root, or give them to the "
		       "program with setcap cap_bpf,cap_perfmon+ep";
	if (!bpf)
		return "CAP_BPF is missing: run it as root, or give it to the program with setcap "
		       "cap_bpf,cap_perfmon+ep";
	if (!perfmon)
		return "CAP_PERFMON is missing: run it as root, or give it to the program with "
		       "setcap cap_bpf,cap_perfmon+ep";
	return "no capability is missing: look for kernel lockdown "
	       "(/sys/kernel/security/lockdown), "
	       "a seccomp filter, or kernel.perf_event_paranoid above 2";
}
