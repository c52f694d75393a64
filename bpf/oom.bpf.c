// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* oom: processes that the kernel kills for lack of memory; the event's task asked for memory. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct oom {
	__u32 victim PEAT_DOC("process that was killed");
	char victim_comm[16];
	peat_size_t anon_rss PEAT_DOC("its memory: heap, stacks; not exact, as all of these");
	peat_size_t file_rss PEAT_DOC("pages of files that it has mapped") PEAT_MINOR;
	peat_size_t shmem_rss PEAT_DOC("shared memory and tmpfs") PEAT_MINOR;
	peat_size_t total_vm PEAT_DOC("address space");
	__u32 uid PEAT_DOC("its user") PEAT_MINOR;
	__s32 oom_score_adj PEAT_DOC("as set in /proc/PID/oom_score_adj") PEAT_MINOR;
	char cgroup[64] PEAT_DOC("its cgroup of the memory controller");
	PEAT_STACKS;
} PEAT_DOC("processes killed for lack of memory, and who asked for it") PEAT_SUBJECT(memory)
	PEAT_LIKE("oomkill");

/* ---- the victim ------------------------------------------------------------------------------ */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct percpu_counter___oom {
	__s64 count;
};

struct mm_struct___oom {
	unsigned long total_vm;
	struct percpu_counter___oom rss_stat[4];
};

/* Linux before 6.2. */
struct mm_rss_stat {
	struct {
		long counter;
	} count[4];
};

struct mm_struct___before_6_2 {
	struct mm_rss_stat rss_stat;
};

struct signal_struct___oom {
	short oom_score_adj;
};

struct cred___oom {
	struct {
		__u32 val;
	} uid;
};

struct kernfs_node___oom {
	const char *name;
};

struct cgroup___oom {
	struct kernfs_node___oom *kn;
};

struct cgroup_subsys_state___oom {
	struct cgroup___oom *cgroup;
};

struct css_set___oom {
	struct cgroup_subsys_state___oom *subsys[1];
};

struct task_struct___oom {
	pid_t pid, tgid;
	char comm[16];
	struct mm_struct___oom *mm;
	struct signal_struct___oom *signal;
	const struct cred___oom *cred;
	struct css_set___oom *cgroups;
};

#pragma clang attribute pop

/* The kernel's MM_FILEPAGES and so on: indices of rss_stat. */
enum { FILE_PAGES, ANON_PAGES, SWAP_ENTRIES, SHMEM_PAGES, PAGE_KINDS };

enum cgroup_subsys_id___oom {
	memory_cgrp_id___oom,
};

static __always_inline __u64 read_pages(struct mm_struct___oom *mm, int kind)
{
	struct mm_struct___before_6_2 *old = (void *)mm;
	const void *at;
	__s64 pages = 0;

	if (bpf_core_type_exists(struct mm_rss_stat)) {
		at = __builtin_preserve_access_index(&old->rss_stat.count);
		at += kind * sizeof(__s64);
	} else {
		at = __builtin_preserve_access_index(&mm->rss_stat);
		at += kind * bpf_core_type_size(struct percpu_counter___oom);
		at += bpf_core_field_offset(struct percpu_counter___oom, count);
	}
	bpf_probe_read_kernel(&pages, sizeof(pages), at);
	return pages > 0 ? pages : 0;
}

static __always_inline void read_memory(struct oom *e, struct task_struct___oom *task)
{
	struct mm_struct___oom *mm = BPF_CORE_READ(task, mm);

	e->anon_rss = read_pages(mm, ANON_PAGES) * peat_page_bytes;
	e->file_rss = read_pages(mm, FILE_PAGES) * peat_page_bytes;
	e->shmem_rss = read_pages(mm, SHMEM_PAGES) * peat_page_bytes;
	e->total_vm = BPF_CORE_READ(mm, total_vm) * peat_page_bytes;
}

/* In cgroup v2, it is that of the task or of the next ancestor with the controller. */
static __always_inline void read_cgroup(struct oom *e, struct task_struct___oom *task)
{
	struct css_set___oom *set = BPF_CORE_READ(task, cgroups);
	struct cgroup_subsys_state___oom *state = 0;
	const void *at = __builtin_preserve_access_index(&set->subsys);

	e->cgroup[0] = '\0';
	if (!bpf_core_enum_value_exists(enum cgroup_subsys_id___oom, memory_cgrp_id___oom))
		return;
	at += bpf_core_enum_value(enum cgroup_subsys_id___oom, memory_cgrp_id___oom) *
	      sizeof(void *);
	bpf_probe_read_kernel(&state, sizeof(state), at);
	bpf_probe_read_kernel_str(e->cgroup, sizeof(e->cgroup),
				  BPF_CORE_READ(state, cgroup, kn, name));
}

static __always_inline int emit(void *ctx, struct task_struct___oom *task)
{
	struct oom *e = peat_reserve_stacks((unsigned long long *)ctx, struct oom);

	if (!e)
		return 0;
	e->victim = BPF_CORE_READ(task, tgid);
	BPF_CORE_READ_INTO(&e->victim_comm, task, comm);
	read_memory(e, task);
	e->uid = BPF_CORE_READ(task, cred, uid.val);
	e->oom_score_adj = BPF_CORE_READ(task, signal, oom_score_adj);
	read_cgroup(e, task);
	return peat_submit_stacks((unsigned long long *)ctx, e);
}

/* ---- the kill -------------------------------------------------------------------------------- */

#define SIGKILL	  9
#define OF_KERNEL 1 /* SEND_SIG_PRIV, instead of a pointer */

/* Since Linux 6.8 the tracepoint has the victim's task; before, its pid. */
struct trace_event_raw_mark_victim___oom {
	__u32 uid;
} __attribute__((preserve_access_index));

static __always_inline bool has_task(void)
{
	return bpf_core_field_exists(struct trace_event_raw_mark_victim___oom, uid);
}

/* By thread that kills: the task that it last sent a SIGKILL of the kernel. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u64);
} oom_killed SEC(".maps");

SEC("raw_tp/signal_generate")
int BPF_PROG(on_signal, int signal, __u64 info, void *task)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 killed = (__u64)task;

	if (!has_task() && signal == SIGKILL && info == OF_KERNEL)
		bpf_map_update_elem(&oom_killed, &tid, &killed, BPF_ANY);
	return 0;
}

/* A task that is about to exit anyway is its own victim, without a signal. */
static __always_inline struct task_struct___oom *find_victim(__u32 pid)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct task_struct___oom *task;
	__u64 *killed;

	if (pid == tid)
		return (void *)bpf_get_current_task();
	killed = bpf_map_lookup_elem(&oom_killed, &tid);
	if (!killed)
		return 0;
	task = (void *)*killed;
	return (__u32)BPF_CORE_READ(task, pid) == pid ? task : 0;
}

SEC("raw_tp/mark_victim")
int BPF_PROG(on_victim, __u64 victim)
{
	struct task_struct___oom *task = has_task() ? (void *)victim : find_victim(victim);

	return task ? emit(ctx, task) : 0;
}
