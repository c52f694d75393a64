// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* waiting_uprobes.c: programs of uprobes that wait for memory. */
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "waiting_uprobes.h"
#include "support/machine/harness.h"

static bool is_new_enough(void)
{
	struct utsname kernel;
	int major, minor;

	ck_assert_int_eq(uname(&kernel), 0);
	ck_assert_int_eq(sscanf(kernel.release, "%d.%d", &major, &minor), 2);
	return major > 6 || (major == 6 && minor >= 10);
}

bool waiting_uprobes__are_possible(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = BPF_F_SLEEPABLE);
	int fd;

	if (!is_new_enough())
		return false;
	fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "waiting", "GPL", program,
			   sizeof(program) / sizeof(*program), &opts);
	ck_assert_msg(fd >= 0, "no sleepable uprobes in this kernel");
	close(fd);
	return true;
}
