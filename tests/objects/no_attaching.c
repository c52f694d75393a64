// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* no_attaching.c: keeps a process from attaching BPF programs. */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "objects/no_attaching.h"

#define LOW_HALF (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)

#define LOAD(at)	       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define RETURN(what)	       BPF_STMT(BPF_RET | BPF_K, (what))
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skipped))
#define REFUSE(value)	       UNLESS(value, 1), RETURN(SECCOMP_RET_ERRNO | EPERM)

bool no_attaching__begin(void)
{
	struct sock_filter filter[] = {
		LOAD(offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_perf_event_open),
		UNLESS(SYS_bpf, 9),
		LOAD(offsetof(struct seccomp_data, args[0]) + LOW_HALF),
		REFUSE(BPF_PROG_ATTACH),
		REFUSE(BPF_RAW_TRACEPOINT_OPEN),
		REFUSE(BPF_LINK_CREATE),
		REFUSE(BPF_OBJ_PIN),
		RETURN(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
