// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/fentry_links.c: chooses programs of fentry and fexit instead of kprobes. */
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "functions/function_probe.h"
#include "session/attach/fentry_links.h"

/* Stores the first parameter on the stack, and returns 0. */
static int load_program(void)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X,
		  .dst_reg = BPF_REG_3,
		  .src_reg = BPF_REG_10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_3, .imm = -8 },
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_3 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_func_arg },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	/* The kernel has this function for tests of such programs, and calls it only then. */
	int id = libbpf_find_vmlinux_btf_id("bpf_fentry_test1", BPF_TRACE_FENTRY);
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY,
		    .attach_btf_id = (uint32_t)id);

	return id < 0 ? id
		      : bpf_prog_load(BPF_PROG_TYPE_TRACING, "peat_fentry", "GPL", insns,
				      sizeof(insns) / sizeof(*insns), &opts);
}

bool fentry_links__are_supported(void)
{
	int program = load_program(), link;

	if (program < 0)
		return false;
	link = bpf_raw_tracepoint_open(NULL, program);
	close(program);
	if (link < 0)
		return false;
	close(link);
	return true;
}

/* Programs of fentry have the parameters that are passed in registers, and no registers. */
static bool needs_registers(const struct function_plan *plan)
{
	for (uint32_t i = 0; i < plan->reads; i++)
		if (plan->read[i].source == PLAN_SP || plan->read[i].source == PLAN_CALLER)
			return true;
	return false;
}

static bool is_one_function(const struct function_probe *probe)
{
	return (probe->source.kind == SOURCE_KPROBE || probe->source.kind == SOURCE_KRETPROBE) &&
	       !probe->source.offset && probe->found.count == 1;
}

bool fentry_links__accept(const struct function_probe *probe)
{
	return is_one_function(probe) && !needs_registers(&probe->plans[1]);
}

int fentry_links__set_target(struct bpf_program *program, const struct function_probe *probe)
{
	const char *function = probe->found.at[0].name;
	int err = bpf_program__set_attach_target(program, 0, function);

	if (err)
		log__error("%s: this kernel has no kprobes, and its BTF has no function %s: %s",
			   function_probe__name(probe), function, strerror(-err));
	return err;
}
