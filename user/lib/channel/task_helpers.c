// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/task_helpers.c: helpers about the running task that programs may call on this kernel. */
#include "channel/task_helpers.h"

static bool is_for_packets(enum bpf_prog_type type)
{
	switch (type) {
	case BPF_PROG_TYPE_SOCKET_FILTER:
	case BPF_PROG_TYPE_SCHED_CLS:
	case BPF_PROG_TYPE_SCHED_ACT:
	case BPF_PROG_TYPE_XDP:
	case BPF_PROG_TYPE_CGROUP_SKB:
	case BPF_PROG_TYPE_LWT_IN:
	case BPF_PROG_TYPE_LWT_OUT:
	case BPF_PROG_TYPE_LWT_XMIT:
	case BPF_PROG_TYPE_SK_SKB:
	case BPF_PROG_TYPE_SK_MSG:
		return true;
	default:
		return false;
	}
}

/*
 * Programs that run for packets may not read ids on each kernel, all others may; names are another
 * matter.  libbpf 1.1 cannot probe tracing programs, which may call all of these.
 */
static bool has(enum bpf_prog_type type, enum bpf_func_id helper)
{
	if (is_for_packets(type))
		return libbpf_probe_bpf_helper(type, helper, NULL) == 1;
	return helper == BPF_FUNC_get_current_pid_tgid ||
	       libbpf_probe_bpf_helper(type, helper, NULL) != 0;
}

static const struct bpf_program *find(const struct bpf_object *object, bool for_packets)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		if (bpf_program__autoload(program) &&
		    is_for_packets(bpf_program__type(program)) == for_packets)
			return program;
	}
	return NULL;
}

const struct bpf_program *task_helpers__find_for_packets(const struct bpf_object *object)
{
	return find(object, true);
}

const struct bpf_program *task_helpers__find_for_tasks(const struct bpf_object *object)
{
	return find(object, false);
}

bool task_helpers__have(struct bpf_object *object, enum bpf_func_id helper)
{
	enum bpf_prog_type last = BPF_PROG_TYPE_UNSPEC;
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		enum bpf_prog_type type = bpf_program__type(program);

		if (type != last && !has(type, helper))
			return false;
		last = type;
	}
	return true;
}
