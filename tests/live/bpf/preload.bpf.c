// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* preload: texts in memory that the process has not used, with and without PEAT_PRELOAD. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>
#include <bpf/bpf_tracing.h>

enum which { untouched, touched, chosen, at_return };

struct passed {
	__u64 number; /* the first argument */
	__s64 bytes;  /* of the text with its NUL, or a negative errno */
	__u32 which;
	char text[64];
};

static __always_inline int send(struct pt_regs *ctx, __u64 number, __u64 text, __u32 which)
{
	struct passed *e = peat_reserve(ctx, struct passed);

	if (!e)
		return PEAT_RETURN(ctx);
	e->number = number;
	e->which = which;
	e->bytes = bpf_probe_read_user_str(e->text, sizeof(e->text), (void *)text);
	return peat_submit(ctx, e);
}

static __always_inline int touch(struct pt_regs *ctx, __u64 text)
{
	peat_touch(text, sizeof(((struct passed *)0)->text));
	return PEAT_RETURN(ctx);
}

#define EXE "//proc/self/exe:"

/* First, to be attached first, if it were by order. */
PEAT_PRELOAD SEC("uprobe.s" EXE "preload_touched") int touch_argument(struct pt_regs *ctx)
{
	return touch(ctx, PT_REGS_PARM2(ctx));
}

SEC("uprobe" EXE "preload_touched") int on_touched(struct pt_regs *ctx)
{
	return send(ctx, PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx), touched);
}

SEC("uprobe" EXE "preload_untouched") int on_untouched(struct pt_regs *ctx)
{
	return send(ctx, PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx), untouched);
}

PEAT_OPTION(peat_text_t, library, "/proc/self/exe", "the program with the function");

PEAT_PRELOAD PEAT_LIBRARY(library)
	SEC("uprobe.s/libnone.so:preload_chosen") int touch_chosen(struct pt_regs *ctx)
{
	return touch(ctx, PT_REGS_PARM2(ctx));
}

PEAT_LIBRARY(library)
SEC("uprobe/libnone.so:preload_chosen") int on_chosen(struct pt_regs *ctx)
{
	return send(ctx, PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx), chosen);
}

PEAT_PRELOAD SEC("uretprobe.s" EXE "preload_returned") int touch_result(struct pt_regs *ctx)
{
	return touch(ctx, PT_REGS_RC(ctx));
}

/* One process alone calls the function: no key is needed. */
__u64 last_number;

SEC("uprobe" EXE "preload_returned") int on_call(struct pt_regs *ctx)
{
	last_number = PT_REGS_PARM1(ctx);
	return PEAT_RETURN(ctx);
}

SEC("uretprobe" EXE "preload_returned") int on_return(struct pt_regs *ctx)
{
	return send(ctx, last_number, PT_REGS_RC(ctx), at_return);
}
