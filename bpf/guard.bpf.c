// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * guard: privileged acts: other processes traced or written to, modules and BPF programs loaded,
 * mounts, changes of user, group, root and namespaces, and programs run from memory.  The acts of
 * peat itself are left out.  System calls of 32-bit programs on a 64-bit kernel are missing, since
 * they have no tracepoints.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "guard_names.h"
#include "saved_registers.h"

enum guard_act {
	ptrace,
	module_load,
	module_unload,
	bpf,
	mount,
	umount,
	chroot,
	pivot_root,
	setuid,
	setgid,
	setns,
	unshare,
	memfd_exec,
	memory_write,
	pidfd_getfd,
	mount_setattr,
	open_tree,
	fsmount,
	setgroups,
	capset,
};

#define OBJECT_BYTES 128

struct guard {
	enum guard_act act;
	peat_errno_t result;
	__s64 target PEAT_DOC("process, user, or group; -1: none");
	char object[OBJECT_BYTES] PEAT_DOC("path, module, request, command, or namespaces");
	PEAT_STACKS;
} PEAT_DOC("privileged acts: ptrace, modules, BPF, mounts, changes of user, ...")
	PEAT_SUBJECT(security) PEAT_LIKE("mountsnoop, bpfsnoop, setuids, execsnoop, falco, tracee");

PEAT_OPTION(bool, failed, false, "only failures");

/* ---- events ---------------------------------------------------------------------------------- */

/* Functions that are called, since some twenty copies of them would make a large object. */
static __noinline struct guard *reserve(void *ctx, enum guard_act act, long result)
{
	struct guard *e;

	if ((failed && result >= 0) || bpf_get_current_pid_tgid() >> 32 == peat_loader_pid)
		return 0;
	e = peat_reserve_stacks(ctx, struct guard);
	if (!e)
		return 0;
	e->act = act;
	e->result = result;
	e->target = -1;
	e->object[0] = '\0';
	return e;
}

/* The bytes of a string with its NUL; 1 for one that could not be read. */
static __noinline int submit_object(void *ctx, struct guard *e, long bytes)
{
	if (bytes < 1)
		bytes = 1;
	peat_submit_stacks_bytes(ctx, e, __builtin_offsetof(struct guard, object) + bytes);
	return 0;
}

/* An object that is a string of the program. */
static __noinline int emit_user_text(struct syscall_trace_exit *ctx, enum guard_act act, __u64 text)
{
	struct guard *e = reserve(ctx, act, ctx->ret);

	if (e)
		submit_object(ctx, e,
			      bpf_probe_read_user_str(e->object, OBJECT_BYTES, (const void *)text));
	return PEAT_RETURN(ctx);
}

static __noinline int emit_target(struct syscall_trace_exit *ctx, enum guard_act act, __s64 target)
{
	struct guard *e = reserve(ctx, act, ctx->ret);

	if (e) {
		e->target = target;
		submit_object(ctx, e, 1);
	}
	return PEAT_RETURN(ctx);
}

/* ---- mounts and roots ------------------------------------------------------------------------ */

SEC("tp/syscalls/sys_exit_mount")
int on_mount(struct syscall_trace_exit *ctx)
{
	return emit_user_text(ctx, mount, PT_REGS_PARM2_CORE_SYSCALL(saved_registers(ctx->nr)));
}

/* The last step of a mount by fsopen(2). */
SEC("tp/syscalls/sys_exit_move_mount")
int on_move_mount(struct syscall_trace_exit *ctx)
{
	return emit_user_text(ctx, mount, PT_REGS_PARM4_CORE_SYSCALL(saved_registers(ctx->nr)));
}

SEC("tp/syscalls/sys_exit_umount")
int on_umount(struct syscall_trace_exit *ctx)
{
	return emit_user_text(ctx, umount, PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr)));
}

SEC("tp/syscalls/sys_exit_chroot")
int on_chroot(struct syscall_trace_exit *ctx)
{
	return emit_user_text(ctx, chroot, PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr)));
}

SEC("tp/syscalls/sys_exit_pivot_root")
int on_pivot_root(struct syscall_trace_exit *ctx)
{
	return emit_user_text(ctx, pivot_root,
			      PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr)));
}

/* ---- users and groups ------------------------------------------------------------------------ */

