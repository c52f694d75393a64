// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/capabilities.c: checks the capabilities of this process, one by one. */
#include <linux/capability.h>

#include "machine/check.h"
#include "sys/caps.h"

/* Linux 5.8 has both; older headers do not. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF	    39
#endif

#define REMEDY(name) "run it as root, or give it to the program with setcap " name "+ep"

static const struct capability {
	int number;
	enum peat_check_state without;
	const char *use, *remedy;
} capabilities[] = {
	{ CAP_BPF, PEAT_CHECK_MISSING, "no BPF program can be loaded",
	  REMEDY("cap_bpf,cap_perfmon") },
	{ CAP_PERFMON, PEAT_CHECK_MISSING, "no program of a probe can be loaded or attached",
	  REMEDY("cap_bpf,cap_perfmon") },
	{ CAP_SYS_ADMIN, PEAT_CHECK_LIMITED,
	  "no types of kernel modules, no maps of other programs by id, no programs that a former "
	  "agent has pinned; before Linux 6.10 some kernels attach no uprobes",
	  REMEDY("cap_sys_admin") },
	{ CAP_NET_ADMIN, PEAT_CHECK_LIMITED, "no programs of tc, XDP and sockets",
	  REMEDY("cap_bpf,cap_perfmon,cap_net_admin") },
	{ CAP_DAC_READ_SEARCH, PEAT_CHECK_LIMITED,
	  "files of root cannot be read, such as those of tracefs",
	  REMEDY("cap_bpf,cap_perfmon,cap_dac_read_search") },
	{ CAP_SYS_PTRACE, PEAT_CHECK_LIMITED,
	  "the libraries of processes of other users are unknown",
	  REMEDY("cap_bpf,cap_perfmon,cap_sys_ptrace") },
	{ CAP_SYSLOG, PEAT_CHECK_LIMITED, "addresses of the kernel have no names",
	  REMEDY("cap_bpf,cap_perfmon,cap_syslog") },
	{ CAP_IPC_LOCK, PEAT_CHECK_LIMITED, "rings have to fit RLIMIT_MEMLOCK",
	  REMEDY("cap_bpf,cap_perfmon,cap_ipc_lock") },
};

static void check_capability(struct check *check, int i)
{
	const struct capability *capability = &capabilities[i];

	if (!caps__has(capability->number))
		check__fail(check, capability->without, capability->remedy, "missing: %s",
			    capability->use);
	else
		check__pass(check, caps__are_of_namespace() ? "yes, in a user namespace" : "yes");
}

const struct check_row capabilities__rows[] = {
	{ "CAP_BPF", check_capability, 0 },
	{ "CAP_PERFMON", check_capability, 1 },
	{ "CAP_SYS_ADMIN", check_capability, 2 },
	{ "CAP_NET_ADMIN", check_capability, 3 },
	{ "CAP_DAC_READ_SEARCH", check_capability, 4 },
	{ "CAP_SYS_PTRACE", check_capability, 5 },
	{ "CAP_SYSLOG", check_capability, 6 },
	{ "CAP_IPC_LOCK", check_capability, 7 },
	{ 0 },
};
