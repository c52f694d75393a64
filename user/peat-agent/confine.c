// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peat-agent/confine.c: gives up privileges that an agent never needs.
 *
 * It happens before any thread starts: capabilities and filters are those of a thread.  A reload
 * starts sources, so the capabilities of sources stay.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef HAVE_SECCOMP
#include <seccomp.h>
#endif

#include "program.h"

/* Linux 5.8 has both; older headers do not. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF	    39
#endif

#define BIT(number) (UINT64_C(1) << (number))

/* ---- capabilities ---------------------------------------------------------------------------- */

/* Sources need most of them (peat doctor); SYS_RESOURCE raises limits, IPC_LOCK is for rings. */
#define KEPT                                                                                       \
	(BIT(CAP_BPF) | BIT(CAP_PERFMON) | BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_SYS_PTRACE) |        \
	 BIT(CAP_SYSLOG) | BIT(CAP_NET_ADMIN) | BIT(CAP_SYS_RESOURCE) | BIT(CAP_IPC_LOCK))

/*
 * Before Linux 5.8, and for objects that need more, CAP_SYS_ADMIN is needed in place of two.  The
 * kernel finds programs by their ids only with it.
 */
static uint64_t kept(uint64_t permitted, bool has_pins)
{
	uint64_t both = BIT(CAP_BPF) | BIT(CAP_PERFMON);
	bool needs_admin = has_pins || (permitted & both) != both;

	return permitted & (needs_admin ? KEPT | BIT(CAP_SYS_ADMIN) : KEPT);
}

static int drop_capabilities(bool has_pins)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	uint64_t keep;

	if (syscall(SYS_capget, &header, data))
		return -errno;
	keep = kept(data[0].permitted | (uint64_t)data[1].permitted << 32, has_pins);
	for (int i = 0; i < 64; i++)
		if (!(keep & BIT(i)) && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) && errno != EINVAL &&
		    errno != EPERM)
			return -errno;
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
		return -errno;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].effective = data[i].permitted = (uint32_t)(keep >> 32 * i);
		data[i].inheritable = 0;
	}
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

/* ---- system calls ---------------------------------------------------------------------------- */

#ifdef HAVE_SECCOMP

/*
 * Refused are system calls by which an attacker who uses a fault of a parser could start a program
 * or change the machine.  All others are allowed: libraries for TLS, names and threads use calls
 * that change with their versions.
 */
static const char *const refused[] = {
	"execve",
	"execveat",
	"ptrace",
	"process_vm_readv",
	"process_vm_writev",
	"mount",
	"umount2",
	"pivot_root",
	"chroot",
	"setns",
	"unshare",
	"init_module",
	"finit_module",
	"delete_module",
	"kexec_load",
	"kexec_file_load",
	"reboot",
	"swapon",
	"swapoff",
	"add_key",
	"keyctl",
	"request_key",
	"userfaultfd",
	"settimeofday",
	"clock_settime",
	"adjtimex",
	"clock_adjtime",
	"sethostname",
	"setdomainname",
	"acct",
	"quotactl",
	"personality",
	"iopl",
	"ioperm",
	"fsopen",
	"fsmount",
	"move_mount",
	"open_tree",
	"fspick",
	"mount_setattr",
	"fsconfig",
	"io_uring_setup",
	"vhangup",
};

static int refuse_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int err = filter ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < sizeof(refused) / sizeof(*refused); i++) {
		int number = seccomp_syscall_resolve_name(refused[i]);

		/* Not on this architecture, or newer than the library. */
		if (number != __NR_SCMP_ERROR)
			err = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
	}
	err = err ?: seccomp_load(filter);
	if (filter)
		seccomp_release(filter);
	return err;
}

#else

static int refuse_calls(void)
{
	return 0;
}

#endif /* HAVE_SECCOMP */

int confine__self(bool has_pins)
{
	int err = drop_capabilities(has_pins);

	if (!err && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err = -errno;
	return err ?: refuse_calls();
}