/* The effective id that a call sets, or else the real or saved one; ~0 leaves an id as it is. */
static __always_inline __s64 id_of(__u32 effective, __u32 real, __u32 saved)
{
	if (effective != ~0U)
		return effective;
	if (real != ~0U)
		return real;
	return saved != ~0U ? (__s64)saved : -1;
}

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct id___guard {
	__u32 val;
};

struct cred___guard {
	struct id___guard uid, gid, suid, sgid, euid, egid;
};

struct task_struct___of_cred {
	const struct cred___guard *cred;
};

#pragma clang attribute pop

struct ids {
	__u32 uid, gid, suid, sgid, euid, egid;
};

/* By thread: its ids before the call.  Programs such as make set those that they have. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct ids);
} guard_ids SEC(".maps");

static __noinline int read_ids(struct ids *ids)
{
	struct task_struct___of_cred *task = (void *)bpf_get_current_task();
	const struct cred___guard *cred = BPF_CORE_READ(task, cred);

	if (!ids)
		return 0;
	ids->uid = BPF_CORE_READ(cred, uid.val);
	ids->gid = BPF_CORE_READ(cred, gid.val);
	ids->suid = BPF_CORE_READ(cred, suid.val);
	ids->sgid = BPF_CORE_READ(cred, sgid.val);
	ids->euid = BPF_CORE_READ(cred, euid.val);
	ids->egid = BPF_CORE_READ(cred, egid.val);
	return 0;
}

static __noinline int keep_ids(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct ids ids = {};

	read_ids(&ids);
	bpf_map_update_elem(&guard_ids, &tid, &ids, BPF_ANY);
	return 0;
}

static __noinline bool is_unchanged(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct ids *before = bpf_map_lookup_elem(&guard_ids, &tid), ids = {};

	if (!before)
		return false;
	read_ids(&ids);
	return ids.uid == before->uid && ids.gid == before->gid && ids.suid == before->suid &&
	       ids.sgid == before->sgid && ids.euid == before->euid && ids.egid == before->egid;
}

/* Failures, and calls that changed an id. */
static __always_inline int emit_change(struct syscall_trace_exit *ctx, enum guard_act act, __s64 id)
{
	return !ctx->ret && is_unchanged() ? PEAT_RETURN(ctx) : emit_target(ctx, act, id);
}

static __always_inline int emit_id(struct syscall_trace_exit *ctx, enum guard_act act)
{
	return emit_change(ctx, act, (__u32)PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr)));
}

static __always_inline int emit_ids(struct syscall_trace_exit *ctx, enum guard_act act,
				    bool has_saved)
{
	struct pt_regs *regs = saved_registers(ctx->nr);
	__u32 saved = has_saved ? PT_REGS_PARM3_CORE_SYSCALL(regs) : ~0U;

	return emit_change(
		ctx, act,
		id_of(PT_REGS_PARM2_CORE_SYSCALL(regs), PT_REGS_PARM1_CORE_SYSCALL(regs), saved));
}

