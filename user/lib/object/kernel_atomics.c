// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/kernel_atomics.c: tries whether the kernel has atomic operations that return a value. */
#include <fcntl.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "base/errors.h"
#include "object/kernel_atomics.h"
#include "object/map_memory.h"

/* Loads a minimal program with an atomic operation that returns the old value. */
static int load_program(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW,
		  .dst_reg = BPF_REG_10,
		  .off = -8,
		  .imm = BPF_ADD | BPF_FETCH },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "peat_fetch", "GPL", program,
			       sizeof(program) / sizeof(*program), NULL);

	return fd < 0 ? -errno : close(fd);
}

bool kernel_atomics__are_missing(void)
{
	int err = load_program();

	if (err == -EPERM) {
		map_memory__raise_limit();
		err = load_program();
	}
	return err == -EINVAL || err == -KERNELS_ENOTSUPP;
}

/* Kernels with the patches of PREEMPT_RT, in which they have the file, too. */
bool kernel_atomics__is_realtime(void)
{
	int fd = open("/sys/kernel/realtime", O_RDONLY | O_CLOEXEC);
	char is_realtime = '0';

	if (fd < 0)
		return false;
	if (read(fd, &is_realtime, 1) != 1)
		is_realtime = '0';
	close(fd);
	return is_realtime == '1';
}
