// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bio: disk I/O: how long each one was queued, how long the device took, and errors.
 *
 * An I/O is a request of the block layer.  It begins in the task that makes it, often is issued by
 * a kernel thread, and completes in an interrupt: the event has the ids and the stack of the first.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "kept_stacks.h"

/* The kernel's REQ_OP_*, those with the same number in Linux 5.10 to 7.2. */
enum bio_op {
	read = 0,
	write = 1,
	flush = 2,
	discard = 3,
	secure_erase = 5,
	write_zeroes = 9,
	driver_in = 34,
	driver_out = 35,
};

/* The kernel's REQ_*, likewise. */
enum bio_flag {
	none = 0,
	sync = 1 << 11,
	meta = 1 << 12,
	prio = 1 << 13,
	fua = 1 << 17,
	preflush = 1 << 18,
	readahead = 1 << 19,
	background = 1 << 20,
};

#define OP_BITS	  0xff
#define FLAG_BITS (sync | meta | prio | fua | preflush | readahead | background)

struct bio {
	char dev[16] PEAT_DOC("the disk, also for a partition");
	enum bio_op op;
	peat_size_t bytes;
	peat_duration_t latency PEAT_DOC("from its issue to the device to its completion");
	peat_duration_t queued PEAT_DOC("from its start to its issue");
	peat_errno_t error;
	__u64 sector PEAT_DOC("of 512 bytes, from the start of the disk") PEAT_MINOR;
	enum bio_flag flags PEAT_AS(flags) PEAT_MINOR;
	PEAT_STACKS;
} PEAT_DOC("disk I/O, with the time in queues and in the device") PEAT_SUBJECT(disks)
	PEAT_LIKE("biosnoop, biolatency, biotop, blktrace");

PEAT_OPTION(peat_duration_t, min, 0, "only I/O that took at least this, queued and in the device");
PEAT_OPTION(bool, failed, false, "only failures");

/* ---- the kernel's types ---------------------------------------------------------------------- */

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct gendisk {
	char disk_name[32];
};

struct request_queue {
	struct gendisk *disk; /* Linux 5.15 and newer */
};

struct request {
	struct request_queue *q;
	struct gendisk *rq_disk; /* older kernels */
	unsigned int cmd_flags;
	unsigned int __data_len;
	__u64 __sector;
	__u64 start_time_ns;
};

#pragma clang attribute pop

/* Linux before 5.11, and older stable kernels, pass the queue first. */
typedef void (*btf_trace_block_rq_issue___queue)(void *, struct request_queue *, struct request *);
typedef void (*btf_trace_block_rq_insert___queue)(void *, struct request_queue *, struct request *);

/* Linux 6.5 and newer. */
typedef void (*btf_trace_block_io_start)(void *, struct request *);

static __always_inline void read_disk(char *name, struct request *request)
{
	struct gendisk *disk = bpf_core_field_exists(request->rq_disk)
				       ? BPF_CORE_READ(request, rq_disk)
				       : BPF_CORE_READ(request, q, disk);

	name[0] = '\0';
	if (disk)
		bpf_probe_read_kernel_str(name, sizeof(((struct bio *)0)->dev),
					  __builtin_preserve_access_index(&disk->disk_name));
}

/* ---- requests in flight ---------------------------------------------------------------------- */

struct io {
	__u64 allocated_ns;
	__u64 start_ns; /* 0: it is not in flight */
	__u64 issue_ns; /* 0: not yet */
	__u32 tgid, tid;
	bool is_accepted; /* by the filters */
};

/*
 * By request.  The kernel allocates requests once for a disk, so entries stay and are changed in
 * place.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 32768);
	__type(key, __u64);
	__type(value, struct io);
} bio_requests SEC(".maps");

KEPT_STACKS(bio_stacks, 2048);

static __always_inline struct io *find_io(__u64 request)
{
	return bpf_map_lookup_elem(&bio_requests, &request);
}

static __always_inline struct io *add_io(__u64 request)
{
	struct io io = {};

	bpf_map_update_elem(&bio_requests, &request, &io, BPF_NOEXIST);
	return find_io(request);
}

/*
 * Tells a request from the next one in its memory, should its completion be missed.  Not needed if
 * the kernel announces each start; there, it sets the member only after that.
 */
static __always_inline __u64 allocation_of(struct request *request)
{
	return bpf_core_type_exists(btf_trace_block_io_start)
		       ? 0
		       : BPF_CORE_READ(request, start_time_ns);
}

