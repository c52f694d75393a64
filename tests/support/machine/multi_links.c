// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* multi_links.c: links of uprobe_multi, tried without the library. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "multi_links.h"
#include "support/machine/harness.h"

#define UPROBE_MULTI 48 /* BPF_TRACE_UPROBE_MULTI */

int multi_links__load_program(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type = (enum bpf_attach_type)UPROBE_MULTI);

	return bpf_prog_load(BPF_PROG_TYPE_KPROBE, "multi_links", "GPL", program,
			     sizeof(program) / sizeof(*program), &opts);
}

/* Members of union bpf_attr since Linux 6.6.  Returns the link, or a negative errno. */
static int make_link(int program, pid_t pid)
{
	static const uint64_t offset = 4096;
	struct {
		uint32_t program, target, type, flags;
		uint64_t path, offsets, counters, cookies;
		uint32_t count, multi_flags;
		int32_t pid;
		uint32_t unused;
	} attr = {
		.program = (uint32_t)program,
		.type = UPROBE_MULTI,
		.path = (uintptr_t) "/proc/self/exe",
		.offsets = (uintptr_t)&offset,
		.count = 1,
		.pid = pid,
	};
	int fd = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	return fd < 0 ? -errno : fd;
}

/* A thread that is not the first one of its process is no process. */
static void *try_thread(void *program)
{
	static int link;

	link = make_link(*(int *)program, (pid_t)syscall(SYS_gettid));
	if (link >= 0)
		close(link);
	return &link;
}

static bool is_new_enough(void)
{
	struct utsname kernel;
	int major, minor;

	ck_assert_int_eq(uname(&kernel), 0);
	ck_assert_int_eq(sscanf(kernel.release, "%d.%d", &major, &minor), 2);
	return major > 6 || (major == 6 && minor >= 10);
}

bool multi_links__are_possible(void)
{
	int program = multi_links__load_program(), *link;
	bool are_possible = false;
	pthread_t thread;

	if (program >= 0) {
		ck_assert_int_eq(pthread_create(&thread, NULL, try_thread, &program), 0);
		ck_assert_int_eq(pthread_join(thread, (void **)&link), 0);
		are_possible = *link == -ESRCH;
		ck_assert_int_eq(close(program), 0);
	}
	ck_assert_msg(are_possible || !is_new_enough(), "no links of uprobe_multi in this kernel");
	return are_possible;
}
