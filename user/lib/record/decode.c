/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record.c: a record's header, trailer and every body but that of SAMPLE.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "record/decode_sample.h"

#define SAME(ours, theirs) _Static_assert((uint64_t)(ours) == (uint64_t)(theirs), #ours)

/*
 * Our numbers are the kernel's. Of lists that count on, the ends are enough. BRANCH_COUNTERS,
 * CONTEXT_USER_DEFERRED and CALLCHAIN_DEFERRED are newer than the oldest header we build with.
 */
SAME(PEAT_SAMPLE_IP, PERF_SAMPLE_IP);
SAME(PEAT_SAMPLE_TID, PERF_SAMPLE_TID);
SAME(PEAT_SAMPLE_TIME, PERF_SAMPLE_TIME);
SAME(PEAT_SAMPLE_ADDR, PERF_SAMPLE_ADDR);
SAME(PEAT_SAMPLE_READ, PERF_SAMPLE_READ);
SAME(PEAT_SAMPLE_CALLCHAIN, PERF_SAMPLE_CALLCHAIN);
SAME(PEAT_SAMPLE_ID, PERF_SAMPLE_ID);
SAME(PEAT_SAMPLE_CPU, PERF_SAMPLE_CPU);
SAME(PEAT_SAMPLE_PERIOD, PERF_SAMPLE_PERIOD);
SAME(PEAT_SAMPLE_STREAM_ID, PERF_SAMPLE_STREAM_ID);
SAME(PEAT_SAMPLE_RAW, PERF_SAMPLE_RAW);
SAME(PEAT_SAMPLE_BRANCH_STACK, PERF_SAMPLE_BRANCH_STACK);
SAME(PEAT_SAMPLE_REGS_USER, PERF_SAMPLE_REGS_USER);
SAME(PEAT_SAMPLE_STACK_USER, PERF_SAMPLE_STACK_USER);
SAME(PEAT_SAMPLE_WEIGHT, PERF_SAMPLE_WEIGHT);
SAME(PEAT_SAMPLE_DATA_SRC, PERF_SAMPLE_DATA_SRC);
SAME(PEAT_SAMPLE_IDENTIFIER, PERF_SAMPLE_IDENTIFIER);
SAME(PEAT_SAMPLE_TRANSACTION, PERF_SAMPLE_TRANSACTION);
SAME(PEAT_SAMPLE_REGS_INTR, PERF_SAMPLE_REGS_INTR);
SAME(PEAT_SAMPLE_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR);
SAME(PEAT_SAMPLE_AUX, PERF_SAMPLE_AUX);
SAME(PEAT_SAMPLE_CGROUP, PERF_SAMPLE_CGROUP);
SAME(PEAT_SAMPLE_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE);
SAME(PEAT_SAMPLE_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE);
SAME(PEAT_SAMPLE_WEIGHT_STRUCT, PERF_SAMPLE_WEIGHT_STRUCT);
SAME(PEAT_READ_TOTAL_TIME_ENABLED, PERF_FORMAT_TOTAL_TIME_ENABLED);
SAME(PEAT_READ_TOTAL_TIME_RUNNING, PERF_FORMAT_TOTAL_TIME_RUNNING);
SAME(PEAT_READ_ID, PERF_FORMAT_ID);
SAME(PEAT_READ_GROUP, PERF_FORMAT_GROUP);
SAME(PEAT_READ_LOST, PERF_FORMAT_LOST);
SAME(PEAT_BRANCH_HW_INDEX, PERF_SAMPLE_BRANCH_HW_INDEX);
SAME(PEAT_MISC_CPUMODE_MASK, PERF_RECORD_MISC_CPUMODE_MASK);
SAME(PEAT_MISC_COMM_EXEC, PERF_RECORD_MISC_COMM_EXEC);
SAME(PEAT_MISC_SWITCH_OUT, PERF_RECORD_MISC_SWITCH_OUT);
SAME(PEAT_MISC_SWITCH_OUT_PREEMPT, PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
SAME(PEAT_MISC_MMAP_BUILD_ID, PERF_RECORD_MISC_MMAP_BUILD_ID);
SAME(PEAT_CONTEXT_USER, PERF_CONTEXT_USER);
SAME(PEAT_CONTEXT_GUEST_USER, PERF_CONTEXT_GUEST_USER);
SAME(PEAT_CONTEXT_MAX, PERF_CONTEXT_MAX);
SAME(PEAT_REGS_ABI_64, PERF_SAMPLE_REGS_ABI_64);
SAME(PEAT_AUX_COLLISION, PERF_AUX_FLAG_COLLISION);
SAME(PEAT_KSYMBOL_TYPE_OOL, PERF_RECORD_KSYMBOL_TYPE_OOL);
SAME(PEAT_KSYMBOL_UNREGISTER, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER);
SAME(PEAT_BPF_PROG_UNLOAD, PERF_BPF_EVENT_PROG_UNLOAD);
SAME(PEAT_NS_CGROUP, CGROUP_NS_INDEX);
SAME(PEAT_RECORD_MMAP, PERF_RECORD_MMAP);
SAME(PEAT_RECORD_SAMPLE, PERF_RECORD_SAMPLE);
SAME(PEAT_RECORD_SWITCH, PERF_RECORD_SWITCH);
SAME(PEAT_RECORD_AUX_OUTPUT_HW_ID, PERF_RECORD_AUX_OUTPUT_HW_ID);

#define HEADER_BYTES	   sizeof(struct perf_event_header)
#define BUILD_ID_BYTES_MAX 20
#define BPF_TAG_BYTES	   8

/* Decodes one type's body, which ends where the cursor does. */
typedef void (*body_fn)(struct cursor *cur, struct peat_record *rec);

static void decode_build_id(struct cursor *cur, struct peat_mmap *m)
{
	const uint8_t *field = cursor__take(cur, 4 + BUILD_ID_BYTES_MAX);

	if (!field)
		return;
	if (field[0] > BUILD_ID_BYTES_MAX) {
		cursor__fail(cur);
		return;
	}
	m->build_id_bytes = field[0];
	m->build_id = field + 4;
}

static void decode_inode(struct cursor *cur, struct peat_mmap *m)
{
	m->maj = cursor__u32(cur);
	m->min = cursor__u32(cur);
	m->ino = cursor__u64(cur);
	m->ino_generation = cursor__u64(cur);
}

static void decode_mmap(struct cursor *cur, struct peat_record *rec)
{
	struct peat_mmap *m = &rec->mmap;

	memset(m, 0, sizeof(*m));
	m->data = rec->misc & PEAT_MISC_MMAP_DATA;
	m->pid = cursor__u32(cur);
	m->tid = cursor__u32(cur);
	m->addr = cursor__u64(cur);
	m->len = cursor__u64(cur);
	m->pgoff = cursor__u64(cur);
	if (rec->type == PEAT_RECORD_MMAP2) {
		if (rec->misc & PEAT_MISC_MMAP_BUILD_ID)
			decode_build_id(cur, m);
		else
			decode_inode(cur, m);
		m->prot = cursor__u32(cur);
		m->flags = cursor__u32(cur);
	}
	m->filename = cursor__string(cur);
}

static void decode_lost(struct cursor *cur, struct peat_record *rec)
{
	rec->lost.id = cursor__u64(cur);
	rec->lost.lost = cursor__u64(cur);
}

static void decode_comm(struct cursor *cur, struct peat_record *rec)
{
	rec->comm.pid = cursor__u32(cur);
	rec->comm.tid = cursor__u32(cur);
	rec->comm.comm = cursor__string(cur);
	rec->comm.exec = rec->misc & PEAT_MISC_COMM_EXEC;
}

static void decode_task(struct cursor *cur, struct peat_record *rec)
{
	rec->task.pid = cursor__u32(cur);
	rec->task.ppid = cursor__u32(cur);
	rec->task.tid = cursor__u32(cur);
	rec->task.ptid = cursor__u32(cur);
	rec->task.time_ns = cursor__u64(cur);
}

static void decode_throttle(struct cursor *cur, struct peat_record *rec)
{
	rec->throttle.time_ns = cursor__u64(cur);
	rec->throttle.id = cursor__u64(cur);
	rec->throttle.stream_id = cursor__u64(cur);
}

static void decode_read(struct cursor *cur, struct peat_record *rec)
{
	rec->read.pid = cursor__u32(cur);
	rec->read.tid = cursor__u32(cur);
	peat_read__decode(cur, &rec->read.values);
}

static void decode_aux(struct cursor *cur, struct peat_record *rec)
{
	rec->aux.offset = cursor__u64(cur);
	rec->aux.bytes = cursor__u64(cur);
	rec->aux.flags = cursor__u64(cur);
}

static void decode_itrace_start(struct cursor *cur, struct peat_record *rec)
{
	rec->itrace_start.pid = cursor__u32(cur);
	rec->itrace_start.tid = cursor__u32(cur);
}

static void decode_lost_samples(struct cursor *cur, struct peat_record *rec)
{
	rec->lost_samples.lost = cursor__u64(cur);
}

static void decode_switch(struct cursor *cur, struct peat_record *rec)
{
	bool cpu_wide = rec->type == PEAT_RECORD_SWITCH_CPU_WIDE;

	rec->context_switch.out = rec->misc & PEAT_MISC_SWITCH_OUT;
	rec->context_switch.preempted = rec->misc & PEAT_MISC_SWITCH_OUT_PREEMPT;
	rec->context_switch.next_prev_pid = cpu_wide ? cursor__u32(cur) : 0;
	rec->context_switch.next_prev_tid = cpu_wide ? cursor__u32(cur) : 0;
}

static void decode_namespaces(struct cursor *cur, struct peat_record *rec)
{
	rec->namespaces.pid = cursor__u32(cur);
	rec->namespaces.tid = cursor__u32(cur);
	rec->namespaces.nr = cursor__u64(cur);
	rec->namespaces.links = cursor__words(cur, rec->namespaces.nr, 2);
}

static void decode_ksymbol(struct cursor *cur, struct peat_record *rec)
{
	rec->ksymbol.addr = cursor__u64(cur);
	rec->ksymbol.len = cursor__u32(cur);
	rec->ksymbol.ksym_type = cursor__u16(cur);
	rec->ksymbol.flags = cursor__u16(cur);
	rec->ksymbol.name = cursor__string(cur);
}

static void decode_bpf(struct cursor *cur, struct peat_record *rec)
{
	rec->bpf.event = cursor__u16(cur);
	rec->bpf.flags = cursor__u16(cur);
	rec->bpf.id = cursor__u32(cur);
	rec->bpf.tag = cursor__take(cur, BPF_TAG_BYTES);
}

static void decode_cgroup(struct cursor *cur, struct peat_record *rec)
{
	rec->cgroup.id = cursor__u64(cur);
	rec->cgroup.path = cursor__string(cur);
}

static void decode_text_poke(struct cursor *cur, struct peat_record *rec)
{
	rec->text_poke.addr = cursor__u64(cur);
	rec->text_poke.old_bytes = cursor__u16(cur);
	rec->text_poke.new_bytes = cursor__u16(cur);
	rec->text_poke.old_text = cursor__take(cur, rec->text_poke.old_bytes);
	rec->text_poke.new_text = cursor__take(cur, rec->text_poke.new_bytes);
}

static void decode_hw_id(struct cursor *cur, struct peat_record *rec)
{
	rec->hw_id.hw_id = cursor__u64(cur);
}

static void decode_callchain_deferred(struct cursor *cur, struct peat_record *rec)
{
	uint64_t nr;

	rec->callchain_deferred.cookie = cursor__u64(cur);
	nr = cursor__u64(cur);
	rec->callchain_deferred.callchain = cursor__words(cur, nr, 1);
}

/* min_bytes: the shortest body there is. The kernel pads strings with zeroes to 8 bytes or more. */
static const struct {
	const char *name;
	size_t min_bytes;
	body_fn decode;
} types[] = {
	[PEAT_RECORD_MMAP] = { "MMAP", 40, decode_mmap },
	[PEAT_RECORD_LOST] = { "LOST", 16, decode_lost },
	[PEAT_RECORD_COMM] = { "COMM", 16, decode_comm },
	[PEAT_RECORD_EXIT] = { "EXIT", 24, decode_task },
	[PEAT_RECORD_THROTTLE] = { "THROTTLE", 24, decode_throttle },
	[PEAT_RECORD_UNTHROTTLE] = { "UNTHROTTLE", 24, decode_throttle },
	[PEAT_RECORD_FORK] = { "FORK", 24, decode_task },
	[PEAT_RECORD_READ] = { "READ", 16, decode_read },
	[PEAT_RECORD_SAMPLE] = { "SAMPLE", 0, peat_sample__decode },
	[PEAT_RECORD_MMAP2] = { "MMAP2", 72, decode_mmap },
	[PEAT_RECORD_AUX] = { "AUX", 24, decode_aux },
	[PEAT_RECORD_ITRACE_START] = { "ITRACE_START", 8, decode_itrace_start },
	[PEAT_RECORD_LOST_SAMPLES] = { "LOST_SAMPLES", 8, decode_lost_samples },
	[PEAT_RECORD_SWITCH] = { "SWITCH", 0, decode_switch },
	[PEAT_RECORD_SWITCH_CPU_WIDE] = { "SWITCH_CPU_WIDE", 8, decode_switch },
	[PEAT_RECORD_NAMESPACES] = { "NAMESPACES", 16, decode_namespaces },
	[PEAT_RECORD_KSYMBOL] = { "KSYMBOL", 24, decode_ksymbol },
	[PEAT_RECORD_BPF_EVENT] = { "BPF_EVENT", 16, decode_bpf },
	[PEAT_RECORD_CGROUP] = { "CGROUP", 16, decode_cgroup },
	[PEAT_RECORD_TEXT_POKE] = { "TEXT_POKE", 16, decode_text_poke },
	[PEAT_RECORD_AUX_OUTPUT_HW_ID] = { "AUX_OUTPUT_HW_ID", 8, decode_hw_id },
	[PEAT_RECORD_CALLCHAIN_DEFERRED] = { "CALLCHAIN_DEFERRED", 16, decode_callchain_deferred },
};

static bool is_known(uint32_t type)
{
	return type < sizeof(types) / sizeof(types[0]) && types[type].name;
}

const char *peat_record__name(uint32_t type)
{
	return is_known(type) ? types[type].name : NULL;
}

static void decode_trailer(uint64_t has, struct cursor *cur, struct peat_record *rec)
{
	rec->has = has;
	if (has & PEAT_SAMPLE_TID) {
		rec->pid = cursor__u32(cur);
		rec->tid = cursor__u32(cur);
	}
	if (has & PEAT_SAMPLE_TIME)
		rec->time_ns = cursor__u64(cur);
	if (has & PEAT_SAMPLE_ID)
		rec->id = cursor__u64(cur);
	if (has & PEAT_SAMPLE_STREAM_ID)
		rec->stream_id = cursor__u64(cur);
	if (has & PEAT_SAMPLE_CPU) {
		rec->cpu = cursor__u32(cur);
		cursor__u32(cur);
	}
	if (has & PEAT_SAMPLE_IDENTIFIER)
		rec->id = cursor__u64(cur);
}

/*
 * Cuts the trailer off the body and reads it. It is found from the record's end, so that bodies can
 * grow in kernels to come. A LOST has the trailer of whichever event wrote next, in a ring that
 * several share: of another size than the layout's, it cannot be understood.
 */
static void cut_trailer(struct cursor *cur, struct peat_record *rec)
{
	const struct peat_layout *layout = cur->layout;
	uint64_t has = layout->sample_id_all ? layout->sample_type & PEAT_SAMPLE_IDS : 0;
	size_t bytes = (size_t)__builtin_popcountll(has) * sizeof(uint64_t);
	size_t body_min = types[rec->type].min_bytes;
	size_t left = cursor__left(cur);
	struct cursor trailer = *cur;

	if (left < body_min + bytes)
		return;
	if (rec->type == PEAT_RECORD_LOST && left != body_min + bytes)
		return;
	trailer.at = cur->end - bytes;
	cur->end = trailer.at;
	decode_trailer(has, &trailer, rec);
}

static void clear_ids(struct peat_record *rec)
{
	rec->has = 0;
	rec->time_ns = 0;
	rec->id = 0;
	rec->stream_id = 0;
	rec->pid = 0;
	rec->tid = 0;
	rec->cpu = 0;
}

/* Sets type, misc and size. False: there is no such record in these bytes. */
static bool decode_header(const uint8_t *bytes, size_t bytes_len, bool swapped,
			  struct peat_record *rec)
{
	if (bytes_len < HEADER_BYTES) {
		rec->type = 0;
		rec->misc = 0;
		rec->size = 0;
		return false;
	}
	rec->type = load_u32(bytes, swapped);
	rec->misc = load_u16(bytes + 4, swapped);
	rec->size = load_u16(bytes + 6, swapped);
	return rec->size >= HEADER_BYTES && rec->size <= bytes_len;
}

int peat_record__decode(const struct peat_layout *layout, const void *bytes, size_t bytes_len,
			struct peat_record *rec)
{
	const uint8_t *start = bytes;
	struct cursor cur;

	clear_ids(rec);
	if (!decode_header(start, bytes_len, layout->swapped, rec))
		return -EBADMSG;
	cursor__init(&cur, start + HEADER_BYTES, start + rec->size, layout);

	/* Nearly all records are samples: no call through the table for them. */
	if (rec->type == PEAT_RECORD_SAMPLE) {
		peat_sample__decode(&cur, rec);
		return cur.bad ? -EBADMSG : 1;
	}
	if (!is_known(rec->type))
		return 0;
	cut_trailer(&cur, rec);
	types[rec->type].decode(&cur, rec);
	return cur.bad ? -EBADMSG : 1;
}
