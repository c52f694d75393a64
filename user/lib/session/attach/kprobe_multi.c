// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/kprobe_multi.c: makes links of kprobe_multi by bpf(2). */
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "session/attach/empty_program.h"
#include "session/attach/kprobe_multi.h"

/* The part of union bpf_attr. */
struct link_attr {
	uint32_t program_fd, target_fd, attach_type, flags;
	uint32_t multi_flags, count;
	uint64_t symbols, addresses, cookies;
};

static int create(int program_fd, bool is_session, struct link_attr *attr)
{
	long fd;

	attr->program_fd = (uint32_t)program_fd;
	attr->attach_type = is_session ? KPROBE_SESSION_ATTACH_TYPE : KPROBE_MULTI_ATTACH_TYPE;
	fd = syscall(SYS_bpf, BPF_LINK_CREATE, attr, sizeof(*attr));
	return fd < 0 ? -errno : (int)fd;
}

/* Kernels that know such links look for the function; others refuse the link itself. */
bool kprobe_multi__accepts(int program_fd, bool is_session)
{
	const char *no_function = "peat has no such function";
	struct link_attr attr = { .count = 1, .symbols = (uintptr_t)&no_function };
	int link = create(program_fd, is_session, &attr);

	if (link >= 0)
		close(link);
	return link == -ENOENT || link == -ESRCH;
}

bool kprobe_multi__is_supported(void)
{
	int program = empty_program__load(BPF_PROG_TYPE_KPROBE, KPROBE_MULTI_ATTACH_TYPE, NULL);
	bool is_supported;

	if (program < 0)
		return false;
	is_supported = kprobe_multi__accepts(program, false);
	close(program);
	return is_supported;
}

int kprobe_multi__attach(int program_fd, const struct kprobe_places *places)
{
	struct link_attr attr = {
		.multi_flags = places->is_return ? BPF_F_KPROBE_MULTI_RETURN : 0,
		.count = places->count,
		.addresses = (uintptr_t)places->addresses,
		.cookies = (uintptr_t)places->cookies,
	};

	return create(program_fd, places->is_session, &attr);
}
