/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * stacks.bpf.h: the stacks of the running task, written behind an event's members.  Part of
 * peat.bpf.h.
 */
#ifndef PEAT_STACKS_BPF_H
#define PEAT_STACKS_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <peat/settings.bpf.h>
#include <peat/stack_kind.h>
#include <peat/wire.h>

/*
 * The stacks that events have unless users select others.  Programs that are of little use without
 * stacks define it before they include peat.bpf.h.
 */
#ifndef PEAT_DEFAULT_STACKS
#define PEAT_DEFAULT_STACKS 0
#endif

/* The stacks that events have: PEAT_STACK_*, or-ed.  0: none, all of this is dead code. */
const volatile __u64 peat_stack_kinds __weak = PEAT_DEFAULT_STACKS;
const volatile __u64 peat_stack_depth __weak = 127;   /* addresses of each stack */
const volatile __u64 peat_stack_memory __weak = 8192; /* bytes of user stack; a multiple of 8 */

/*
 * The kernel samples the stacks of events that are written to this array.  Its events share the
 * rings of peat_ring.  Created only if programs need it.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} peat_sampled SEC(".maps") __weak;

#define PEAT_USER_STACK (1ULL << 8) /* BPF_F_USER_STACK */

/* The program's ctx: how the stacks and the user registers are found. */
#define PEAT_CTX_OTHER	   0
#define PEAT_CTX_REGISTERS 1 /* struct pt_regs: kprobe, uprobe */
#define PEAT_CTX_SAMPLE	   2 /* struct bpf_perf_event_data */
#define PEAT_CTX_SAMPLED   3 /* the program may not take stacks: the kernel samples them */

struct pt_regs;
struct bpf_perf_event_data;
struct __sk_buff;
struct xdp_md;
struct bpf_sock;
struct bpf_sock_addr;
struct bpf_sock_ops;
struct bpf_sockopt;
struct bpf_sysctl;
struct bpf_cgroup_dev_ctx;
struct bpf_sk_lookup;
struct sk_msg_md;

/* clang-format off */
#define PEAT_CTX_KIND(ctx)                                                                         \
	_Generic((ctx),                                                                            \
		 struct pt_regs *: PEAT_CTX_REGISTERS,                                             \
		 struct bpf_perf_event_data *: PEAT_CTX_SAMPLE,                                    \
		 struct __sk_buff *: PEAT_CTX_SAMPLED,                                             \
		 struct xdp_md *: PEAT_CTX_SAMPLED,                                                \
		 struct bpf_sock *: PEAT_CTX_SAMPLED,                                              \
		 struct bpf_sock_addr *: PEAT_CTX_SAMPLED,                                         \
		 struct bpf_sock_ops *: PEAT_CTX_SAMPLED,                                          \
		 struct bpf_sockopt *: PEAT_CTX_SAMPLED,                                           \
		 struct bpf_sysctl *: PEAT_CTX_SAMPLED,                                            \
		 struct bpf_cgroup_dev_ctx *: PEAT_CTX_SAMPLED,                                    \
		 struct bpf_sk_lookup *: PEAT_CTX_SAMPLED,                                         \
		 struct sk_msg_md *: PEAT_CTX_SAMPLED,                                             \
		 default: PEAT_CTX_OTHER)
/* clang-format on */

/* ---- sizes ----------------------------------------------------------------------------------- */

/* The registers that user space has saved: the first members of struct pt_regs. */
#if defined(__TARGET_ARCH_x86)
#define PEAT_REGISTERS 21
#define PEAT_REG_SP    19
#elif defined(__TARGET_ARCH_arm64)
#define PEAT_REGISTERS 34
#define PEAT_REG_SP    31
#elif defined(__TARGET_ARCH_s390)
#define PEAT_REGISTERS 19
#define PEAT_REG_SP    18
#else
#define PEAT_REGISTERS 0 /* unknown: events have no user registers */
#define PEAT_REG_SP    0
#endif
#define PEAT_REGISTER_BYTES (PEAT_REGISTERS * 8)

