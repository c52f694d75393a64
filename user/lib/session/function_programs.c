// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/function_programs.c: whether the kernel has programs of fentry, fexit and lsm. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "session/attach/empty_program.h"
#include "session/function_programs.h"

static bool loads_empty(enum bpf_prog_type type, enum bpf_attach_type attach, const char *target)
{
	int fd = empty_program__load(type, (int)attach, target);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static bool is_of_function(const struct bpf_program *program)
{
	enum bpf_prog_type type = bpf_program__type(program);
	enum bpf_attach_type attach = bpf_program__expected_attach_type(program);

	return type == BPF_PROG_TYPE_LSM ||
	       (type == BPF_PROG_TYPE_TRACING &&
		(attach == BPF_TRACE_FENTRY || attach == BPF_TRACE_FEXIT ||
		 attach == BPF_MODIFY_RETURN));
}

const char *function_programs__remedy(const struct bpf_program *program)
{
	const char *target = strchr(bpf_program__section_name(program), '/');

	if (!target || !is_of_function(program) ||
	    loads_empty(bpf_program__type(program), bpf_program__expected_attach_type(program),
			target + 1) ||
	    !loads_empty(BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "sched_switch"))
		return NULL;
	return "this kernel refuses even an empty program for the function, and loads programs of "
	       "tp_btf: write tp_btf, raw_tp, tp or kprobe instead of fentry, fexit or lsm";
}
