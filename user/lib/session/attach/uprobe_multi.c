// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/uprobe_multi.c: makes links of uprobe_multi by bpf(2). */
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "session/attach/empty_program.h"
#include "session/attach/uprobe_multi.h"

#define FLAG_RETURN 1 /* BPF_F_UPROBE_MULTI_RETURN */

/* The part of union bpf_attr that older headers lack. */
struct link_attr {
	uint32_t program_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, semaphores, cookies;
	uint32_t count, multi_flags;
	int32_t pid;
};

/* The size is that of Linux 6.6: the kernel refuses bytes that it does not know. */
#define ATTR_BYTES (offsetof(struct link_attr, pid) + sizeof(int32_t))

/*
 * The path "/" is no file, which is the last error that the kernel finds: so it knows such links.
 * Only kernels where the pid is that of a process check it before the path.
 */
bool uprobe_multi__accepts(int program_fd, bool is_session)
{
	const struct uprobe_place any_process = { .path = "/", .is_session = is_session };
	const struct uprobe_place no_process = { .path = "/",
						 .pid = UINT32_MAX,
						 .is_session = is_session };

	return uprobe_multi__attach(program_fd, &any_process) == -EBADF &&
	       uprobe_multi__attach(program_fd, &no_process) == -EINVAL;
}

bool uprobe_multi__is_supported(void)
{
	int program = empty_program__load(BPF_PROG_TYPE_KPROBE, UPROBE_MULTI_ATTACH_TYPE, NULL);
	bool is_supported;

	if (program < 0)
		return false;
	is_supported = uprobe_multi__accepts(program, false);
	close(program);
	return is_supported;
}

int uprobe_multi__attach(int program_fd, const struct uprobe_place *place)
{
	return uprobe_multi__attach_all(program_fd, place, &place->offset, NULL, 1);
}

int uprobe_multi__attach_all(int program_fd, const struct uprobe_place *place,
			     const uint64_t *offsets, const uint64_t *cookies, uint32_t count)
{
	struct link_attr attr = {
		.program_fd = (uint32_t)program_fd,
		.attach_type =
			place->is_session ? UPROBE_SESSION_ATTACH_TYPE : UPROBE_MULTI_ATTACH_TYPE,
		.path = (uintptr_t)place->path,
		.offsets = (uintptr_t)offsets,
		.cookies = (uintptr_t)cookies,
		.count = count,
		.multi_flags = place->is_return ? FLAG_RETURN : 0,
		.pid = (int32_t)place->pid,
	};
	long fd = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, ATTR_BYTES);

	return fd < 0 ? -errno : (int)fd;
}
