/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * peat.bpf.h: the BPF side of peat: a channel for events, and filters for every probe.
 *
 *	#include <vmlinux.h>
 *	#include <bpf/bpf_tracing.h>
 *	#include <peat/peat.bpf.h>
 *
 *	struct exec { __u32 ppid; char filename[128]; };
 *
 *	SEC("tp_btf/sched_process_exec")
 *	int BPF_PROG(on_exec, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
 *	{
 *		struct exec *e = peat_reserve(ctx, struct exec);
 *
 *		if (!e)
 *			return 0;
 *		e->ppid = task->real_parent->tgid;
 *		bpf_probe_read_kernel_str(e->filename, sizeof(e->filename), bprm->filename);
 *		return peat_submit(ctx, e);
 *	}
 *
 * An event is built in place, in reserved memory.  Every path of the program has to submit or
 * discard it.  Time, CPU, process and thread are part of every event; a program adds its own data.
 * Reserved memory has the bytes of earlier events: set every member.
 *
 * Events are staged in a slot of their CPU.  As soon as the slot has peat_batch_bytes, the program
 * writes it by one bpf_perf_event_output().  The reader collects events that stay longer.  wire.h
 * describes the stage and its locking.
 *
 * Requires: a program type that may call bpf_perf_event_output(); clang 14 or newer, with
 * -mcpu=v3; Linux 5.10 or newer.
 *
 * Before Linux 5.12, BPF has no atomic operations that return a value.  There, the loader replaces
 * the operations of impl.bpf.h (peat_channel__open()), and refuses programs with such operations of
 * their own: __sync_fetch_and_add() works if its result is not used.
 *
 * User space prints events by their BTF, without code for any of them: numbers, enums by name,
 * char[] as a string, structs and arrays.  A tag, or a type of this table, selects another form:
 *
 *	struct connect {
 *		__u8 to[4] PEAT_AS(ipv4) PEAT_DOC("the peer");
 *		peat_port_t port;
 *		peat_errno_t error;
 *	} PEAT_DOC("connections, and how they ended");
 *
 *	type		      is a	the same: PEAT_AS()  shown as
 *	peat_hex_t	      __u64	hex	  0x1f
 *	peat_ipv4_t	      __u32	ipv4	  192.0.2.1; 4 bytes in network order
 *	peat_ipv6_t	      __u8[16]	ipv6	  2001:db8::1; in network order
 *	peat_mac_t	      __u8[6]	mac	  00:00:5e:00:53:01
 *	peat_port_t	      __u16	port	  443; in network order
 *	struct peat_endpoint  18 bytes		  192.0.2.1:443, [2001:db8::1]:443
 *	peat_errno_t	      __s32	errno	  3, or ENOENT for -2
 *	peat_signal_t	      __u32	signal	  SIGTERM
 *	peat_duration_t	      __u64	duration  1.5ms, of nanoseconds
 *	peat_size_t	      __u64	size	  4.0K, of bytes
 *	peat_kaddr_t	      __u64	kaddr	  vfs_read+0x10, of an address in the kernel
 *	peat_kstack_t	      __s32	kstack	  a stack, from the result of bpf_get_stackid()
 *	peat_ustack_t	      __s32	ustack	  likewise, with BPF_F_USER_STACK: of the process
 *						  of the event, or of the row's field pid
 *	PEAT_STACKS	      any	stack	  frames below the event, by --stacks
 *	bool		      1 byte	bool	  true
 *	an enum		      4, 8	flags	  the names of its bits: O_WRONLY|O_CREAT
 *	char[]		      any	string	  up to its NUL, or to its end
 *	char[], __u8[]	      any	strings	  consecutive strings, each with its NUL
 *	char[]		      any	chars	  all bytes, with escapes: GET /\r\n\x00
 *	__u8[]		      any	bytes	  in hexadecimal
 *	char, __u8, bool...   1 to 8	number	  decimal
 *
 * A tag is valid for numbers of 1 to 8 bytes if the table has a number there, and for arrays of the
 * same size as the type.  An IPv4 address in a peat_ipv6_t is ::ffff:192.0.2.1; it is shown, and
 * compared, as 192.0.2.1.
 */
#ifndef PEAT_BPF_H
#define PEAT_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <peat/counter.bpf.h>
#include <peat/wire.h>

/* ---- for programs ---------------------------------------------------------------------------- */

/*
 * Reserves memory for one event of type T.  NULL: the event is filtered out, or lost and counted;
 * return from the program.
 */
#define peat_reserve(ctx, T) peat_reserve_bytes(ctx, T, sizeof(T))

/*
 * Reserves memory for an event of variable length, which begins with T and has at most `max` bytes,
 * a constant.  Submit it by peat_submit_bytes().
 */
#define peat_reserve_bytes(ctx, T, max)                                                            \
	({                                                                                         \
		_Static_assert((max) >= sizeof(T), "no room for " #T);                             \
		PEAT_NOTE_TYPE(T, max);                                                            \
		PEAT_KEEP_STACK_(ctx);                                                             \
		(T *)peat_reserve_(ctx, max, PEAT_TYPE(T), 0);                                     \
	})

/*
 * Keeps a program of a uprobe on the stack of its task.  From Linux 6.13, the kernel gives such
 * programs one stack per CPU if they use more than 48 bytes, although they can be preempted: two of
 * them then overwrite each other's variables.  Programs with a bpf_tail_call() are excepted.  This
 * call is never reached, and the verifier removes it.
 *
 * peat_reserve() and its variants do this if ctx is a struct pt_regs *.  Sessions, and
 * peat_channel__open() and its variants, do it for each program of a uprobe or usdt.  So only
 * programs that other loaders open, and that reserve no event, need it, anywhere in their code.
 */
#if defined(__TARGET_ARCH_x86) || defined(__TARGET_ARCH_arm64)
#define PEAT_KEEP_STACK() asm volatile("r0 = 0\nif r0 == 0 goto +1\ncall 12" ::: "r0")
#else
#define PEAT_KEEP_STACK()                                                                          \
	do {                                                                                       \
	} while (0)
#endif

/* The same for the ctx of a uprobe. */
#define PEAT_KEEP_STACK_(ctx)                                                                      \
	do {                                                                                       \
		if (PEAT_CTX_KIND(ctx) == PEAT_CTX_REGISTERS)                                      \
			PEAT_KEEP_STACK();                                                         \
	} while (0)

/*
 * The value that a program returns so that nothing changes for the kernel and for other users of
 * the event.  The type of ctx selects it:
 *
 *	TC_ACT_UNSPEC	struct __sk_buff *: tc.  Return another value in cgroup_skb and lwt.
 *	XDP_PASS	struct xdp_md *
 *	0		the ctx of BPF_PROG(): tp_btf, raw_tp, fentry, fexit, lsm, struct_ops;
 *			struct bpf_raw_tracepoint_args *, struct bpf_perf_event_data *
 *	1		any other: tp, kprobe, ksyscall, uprobe and usdt, and programs of cgroups
 *
 * A void *ctx is any other: in fentry, lsm and iter programs return 0 instead.
 *
 * A program of a tracepoint (tp) that returns 0 hides the event from perf and from all other users
 * on the machine, and so does one that is attached to a kprobe or uprobe event of tracefs. Sessions
 * attach most programs of uprobes by links on Linux 6.10 and newer: those return 0 whatever they
 * compute.
 */
/* clang-format off */
#define PEAT_RETURN(ctx)                                                                           \
	_Generic((ctx),                                                                            \
		 struct __sk_buff *: -1,                                                           \
		 struct xdp_md *: 2,                                                               \
		 unsigned long long *: 0,                                                          \
		 struct bpf_raw_tracepoint_args *: 0,                                              \
		 struct bpf_perf_event_data *: 0,                                                  \
		 default: 1)
/* clang-format on */

/* Submits the event.  Returns PEAT_RETURN(ctx), so that a program can return the result. */
#define peat_submit(ctx, event)                                                                    \
	({                                                                                         \
		peat_submit_(ctx, event, sizeof(*(event)), PEAT_TYPE_OF(event));                   \
		peat_return_(PEAT_RETURN(ctx));                                                    \
	})

/*
 * Submits the first `bytes` bytes.  If that is more than reserved, the event is lost and counted.
 * Returns PEAT_RETURN(ctx).
 */
#define peat_submit_bytes(ctx, event, bytes)                                                       \
	({                                                                                         \
		peat_submit_trimmed_(ctx, event, bytes, PEAT_TYPE_OF(event));                      \
		peat_return_(PEAT_RETURN(ctx));                                                    \
	})

/*
 * Copies the packet's bytes from `offset` on to `to`, at most `max` bytes.  For programs of tc and
 * XDP; the type of ctx selects (XDP: struct xdp_md *).  `max` is a constant, or a const volatile
 * variable.  Returns the number of bytes copied; 0: the packet has none there.
 *
 *	e = peat_reserve_bytes(skb, struct seen, sizeof(*e) + 256);
 *	...
 *	peat_submit_bytes(skb, e, sizeof(*e) + peat_copy_packet(skb, 0, e->data, 256));
 *	return TC_ACT_UNSPEC;
 */
#define peat_copy_packet(ctx, offset, to, max)                                                     \
	_Generic((ctx), struct xdp_md *                                                            \
		 : peat_copy_from_xdp_, default                                                    \
		 : peat_copy_from_skb_)(ctx, offset, to, max)

/* Discards the event: releases its memory.  Returns PEAT_RETURN(ctx). */
#define peat_discard(ctx, event)                                                                   \
	({                                                                                         \
		peat_discard_(ctx, event);                                                         \
		peat_return_(PEAT_RETURN(ctx));                                                    \
	})

/*
 * For programs with many return statements: declares `name`, a T * that may be NULL.  At the end of
 * its scope the event is discarded, unless peat_send(name) submitted it.
 *
 *	PEAT_EVENT(ctx, struct open, e);
 *
 *	if (!e || bpf_probe_read_user_str(e->path, sizeof(e->path), path) < 0)
 *		return PEAT_RETURN(ctx);
 *	return peat_send(e);
 */
#define PEAT_EVENT(context, T, name)                                                               \
	enum { name##_return_ = PEAT_RETURN(context) };                                            \
	T *name = peat_reserve(context, T);                                                        \
	struct peat_guard_ name##_guard_                                                           \
		__attribute__((cleanup(peat_guard_end_))) = { context, name }

#define peat_send(name)                                                                            \
	({                                                                                         \
		name##_guard_.event = 0;                                                           \
		if (name)                                                                          \
			peat_submit_(name##_guard_.ctx, name, sizeof(*name), PEAT_TYPE_OF(name));  \
		peat_return_(name##_return_);                                                      \
	})

/*
 * Like peat_reserve(), for an event of `task`, a struct task_struct *, instead of the running task.
 * The event has that task's ids, and the filters apply to it.  For programs that may read kernel
 * memory.
 */
#define peat_reserve_for(ctx, T, task)                                                             \
	({                                                                                         \
		PEAT_NOTE_TYPE(T, sizeof(T));                                                      \
		PEAT_KEEP_STACK_(ctx);                                                             \
		(T *)peat_reserve_for_(ctx, sizeof(T), PEAT_TYPE(T), task, 0);                     \
	})

/*
 * Sets the ids of the reserved event, for programs without a struct task_struct: `tgid` and `tid`
 * replace the ids of the running task.  The filters applied to the running task.  Does nothing if
 * events have no ids.  A reader in a pid namespace does not learn the task's name.
 */
#define peat_set_task(event, tgid, tid) peat_set_task_(event, tgid, tid)

/*
 * For events of an operation that begins in one task and ends in any other, such as an I/O that
 * ends in an interrupt: true if the filters accept the running task.  Test it where the operation
 * begins, keep the task's ids, and reserve the event by peat_reserve_accepted(), which applies no
 * filters, or by peat_reserve_stacks_accepted().
 *
 *	if (!peat_accepts_current())
 *		return 0;
 *	...
 *	e = peat_reserve_accepted(ctx, struct io);
 *	if (!e)
 *		return 0;
 *	peat_set_task(e, io->tgid, io->tid);
 */
#define peat_accepts_current() (!peat_filters || !peat_current_is_out())
#define peat_reserve_accepted(ctx, T)                                                              \
	({                                                                                         \
		PEAT_NOTE_TYPE(T, sizeof(T));                                                      \
		PEAT_KEEP_STACK_(ctx);                                                             \
		(T *)peat_take_(ctx, sizeof(T), PEAT_TYPE(T), 0);                                  \
	})

/*
 * Reads a member of a struct of the kernel, for programs of tp_btf: PEAT_READ(task, mm, arg_start)
 * is task->mm->arg_start, a load without a call.  On a kernel without BTF the loader attaches such
 * programs as raw_tp, which may not load: there it is BPF_CORE_READ(task, mm, arg_start).
 */
#define PEAT_READ(pointer, ...)                                                                    \
	(peat_no_btf ? BPF_CORE_READ(pointer, __VA_ARGS__) : ___arrow(pointer, __VA_ARGS__))

/*
 * Events with the stack of the running task: the last member of their struct is PEAT_STACKS, and
 * two macros stand in for peat_reserve() and peat_submit().
 *
 *	struct slow { peat_duration_t took; PEAT_STACKS; };
 *
 *	e = peat_reserve_stacks(ctx, struct slow);
 *	if (!e)
 *		return 0;
 *	e->took = took;
 *	return peat_submit_stacks(ctx, e);
 *
 * Users select the stacks by peat_session_opts.stacks, or peat trace --stacks.  Without, the event
 * ends before PEAT_STACKS, and costs no more than any other.  Do not write to the member.
 *
 * Each stack costs some microseconds.  The slot of the CPU is in use meanwhile, so that programs
 * that interrupt this one use its other slots.
 *
 * Programs of packets, sockets and cgroups may not take stacks.  Their events with stacks are
 * written one at a time, and the kernel samples the stacks with them.  The type of ctx selects
 * this: give the macros the program's own ctx, not a void *.
 */
#define PEAT_STACKS struct peat_stacks stack

/* Like peat_reserve().  The event can be discarded by peat_discard(). */
#define peat_reserve_stacks(ctx, T)                                                                \
	({                                                                                         \
		PEAT_NOTE_STACKS_(T);                                                              \
		PEAT_KEEP_STACK_(ctx);                                                             \
		T *reserved_ =                                                                     \
			peat_reserve_(ctx, sizeof(T) + peat_stacks_room_of(PEAT_CTX_KIND(ctx)),    \
				      PEAT_TYPE(T), peat_is_alone(PEAT_CTX_KIND(ctx)));            \
		if (reserved_)                                                                     \
			reserved_->stack = (struct peat_stacks){};                                 \
		reserved_;                                                                         \
	})

/*
 * Like peat_reserve_for(): the event has the ids of `task`, and the filters apply to it.  But its
 * stack is the one of the running task, such as the task that wakes `task`.
 */
#define peat_reserve_stacks_for(ctx, T, task)                                                      \
	({                                                                                         \
		PEAT_NOTE_STACKS_(T);                                                              \
		PEAT_KEEP_STACK_(ctx);                                                             \
		T *reserved_ = peat_reserve_for_(                                                  \
			ctx, sizeof(T) + peat_stacks_room_of(PEAT_CTX_KIND(ctx)), PEAT_TYPE(T),    \
			task, peat_is_alone(PEAT_CTX_KIND(ctx)));                                  \
		if (reserved_)                                                                     \
			reserved_->stack = (struct peat_stacks){};                                 \
		reserved_;                                                                         \
	})

/* Like peat_reserve_accepted(), for an event of a task that the filters accepted before. */
#define peat_reserve_stacks_accepted(ctx, T)                                                       \
	({                                                                                         \
		PEAT_NOTE_STACKS_(T);                                                              \
		PEAT_KEEP_STACK_(ctx);                                                             \
		T *reserved_ =                                                                     \
			peat_take_(ctx, sizeof(T) + peat_stacks_room_of(PEAT_CTX_KIND(ctx)),       \
				   PEAT_TYPE(T), peat_is_alone(PEAT_CTX_KIND(ctx)));               \
		if (reserved_)                                                                     \
			reserved_->stack = (struct peat_stacks){};                                 \
		reserved_;                                                                         \
	})

/* Takes the stacks that users selected, and submits the event.  Returns PEAT_RETURN(ctx). */
#define peat_submit_stacks(ctx, event)                                                             \
	peat_submit_stacks_bytes(ctx, event, PEAT_STACKS_AT_(typeof(*(event))))

/*
 * For an event whose last member before PEAT_STACKS has a variable length: without stacks, submits
 * the first `bytes` bytes; with stacks, the whole struct.  The member needs a PEAT_LEN(), unless it
 * is a string.
 */
#define peat_submit_stacks_bytes(ctx, event, bytes)                                                \
	({                                                                                         \
		peat_submit_stacks_(ctx, event, bytes, PEAT_STACKS_AT_(typeof(*(event))),          \
				    PEAT_TYPE_OF(event), PEAT_CTX_KIND(ctx));                      \
		peat_return_(PEAT_RETURN(ctx));                                                    \
	})

/* Selects how a member is printed: a word of the table above. */
#define PEAT_AS(word) __attribute__((btf_decl_tag("peat:as:" #word)))

/*
 * For an array of bytes or characters: the number in the member `field` of the same struct limits
 * the elements in use.  The others are not printed.  A number is missing, "-" in text and null in
 * JSON, unless `field` is at least its size.
 *
 *	__u32 copied;
 *	__u8 data[64] PEAT_LEN(copied);
 */
#define PEAT_LEN(field) __attribute__((btf_decl_tag("peat:len:" #field)))

/*
 * For a member that some events lack, because its memory could not be read: it is absent while the
 * number in the member `field` of the same struct, usually a bit, is 0.  An absent member is "-" in
 * text and null in JSON, no expression matches it, and no table counts it.  Mark the members of a
 * struct, not the struct.
 *
 *	__u8 has_inode : 1 PEAT_HIDDEN;
 *	__u64 inode PEAT_PRESENT(has_inode);
 *
 *	e->has_inode = !bpf_probe_read_kernel(&e->inode, sizeof(e->inode), &inode->i_ino);
 */
#define PEAT_PRESENT(field) __attribute__((btf_decl_tag("peat:present:" #field)))

/*
 * Prints a member of 4 bytes by the names of an enum of the running kernel, without `prefix`.  The
 * values of such enums differ between kernels.  Without the enum, the member's own type counts.
 *
 *	__u32 reason PEAT_KERNEL_ENUM(skb_drop_reason, SKB_DROP_REASON_);
 */
#define PEAT_KERNEL_ENUM(name, prefix)                                                             \
	__attribute__((btf_decl_tag("peat:kernel_enum:" #name "," #prefix)))

/* Describes a member, or the events of a struct, in a few words for `peat list`. */
#define PEAT_DOC(text) __attribute__((btf_decl_tag("peat:doc:" text)))

/*
 * The subject of a struct's events, one word.  `peat list` groups sources by it: tasks, files,
 * disks, memory, locks, network, security, or any other.
 */
#define PEAT_SUBJECT(word) __attribute__((btf_decl_tag("peat:subject:" #word)))

/* Names tools that answer the same question, for `peat list --search`: "opensnoop, statsnoop". */
#define PEAT_LIKE(tools) __attribute__((btf_decl_tag("peat:like:" tools)))

/* Marks a member that a terminal shows only if it is wide enough for it, or with --wide. */
#define PEAT_MINOR __attribute__((btf_decl_tag("peat:minor")))

/*
 * The same for a member that is 0, empty or absent in most runs: a terminal has a column for it
 * from its first other value on, and lines without columns omit it while it has none.  The members
 * of a struct need marks of their own.
 */
#define PEAT_RARE __attribute__((btf_decl_tag("peat:rare")))

/*
 * Marks a member, also of a struct in the event, that is printed only if users choose it by name.
 * They can also select by it.
 */
#define PEAT_HIDDEN __attribute__((btf_decl_tag("peat:hidden")))

/*
 * Prints an array of up to six __u64, the arguments of a system call, by their names and the
 * constants of the kernel: "dfd=AT_FDCWD filename=\"/etc/motd\" flags=O_RDONLY|O_CLOEXEC".  The
 * first name is a member of the same struct, an enum with the names and numbers of calls,
 * as in <asm/unistd.h>.  Unknown calls have hexadecimal numbers.
 *
 *	enum call_name call;
 *	__u8 texts PEAT_HIDDEN;
 *	__u16 length PEAT_HIDDEN;
 *	peat_hex_t args[6] PEAT_CALL_ARGS(call, texts, path, peer);
 *	struct peat_endpoint peer PEAT_HIDDEN;
 *	char path[256] PEAT_LEN(length) PEAT_HIDDEN;
 *
 * The others are optional.  `path` has the strings, each with its NUL, of the arguments whose bit
 * `texts` has, in order.  For a struct sockaddr with that bit, it has a path or "@name", or else
 * `peer` has the address.  Other pointers are printed as numbers.
 */
#define PEAT_CALL_ARGS(...) __attribute__((btf_decl_tag("peat:call_args:" #__VA_ARGS__)))

/*
 * Makes a map a table that `peat count` and `peat top` show, with a few words about it: its rows
 * are the map's entries, the fields of key and value are columns, shown like fields of events.
 * The map has types, __type(key, ...) and __type(value, ...).  It is a hash table or an array, also
 * an LRU or per-CPU one.  Prefer per-CPU ones for counts: no atomic operation is needed.
 *
 *	struct {
 *		__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
 *		__uint(max_entries, 4096);
 *		__type(key, struct opener);
 *		__type(value, struct opens);
 *	} opens_by SEC(".maps") PEAT_TABLE("files opened, by process");
 */
#define PEAT_TABLE(text) __attribute__((btf_decl_tag("peat:table:" text)))

/*
 * Makes a map a table of histograms: its value, or a member of it, is an array of at most 64
 * numbers; slot i counts numbers from 2^i to 2^(i+1) - 1, slot 0 also 0.  `unit` is the unit of
 * these numbers: ns, us, ms, s, bytes, or any other word.  PEAT_TABLE() can be added.
 */
#define PEAT_HIST(unit) __attribute__((btf_decl_tag("peat:hist:" #unit)))

/*
 * Selects how a member of a table's value that is counted per CPU becomes one: sum, min, max, or
 * first, of the first CPU that has one other than 0.  Without it, numbers, durations and sizes are
 * summed, min and max by their names, and of all others the first is taken, also of pid, tid, tgid,
 * uid, gid, cpu and ts.  An interval has the difference of members that are summed.
 *
 *	peat_duration_t longest PEAT_MERGE(max);
 */
#define PEAT_MERGE(how) __attribute__((btf_decl_tag("peat:merge:" #how)))

/*
 * Declares a constant that users can set, with its default and a description.  Its type decides how
 * a value is written: a number, a bool, a name of an enum, or a type of the table, such as 10ms for
 * a peat_duration_t.
 *
 *	PEAT_OPTION(peat_duration_t, min, 1000000, "only delays of at least this");
 *	PEAT_OPTION(bool, idle, false, "also threads of the kernel that wait for work");
 *
 * Begin the description of a duration or a size that rejects events with "only", 0 being no limit,
 * and that of a bool that adds events with "also": peat names these options if no event came.
 */
#define PEAT_OPTION(type, name, value, doc)                                                        \
	const volatile type name __attribute__((btf_decl_tag("peat:option:" doc))) = value

/*
 * Marks a program, before its definition or its SEC(): if the kernel lacks its attach point, the
 * other programs are attached without it.  Marks a PEAT_COUNTER(), before it: if the machine lacks
 * its event, the object is attached, and peat_count_read() returns -ENOENT.
 */
#define PEAT_OPTIONAL __attribute__((btf_decl_tag("peat:optional")))

/*
 * Marks a program of perf_event, before its SEC(): it runs at each sample of a perf event, on each
 * CPU.  `event` and `freq` are options of the object: the event as `perf record -e` takes it, and
 * the samples per second and CPU, a __u32.  A program without this mark runs at cpu-clock, 99 times
 * per second.
 *
 *	PEAT_OPTION(peat_text_t, event, "cpu-clock", "perf event that is sampled");
 *	PEAT_OPTION(__u32, freq, 99, "samples per second and CPU");
 *
 *	PEAT_SAMPLED(event, freq)
 *	SEC("perf_event")
 *	int on_sample(struct bpf_perf_event_data *ctx)
 */
#define PEAT_SAMPLED(event, freq) __attribute__((btf_decl_tag("peat:sampled:" #event "," #freq)))

/*
 * Marks a program of a uprobe or uretprobe, before its SEC(): `option`, a text of the object, names
 * the file that has the function.
 *
 *	PEAT_OPTION(peat_text_t, library, "", "file or name of the library");
 *
 *	PEAT_LIBRARY(library)
 *	SEC("uprobe/libssl.so:SSL_write")
 *	int on_write(struct pt_regs *ctx)
 *
 * The option is a path, or a name.  Empty: the name in the section.  "libssl.so" is any version of
 * that library, "libssl.so.3" that version.  With a filter by process, the file is the one that the
 * process uses, also in a container, or its program, if it has no such library; other processes
 * have no breakpoint.  Without, the program is attached to all versions that this machine has, and
 * to those that processes use in containers, also later ones: each file once.
 *
 * PEAT_OPTIONAL PEAT_LIBRARY(library): the file may be missing, or lack the function.  It is an
 * error if no such program of the object can be attached.
 */
#define PEAT_LIBRARY(option) __attribute__((btf_decl_tag("peat:library:" #option)))

/*
 * Marks a program with PEAT_LIBRARY() whose function is called so often that it may be attached to
 * one process only: without a filter by process, the session does not start.  `peat` filters by the
 * process of COMMAND then.
 */
#define PEAT_ONE_PROCESS __attribute__((btf_decl_tag("peat:one_process")))

/*
 * Marks a program of uprobe.s or uretprobe.s, before its SEC(): it runs before the other programs
 * of the same function, and touches memory of the process that these read.  Until a process has
 * used a page, bpf_probe_read_user() cannot read it.  At the call of a function, that is often so
 * for texts in constants and mapped files; at its return, the function has used what it reads.
 *
 *	PEAT_PRELOAD
 *	SEC("uprobe.s/libc.so.6:chdir")
 *	int touch_path(struct pt_regs *ctx)
 *	{
 *		peat_touch(PT_REGS_PARM1(ctx), PATH_BYTES);
 *		return PEAT_RETURN(ctx);
 *	}
 *
 * Sessions attach it after all other programs: the kernel runs the last one first.  PEAT_LIBRARY()
 * selects its file, too.  If the kernel refuses the program, the session leaves it out, with a
 * debug message, and the others read the memory that there is.  It is left out before Linux 6.10,
 * too: there, uprobes of other processes would wait with a program that waits for a page.
 *
 * The program is sleepable: the kernel refuses perf event arrays in it, and so events and filters.
 */
#define PEAT_PRELOAD __attribute__((btf_decl_tag("peat:preload")))

/*
 * For programs with PEAT_PRELOAD: touches the pages of `bytes` bytes at an address in user memory,
 * at most 8 KiB.  Addresses without memory are ignored.  For a text of unknown length, `bytes` is
 * the room that its reader has for it.
 */
#define peat_touch(address, bytes) peat_touch_((__u64)(address), bytes)

/*
 * Marks a program of perf_event, before its SEC(): it runs each time that a software event happens,
 * a name that `perf stat -e` takes, without modifiers.
 *
 *	PEAT_EACH("major-faults")
 *	SEC("perf_event")
 *	int on_fault(struct bpf_perf_event_data *ctx)
 */
#define PEAT_EACH(event) __attribute__((btf_decl_tag("peat:each:" event)))

/*
 * Marks a program, before its SEC(): it is loaded and attached only if `option`, a PEAT_OPTION()
 * that is a bool or a number, is not 0.
 */
#define PEAT_IF(option) __attribute__((btf_decl_tag("peat:if:" #option)))

typedef char peat_text_t[128];
typedef __u64 peat_hex_t;
typedef __u32 peat_ipv4_t;
typedef __u8 peat_ipv6_t[16];
typedef __u8 peat_mac_t[6];
typedef __u16 peat_port_t;
typedef __s32 peat_errno_t;
typedef __u32 peat_signal_t;
typedef __u64 peat_duration_t;
typedef __u64 peat_size_t;
typedef __u64 peat_kaddr_t;
typedef __s32 peat_kstack_t;
typedef __s32 peat_ustack_t;

/* An address with its port, in one column.  `where` and `count` also have "to.port", "to.address".
 */
struct peat_endpoint {
	peat_ipv6_t address;
	peat_port_t port;
};

#include <peat/impl.bpf.h>

#endif /* PEAT_BPF_H */
