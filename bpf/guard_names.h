/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* guard_names.h: the requests of ptrace(2) and the commands of bpf(2) that guard shows, by name. */
#ifndef GUARD_NAMES_H
#define GUARD_NAMES_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define NAME_BYTES 24

struct name {
	__u32 bytes;
	char text[NAME_BYTES];
};

#define NAME(text)                                                                                 \
	{                                                                                          \
		sizeof(text) - 1, text                                                             \
	}

/* Requests of ptrace(2) that get hold of a process, or write to it. */
static __always_inline const struct name *find_request(__u64 request)
{
	static const struct name traceme = NAME("traceme"), poke = NAME("poke"),
				 attach = NAME("attach"), seize = NAME("seize"),
				 setregs = NAME("setregs");

	switch (request) {
	case 0:
		return &traceme;
	case 4: /* text */
	case 5: /* data */
	case 6: /* user */
		return &poke;
#if defined(__TARGET_ARCH_x86)
	case 13:
#endif
	case 0x4205: /* PTRACE_SETREGSET */
		return &setregs;
	case 16:
		return &attach;
	case 0x4206:
		return &seize;
	}
	return 0;
}

/*
 * Commands of bpf(2) that load, attach, pin or get hold of something; without those that read and
 * write maps, and list what there is.
 */
#define BPF_COMMANDS 37

static const struct name bpf_commands[BPF_COMMANDS] = {
	[0] = NAME("map_create"),
	[5] = NAME("prog_load"),
	[6] = NAME("obj_pin"),
	[7] = NAME("obj_get"),
	[8] = NAME("prog_attach"),
	[9] = NAME("prog_detach"),
	[13] = NAME("prog_get_fd_by_id"),
	[14] = NAME("map_get_fd_by_id"),
	[17] = NAME("raw_tracepoint_open"),
	[18] = NAME("btf_load"),
	[19] = NAME("btf_get_fd_by_id"),
	[22] = NAME("map_freeze"),
	[28] = NAME("link_create"),
	[29] = NAME("link_update"),
	[30] = NAME("link_get_fd_by_id"),
	[32] = NAME("enable_stats"),
	[33] = NAME("iter_create"),
	[34] = NAME("link_detach"),
	[35] = NAME("prog_bind_map"),
	[36] = NAME("token_create"),
};

#endif /* GUARD_NAMES_H */
