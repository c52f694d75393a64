// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* uprobes: three programs in a section, a function that they call, CO-RE, and other sections. */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

int seen, parent;

static __noinline int count(int number)
{
	seen += number;
	return bpf_get_smp_processor_id();
}

SEC("uprobe")
int first(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	parent = BPF_CORE_READ(task, real_parent, tgid);
	return count(1);
}

/* Its first instruction has a CO-RE relocation. */
SEC("uprobe")
int sized(void *ctx)
{
	return bpf_core_type_size(struct task_struct);
}

SEC("uprobe")
int second(void *ctx)
{
	return count(2);
}

SEC("?uretprobe/libc.so.6:getpid")
int with_target(void *ctx)
{
	return 3;
}

SEC("usdt")
int of_usdt(void *ctx)
{
	seen = 4;
	return 0;
}

SEC("kprobe/uprobe")
int of_kernel(void *ctx)
{
	return 5;
}

char uprobes_license[] SEC("license") = "GPL";
