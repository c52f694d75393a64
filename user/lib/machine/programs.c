// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/programs.c: checks maps, programs, helpers and links, by the smallest of each kind. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "machine/check.h"
#include "session/attach/empty_program.h"
#include "session/attach/kprobe_multi.h"
#include "session/attach/uprobe_multi.h"
#include "sys/caps.h"
#include "sys/file_room.h"
#include "sys/tracefs.h"

static bool is_refusal(int err)
{
	return err == -EPERM || err == -EACCES;
}

/* The smallest program that each kernel has. */
static bool can_load(void)
{
	int fd = empty_program__load(BPF_PROG_TYPE_KPROBE, 0, NULL);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* `why`: the remedy if this process is refused; others are kernels without the kind. */
static void judge(struct check *check, int fd, enum peat_check_state without, const char *why)
{
	if (fd >= 0) {
		check__pass(check, "yes");
		close(fd);
	} else if (fd == -ENOSYS) {
		check__fail(check, PEAT_CHECK_MISSING,
			    "allow bpf(2) in the seccomp filter, or take a kernel with "
			    "CONFIG_BPF_SYSCALL",
			    "there is no bpf(2): %s", strerror(-fd));
	} else if (fd == -EMFILE) {
		check__fail(check, PEAT_CHECK_LIMITED, FILE_ROOM_REMEDY, "unknown: %s",
			    strerror(-fd));
	} else if (why && is_refusal(fd)) {
		check__fail(check, without, why, "refused: %s", strerror(-fd));
	} else {
		check__fail(check, PEAT_CHECK_LIMITED, NULL, "not in this kernel: %s",
			    strerror(-fd));
	}
}

static void check_array(struct check *check, int unused)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "peat_check", 4, 4, 1, NULL);

	(void)unused;
	judge(check, fd < 0 ? -errno : fd, PEAT_CHECK_MISSING, caps__explain());
}

enum group { GROUP_PROBES, GROUP_TRAMPOLINE, GROUP_NETWORK };

static const struct program_kind {
	enum bpf_prog_type type;
	int attach_type;
	const char *target;
	enum group group;
} kinds[] = {
	{ BPF_PROG_TYPE_TRACEPOINT, 0, NULL, GROUP_PROBES },
	{ BPF_PROG_TYPE_RAW_TRACEPOINT, 0, NULL, GROUP_PROBES },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "sched_switch", GROUP_PROBES },
	{ BPF_PROG_TYPE_KPROBE, 0, NULL, GROUP_PROBES },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, "vfs_read", GROUP_TRAMPOLINE },
	{ BPF_PROG_TYPE_PERF_EVENT, 0, NULL, GROUP_PROBES },
	{ BPF_PROG_TYPE_SCHED_CLS, 0, NULL, GROUP_NETWORK },
	{ BPF_PROG_TYPE_XDP, 0, NULL, GROUP_NETWORK },
	{ BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_INGRESS, NULL, GROUP_NETWORK },
};

/* Kernels without trampolines refuse fentry to anybody: EPERM is no lack of a capability then. */
static void check_program(struct check *check, int i)
{
	const struct program_kind *kind = &kinds[i];
	int fd = empty_program__load(kind->type, kind->attach_type, kind->target);

	if (kind->group == GROUP_NETWORK)
		judge(check, fd, PEAT_CHECK_LIMITED, caps__explain_network());
	else if (kind->group == GROUP_TRAMPOLINE)
		judge(check, fd, PEAT_CHECK_LIMITED, can_load() ? NULL : caps__explain());
	else
		judge(check, fd, PEAT_CHECK_MISSING, caps__explain());
}

/* ---- helpers --------------------------------------------------------------------------------- */

static const struct helper {
	enum bpf_func_id id;
	const char *name;
} helpers[] = {
	{ BPF_FUNC_perf_event_output, "bpf_perf_event_output (Linux 4.4)" },
	{ BPF_FUNC_probe_read_kernel, "bpf_probe_read_kernel (Linux 5.5)" },
	{ BPF_FUNC_get_task_stack, "bpf_get_task_stack (Linux 5.9)" },
	{ BPF_FUNC_task_storage_get, "bpf_task_storage_get (Linux 5.12)" },
	{ BPF_FUNC_get_attach_cookie, "bpf_get_attach_cookie (Linux 5.15)" },
	{ BPF_FUNC_get_func_ip, "bpf_get_func_ip (Linux 5.15)" },
};

/* libbpf takes a refusal for a helper that is there, so this needs the right to load. */
static void check_helpers(struct check *check, int unused)
{
	char missing[200] = "";

	(void)unused;
	if (!can_load()) {
		check__fail(check, PEAT_CHECK_LIMITED, NULL, "unknown: no program can be loaded");
		return;
	}
	for (size_t i = 0; i < sizeof(helpers) / sizeof(*helpers); i++)
		if (libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, helpers[i].id, NULL) != 1)
			snprintf(missing + strlen(missing), sizeof(missing) - strlen(missing),
				 "%s%s", *missing ? ", " : "", helpers[i].name);
	if (*missing)
		check__fail(check, PEAT_CHECK_LIMITED, "a newer kernel", "missing: %s", missing);
	else
		check__pass(check, "all that peat uses");
}

/* ---- links ----------------------------------------------------------------------------------- */

static void check_kprobes(struct check *check, int unused)
{
	(void)unused;
	if (tracefs__has_kprobes())
		check__pass(check, "yes");
	else
		check__fail(check, PEAT_CHECK_LIMITED,
			    "a kernel with CONFIG_KPROBE_EVENTS; tracepoints and fentry programs "
			    "work without",
			    "this kernel has no kprobes, or tracefs cannot be read");
}

static void check_multi(struct check *check, bool is_supported, const char *remedy,
			const char *without)
{
	if (is_supported)
		check__pass(check, "yes");
	else if (!can_load())
		check__fail(check, PEAT_CHECK_LIMITED, NULL, "unknown: no program can be loaded");
	else
		check__fail(check, PEAT_CHECK_LIMITED, remedy, "no links: %s", without);
}

static void check_kprobe_multi(struct check *check, int unused)
{
	(void)unused;
	check_multi(check, kprobe_multi__is_supported(), "Linux 5.18 with CONFIG_FPROBE",
		    "functions of the kernel are attached one by one, slowly");
}

static void check_uprobe_multi(struct check *check, int unused)
{
	(void)unused;
	check_multi(check, uprobe_multi__is_supported(),
		    "Linux 6.10 with BPF_LINK_CREATE allowed by seccomp; or run it as root",
		    "functions of programs are attached by perf events, one by one, which needs "
		    "CAP_SYS_ADMIN on most kernels");
}

const struct check_row programs__rows[] = {
	{ "perf event array", check_array, 0 },
	{ "tracepoint programs", check_program, 0 },
	{ "raw_tracepoint programs", check_program, 1 },
	{ "tp_btf programs", check_program, 2 },
	{ "kprobe programs", check_program, 3 },
	{ "fentry programs", check_program, 4 },
	{ "perf_event programs", check_program, 5 },
	{ "tc programs", check_program, 6 },
	{ "XDP programs", check_program, 7 },
	{ "cgroup_skb programs", check_program, 8 },
	{ "helpers", check_helpers, 0 },
	{ "kprobes", check_kprobes, 0 },
	{ "kprobe_multi", check_kprobe_multi, 0 },
	{ "uprobe_multi", check_uprobe_multi, 0 },
	{ 0 },
};
