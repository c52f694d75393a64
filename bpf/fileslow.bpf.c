// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * fileslow: system calls on files that took long.  The raw tracepoints of all system calls are two
 * programs, and cost the watched calls no more than a pair of tracepoints for each; but every other
 * call has to be told apart by its number.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "file_path.h"
#include "native_call.h"
#include "saved_registers.h"
#include "syscall_numbers.h"

#define PATH_BYTES 512

enum fileslow_op { other, read, write, fsync, open, copy, fallocate, syncfs };

struct fileslow {
	enum fileslow_op op PEAT_DOC("also of variants: read of pread64 and readv");
	peat_duration_t latency PEAT_DOC("of the system call");
	peat_size_t bytes PEAT_DOC("read, written or copied");
	__s64 offset PEAT_DOC("in the file, where the call began to read or write") PEAT_MINOR;
	peat_errno_t result PEAT_DOC("bytes, file descriptor, 0, or error");
	char path[PATH_ROOM(PATH_BYTES)] PEAT_DOC("from the root of the process");
	PEAT_STACKS;
} PEAT_DOC("reads, writes, syncs and opens of files that were slow") PEAT_SUBJECT(files)
	PEAT_LIKE("fileslower, ext4slower, xfsslower, btrfsslower, nfsslower, zfsslower, fsslower");

PEAT_OPTION(peat_duration_t, min, 10000000, "only calls that took at least this");
PEAT_OPTION(bool, failed, false, "only failures");
PEAT_OPTION(bool, all, false, "also terminals and other character devices, pipes and sockets");

/* The last call of a thread. */
struct call {
	__u64 start_ns; /* 0: it has returned */
	struct file *file;
};

/* By thread.  Entries stay, since changing them in place costs less.  LRU, because threads end. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, struct call);
} fileslow_calls SEC(".maps");

static __always_inline struct call *find_call(void)
{
	__u32 tid = bpf_get_current_pid_tgid();

	return bpf_map_lookup_elem(&fileslow_calls, &tid);
}

static __always_inline struct call *add_call(void)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct call call = {};

	bpf_map_update_elem(&fileslow_calls, &tid, &call, BPF_NOEXIST);
	return find_call();
}

static __always_inline enum fileslow_op op_of(__u64 number)
{
	switch (number) {
	case CALL_read:
	case CALL_pread64:
	case CALL_readv:
	case CALL_preadv:
	case CALL_preadv2:
		return read;
	case CALL_write:
	case CALL_pwrite64:
	case CALL_writev:
	case CALL_pwritev:
	case CALL_pwritev2:
		return write;
	case CALL_fsync:
	case CALL_fdatasync:
	case CALL_sync_file_range:
		return fsync;
#ifdef CALL_open /* arm64 does not have these two */
	case CALL_open:
	case CALL_creat:
#endif
	case CALL_openat:
	case CALL_openat2:
		return open;
	case CALL_copy_file_range:
		return copy;
	case CALL_fallocate:
		return fallocate;
	case CALL_syncfs:
		return syncfs;
	}
	return other;
}

/* Those whose fourth argument is the offset. */
static __always_inline bool has_offset(__u64 number)
{
	return number == CALL_pread64 || number == CALL_pwrite64 || number == CALL_preadv ||
	       number == CALL_pwritev || number == CALL_preadv2 || number == CALL_pwritev2;
}

/* ---- kinds of files -------------------------------------------------------------------------- */

#define KIND	  0170000
#define FIFO	  0010000
#define DIRECTORY 0040000
#define BLOCK	  0060000
#define REGULAR	  0100000
#define SOCKET	  0140000

