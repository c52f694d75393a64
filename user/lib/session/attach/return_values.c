// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/return_values.c: changes return values that hide events from others, or warns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "object/returns.h"
#include "session/attach/return_values.h"
#include "session/parts/session.h"

/* Kprobes and uprobes of peat belong to it alone: their programs decide for nobody else. */
static bool decides_for_others(const struct bpf_program *program)
{
	return bpf_program__type(program) == BPF_PROG_TYPE_TRACEPOINT;
}

static int mend(const struct part *part, struct bpf_program *program)
{
	size_t count = bpf_program__insn_cnt(program);
	struct bpf_insn *insns = malloc(count * sizeof(*insns));
	int changed;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(program), count * sizeof(*insns));
	changed = returns__make_odd(insns, count);
	if (changed > 0) {
		int err = bpf_program__set_insns(program, insns, count);

		if (err)
			changed = err;
		else
			log__debug("%s: program %s returns 1 instead of 0: with 0 perf would miss "
				   "events",
				   part->name, bpf_program__name(program));
	}
	free(insns);
	return changed < 0 && changed != -EBADMSG ? changed : 0; /* the verifier refuses it */
}

int return_values__mend(const struct part *part)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program(program, part->object)
	{
		if (!err && decides_for_others(program))
			err = mend(part, program);
	}
	return err;
}

static int check(const struct part *part, const struct bpf_program *program)
{
	int found = returns__has_even(bpf_program__insns(program), bpf_program__insn_cnt(program));

	if (found > 0)
		log__warn("program %s of %s (%s) can return 0: while it is attached, perf and "
			  "other tools miss such events: let it return 1",
			  bpf_program__name(program), part->name,
			  bpf_program__section_name(program));
	return found < 0 ? found : 0;
}

int return_values__check(const struct part *part)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program(program, part->object)
	{
		if (!err && bpf_program__autoload(program) && decides_for_others(program))
			err = check(part, program);
	}
	return err;
}

int return_values__make_zero(struct bpf_program *program)
{
	size_t count = bpf_program__insn_cnt(program), changed = count + RETURNS_ZERO_INSNS;
	struct bpf_insn *insns = malloc(changed * sizeof(*insns));
	int err;

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(program), count * sizeof(*insns));
	err = returns__make_zero(insns, count);
	if (!err)
		err = bpf_program__set_insns(program, insns, changed);
	free(insns);
	return err;
}