static __always_inline __u64 peat_kernel_stack_bytes(void)
{
	if (!(peat_stack_kinds & PEAT_STACK_KERNEL))
		return 0;
	return (peat_stack_depth + PEAT_STACK_MACHINERY) * 8;
}

static __always_inline __u64 peat_user_stack_bytes(void)
{
	return peat_stack_kinds & PEAT_STACK_USER ? peat_stack_depth * 8 : 0;
}

static __always_inline __u64 peat_user_state_bytes(void)
{
	if (!PEAT_REGISTERS || !(peat_stack_kinds & PEAT_STACK_DWARF))
		return 0;
	return PEAT_REGISTER_BYTES + peat_stack_memory;
}

/* The most bytes behind the head of the stacks.  A constant for the verifier. */
static __always_inline __u64 peat_stacks_room(void)
{
	return peat_kernel_stack_bytes() + peat_user_stack_bytes() + peat_user_state_bytes();
}

/* The same for a program with this ctx. */
static __always_inline __u64 peat_stacks_room_of(__u64 ctx_kind)
{
	return ctx_kind == PEAT_CTX_SAMPLED ? 0 : peat_stacks_room();
}

/* Whether the event is written alone, to peat_sampled. */
static __always_inline bool peat_is_alone(__u64 ctx_kind)
{
	return ctx_kind == PEAT_CTX_SAMPLED && peat_stack_kinds;
}

/* ---- user registers -------------------------------------------------------------------------- */

enum bpf_func_id___stacks {
	BPF_FUNC_task_pt_regs___stacks = 175,
};

