// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* capable: capabilities that the kernel checked, and whether the task had them.  Linux 6.14. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

/* The kernel's, in linux/capability.h. */
enum capability {
	CAP_CHOWN,
	CAP_DAC_OVERRIDE,
	CAP_DAC_READ_SEARCH,
	CAP_FOWNER,
	CAP_FSETID,
	CAP_KILL,
	CAP_SETGID,
	CAP_SETUID,
	CAP_SETPCAP,
	CAP_LINUX_IMMUTABLE,
	CAP_NET_BIND_SERVICE,
	CAP_NET_BROADCAST,
	CAP_NET_ADMIN,
	CAP_NET_RAW,
	CAP_IPC_LOCK,
	CAP_IPC_OWNER,
	CAP_SYS_MODULE,
	CAP_SYS_RAWIO,
	CAP_SYS_CHROOT,
	CAP_SYS_PTRACE,
	CAP_SYS_PACCT,
	CAP_SYS_ADMIN,
	CAP_SYS_BOOT,
	CAP_SYS_NICE,
	CAP_SYS_RESOURCE,
	CAP_SYS_TIME,
	CAP_SYS_TTY_CONFIG,
	CAP_MKNOD,
	CAP_LEASE,
	CAP_AUDIT_WRITE,
	CAP_AUDIT_CONTROL,
	CAP_SETFCAP,
	CAP_MAC_OVERRIDE,
	CAP_MAC_ADMIN,
	CAP_SYSLOG,
	CAP_WAKE_ALARM,
	CAP_BLOCK_SUSPEND,
	CAP_AUDIT_READ,
	CAP_PERFMON,
	CAP_BPF,
	CAP_CHECKPOINT_RESTORE,
};

struct capable {
	enum capability cap;
	peat_errno_t result PEAT_DOC("0: the task has it");
	__u32 uid PEAT_DOC("effective user");
	__u32 namespace PEAT_DOC("user namespace in which it is needed, as /proc/PID/ns/user")
		PEAT_MINOR;
	PEAT_STACKS;
} PEAT_DOC("capabilities that were checked: each by a process once") PEAT_SUBJECT(security)
	PEAT_LIKE("capable");

PEAT_OPTION(bool, failed, false, "only capabilities that the task lacks");
PEAT_OPTION(bool, repeats, false, "each check, not only the first of a process");

/* ---- checks that a process made before ------------------------------------------------------- */

struct check {
	__u64 process_start_ns; /* ids are used again */
	__u32 tgid;
	__u32 namespace;
	__s32 cap;
	__s32 result;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct check);
	__type(value, __u8);
} capable_checks SEC(".maps");

static __always_inline bool is_new(const struct check *check)
{
	__u8 seen = 1;

	if (bpf_map_lookup_elem(&capable_checks, check))
		return false;
	bpf_map_update_elem(&capable_checks, check, &seen, BPF_ANY);
	return true;
}

/* ---- checks ---------------------------------------------------------------------------------- */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};

struct user_namespace {
	struct ns_common ns;
};

struct cred {
	struct {
		__u32 val;
	} euid;
};

#pragma clang attribute pop

/* By /proc/kallsyms; 0: it has none, or hides them. */
extern const void security_vm_enough_memory_mm __ksym __weak;

#define FRAMES		 8
#define MOST_BYTES_OF_IT 512

/*
 * Each mapping of memory asks for CAP_SYS_ADMIN, to get at the last reserves: to lack it is no
 * failure, and would be the most frequent event by far.  The tracepoint does not have the kernel's
 * flag for such checks; the caller tells them.
 */
static __always_inline bool is_for_reserves(void *ctx, int cap)
{
	__u64 frames[FRAMES] = {}, start = (__u64)&security_vm_enough_memory_mm;

	if (cap != CAP_SYS_ADMIN || !start || bpf_get_stack(ctx, frames, sizeof(frames), 0) < 0)
		return false;
#pragma unroll
	for (int i = 0; i < FRAMES; i++)
		if (frames[i] - start < MOST_BYTES_OF_IT)
			return true;
	return false;
}

static __always_inline void fill_check(struct check *check, struct user_namespace *namespace)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();

	check->process_start_ns = BPF_CORE_READ(task, group_leader, start_time);
	check->tgid = bpf_get_current_pid_tgid() >> 32;
	check->namespace = BPF_CORE_READ(namespace, ns.inum);
}

SEC("raw_tp/cap_capable")
int BPF_PROG(on_check, const struct cred *cred, struct user_namespace *namespace,
	     struct user_namespace *found, int cap, int result)
{
	struct check check = { .cap = cap, .result = result };
	struct capable *e;

	if ((failed && !result) || !peat_accepts_current() || is_for_reserves(ctx, cap))
		return 0;
	if (bpf_get_current_pid_tgid() >> 32 == peat_loader_pid)
		return 0;
	fill_check(&check, namespace);
	if (!repeats && !is_new(&check))
		return 0;
	e = peat_reserve_stacks_accepted(ctx, struct capable);
	if (!e)
		return 0;
	e->cap = cap;
	e->result = result;
	e->uid = BPF_CORE_READ(cred, euid.val);
	e->namespace = check.namespace;
	return peat_submit_stacks(ctx, e);
}