#define CHANGE(call, emit)                                                                         \
	SEC("tp/syscalls/sys_enter_" #call)                                                        \
	int before_##call(void *ctx)                                                               \
	{                                                                                          \
		keep_ids();                                                                        \
		return PEAT_RETURN(ctx);                                                           \
	}                                                                                          \
	SEC("tp/syscalls/sys_exit_" #call)                                                         \
	int on_##call(struct syscall_trace_exit *ctx)                                              \
	{                                                                                          \
		return emit;                                                                       \
	}

CHANGE(setuid, emit_id(ctx, setuid))
CHANGE(setreuid, emit_ids(ctx, setuid, false))
CHANGE(setresuid, emit_ids(ctx, setuid, true))
CHANGE(setgid, emit_id(ctx, setgid))
CHANGE(setregid, emit_ids(ctx, setgid, false))
CHANGE(setresgid, emit_ids(ctx, setgid, true))

/* ---- other processes, BPF -------------------------------------------------------------------- */

SEC("tp/syscalls/sys_exit_ptrace")
int on_ptrace(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);
	__u64 request = PT_REGS_PARM1_CORE_SYSCALL(regs);
	const struct name *name = find_request(request);
	struct guard *e;

	if (!regs || !name)
		return PEAT_RETURN(ctx);
	e = reserve(ctx, ptrace, ctx->ret);
	if (!e)
		return PEAT_RETURN(ctx);
	if (request)
		e->target = (__s32)PT_REGS_PARM2_CORE_SYSCALL(regs);
	__builtin_memcpy(e->object, name->text, NAME_BYTES);
	submit_object(ctx, e, name->bytes + 1);
	return PEAT_RETURN(ctx);
}

/* The places of names in union bpf_attr. */
#define MAP_NAME_AT  28
#define PROG_NAME_AT 48

/* Appends the name of the map or program, the file, or the tracepoint.  Returns its bytes. */
static __always_inline long read_bpf_object(char *to, __u32 command, const char *attr)
{
	__u64 text = 0;

	if (command == 0)
		return bpf_probe_read_user_str(to, 16, attr + MAP_NAME_AT);
	if (command == 5)
		return bpf_probe_read_user_str(to, 16, attr + PROG_NAME_AT);
	if (command != 6 && command != 7 && command != 17)
		return 0;
	bpf_probe_read_user(&text, sizeof(text), attr);
	return bpf_probe_read_user_str(to, OBJECT_BYTES - 2 * NAME_BYTES, (const void *)text);
}

SEC("tp/syscalls/sys_exit_bpf")
int on_bpf(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);
	__u32 command = PT_REGS_PARM1_CORE_SYSCALL(regs);
	const char *attr = (const char *)PT_REGS_PARM2_CORE_SYSCALL(regs);
	const struct name *name;
	struct guard *e;
	__u64 at;
	long bytes;

	if (!regs || command >= BPF_COMMANDS)
		return PEAT_RETURN(ctx);
	name = &bpf_commands[command];
	at = name->bytes;
	e = at ? reserve(ctx, bpf, ctx->ret) : 0;
	if (!e)
		return PEAT_RETURN(ctx);
	__builtin_memcpy(e->object, name->text, NAME_BYTES);
	barrier_var(at);
	if (at >= NAME_BYTES) /* never true; for the verifier */
		at = 0;
	bytes = read_bpf_object(e->object + at + 1, command, attr);
	if (bytes > 1)
		e->object[at] = ' ';
	submit_object(ctx, e, at + 1 + (bytes > 1 ? bytes : 0));
	return PEAT_RETURN(ctx);
}

/* ---- namespaces ------------------------------------------------------------------------------ */

#define CLONE_NEWTIME	0x00000080
#define CLONE_NEWNS	0x00020000
#define CLONE_NEWCGROUP 0x02000000
#define CLONE_NEWUTS	0x04000000
#define CLONE_NEWIPC	0x08000000
#define CLONE_NEWUSER	0x10000000
#define CLONE_NEWPID	0x20000000
#define CLONE_NEWNET	0x40000000
#define CLONE_NAMESPACES                                                                           \
	(CLONE_NEWTIME | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |             \
	 CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* Appends `text`, 8 bytes, to an object that has `at`; its own length is `bytes`. */
static __always_inline __u64 append(struct guard *e, __u64 at, const char *text, __u64 bytes)
{
	barrier_var(at);
	if (at > OBJECT_BYTES / 2) /* never true; for the verifier */
		return 0;
	__builtin_memcpy(e->object + at, text, 8);
	return at + bytes;
}

#define append_if(e, at, flag, text)                                                               \
	if (flags & (flag))                                                                        \
	at = append(e, at, text "\0\0\0\0\0\0\0", sizeof(text) - 1)

/* Names as in /proc/PID/ns.  Returns the bytes with the NUL. */
static __noinline __u64 write_namespaces(struct guard *e, __u64 flags)
{
	__u64 at = 0;

	append_if(e, at, CLONE_NEWUSER, "user,");
	append_if(e, at, CLONE_NEWNS, "mnt,");
	append_if(e, at, CLONE_NEWPID, "pid,");
	append_if(e, at, CLONE_NEWNET, "net,");
	append_if(e, at, CLONE_NEWUTS, "uts,");
	append_if(e, at, CLONE_NEWIPC, "ipc,");
	append_if(e, at, CLONE_NEWCGROUP, "cgroup,");
	append_if(e, at, CLONE_NEWTIME, "time,");
	barrier_var(at);
	if (!at || at > OBJECT_BYTES)
		return 1;
	e->object[at - 1] = '\0';
	return at;
}

SEC("tp/syscalls/sys_exit_unshare")
int on_unshare(struct syscall_trace_exit *ctx)
{
	__u64 flags = PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr));
	struct guard *e = flags & CLONE_NAMESPACES ? reserve(ctx, unshare, ctx->ret) : 0;

	if (e)
		submit_object(ctx, e, write_namespaces(e, flags));
	return PEAT_RETURN(ctx);
}

