// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* profile: what runs on the CPUs, sampled at a fixed rate. */
#define PEAT_DEFAULT_STACKS (PEAT_STACK_KERNEL | PEAT_STACK_USER)
#include <vmlinux.h>
#include <peat/peat.bpf.h>

enum profile_mode { user, kernel };

struct profile {
	enum profile_mode mode PEAT_DOC("of the CPU, when the sample was taken");
	PEAT_STACKS;
} PEAT_DOC("what runs on the CPUs, sampled, with stacks") PEAT_SUBJECT(tasks)
	PEAT_LIKE("profile, perf record, perf top");

PEAT_OPTION(peat_text_t, event, "cpu-clock", "perf event that is sampled");
PEAT_OPTION(__u32, freq, 99, "samples per second and CPU");
PEAT_OPTION(bool, idle, false, "also samples of idle CPUs");

PEAT_SAMPLED(event, freq)
SEC("perf_event")
int on_sample(struct bpf_perf_event_data *ctx)
{
	struct profile *e;

	/* All idle tasks have the thread id 0. */
	if (!idle && !(__u32)bpf_get_current_pid_tgid())
		return 0;
	e = peat_reserve_stacks(ctx, struct profile);
	if (!e)
		return 0;
	e->mode = peat_are_of_user(ctx->registers) ? user : kernel;
	return peat_submit_stacks(ctx, e);
}
