// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* used_files: a program of a function of a library that only the test's processes have. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>
#include <bpf/bpf_tracing.h>

struct library_call {
	__u64 number;
};

PEAT_OPTION(peat_text_t, library, "", "the library with the function");

PEAT_LIBRARY(library)
SEC("uprobe/libpeat_traced.so:traced_library_call") int on_call(struct pt_regs *ctx)
{
	struct library_call *call = peat_reserve(ctx, struct library_call);

	if (!call)
		return PEAT_RETURN(ctx);
	call->number = PT_REGS_PARM1(ctx);
	return peat_submit(ctx, call);
}