/* ---- files by their fds ---------------------------------------------------------------------- */

#define MODULE_NAME_BYTES 56

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct proc_ns_operations___guard {
	const char *name;
};

struct ns_common___guard {
	const struct proc_ns_operations___guard *ops;
};

struct super_block___guard {
	unsigned long s_magic;
};

struct inode___guard {
	unsigned int i_nlink;
	void *i_private;
	struct super_block___guard *i_sb;
};

struct qstr___guard {
	const char *name;
};

struct dentry___guard {
	struct qstr___guard d_name;
	struct dentry___guard *d_parent;
};

struct path___guard {
	struct dentry___guard *dentry;
};

struct file___guard {
	struct path___guard f_path;
	struct inode___guard *f_inode;
	void *private_data;
};

struct fdtable___guard {
	unsigned int max_fds;
	struct file___guard **fd;
};

struct files_struct___guard {
	struct fdtable___guard *fdt;
};

struct task_struct___guard {
	struct files_struct___guard *files;
};

struct linux_binprm___guard {
	struct file___guard *file;
	const char *filename;
};

struct upid___guard {
	int nr;
};

struct pid___guard {
	struct upid___guard numbers[1];
};

struct file_system_type___guard {
	const char *name;
};

struct fs_context___guard {
	struct file_system_type___guard *fs_type;
};

struct module___guard {
	char name[MODULE_NAME_BYTES];
};

#pragma clang attribute pop

static __always_inline struct file___guard *find_file(__u32 fd)
{
	struct task_struct___guard *task = (void *)bpf_get_current_task();
	struct fdtable___guard *table = BPF_CORE_READ(task, files, fdt);
	struct file___guard **files = BPF_CORE_READ(table, fd), *file = 0;

	if (fd < BPF_CORE_READ(table, max_fds))
		bpf_probe_read_kernel(&file, sizeof(file), files + fd);
	return file;
}

static __always_inline const char *name_of(struct file___guard *file)
{
	return BPF_CORE_READ(file, f_path.dentry, d_name.name);
}

/* Without a type, the fd is that of a namespace; otherwise it can be a pidfd. */
SEC("tp/syscalls/sys_exit_setns")
int on_setns(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);
	__u64 flags = PT_REGS_PARM2_CORE_SYSCALL(regs);
	struct guard *e = reserve(ctx, setns, ctx->ret);
	struct ns_common___guard *namespace;
	struct file___guard *file;

	if (!e)
		return PEAT_RETURN(ctx);
	if (flags & CLONE_NAMESPACES) {
		submit_object(ctx, e, write_namespaces(e, flags));
		return PEAT_RETURN(ctx);
	}
	file = ctx->ret ? 0 : find_file(PT_REGS_PARM1_CORE_SYSCALL(regs));
	namespace = BPF_CORE_READ(file, f_inode, i_private);
	submit_object(
		ctx, e,
		bpf_probe_read_kernel_str(e->object, 16, BPF_CORE_READ(namespace, ops, name)));
	return PEAT_RETURN(ctx);
}

/* ---- memory and files of other processes ----------------------------------------------------- */

#define PROC_MAGIC   0x9fa0
#define DIGITS	     10
#define WRITES	     3 /* O_WRONLY | O_RDWR */
#define NUMBER_BYTES 16

/* The decimal number that a text of the kernel is; -1: it is none. */
static __noinline __s64 read_number(const char *text)
{
	char digits[NUMBER_BYTES] = "";
	__s64 number = 0;

	bpf_probe_read_kernel_str(digits, sizeof(digits), text);
	for (__u32 i = 0; i < DIGITS && digits[i]; i++) {
		if (digits[i] < '0' || digits[i] > '9')
			return -1;
		number = number * 10 + digits[i] - '0';
	}
	return digits[0] ? number : -1;
}

/* Also a failed call is an act. */
SEC("tp/syscalls/sys_exit_process_vm_writev")
int on_process_vm_writev(struct syscall_trace_exit *ctx)
{
	return emit_target(ctx, memory_write,
			   (__s32)PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr)));
}

