/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * vmlinux.h: the kernel types that the probes of this tree use, and of those only the members they
 * read: CO-RE finds each member's place in the running kernel when a program is loaded.  For all
 * types of the running kernel: make vmlinux.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

typedef unsigned char __u8;
typedef signed char __s8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
enum { false = 0, true = 1 };
typedef __s32 pid_t;

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PROG_ARRAY = 3,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_STACK_TRACE = 7,
	BPF_MAP_TYPE_CGROUP_ARRAY = 8,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_LRU_PERCPU_HASH = 10,
	BPF_MAP_TYPE_LPM_TRIE = 11,
	BPF_MAP_TYPE_HASH_OF_MAPS = 13,
};

enum {
	BPF_F_CURRENT_CPU = 0xffffffffULL,
	BPF_F_MMAPABLE = 1024,
	BPF_F_USER_STACK = 256,
};

enum { BPF_ANY = 0, BPF_NOEXIST = 1 };

/*
 * Contexts of raw tracepoint, perf event, tc and XDP programs.  Their layout is fixed; later members are left
 * out.
 */
struct bpf_raw_tracepoint_args {
	__u64 args[0];
};

/* The members depend on the machine. */
struct bpf_perf_event_data {
	__u64 registers[0];
};

struct __sk_buff {
	__u32 len;
	__u32 pkt_type;
	__u32 mark;
	__u32 queue_mapping;
	__u32 protocol;
	__u32 vlan_present;
	__u32 vlan_tci;
	__u32 vlan_proto;
	__u32 priority;
	__u32 ingress_ifindex;
	__u32 ifindex;
};

struct xdp_md {
	__u32 data;
	__u32 data_end;
	__u32 data_meta;
	__u32 ingress_ifindex;
	__u32 rx_queue_index;
	__u32 egress_ifindex;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct qstr {
	__u32 len;
	const unsigned char *name;
};

struct inode {
	unsigned short i_mode;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	void *private_data;
	__s64 f_pos;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct fs_struct {
	struct path root;
	struct path pwd;
};

struct mm_struct {
	unsigned long arg_start;
	unsigned long arg_end;
};

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
	int group_exit_code;
	unsigned int flags;
};

struct task_struct {
	unsigned int __state;
	pid_t pid;
	pid_t tgid;
	int exit_code;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	__u64 start_time;
	struct mm_struct *mm;
	struct signal_struct *signal;
	char comm[16];
	void *stack;
	struct fs_struct *fs;
	struct files_struct *files;
};

struct kernel_siginfo {
	int si_code;
};

struct syscall_trace_exit {
	int nr;
	long ret;
};

/*
 * The registers in which bpf_tracing.h finds arguments and results of system calls and functions.
 */
#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long di;
	unsigned long si;
	unsigned long dx;
	unsigned long r10;
	unsigned long r8;
	unsigned long r9;
	unsigned long ax;
	unsigned long cx;
	unsigned long sp;
	unsigned long ip;
};
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	__u64 regs[31];
	__u64 sp;
	__u64 pc;
};
#elif defined(__TARGET_ARCH_s390)
typedef struct {
	unsigned long mask, addr;
} psw_t;

typedef struct {
	psw_t psw;
	unsigned long gprs[16];
} user_pt_regs;
#elif defined(__TARGET_ARCH_powerpc)
struct pt_regs {
	unsigned long gpr[32];
};
#endif

struct linux_binprm {
	const char *filename;
};

/* Sockets. */
struct in6_addr {
	__u8 bytes[16];
};

struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	__u16 skc_num;
	unsigned short skc_family;
	volatile unsigned char skc_state;
	unsigned long skc_flags;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
	int sk_err;
};

struct inet_sock {
	__be16 inet_sport;
};

struct tcp_sock {
	__u64 bytes_received;
	__u64 bytes_sent;
	__u64 bytes_retrans;
};

struct socket {
	struct sock *sk;
};

struct request_sock {
	struct sock_common __req_common;
};

/* Packets. */
struct net_device {
	int ifindex;
};

struct sk_buff {
	struct net_device *dev;
	unsigned int len;
	__be16 protocol;
	__u16 transport_header;
	__u16 network_header;
	unsigned char *head;
};

#pragma clang attribute pop

#endif /* __VMLINUX_H__ */
