// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* no_kernel.c: a seccomp filter that answers bpf(2). */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/run/no_kernel.h"

/* The first argument of a call, 32 bits of it. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FIRST_ARGUMENT (offsetof(struct seccomp_data, args[0]) + sizeof(uint32_t))
#else
#define FIRST_ARGUMENT offsetof(struct seccomp_data, args[0])
#endif

#define LOAD(at)	       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define RETURN(what)	       BPF_STMT(BPF_RET | BPF_K, (what))
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skipped))
#define ANSWER(value, err)     UNLESS(value, 1), RETURN(SECCOMP_RET_ERRNO | (err))
#define REFUSE(call)	       ANSWER(SYS_##call, EPERM)

/*
 * libbpf duplicates a file descriptor below 3 and closes it, so that close(0) must not close it.
 * Nothing exists in the kernel: maps and lists of objects are empty, and nothing is pinned.
 */
static const struct sock_filter filter[] = {
	LOAD(offsetof(struct seccomp_data, nr)),
	REFUSE(perf_event_open),
	REFUSE(socket),
	REFUSE(mkdirat),
	REFUSE(unlinkat),
#ifdef SYS_unlink
	REFUSE(mkdir),
	REFUSE(unlink),
#endif
	UNLESS(SYS_close, 4),
	LOAD(FIRST_ARGUMENT),
	ANSWER(STDIN_FILENO, 0),
	RETURN(SECCOMP_RET_ALLOW),
	UNLESS(SYS_bpf, 14),
	LOAD(FIRST_ARGUMENT),
	ANSWER(BPF_MAP_GET_NEXT_KEY, ENOENT),
	ANSWER(BPF_PROG_GET_NEXT_ID, ENOENT),
	ANSWER(BPF_MAP_GET_NEXT_ID, ENOENT),
	ANSWER(BPF_BTF_GET_NEXT_ID, ENOENT),
	ANSWER(BPF_LINK_GET_NEXT_ID, ENOENT),
	ANSWER(BPF_OBJ_GET, ENOENT),
	RETURN(SECCOMP_RET_ERRNO | 0),
	RETURN(SECCOMP_RET_ALLOW),
};

/* An eventfd cannot be mapped: what takes it for a map fails. */
static bool replace_stdin(void)
{
	int fd = eventfd(0, EFD_CLOEXEC);

	return fd >= 0 && dup2(fd, STDIN_FILENO) >= 0;
}

bool no_kernel__begin(void)
{
	const struct sock_fprog program = { sizeof(filter) / sizeof(*filter),
					    (struct sock_filter *)filter };

	return replace_stdin() && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