/* /proc/PID/mem, opened for writing: the process is the number that its directory has. */
static __noinline int emit_memory_file(struct syscall_trace_exit *ctx, __u64 flags)
{
	struct file___guard *file;
	char name[4] = "";

	if (!(flags & WRITES) || ctx->ret < 0)
		return PEAT_RETURN(ctx);
	file = find_file(ctx->ret);
	if (BPF_CORE_READ(file, f_inode, i_sb, s_magic) != PROC_MAGIC)
		return PEAT_RETURN(ctx);
	bpf_probe_read_kernel(name, sizeof(name), name_of(file));
	if (name[0] != 'm' || name[1] != 'e' || name[2] != 'm' || name[3])
		return PEAT_RETURN(ctx);
	return emit_target(ctx, memory_write,
			   read_number(BPF_CORE_READ(file, f_path.dentry, d_parent, d_name.name)));
}

SEC("tp/syscalls/sys_exit_openat")
int on_openat(struct syscall_trace_exit *ctx)
{
	return emit_memory_file(ctx, PT_REGS_PARM3_CORE_SYSCALL(saved_registers(ctx->nr)));
}

SEC("tp/syscalls/sys_exit_openat2")
int on_openat2(struct syscall_trace_exit *ctx)
{
	__u64 how = PT_REGS_PARM3_CORE_SYSCALL(saved_registers(ctx->nr)), flags = 0;

	bpf_probe_read_user(&flags, sizeof(flags), (const void *)how);
	return emit_memory_file(ctx, flags);
}

/* arm64 does not have these two system calls. */
PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_open") int on_open(struct syscall_trace_exit *ctx)
{
	return emit_memory_file(ctx, PT_REGS_PARM2_CORE_SYSCALL(saved_registers(ctx->nr)));
}

PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_creat") int on_creat(struct syscall_trace_exit *ctx)
{
	return emit_memory_file(ctx, WRITES);
}

/* A pidfd has its process in the inode since Linux 6.9, before that in the file. */
SEC("tp/syscalls/sys_exit_pidfd_getfd")
int on_pidfd_getfd(struct syscall_trace_exit *ctx)
{
	struct file___guard *file = find_file(PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr)));
	struct pid___guard *pid = BPF_CORE_READ(file, f_inode, i_private);
	__s32 number = 0;

	if (!pid)
		pid = BPF_CORE_READ(file, private_data);
	if (pid)
		number = BPF_CORE_READ(pid, numbers[0].nr);
	return emit_target(ctx, pidfd_getfd, number > 0 ? number : -1);
}

/* ---- mounts by their fds --------------------------------------------------------------------- */

#define OPEN_TREE_CLONE 1

/* Linux 5.12. */
PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_mount_setattr") int on_mount_setattr(
	struct syscall_trace_exit *ctx)
{
	return emit_user_text(ctx, mount_setattr,
			      PT_REGS_PARM2_CORE_SYSCALL(saved_registers(ctx->nr)));
}

/* Without the flag, the call opens a path as open(2) does. */
static __always_inline int emit_tree(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);

	if (!(PT_REGS_PARM3_CORE_SYSCALL(regs) & OPEN_TREE_CLONE))
		return PEAT_RETURN(ctx);
	return emit_user_text(ctx, open_tree, PT_REGS_PARM2_CORE_SYSCALL(regs));
}

SEC("tp/syscalls/sys_exit_open_tree")
int on_open_tree(struct syscall_trace_exit *ctx)
{
	return emit_tree(ctx);
}

/* Linux 6.15. */
PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_open_tree_attr") int on_open_tree_attr(
	struct syscall_trace_exit *ctx)
{
	return emit_tree(ctx);
}

/* The object is the type of the file system. */
SEC("tp/syscalls/sys_exit_fsmount")
int on_fsmount(struct syscall_trace_exit *ctx)
{
	struct guard *e = reserve(ctx, fsmount, ctx->ret);
	struct fs_context___guard *context;
	struct file___guard *file;

	if (!e)
		return PEAT_RETURN(ctx);
	file = find_file(PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr)));
	context = ctx->ret < 0 ? 0 : BPF_CORE_READ(file, private_data);
	submit_object(ctx, e,
		      bpf_probe_read_kernel_str(e->object, NAME_BYTES,
						BPF_CORE_READ(context, fs_type, name)));
	return PEAT_RETURN(ctx);
}

/* ---- further groups, and capabilities -------------------------------------------------------- */

