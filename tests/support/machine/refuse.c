// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* refuse.c: seccomp filters. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "refuse.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define COMMAND_AT offsetof(struct seccomp_data, args[0])
#else
#define COMMAND_AT (offsetof(struct seccomp_data, args[0]) + 4)
#endif

static bool install(struct sock_filter *filter, unsigned short count)
{
	const struct sock_fprog program = { count, filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

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
	return install(filter, sizeof(filter) / sizeof(*filter));
}

bool refuse__call(long number, int err)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return install(filter, sizeof(filter) / sizeof(*filter));
}
