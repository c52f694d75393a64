// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * own_stacks: programs of uprobes that run so long that they are preempted, or sleep, and check
 * their stacks.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define COPY_BYTES (1 << 15)

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, char[COPY_BYTES]);
} copies SEC(".maps");

__u64 calls, wrong;

/* About 4 ms on any machine: as long as a tick, or longer. */
static __always_inline void work(void *memory, const void *user_memory)
{
	__u64 start = bpf_ktime_get_ns();

	for (int i = 0; i < 1000 && bpf_ktime_get_ns() - start < 4000000; i++)
		bpf_probe_read_user(memory, COPY_BYTES, user_memory);
}

static __always_inline int check(struct pt_regs *ctx, bool can_sleep)
{
	__u64 id = bpf_get_current_pid_tgid(), changed = 0;
	volatile __u64 kept[16];
	__u32 key = 0;
	void *memory = bpf_map_lookup_elem(&copies, &key);

	for (int i = 0; i < 16; i++)
		kept[i] = id;
	if (memory && can_sleep)
		bpf_copy_from_user(memory, 1, (const void *)PT_REGS_PARM1(ctx));
	else if (memory)
		work(memory, (const void *)PT_REGS_PARM1(ctx));
	id = bpf_get_current_pid_tgid();
	for (int i = 0; i < 16; i++)
		changed |= kept[i] ^ id; /* without a branch, for the verifier */
	if (changed)
		__sync_fetch_and_add(&wrong, 1);
	__sync_fetch_and_add(&calls, 1);
	return 0;
}

SEC("?uprobe//proc/self/exe:own_stacks_call")
int on_call(struct pt_regs *ctx)
{
	return check(ctx, false);
}

SEC("?uprobe.s//proc/self/exe:own_stacks_call")
int on_sleepable_call(struct pt_regs *ctx)
{
	return check(ctx, true);
}

char own_stacks_license[] SEC("license") = "Dual BSD/GPL";
