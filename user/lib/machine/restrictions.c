// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/restrictions.c: checks what forbids calls in spite of capabilities. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/check.h"
#include "sys/caps.h"
#include "sys/event_fd.h"

/* The beginning of a small file, without the last newline.  False: it cannot be read. */
static bool read_text(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? -1 : read(fd, text, room - 1);

	if (fd >= 0)
		close(fd);
	text[bytes > 0 ? bytes : 0] = 0;
	text[strcspn(text, "\n")] = 0;
	return bytes > 0;
}

/* ---- kernel.perf_event_paranoid -------------------------------------------------------------- */

/* An event of all tasks, with the kernel: programs need such events. */
static int open_event(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
	};
	int fd = event_fd__open(&attr, 0);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static void check_paranoid(struct check *check, int unused)
{
	char text[16];
	int err = open_event();

	(void)unused;
	if (!read_text("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)))
		check__fail(check, PEAT_CHECK_LIMITED, "mount /proc",
			    "kernel.perf_event_paranoid cannot be read: %s", strerror(errno));
	else if (!err)
		check__pass(check, "%s: events of all tasks can be opened", text);
	else if (atoi(text) > 2 && caps__has(CAP_PERFMON))
		check__fail(check, PEAT_CHECK_MISSING,
			    "run it as root, or sysctl kernel.perf_event_paranoid=2",
			    "%s: above 2, Debian's and Ubuntu's kernels ask for CAP_SYS_ADMIN "
			    "instead of CAP_PERFMON",
			    text);
	else
		check__fail(check, caps__has(CAP_PERFMON) ? PEAT_CHECK_MISSING : PEAT_CHECK_LIMITED,
			    caps__explain_counters(),
			    "%s: events of all tasks cannot be opened: %s", text, strerror(-err));
}

/* ---- lockdown -------------------------------------------------------------------------------- */

static void check_lockdown(struct check *check, int unused)
{
	char text[64];

	(void)unused;
	if (!read_text("/sys/kernel/security/lockdown", text, sizeof(text)))
		check__pass(check, "unknown: no /sys/kernel/security/lockdown here");
	else if (strstr(text, "[confidentiality]"))
		check__fail(
			check, PEAT_CHECK_MISSING,
			"boot with lockdown=integrity: it cannot be lowered until then",
			"confidentiality: programs cannot read the kernel's memory, and kprobes "
			"and perf events of the kernel are refused");
	else
		check__pass(check, "%s", text);
}

/* ---- seccomp --------------------------------------------------------------------------------- */

static bool has_filter(void)
{
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER;
}

/*
 * Both calls are invalid, which the kernel finds before it asks for capabilities: too large an attr
 * of bpf(2), and unknown flags of perf_event_open(2).  Before Linux 5.19, bpf(2) asks first.
 */
static int try_bpf(void)
{
	return syscall(SYS_bpf, -1, "", (unsigned)sysconf(_SC_PAGESIZE) * 2) ? errno : 0;
}

static int try_perf_event_open(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	const struct event_target target = { .cpu = -1, .group_fd = -1, .flags = ~0UL };
	int fd = event_fd__open_target(&attr, &target);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? -fd : 0;
}

static bool is_refusal(int error)
{
	return error == EPERM || error == EACCES || error == ENOSYS;
}

#define REMEDY                                                                                     \
	"allow bpf and perf_event_open in the seccomp profile, or take the security option "       \
	"seccomp=unconfined of docker and podman, seccompProfile of Kubernetes (profiles of "      \
	"newer docker and containerd allow both if the container has CAP_BPF and CAP_PERFMON); "   \
	"a unit has SystemCallFilter=bpf perf_event_open"

static void check_seccomp(struct check *check, int unused)
{
	int bpf = try_bpf(), event = try_perf_event_open();
	bool bpf_is_refused = bpf == ENOSYS ||
			      (is_refusal(bpf) && caps__has(CAP_BPF) && !caps__are_of_namespace());
	const char *call = bpf_is_refused ? "bpf(2)" : "perf_event_open(2)";
	const char *why = strerror(bpf_is_refused ? bpf : event);

	(void)unused;
	if (!bpf_is_refused && !is_refusal(event))
		check__pass(check, has_filter() ? "a filter, which allows bpf(2) and "
						  "perf_event_open(2)"
						: "no filter");
	else if (has_filter())
		check__fail(check, PEAT_CHECK_MISSING, REMEDY, "a filter refuses %s: %s", call,
			    why);
	else
		check__fail(check, PEAT_CHECK_MISSING,
			    "a kernel with CONFIG_BPF_SYSCALL and CONFIG_PERF_EVENTS",
			    "no filter, but the kernel refuses %s: %s", call, why);
}

const struct check_row restrictions__rows[] = {
	{ "perf_event_paranoid", check_paranoid, 0 },
	{ "lockdown", check_lockdown, 0 },
	{ "seccomp", check_seccomp, 0 },
	{ 0 },
};
