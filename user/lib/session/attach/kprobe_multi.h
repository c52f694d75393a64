/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/kprobe_multi.h: links of kprobe_multi, by which the kernel attaches a program to
 * many of its functions at once: 1,000 in 70 ms, which as single kprobes take 77 s to remove.
 * libbpf 1.1 does not know those of sessions, so this is bpf(2) itself.
 */
#ifndef PEAT_SESSION_ATTACH_KPROBE_MULTI_H
#define PEAT_SESSION_ATTACH_KPROBE_MULTI_H

#include <stdbool.h>
#include <stdint.h>

/* BPF_TRACE_KPROBE_MULTI: the attach type with which such a program has to be loaded. */
#define KPROBE_MULTI_ATTACH_TYPE 42

/* BPF_TRACE_KPROBE_SESSION (Linux 6.10): the program runs at the call and at the return. */
#define KPROBE_SESSION_ATTACH_TYPE 56

/*
 * Whether the kernel has such links (Linux 5.18, with CONFIG_FPROBE: Debian's from 6.12 on). Tried.
 * False also if this process may not load programs.
 */
bool kprobe_multi__is_supported(void);

/* The same for a loaded program, of either attach type. */
bool kprobe_multi__accepts(int program_fd, bool is_session);

struct kprobe_places {
	const uint64_t *addresses; /* of symbols: with ftrace's own, cookies are 0 */
	const uint64_t *cookies;
	uint32_t count;
	bool is_return;
	bool is_session; /* call and return: not with is_return */
};

/* Returns the link, a file descriptor that detaches when it is closed; or a negative errno. */
int kprobe_multi__attach(int program_fd, const struct kprobe_places *places);

#endif /* PEAT_SESSION_ATTACH_KPROBE_MULTI_H */
