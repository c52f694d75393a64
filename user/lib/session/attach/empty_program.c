// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/empty_program.c: loads a program that does nothing. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "session/attach/empty_program.h"

int empty_program__load(enum bpf_prog_type type, int attach_type, const char *target)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	enum bpf_attach_type attach = (enum bpf_attach_type)attach_type;
	int id = target ? libbpf_find_vmlinux_btf_id(target, attach) : 0;
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach,
		    .attach_btf_id = (uint32_t)id);

	return id < 0 ? id
		      : bpf_prog_load(type, "peat_empty", "GPL", insns,
				      sizeof(insns) / sizeof(*insns), &opts);
}
