// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* preload_wrong: a program that may not sleep, marked as one that does; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

__attribute__((btf_decl_tag("peat:preload")))
SEC("uprobe/libother.so:function") int on_call(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
