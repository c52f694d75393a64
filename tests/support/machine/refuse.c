// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refuse.c: a seccomp filter of bpf(2). */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "refuse.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define COMMAND_AT offsetof(struct seccomp_data, args[0])
#else
#define COMMAND_AT (offsetof(struct seccomp_data, args[0]) + 4)
#endif

bool refuse__bpf(enum bpf_cmd command)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, COMMAND_AT),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, command, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
