// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* preload: programs that touch memory, marked right and wrong; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define PRELOAD __attribute__((btf_decl_tag("peat:preload")))

#define PROGRAM(section, name)                                                                     \
	SEC(section) int name(void *ctx)                                                           \
	{                                                                                          \
		return 0;                                                                          \
	}                                                                                          \
	extern int name(void *ctx)

PRELOAD PROGRAM("uprobe.s/libother.so:function", on_call);
PRELOAD PROGRAM("uretprobe.s", on_return);
PRELOAD PROGRAM("?uprobe.s", on_unloaded);
PROGRAM("uprobe.s", on_unmarked);
PROGRAM("uprobe/lib.s/libother.so:function", on_plain);

char LICENSE[] SEC("license") = "GPL";
