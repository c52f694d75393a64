// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/kernel_files.c: checks the file systems by which the kernel describes itself. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "machine/check.h"
#include "object/kernel_btf.h"
#include "sys/caps.h"
#include "sys/cgroup.h"
#include "sys/kallsyms.h"
#include "sys/tracefs.h"

static void check_btf(struct check *check, int unused)
{
	(void)unused;
	if (kernel_btf__is_missing())
		check__fail(check, PEAT_CHECK_MISSING,
			    "mount sysfs at /sys; for a kernel without CONFIG_DEBUG_INFO_BTF, "
			    "name a file of its types: btf of peat_session_opts",
			    "no " KERNEL_BTF ": programs that use types of the kernel cannot be "
			    "loaded");
	else
		check__pass(check, KERNEL_BTF);
}

static void check_tracefs(struct check *check, int unused)
{
	int id = tracefs__read_id("sched/sched_switch");

	(void)unused;
	if (id >= 0)
		check__pass(check, "tracepoints can be read");
	else if (id == -ENODEV)
		check__fail(check, PEAT_CHECK_MISSING,
			    "mount -t tracefs none /sys/kernel/tracing, or run it as root; "
			    "containers: -v /sys/kernel/tracing:/sys/kernel/tracing:ro",
			    "tracefs is not mounted: tracepoints and kprobes cannot be attached");
	else if (id == -EACCES || id == -EPERM)
		check__fail(check, PEAT_CHECK_LIMITED, caps__explain_tracefs(),
			    "tracefs cannot be read: %s", strerror(-id));
	else
		check__fail(check, PEAT_CHECK_LIMITED, NULL, "no tracepoint sched:sched_switch: %s",
			    strerror(-id));
}

static void check_kallsyms(struct check *check, int unused)
{
	const char *name;
	uint64_t address;

	(void)unused;
	if (kallsyms__text(&name, &address))
		check__pass(check, "functions of the kernel have names");
	else
		check__fail(check, PEAT_CHECK_LIMITED, caps__explain_kallsyms(),
			    "/proc/kallsyms has no addresses: functions of the kernel have no "
			    "names");
}

#define BPFFS "/sys/fs/bpf"

/* Nothing is pinned: access(2) finds file systems that are read-only, too. */
static void check_bpffs(struct check *check, int unused)
{
	struct statfs system;

	(void)unused;
	if (statfs(BPFFS, &system) || (unsigned long)system.f_type != BPF_FS_MAGIC)
		check__fail(check, PEAT_CHECK_LIMITED, "mount -t bpf none " BPFFS,
			    "not mounted at " BPFFS
			    ": nothing can be pinned by peat_session__pin()");
	else if (faccessat(AT_FDCWD, BPFFS, W_OK, AT_EACCESS))
		check__fail(check, PEAT_CHECK_LIMITED,
			    errno == EROFS ? "mount -o remount,rw " BPFFS
					   : "run it as root, or chown " BPFFS,
			    "nothing can be pinned in " BPFFS " by peat_session__pin(): %s",
			    strerror(errno));
	else
		check__pass(check, "writable at " BPFFS);
}

static void check_cgroup(struct check *check, int unused)
{
	int fd = cgroup__open("/", O_PATH);

	(void)unused;
	if (fd >= 0)
		check__pass(check, "mounted");
	else
		check__fail(
			check, PEAT_CHECK_LIMITED, "mount -t cgroup2 none /sys/fs/cgroup",
			"not mounted: no cgroup of peat_session_opts, and no programs of cgroups");
	if (fd >= 0)
		close(fd);
}

const struct check_row kernel_files__rows[] = {
	{ "BTF", check_btf, 0 },	   { "tracefs", check_tracefs, 0 },
	{ "kallsyms", check_kallsyms, 0 }, { "bpf file system", check_bpffs, 0 },
	{ "cgroup v2", check_cgroup, 0 },  { 0 },
};