/* Others wait for a user or another program by their nature. */
static __always_inline bool is_storage(const struct file *file)
{
	__u32 kind = BPF_CORE_READ(file, f_inode, i_mode) & KIND;

	return kind == REGULAR || kind == BLOCK || kind == DIRECTORY;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The first argument, without a call of a helper where the registers have it. */
static __always_inline __u32 fd_of(struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	return PEAT_READ(regs, di);
#else
	return PT_REGS_PARM1_CORE_SYSCALL(regs);
#endif
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *regs, long number)
{
	enum fileslow_op op = op_of(number);
	struct file *file = 0;
	struct call *call;

	if (op == other)
		return 0;
	/* The call may return on another CPU. */
	if (peat_filters && !peat_filters_by(PEAT_FILTER_CPU) && peat_current_is_out())
		return 0;
	if (op != open) {
		file = find_file(fd_of(regs));
		if (!file || (!all && !is_storage(file)))
			return 0;
	}
	call = find_call() ?: add_call();
	if (!call)
		return 0;
	call->file = file;
	call->start_ns = bpf_ktime_get_ns();
	return 0;
}

/* The file of a call that returned.  NULL: none, or another thread has closed it meanwhile. */
static __always_inline struct file *file_of(const struct call *call, enum fileslow_op op,
					    struct pt_regs *regs, long result)
{
	struct file *file;

	if (op == open)
		return result < 0 ? 0 : find_file(result);
	file = find_file(fd_of(regs));
	return file == call->file ? file : 0;
}

/* The file's own offset follows the bytes of this call.  That of a pipe or socket remains 0. */
static __always_inline __s64 offset_of(struct pt_regs *regs, __u64 number, const struct file *file,
				       __u64 bytes)
{
	__s64 offset = -1, next;

	if (has_offset(number))
		offset = PT_REGS_PARM4_CORE_SYSCALL(regs);
	/* preadv2() and pwritev2() take -1 for the file's own offset. */
	if (offset != -1)
		return offset;
	next = BPF_CORE_READ(file, f_pos);
	return next < (__s64)bytes ? 0 : next - bytes;
}

static __always_inline __u64 passed_path(struct pt_regs *regs, __u64 number)
{
#ifdef CALL_open
	if (number == CALL_open || number == CALL_creat)
		return PT_REGS_PARM1_CORE_SYSCALL(regs);
#endif
	return PT_REGS_PARM2_CORE_SYSCALL(regs);
}

/* For a file without a name.  Returns the length. */
static __always_inline __u64 write_kind(char *to, const struct file *file)
{
	__u32 kind = BPF_CORE_READ(file, f_inode, i_mode) & KIND;

	if (kind == FIFO) {
		__builtin_memcpy(to, "[pipe]", sizeof("[pipe]"));
		return sizeof("[pipe]") - 1;
	}
	if (kind == SOCKET) {
		__builtin_memcpy(to, "[socket]", sizeof("[socket]"));
		return sizeof("[socket]") - 1;
	}
	return 0;
}

/* Returns the length of the path. */
static __always_inline __u64 fill_path(struct fileslow *e, struct pt_regs *regs, __u64 number,
				       const struct file *file)
{
	long bytes;

	e->path[0] = '\0';
	if (file)
		return write_file_path(e->path, PATH_BYTES, file) ?: write_kind(e->path, file);
	if (e->op != open)
		return 0;
	bytes = bpf_probe_read_user_str(e->path, PATH_BYTES,
					(const void *)passed_path(regs, number));
	return bytes > 1 ? bytes - 1 : 0;
}

static __always_inline int emit(unsigned long long *ctx, struct pt_regs *regs, __u64 number,
				long result, const struct call *call, __u64 latency)
{
	enum fileslow_op op = op_of(number);
	bool transfers = op == read || op == write;
	struct file *file = file_of(call, op, regs, result);
	struct fileslow *e;

	if (op == open && file && !all && !is_storage(file))
		return 0;
	e = peat_reserve_stacks(ctx, struct fileslow);
	if (!e)
		return 0;
	e->op = op;
	e->latency = latency;
	e->result = result;
	e->bytes = (transfers || op == copy) && result > 0 ? result : 0;
	e->offset = transfers && file ? offset_of(regs, number, file, e->bytes) : 0;
	return peat_submit_stacks_bytes(ctx, e,
					__builtin_offsetof(struct fileslow, path) +
						fill_path(e, regs, number, file) + 1);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_return, struct pt_regs *regs, long result)
{
	__u64 number = saved_number(regs), start_ns, latency;
	struct call *call;

	if (op_of(number) == other)
		return 0;
	call = find_call();
	if (!call || !call->start_ns)
		return 0;
	start_ns = call->start_ns;
	call->start_ns = 0;
	latency = bpf_ktime_get_ns() - start_ns;
	if (latency < min || (failed && result >= 0) || !is_own_native_call(start_ns))
		return 0;
	return emit(ctx, regs, number, result, call, latency);
}
