// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * fault: page faults that wait for a disk, and the file that they read.  The kernel counts faults
 * as software events on all architectures; tracepoints of them are on some only.
 */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#include "file_path.h"
#include "vma.h"

#define PATH_BYTES 512

struct fault {
	bool major PEAT_DOC("whether it read from a disk");
	peat_hex_t address PEAT_DOC("that was accessed; s390x: of its page");
	peat_hex_t ip PEAT_DOC("instruction; in the kernel, if the kernel accessed the memory")
		PEAT_MINOR;
	__u64 offset PEAT_DOC("of the page in the file") PEAT_MINOR;
	char path[PATH_ROOM(PATH_BYTES)] PEAT_DOC("file mapped there; [anonymous]: none");
	PEAT_STACKS;
} PEAT_DOC("page faults that wait for a disk") PEAT_SUBJECT(memory)
	PEAT_LIKE("perf trace -F maj, pagefaults");

PEAT_OPTION(bool, minor, false, "also faults that do not wait for a disk: many");

/* The members of struct bpf_perf_event_data after the registers. */
struct bpf_perf_event_data___fault {
	__u64 addr;
} __attribute__((preserve_access_index));

static __always_inline __u64 instruction_of(struct bpf_perf_event_data *ctx)
{
#if defined(__TARGET_ARCH_x86)
	return ctx->registers[16];
#elif defined(__TARGET_ARCH_arm64)
	return ctx->registers[32];
#elif defined(__TARGET_ARCH_s390)
	return ctx->registers[2];
#else
	return 0;
#endif
}

/* Returns the length of the path. */
static __always_inline __u64 fill_file(struct fault *e)
{
	struct vm_area_struct *vma = find_vma(e->address);
	struct file *file = vma ? BPF_CORE_READ(vma, vm_file) : 0;

	e->offset = 0;
	e->path[0] = '\0';
	if (!vma)
		return 0;
	if (!file) {
		__builtin_memcpy(e->path, "[anonymous]", sizeof("[anonymous]"));
		return sizeof("[anonymous]") - 1;
	}
	e->offset = ((e->address - BPF_CORE_READ(vma, vm_start)) & -(__u64)peat_page_bytes) +
		    BPF_CORE_READ(vma, vm_pgoff) * peat_page_bytes;
	return write_file_path(e->path, PATH_BYTES, file);
}

static __always_inline int emit(struct bpf_perf_event_data *ctx, bool major)
{
	struct fault *e = peat_reserve_stacks(ctx, struct fault);

	if (!e)
		return 0;
	e->major = major;
	e->address = ((struct bpf_perf_event_data___fault *)ctx)->addr;
	e->ip = instruction_of(ctx);
	return peat_submit_stacks_bytes(ctx, e,
					__builtin_offsetof(struct fault, path) + fill_file(e) + 1);
}

PEAT_EACH("major-faults")
SEC("perf_event")
int on_major_fault(struct bpf_perf_event_data *ctx)
{
	return emit(ctx, true);
}

PEAT_IF(minor)
PEAT_EACH("minor-faults")
SEC("perf_event")
int on_minor_fault(struct bpf_perf_event_data *ctx)
{
	return emit(ctx, false);
}
