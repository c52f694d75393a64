// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/session_links.c: tries programs of sessions, and writes their calls. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "functions/plan.h"
#include "session/attach/kprobe_multi.h"
#include "session/attach/session_links.h"
#include "session/attach/uprobe_multi.h"

/* ---- trial ----------------------------------------------------------------------------------- */

static bool find_ids(struct session_calls *calls)
{
	struct btf *btf = btf__load_vmlinux_btf();

	if (!btf)
		return false;
	calls->is_return = btf__find_by_name_kind(btf, "bpf_session_is_return", BTF_KIND_FUNC);
	calls->cookie = btf__find_by_name_kind(btf, "bpf_session_cookie", BTF_KIND_FUNC);
	btf__free(btf);
	return calls->is_return > 0 && calls->cookie > 0;
}

/* Calls both functions, and returns 0. */
static int load_program(const struct session_calls *calls, int type)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_6, .src_reg = BPF_REG_1 },
		{ .code = BPF_JMP | BPF_CALL,
		  .src_reg = BPF_PSEUDO_KFUNC_CALL,
		  .imm = calls->is_return },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_6 },
		{ .code = BPF_JMP | BPF_CALL,
		  .src_reg = BPF_PSEUDO_KFUNC_CALL,
		  .imm = calls->cookie },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = (enum bpf_attach_type)type);

	return bpf_prog_load(BPF_PROG_TYPE_KPROBE, "peat_session", "GPL", insns,
			     sizeof(insns) / sizeof(*insns), &opts);
}

bool session_links__find(struct session_calls *calls, bool is_of_user)
{
	bool is_accepted;
	int program;

	if (!find_ids(calls))
		return false;
	program = load_program(calls, is_of_user ? UPROBE_SESSION_ATTACH_TYPE
						 : KPROBE_SESSION_ATTACH_TYPE);
	if (program < 0)
		return false;
	is_accepted = is_of_user ? uprobe_multi__accepts(program, true)
				 : kprobe_multi__accepts(program, true);
	close(program);
	return is_accepted;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void set_call(struct bpf_insn *insn, const struct session_calls *calls)
{
	if (insn->code != (BPF_JMP | BPF_CALL) || insn->src_reg)
		return;
	if (insn->imm != PLAN_SESSION_IS_RETURN && insn->imm != PLAN_SESSION_COOKIE)
		return;
	insn->src_reg = BPF_PSEUDO_KFUNC_CALL;
	insn->imm = insn->imm == PLAN_SESSION_COOKIE ? calls->cookie : calls->is_return;
}

int session_links__set_calls(struct bpf_program *program, const struct session_calls *calls)
{
	size_t count = bpf_program__insn_cnt(program);
	struct bpf_insn *insns = malloc(count * sizeof(*insns));
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(program), count * sizeof(*insns));
	for (size_t i = 0; i < count; i++)
		set_call(&insns[i], calls);
	err = bpf_program__set_insns(program, insns, count);
	free(insns);
	return err;
}
