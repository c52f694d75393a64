// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/caps.c: messages about missing capabilities. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/capability.h>

#include "sys/caps.h"

#define CAPS_OF_NAMESPACE                                                                          \
	"this is a user namespace, whose capabilities do not count for BPF and perf events: run "  \
	"it outside, as root of the machine (containers: none that is rootless)"

/* Linux 5.8 has both; older headers do not. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF	    39
#endif

static bool has(const struct __user_cap_data_struct *data, int cap)
{
	return data[cap / 32].effective & (1u << (cap % 32));
}

const char *caps__reason(bool bpf, bool perfmon, int paranoid)
{
	if (!bpf && !perfmon)
		return "CAP_BPF and CAP_PERFMON are missing: run it as root, or give them to the "
		       "program with setcap cap_bpf,cap_perfmon+ep";
	if (!bpf)
		return "CAP_BPF is missing: run it as root, or give it to the program with setcap "
		       "cap_bpf,cap_perfmon+ep";
	if (!perfmon)
		return "CAP_PERFMON is missing: run it as root, or give it to the program with "
		       "setcap cap_bpf,cap_perfmon+ep";
	if (paranoid > 2)
		return "kernel.perf_event_paranoid is above 2, and then Debian's kernels ask for "
		       "CAP_SYS_ADMIN: run it as root, or sysctl kernel.perf_event_paranoid=2";
	return "no capability is missing: is it kernel lockdown (/sys/kernel/security/lockdown), a "
	       "seccomp filter, or before Linux 5.11 RLIMIT_MEMLOCK (ulimit -l)?";
}

/* PROC_USER_INIT_INO of the kernel, linux/proc_ns.h. */
#define INITIAL_USER_NAMESPACE 0xeffffffd

bool caps__are_of_namespace(void)
{
	struct stat namespace;

	return !stat("/proc/self/ns/user", &namespace) &&
	       namespace.st_ino != INITIAL_USER_NAMESPACE;
}

/* kernel.perf_event_paranoid; 2 if it cannot be read. */
static int read_paranoid(void)
{
	char text[16] = "";
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 2;
	if (read(fd, text, sizeof(text) - 1) <= 0)
		strcpy(text, "2");
	close(fd);
	return atoi(text);
}

static bool get_caps(struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3])
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return !syscall(SYS_capget, &header, data);
}

/* The capabilities of this process; CAP_SYS_ADMIN implies the others.  False: capget(2) failed. */
static bool read_caps(bool *admin, bool *bpf, bool *perfmon)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (!get_caps(data))
		return false;
	*admin = has(data, CAP_SYS_ADMIN);
	*bpf = *admin || has(data, CAP_BPF);
	*perfmon = *admin || has(data, CAP_PERFMON);
	return true;
}

bool caps__has(int capability)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
	bool is_implied = capability == CAP_BPF || capability == CAP_PERFMON;

	return get_caps(data) &&
	       (has(data, capability) || (is_implied && has(data, CAP_SYS_ADMIN)));
}

bool caps__has_admin(void)
{
	bool admin, bpf, perfmon;

	return read_caps(&admin, &bpf, &perfmon) && admin;
}

bool caps__any_missing(void)
{
	bool admin, bpf, perfmon;

	return !read_caps(&admin, &bpf, &perfmon) || !bpf || !perfmon;
}

const char *caps__explain_network(void)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (!get_caps(data) || has(data, CAP_NET_ADMIN))
		return caps__explain();
	return "CAP_NET_ADMIN is missing, which tc and XDP programs need beside CAP_BPF and "
	       "CAP_PERFMON: run it as root, or give them to the program with setcap "
	       "cap_bpf,cap_perfmon,cap_net_admin+ep";
}

const char *caps__explain_uprobes(void)
{
	bool admin, bpf, perfmon;

	if (!read_caps(&admin, &bpf, &perfmon) || admin || !bpf || !perfmon)
		return caps__explain();
	return "CAP_SYS_ADMIN is missing, which perf events of uprobes need since Linux 6.1.146, "
	       "6.12.39 and 6.16: run it as root. Linux 6.10 and newer attach uprobes without it "
	       "(uprobe_multi), except usdt and objects with program arrays";
}

const char *caps__explain_tracefs(void)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (!get_caps(data) || has(data, CAP_DAC_READ_SEARCH) || has(data, CAP_DAC_OVERRIDE))
		return "tracefs cannot be read (ls -ld /sys/kernel/tracing), although no "
		       "capability is missing: is it a security module, or a user namespace?";
	return "CAP_DAC_READ_SEARCH is missing, without which only root reads tracefs: run it as "
	       "root, or "
	       "give it to the program with setcap cap_bpf,cap_perfmon,cap_dac_read_search+ep";
}

const char *caps__explain_memlock(void)
{
	return "raise RLIMIT_MEMLOCK (ulimit -l) or kernel.perf_event_mlock_kb, or give the "
	       "program CAP_IPC_LOCK";
}

const char *caps__explain_map_ids(void)
{
	return "CAP_SYS_ADMIN is missing, which finding BPF maps by id or name needs: run it as "
	       "root, or give the path of a pin";
}

const char *caps__explain_kallsyms(void)
{
	return "run it with CAP_SYSLOG, or set sysctl kernel.kptr_restrict=0 and "
	       "kernel.perf_event_paranoid=1";
}

const char *caps__explain_counters(void)
{
	bool admin = false, bpf = false, perfmon = false;

	if (read_caps(&admin, &bpf, &perfmon) && perfmon && caps__are_of_namespace())
		return CAPS_OF_NAMESPACE;
	if (read_caps(&admin, &bpf, &perfmon) && (admin || (perfmon && read_paranoid() <= 2)))
		return "no capability is missing: is it a security module, a seccomp filter, or "
		       "kernel lockdown (/sys/kernel/security/lockdown)?";
	if (perfmon && read_paranoid() > 2)
		return caps__reason(true, true, 3);
	return "CAP_PERFMON is missing: run it as root, give it to the program with setcap "
	       "cap_perfmon+ep, or lower kernel.perf_event_paranoid: 1 allows a user's own tasks "
	       "with the kernel, 0 all tasks, -1 tracepoints";
}

const char *caps__explain(void)
{
	bool admin, bpf, perfmon;

	if (!read_caps(&admin, &bpf, &perfmon))
		return "run it as root";
	if (bpf && perfmon && caps__are_of_namespace())
		return CAPS_OF_NAMESPACE;
	return caps__reason(bpf, perfmon, admin ? 2 : read_paranoid());
}
