// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* counters: reads each counter at getpgid(2) of one process, and sends an event of the page faults.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "counters.bpf.h"

PEAT_COUNTER(faults, "page-faults");
PEAT_COUNTER(switches, "context-switches") PEAT_DOC("of all tasks");
PEAT_COUNTER(on_cpu, "task-clock");
PEAT_OPTIONAL PEAT_COUNTER(changed, "page-faults");
PEAT_OPTIONAL PEAT_COUNTER(absent, "nosuchpmu/event=1/");

struct counted {
	__u64 faults;
};

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;
struct counters_readings counters_readings[COUNTERS_CPUS];

static __always_inline void note(struct counters_reading *reading, struct peat_count *count,
				 long result)
{
	reading->value = count->value;
	reading->enabled_ns = count->enabled_ns;
	reading->running_ns = count->running_ns;
	reading->result = result;
}

#define READ(number, counter)                                                                      \
	do {                                                                                       \
		struct peat_count count_ = {};                                                     \
		long result_ = peat_count_read(counter, &count_);                                  \
                                                                                                   \
		note(&of->of[number], &count_, result_);                                           \
	} while (0)

SEC("raw_tp/sys_enter")
int count_faults(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct counters_readings *of;
	struct counted *e;

	if (bpf_get_current_pid_tgid() >> 32 != only_pid || ctx->args[1] != getpgid_number ||
	    cpu >= COUNTERS_CPUS)
		return 0;
	of = &counters_readings[cpu];
	READ(FAULTS, faults);
	READ(SWITCHES, switches);
	READ(CLOCK, on_cpu);
	READ(CHANGED, changed);
	READ(ABSENT, absent);
	of->calls++;
	e = peat_reserve(ctx, struct counted);
	if (!e)
		return 0;
	e->faults = of->of[FAULTS].value;
	return peat_submit(ctx, e);
}