struct pt_regs___stacks {
	long unused;
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct___stacks {
	void *stack;
};

#pragma clang attribute pop

static __always_inline bool peat_are_of_user(const __u64 *registers)
{
#if defined(__TARGET_ARCH_x86)
	return (registers[17] & 3) == 3; /* cs */
#elif defined(__TARGET_ARCH_arm64)
	return !(registers[33] & 0xf) && registers[PEAT_REG_SP]; /* pstate */
#elif defined(__TARGET_ARCH_s390)
	return registers[1] >> 48 & 1; /* the mask of the PSW */
#else
	return false;
#endif
}

static __always_inline bool peat_read_registers(__u64 *to, const void *from)
{
	return from && !bpf_probe_read_kernel(to, PEAT_REGISTER_BYTES, from) &&
	       peat_are_of_user(to);
}

/*
 * The registers are at the end of the task's stack, which has 16 KiB, or more with KASAN or 64-KiB
 * pages.
 */
static __always_inline bool peat_find_registers(__u64 *to)
{
	struct task_struct___stacks *task = (void *)bpf_get_current_task();
	void *stack = BPF_CORE_READ(task, stack);

#pragma unroll
	for (__u64 bytes = 16384; bytes <= 65536; bytes *= 2)
		if (peat_read_registers(to, stack + bytes -
						    bpf_core_type_size(struct pt_regs___stacks)))
			return true;
	return false;
}

/* Linux before 5.15 has no helper for it, nor have kernels without BTF. */
static __always_inline bool peat_read_task_registers(__u64 *to)
{
	if (peat_no_btf ||
	    !bpf_core_enum_value_exists(enum bpf_func_id___stacks, BPF_FUNC_task_pt_regs___stacks))
		return peat_find_registers(to);
	return peat_read_registers(to, (void *)bpf_task_pt_regs(bpf_get_current_task_btf()));
}

/*
 * Copies the registers with which the task left user space, or which the program's ctx has.  False:
 * there are none, as in a kernel thread.
 */
static __always_inline bool peat_copy_registers(void *ctx, __u64 ctx_kind, __u64 *to)
{
	const void *from = ctx;

	/* The ctx of a program is a pointer to the registers, followed by other members. */
	if (ctx_kind == PEAT_CTX_SAMPLE && bpf_probe_read_kernel(&from, sizeof(from), ctx))
		from = 0;
	if (ctx_kind != PEAT_CTX_OTHER && peat_read_registers(to, from))
		return true;
	return peat_read_task_registers(to);
}

/* ---- memory of the user stack ---------------------------------------------------------------- */

#define PEAT_STACK_STEP 4096ULL /* no page is smaller */

/*
 * Copies a step of the memory, the one from `at` on.  A read that touches memory that is not
 * mapped, or not present, fails as a whole: then the bytes up to the end of the page are copied.
 * True: there may be more after it.
 */
static __always_inline bool peat_copy_step(void *to, __u64 sp, __u64 at, __u64 *copied)
{
	__u64 bytes = PEAT_STACK_STEP, last;

	if (peat_stack_memory <= at)
		return false;
	if (peat_stack_memory - at < bytes)
		bytes = peat_stack_memory - at;
	*copied = at + bytes;
	if (!bpf_probe_read_user(to + at, bytes, (void *)(sp + at)))
		return true;
	*copied = at;
	last = PEAT_STACK_STEP - ((sp + at) & (PEAT_STACK_STEP - 1));
	barrier_var(last);
	if (last < bytes && !bpf_probe_read_user(to + at, last, (void *)(sp + at)))
		*copied = at + (last & ~7ULL);
	return false;
}

/* Copies peat_stack_memory bytes from `sp` on, or fewer at the end of the stack. */
static __always_inline __u64 peat_copy_memory(void *to, __u64 sp)
{
	__u64 copied = 0;

	if (peat_copy_step(to, sp, 0, &copied) &&
	    peat_copy_step(to, sp, PEAT_STACK_STEP, &copied) &&
	    peat_copy_step(to, sp, PEAT_STACK_STEP * 2, &copied))
		peat_copy_step(to, sp, PEAT_STACK_STEP * 3, &copied);
	return copied;
}

_Static_assert(PEAT_STACK_STEP * 4 == PEAT_STACK_MEMORY_MAX, "steps of peat_copy_memory()");

/* ---- all of it ------------------------------------------------------------------------------- */

/* Returns `bytes` as the verifier can bound it: 0 if it is an error. */
static __always_inline __u64 peat_bounded(__s64 bytes, __u64 most)
{
	__u64 bounded = bytes;

	barrier_var(bounded);
	return bounded > most ? 0 : bounded;
}

/*
 * Writes the running task's stacks to `stacks`, which has room for them.  Returns their size with
 * their head.
 */
static __noinline __u64 peat_fill_stacks_(void *ctx, struct peat_stacks *stacks, __u64 ctx_kind)
{
	__u64 kernel = 0, user = 0, registers = 0, memory = 0;
	void *to = stacks->words;

	if (peat_stack_kinds & PEAT_STACK_KERNEL) {
		kernel = peat_bounded(bpf_get_stack(ctx, to, peat_kernel_stack_bytes(), 0),
				      peat_kernel_stack_bytes());
		to += kernel;
	}
	if (peat_stack_kinds & PEAT_STACK_USER) {
		user = peat_bounded(
			bpf_get_stack(ctx, to, peat_user_stack_bytes(), PEAT_USER_STACK),
			peat_user_stack_bytes());
		to += user;
	}
	if (PEAT_REGISTERS && peat_stack_kinds & PEAT_STACK_DWARF &&
	    peat_copy_registers(ctx, ctx_kind, to)) {
		registers = PEAT_REGISTER_BYTES;
		memory = peat_copy_memory(to + registers, ((__u64 *)to)[PEAT_REG_SP]);
	}
	stacks->kernel_bytes = kernel;
	if (ctx_kind != PEAT_CTX_OTHER)
		stacks->kernel_bytes |= PEAT_STACKS_INTERRUPTED;
	stacks->user_bytes = user;
	stacks->regs_bytes = registers;
	stacks->memory_bytes = memory;
	return sizeof(*stacks) + kernel + user + registers + memory;
}

#endif /* PEAT_STACKS_BPF_H */
