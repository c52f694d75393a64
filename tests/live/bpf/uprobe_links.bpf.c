// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* uprobe_links: programs of functions of the test that attaches them.  All return 1. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>
#include <bpf/bpf_tracing.h>

enum which { entry, return_, inside, chosen };

struct called {
	__u64 argument; /* the first one */
	__u32 which;
};

static __always_inline int send(struct pt_regs *ctx, __u32 which)
{
	struct called *e = peat_reserve(ctx, struct called);

	if (!e)
		return PEAT_RETURN(ctx);
	e->argument = PT_REGS_PARM1(ctx);
	e->which = which;
	return peat_submit(ctx, e);
}

SEC("uprobe//proc/self/exe:uprobe_links_called") int on_entry(struct pt_regs *ctx)
{
	return send(ctx, entry);
}

SEC("uretprobe//proc/self/exe:uprobe_links_called") int on_return(struct pt_regs *ctx)
{
	return send(ctx, return_);
}

/* After an instruction that changes the first argument. */
SEC("uprobe//proc/self/exe:uprobe_links_called+4") int on_inside(struct pt_regs *ctx)
{
	return send(ctx, inside);
}

PEAT_OPTION(peat_text_t, library, "/proc/self/exe", "the program with the function");

PEAT_LIBRARY(library)
SEC("uprobe/libnone.so:uprobe_links_called") int on_chosen(struct pt_regs *ctx)
{
	return send(ctx, chosen);
}
