/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * interrupts.h: whether a program runs in a timer or another interrupt, and not on behalf of the
 * task that is interrupted.
 *
 * preempt_count shows interrupts, but many kernels of x86 hide where it is, and it does not tell
 * timers from others.  So programs at the entry and exit of the handlers note them.
 */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

enum interrupt {
	by_task, /* no interrupt */
	by_timer,
	by_interrupt,
};

/*
 * The handlers that a CPU runs: the id of the interrupted thread, plus 1; 0: none.  Softirqs of
 * real-time kernels can be preempted: the id tells other threads of the CPU from theirs.
 */
struct interrupts {
	__u32 hrtimer, timer_wheel, softirq, irq;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct interrupts);
} interrupts SEC(".maps");

static __always_inline struct interrupts *find_interrupts(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&interrupts, &zero);
}

/* Programs at the tracepoints HANDLER_entry and HANDLER_exit. */
#define NOTE_INTERRUPTS(handler, member)                                                           \
	SEC("raw_tp/" #handler "_entry") int on_##handler##_entry(void *ctx)                       \
	{                                                                                          \
		struct interrupts *noted = find_interrupts();                                      \
                                                                                                   \
		if (noted)                                                                         \
			noted->member = (__u32)bpf_get_current_pid_tgid() + 1;                     \
		return 0;                                                                          \
	}                                                                                          \
	SEC("raw_tp/" #handler "_exit") int on_##handler##_exit(void *ctx)                         \
	{                                                                                          \
		struct interrupts *noted = find_interrupts();                                      \
                                                                                                   \
		if (noted)                                                                         \
			noted->member = 0;                                                         \
		return 0;                                                                          \
	}

NOTE_INTERRUPTS(hrtimer_expire, hrtimer)
NOTE_INTERRUPTS(timer_expire, timer_wheel)
NOTE_INTERRUPTS(softirq, softirq)
NOTE_INTERRUPTS(irq_handler, irq)

/* ---- preempt_count --------------------------------------------------------------------------- */

/* Bits of preempt_count: an NMI or interrupt, or a softirq, is being served. */
#define IN_INTERRUPT 0x00ff0100

#if defined(__TARGET_ARCH_x86)

/*
 * Variables of each CPU, by /proc/kallsyms, which has them if the kernel has CONFIG_KALLSYMS_ALL.
 * Symbols with a type would need it, too: without it, the kernel refuses the program.
 */
extern const void __per_cpu_offset __ksym __weak;
extern const void __preempt_count __ksym __weak; /* Linux before 6.2, from 6.15 on */
extern const void pcpu_hot __ksym __weak;	 /* Linux 6.2 to 6.14 */

struct pcpu_hot___interrupts {
	int preempt_count;
} __attribute__((preserve_access_index));

static __always_inline __u32 preempt_count(void)
{
	__u64 variable = (__u64)&__preempt_count, base = 0;
	__u32 cpu = bpf_get_smp_processor_id(), count = 0;

	if (!variable && &pcpu_hot)
		variable = (__u64)&pcpu_hot +
			   bpf_core_field_offset(struct pcpu_hot___interrupts, preempt_count);
	if (!variable || !&__per_cpu_offset ||
	    bpf_probe_read_kernel(&base, sizeof(base), &__per_cpu_offset + cpu * sizeof(base)))
		return 0;
	bpf_probe_read_kernel(&count, sizeof(count), (void *)(base + variable));
	return count;
}

#elif defined(__TARGET_ARCH_arm64)

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info___interrupts {
	__u64 preempt_count;
};

struct task_struct___interrupts {
	struct thread_info___interrupts thread_info;
};

#pragma clang attribute pop

static __always_inline __u32 preempt_count(void)
{
	struct task_struct___interrupts *task = (void *)bpf_get_current_task();

	return BPF_CORE_READ(task, thread_info.preempt_count);
}

#else

static __always_inline __u32 preempt_count(void)
{
	return 0;
}

#endif

/* ---- both ------------------------------------------------------------------------------------ */

/* An interrupt that is neither noted nor in a preempt_count that can be read is not found. */
static __always_inline enum interrupt find_interrupt(void)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid() + 1;
	struct interrupts *noted = find_interrupts();

	if (!noted)
		return by_task;
	if (noted->hrtimer == thread || noted->timer_wheel == thread)
		return by_timer;
	if (noted->softirq == thread || noted->irq == thread || preempt_count() & IN_INTERRUPT)
		return by_interrupt;
	return by_task;
}

#endif /* INTERRUPTS_H */
