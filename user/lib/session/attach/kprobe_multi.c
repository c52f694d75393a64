// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/kprobe_multi.c: makes links of kprobe_multi. */
#include <errno.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "session/attach/empty_program.h"
#include "session/attach/kprobe_multi.h"

/* Kernels that know such links look for the function; others refuse the link itself. */
bool kprobe_multi__is_supported(void)
{
	const char *no_function = "peat has no such function";
	LIBBPF_OPTS(bpf_link_create_opts, opts, .kprobe_multi.cnt = 1,
		    .kprobe_multi.syms = &no_function);
	int program = empty_program__load(BPF_PROG_TYPE_KPROBE, KPROBE_MULTI_ATTACH_TYPE, NULL),
	    link;

	if (program < 0)
		return false;
	link = bpf_link_create(program, 0, (enum bpf_attach_type)KPROBE_MULTI_ATTACH_TYPE, &opts);
	close(program);
	if (link >= 0)
		close(link);
	return link == -ENOENT || link == -ESRCH;
}

int kprobe_multi__attach(int program_fd, const struct kprobe_places *places)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .kprobe_multi.flags = places->is_return ? BPF_F_KPROBE_MULTI_RETURN : 0,
		    .kprobe_multi.cnt = places->count,
		    .kprobe_multi.addrs = (const unsigned long *)places->addresses,
		    .kprobe_multi.cookies = (const __u64 *)places->cookies);

	return bpf_link_create(program_fd, 0, (enum bpf_attach_type)KPROBE_MULTI_ATTACH_TYPE,
			       &opts);
}