/* The target is the first group. */
SEC("tp/syscalls/sys_exit_setgroups")
int on_setgroups(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);
	const void *groups = (const void *)PT_REGS_PARM2_CORE_SYSCALL(regs);
	__u32 first;

	if (!(__s32)PT_REGS_PARM1_CORE_SYSCALL(regs) ||
	    bpf_probe_read_user(&first, sizeof(first), groups))
		return emit_target(ctx, setgroups, -1);
	return emit_target(ctx, setgroups, first);
}

SEC("tp/syscalls/sys_exit_capset")
int on_capset(struct syscall_trace_exit *ctx)
{
	return emit_target(ctx, capset, -1);
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Any module that is loaded; the system calls are for failures.  A kernel may have no modules. */
PEAT_OPTIONAL SEC("raw_tp/module_load") int BPF_PROG(on_module, struct module___guard *module)
{
	struct guard *e = reserve((unsigned long long *)ctx, module_load, 0);

	if (e)
		submit_object(
			(unsigned long long *)ctx, e,
			bpf_probe_read_kernel_str(e->object, MODULE_NAME_BYTES, module->name));
	return 0;
}

PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_finit_module") int on_finit_module(
	struct syscall_trace_exit *ctx)
{
	struct guard *e = ctx->ret < 0 ? reserve(ctx, module_load, ctx->ret) : 0;
	__u32 fd = PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr));

	if (e)
		submit_object(
			ctx, e,
			bpf_probe_read_kernel_str(e->object, OBJECT_BYTES, name_of(find_file(fd))));
	return PEAT_RETURN(ctx);
}

PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_init_module") int on_init_module(
	struct syscall_trace_exit *ctx)
{
	return ctx->ret < 0 ? emit_target(ctx, module_load, -1) : PEAT_RETURN(ctx);
}

PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_delete_module") int on_delete_module(
	struct syscall_trace_exit *ctx)
{
	return emit_user_text(ctx, module_unload,
			      PT_REGS_PARM1_CORE_SYSCALL(saved_registers(ctx->nr)));
}

/* ---- programs in memory ---------------------------------------------------------------------- */

#define MEMFD "memfd:"

static __always_inline bool is_of_memfd(const char *name)
{
	char start[sizeof(MEMFD)] = "";

	bpf_probe_read_kernel(start, sizeof(MEMFD) - 1, name);
#pragma unroll
	for (__u32 i = 0; i < sizeof(MEMFD); i++)
		if (start[i] != MEMFD[i])
			return false;
	return true;
}

/* A file of memfd_create(2) has this prefix, and no link in any directory. */
static __always_inline bool is_memfd(struct file___guard *file)
{
	return !BPF_CORE_READ(file, f_inode, i_nlink) && is_of_memfd(name_of(file));
}

#define DEV_FD	"/dev/fd/"
#define PROC_FD "/proc/self/fd/"

static __always_inline bool begins_with(const char *text, const char *prefix, __u32 bytes)
{
	for (__u32 i = 0; i < bytes; i++)
		if (text[i] != prefix[i])
			return false;
	return true;
}

/* The file of a path that names a descriptor of the process: that of a script.  NULL: no such. */
static __always_inline struct file___guard *find_script(const char *path)
{
	char start[NUMBER_BYTES] = "";
	__s64 fd;

	bpf_probe_read_kernel_str(start, sizeof(start), path);
	if (begins_with(start, DEV_FD, sizeof(DEV_FD) - 1))
		fd = read_number(path + sizeof(DEV_FD) - 1);
	else if (begins_with(start, PROC_FD, sizeof(PROC_FD) - 1))
		fd = read_number(path + sizeof(PROC_FD) - 1);
	else
		return 0;
	return fd < 0 ? 0 : find_file(fd);
}

/* The file of a script is the interpreter: the script itself is known by its path alone. */
SEC("raw_tp/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, pid_t old_pid, struct linux_binprm___guard *bprm)
{
	struct file___guard *file = BPF_CORE_READ(bprm, file);
	struct guard *e;

	if (!is_memfd(file)) {
		file = find_script(BPF_CORE_READ(bprm, filename));
		if (!file || !is_memfd(file))
			return 0;
	}
	e = reserve(ctx, memfd_exec, 0);
	if (e)
		submit_object(ctx, e,
			      bpf_probe_read_kernel_str(e->object, OBJECT_BYTES, name_of(file)));
	return 0;
}
