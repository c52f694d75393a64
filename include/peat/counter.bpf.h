/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * counter.bpf.h: counters that programs read: hardware, software and tracepoint events of perf.
 * peat.bpf.h includes it.
 *
 *	PEAT_COUNTER(faults, "page-faults");
 *	PEAT_OPTIONAL PEAT_COUNTER(cycles, "cycles");
 *
 *	SEC("tp_btf/sys_enter") ...
 *		if (peat_count_read(faults, &start))
 *			return 0;
 *	SEC("tp_btf/sys_exit") ...
 *		if (!peat_count_read(faults, &now))
 *			e->faults = peat_count_delta(&start, &now);
 *
 * The loader opens the event on each CPU before it attaches the programs.  A counter counts all
 * tasks of its CPU, and the kernel itself, from then on.  Two readings can be compared only if one
 * CPU made them: a task that sleeps in between may be moved, and other tasks run meanwhile.  For
 * counts of a task, read the counters in sched_switch, too, as bpf/syscall.bpf.c does.
 *
 * A CPU that goes offline and returns gets a new event: its counters start again at 0.
 *
 * Program types: tp, raw_tp, tp_btf, kprobe, uprobe, perf_event, fentry, fexit, lsm and iter from
 * Linux 5.10 on.  Programs of the network, such as tc, XDP and cgroup_skb: refused by Linux 5.10 to
 * 6.12 ("unknown func", "cannot use helper"), accepted by 6.18.  Programs that may sleep: refused.
 */
#ifndef PEAT_COUNTER_BPF_H
#define PEAT_COUNTER_BPF_H

#include <bpf/bpf_helpers.h>

/*
 * Declares a counter.  `event` is an event's name as `perf stat -e` takes it: "cycles:u",
 * "L1-dcache-load-misses", "r1a8", "cpu/event=0x3c/", "page-faults", "sched:sched_switch".
 * PEAT_DOC() may follow.
 *
 * If the machine lacks the event, the object is not attached.  With PEAT_OPTIONAL before it, the
 * object is, and readings return -ENOENT.
 */
#define PEAT_COUNTER(name, event)                                                                  \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);                                       \
		__uint(key_size, sizeof(__u32));                                                   \
		__uint(value_size, sizeof(__u32));                                                 \
	} name SEC(".maps") __attribute__((btf_decl_tag("peat:counter:" event)))

/*
 * A reading.  If the CPU has fewer hardware counters than events, the kernel lets them take turns:
 * then running_ns is less than enabled_ns, and value * enabled_ns / running_ns estimates the count.
 */
struct peat_count {
	__u64 value;
	__u64 enabled_ns; /* time since the event was opened */
	__u64 running_ns; /* time that it was counted */
};

/*
 * Reads this CPU's counter into *count.
 *
 *	0		read
 *	-ENOENT (-2)	this CPU has no such counter: the machine lacks it, or the reader has ended
 *
 * *count is 0 after an error.  On a CPU that was offline, the count and its times stand still until
 * the reader has opened the counter again, in milliseconds.
 */
#define peat_count_read(counter, count) peat_count_read_(&(counter), count)

static __always_inline long peat_count_read_(void *counter, struct peat_count *count)
{
	return bpf_perf_event_read_value(counter, 0xffffffffULL /* BPF_F_CURRENT_CPU */,
					 (struct bpf_perf_event_value *)count, sizeof(*count));
}

/*
 * The count from one reading to a later one of the same CPU, estimated if the event was not counted
 * all the time.  0: it was not counted at all, or the counter was opened again in between.
 */
static __always_inline __u64 peat_count_delta(const struct peat_count *from,
					      const struct peat_count *to)
{
	__u64 enabled = to->enabled_ns - from->enabled_ns;
	__u64 running = to->running_ns - from->running_ns;
	__u64 value = to->value - from->value;

	if (to->enabled_ns < from->enabled_ns || to->value < from->value || !running)
		return 0;
	if (running >= enabled)
		return value;
	/* The ratio in thousandths: value * enabled could overflow. */
	return value / 1000 * (enabled * 1000 / running) + value % 1000 * enabled / running;
}

#endif /* PEAT_COUNTER_BPF_H */
