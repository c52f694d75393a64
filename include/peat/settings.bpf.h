/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * settings.bpf.h: the maps of a channel, and constants that the loader sets.  A part of peat.bpf.h,
 * which includes it.
 */
#ifndef PEAT_SETTINGS_BPF_H
#define PEAT_SETTINGS_BPF_H

#include <bpf/bpf_helpers.h>
#include <peat/wire.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} peat_ring SEC(".maps") __weak;

/* One element per slot: (highest possible CPU number + 1) * PEAT_SLOTS. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, PEAT_SLOTS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 8192);
} peat_stage SEC(".maps") __weak;

/* Created only if it is used: see peat_filter_by_map. */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} peat_cgroup SEC(".maps") __weak;

/* Ids of cgroups whose events no one reads: PEAT_FILTER_IDENTITY.  Created only if it is used. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PEAT_CGROUPS_LEFT_OUT);
	__uint(key_size, sizeof(__u64));
	__uint(value_size, sizeof(__u32));
} peat_left_out SEC(".maps") __weak;

/*
 * A byte per process id: PEAT_FILTER_ANCESTOR.  Created only if it is used, with an element for
 * each PEAT_PIDS_PER_ELEMENT ids.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, PEAT_PIDS_PER_ELEMENT);
} peat_descendants SEC(".maps") __weak;

/* The stage's value_size, less the bytes of an owner, if heads have one. */
const volatile __u64 peat_slot_bytes __weak = 8192;
const volatile __u64 peat_batch_bytes __weak = 4096;
const volatile __u64 peat_type_base __weak = 0; /* start of this object's type numbers */
const volatile __u64 peat_max_rate __weak = 0;	/* events per second and CPU; 0: no limit */
const volatile __u32 peat_with_time __weak = 1;
/*
 * PEAT_HEAD_ALONE if bpf_get_current_pid_tgid() is not available: tc, XDP and cgroup_skb on
 * Linux 6.1.  PEAT_HEAD_WITH_OWNER if events have the user and the cgroup of their task.
 */
const volatile __u64 peat_head_bytes __weak = PEAT_HEAD_WITH_IDS;
/* 1 if stores become visible in order, so that a plain store can release a slot: x86, s390x. */
const volatile __u32 peat_ordered_stores __weak = 0;
/*
 * The element of peat_ring with CPU 0's bell; the others follow.  0: no bells, the reader never
 * sleeps.  An object without this constant makes the reader keep its tick (wire.h).
 */
const volatile __u32 peat_bells __weak = 0;
/*
 * 1 if the loader has replaced the atomic operations of impl.bpf.h that return a value, for a
 * kernel before Linux 5.12: see peat_lock().
 */
const volatile __u32 peat_plain_locks __weak = 0;
/*
 * 1 if the kernel has no BTF: pointers to its structs have no types for the verifier, and helpers
 * that return such pointers are not available.
 */
const volatile __u32 peat_no_btf __weak = 0;

/* Bytes of a page of this machine. */
const volatile __u32 peat_page_bytes __weak = 4096;
/* The process that loaded the programs, for those that leave out its own acts. */
const volatile __u32 peat_loader_pid __weak = 0;

/* 0 if bpf_xdp_load_bytes() is not available: before Linux 5.18. */
const volatile __u32 peat_xdp_helpers __weak = 1;

/* The filters in use: PEAT_FILTER_*, or-ed.  0: none, at almost no cost. */
const volatile __u32 peat_filters __weak = 0;
const volatile __u32 peat_filter_pid __weak = 0;
const volatile __u32 peat_filter_tid __weak = 0;
const volatile __u32 peat_filter_uid __weak = 0;
const volatile char peat_filter_comm[16] __weak __attribute__((aligned(8))) = {};
const volatile __u64 peat_filter_cgroup __weak = 0;	  /* the id of a cgroup v2 ... */
const volatile __u32 peat_filter_cgroup_level __weak = 0; /* ... and its level; the root is 0 */
/*
 * 1: the cgroup is the element of peat_cgroup, since programs may not call
 * bpf_get_current_ancestor_cgroup_id(): tracing programs on Linux 5.10.
 */
const volatile __u32 peat_filter_by_map __weak = 0;
#define PEAT_CPUS_MAX 8192 /* the largest NR_CPUS that x86 can be configured for */
const volatile __u64 peat_filter_cpus[PEAT_CPUS_MAX / 64] __weak = {}; /* a bit per CPU */

char peat_license[] __weak SEC("license") = "Dual BSD/GPL";

#endif /* PEAT_SETTINGS_BPF_H */
