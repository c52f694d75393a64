// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* sampled: counts the runs of a program with a stated event, and of one without. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#include "sampled.bpf.h"

struct sampled {
	__u64 runs;
};

PEAT_OPTION(peat_text_t, event, "cpu-clock", "perf event that is sampled");
PEAT_OPTION(__u32, freq, 500, "samples per second and CPU");

struct sampled_runs sampled_runs[SAMPLED_CPUS];

PEAT_SAMPLED(event, freq)
SEC("perf_event")
int on_stated(struct bpf_perf_event_data *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct sampled *e;

	if (cpu >= SAMPLED_CPUS)
		return 0;
	sampled_runs[cpu].stated++;
	e = peat_reserve(ctx, struct sampled);
	if (!e)
		return 0;
	e->runs = sampled_runs[cpu].stated;
	return peat_submit(ctx, e);
}

SEC("perf_event")
int on_other(struct bpf_perf_event_data *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id();

	if (cpu < SAMPLED_CPUS)
		sampled_runs[cpu].other++;
	return 0;
}
