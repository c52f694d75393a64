/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/uprobe_multi.h: links of uprobe_multi, by which the kernel attaches programs to
 * functions of user space without perf events.
 *
 * They need CAP_BPF and CAP_PERFMON.  Perf events of uprobes need CAP_SYS_ADMIN since
 * Linux 6.1.146, 6.6.99, 6.12.39 and 6.16, and wait for a grace period each when they are closed.
 * libbpf 1.1 does not know the links, so this is bpf(2) itself.
 */
#ifndef PEAT_SESSION_ATTACH_UPROBE_MULTI_H
#define PEAT_SESSION_ATTACH_UPROBE_MULTI_H

#include <stdbool.h>
#include <stdint.h>

/* BPF_TRACE_UPROBE_MULTI: the attach type with which such a program has to be loaded. */
#define UPROBE_MULTI_ATTACH_TYPE 48

/* BPF_TRACE_UPROBE_SESSION (Linux 6.13): the program runs at the call and at the return. */
#define UPROBE_SESSION_ATTACH_TYPE 57

/*
 * Whether the kernel has such links, with a pid that means a process (Linux 6.10): before, it means
 * a thread.  Both are tried.  False also if this process may not load programs.
 */
bool uprobe_multi__is_supported(void);

/* The same for a loaded program, of either attach type. */
bool uprobe_multi__accepts(int program_fd, bool is_session);

struct uprobe_place {
	const char *path;
	uint64_t offset; /* in the file */
	uint32_t pid;	 /* 0: all processes */
	bool is_return;
	bool is_session; /* call and return: not with is_return */
};

/* Returns the link, a file descriptor that detaches when it is closed; or a negative errno. */
int uprobe_multi__attach(int program_fd, const struct uprobe_place *place);

/* Likewise for many places of the file, each with a cookie; place->offset is not used. */
int uprobe_multi__attach_all(int program_fd, const struct uprobe_place *place,
			     const uint64_t *offsets, const uint64_t *cookies, uint32_t count);

#endif /* PEAT_SESSION_ATTACH_UPROBE_MULTI_H */