static __always_inline struct io *start(void *ctx, __u64 request, __u64 allocated_ns)
{
	__u64 ids = bpf_get_current_pid_tgid();
	struct io *io = find_io(request) ?: add_io(request);

	if (!io)
		return 0;
	io->allocated_ns = allocated_ns;
	io->issue_ns = 0;
	io->tgid = ids >> 32;
	io->tid = ids;
	io->is_accepted = peat_accepts_current();
	if (io->is_accepted)
		keep_stacks(ctx, &bio_stacks, request);
	io->start_ns = bpf_ktime_get_ns();
	return io;
}

/* The request, started now unless it was before. */
static __always_inline struct io *find_started(void *ctx, struct request *request)
{
	__u64 allocated_ns = allocation_of(request);
	struct io *io = find_io((__u64)request);

	if (io && io->start_ns && io->allocated_ns == allocated_ns)
		return io;
	return start(ctx, (__u64)request, allocated_ns);
}

PEAT_OPTIONAL SEC("raw_tp/block_io_start") int BPF_PROG(on_start, struct request *request)
{
	start(ctx, (__u64)request, allocation_of(request));
	return 0;
}

/* On older kernels, the first that is seen of a request that waits in a queue. */
SEC("raw_tp/block_rq_insert")
int BPF_PROG(on_insert, void *first, void *second)
{
	find_started(ctx, bpf_core_type_exists(btf_trace_block_rq_insert___queue) ? second : first);
	return 0;
}

/* A device that is busy has its requests issued again: only the last time counts. */
SEC("raw_tp/block_rq_issue")
int BPF_PROG(on_issue, void *first, void *second)
{
	struct io *io = find_started(
		ctx, bpf_core_type_exists(btf_trace_block_rq_issue___queue) ? second : first);

	if (io)
		io->issue_ns = bpf_ktime_get_ns();
	return 0;
}

/* ---- completion ------------------------------------------------------------------------------ */

/* The errno of each blk_status_t, Linux 5.10 to 7.2: those after these are rare. */
static __always_inline int errno_of(__u32 status)
{
	switch (status) {
	case 0:
		return 0;
	case 1:
		return -95; /* EOPNOTSUPP */
	case 2:
		return -110; /* ETIMEDOUT */
	case 3:
		return -28; /* ENOSPC */
	case 4:
		return -67; /* ENOLINK */
	case 5:
		return -121; /* EREMOTEIO */
	case 6:
		return -52; /* EBADE */
	case 7:
		return -61; /* ENODATA */
	case 8:
		return -84; /* EILSEQ */
	case 9:
		return -12; /* ENOMEM */
	case 12:
		return -11; /* EAGAIN */
	case 13:
		return -16; /* EBUSY */
	default:
		return -5; /* EIO */
	}
}

/* Linux before 5.16 passes an errno, and newer kernels a blk_status_t. */
static __always_inline int error_of(int error)
{
	return error < 0 ? error : errno_of(error);
}

static __always_inline int emit(void *ctx, struct request *request, const struct io *io, int error,
				unsigned int bytes, __u64 now)
{
	struct bio *e = peat_reserve_stacks_accepted((unsigned long long *)ctx, struct bio);
	__u64 sector = BPF_CORE_READ(request, __sector);
	__u32 op_flags = BPF_CORE_READ(request, cmd_flags);

	if (!e)
		return 0;
	read_disk(e->dev, request);
	e->op = op_flags & OP_BITS;
	e->flags = op_flags & FLAG_BITS;
	e->sector = sector == ~0ULL ? 0 : sector; /* flushes have none */
	e->bytes = bytes;
	e->queued = io->issue_ns - io->start_ns;
	e->latency = now - io->issue_ns;
	e->error = error;
	peat_set_task(e, io->tgid, io->tid);
	return peat_submit_bytes((unsigned long long *)ctx, e,
				 __builtin_offsetof(struct bio, stack) +
					 copy_kept_stacks(&e->stack, &bio_stacks, (__u64)request));
}

/* A request may complete in several parts: an event each. */
SEC("raw_tp/block_rq_complete")
int BPF_PROG(on_complete, struct request *request, int status, unsigned int bytes)
{
	struct io *io = find_io((__u64)request);
	__u64 now = bpf_ktime_get_ns();
	int error = error_of(status);

	if (!io || !io->start_ns || !io->issue_ns || io->allocated_ns != allocation_of(request))
		return 0;
	if (io->is_accepted && now - io->start_ns >= min && (error || !failed))
		emit(ctx, request, io, error, bytes, now);
	if (bytes >= BPF_CORE_READ(request, __data_len))
		io->start_ns = 0;
	return 0;
}
