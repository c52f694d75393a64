/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record_kinds.h: the catalogue of test_record.c, one record or more of each type but SAMPLE.
 */
#ifndef TESTS_UNIT_RECORD_RECORD_KINDS_H
#define TESTS_UNIT_RECORD_RECORD_KINDS_H

#include <check.h>

#include "record_bytes.h"

#define PID  0x11223344U
#define TID  0x55667788U
#define TIME 0x0102030405060708ULL
#define ID   0x1112131415161718ULL

/* One record of each type: how to build its body, what has to come out, its shortest body. */
struct kind {
	const char *name;
	uint32_t type;
	uint16_t misc;
	size_t min_bytes;
	void (*build)(struct bytes *b);
	void (*check)(const struct peat_record *rec);
};

static void build_mmap(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_u64(b, 0xffff800000001000);
	put_u64(b, 0x2000);
	put_u64(b, 0x3000);
	put_string(b, "/usr/bin/cat");
}

static void check_mmap(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->mmap.pid, PID);
	ck_assert_uint_eq(rec->mmap.tid, TID);
	ck_assert_uint_eq(rec->mmap.addr, 0xffff800000001000);
	ck_assert_uint_eq(rec->mmap.len, 0x2000);
	ck_assert_uint_eq(rec->mmap.pgoff, 0x3000);
	ck_assert_str_eq(rec->mmap.filename, "/usr/bin/cat");
	ck_assert_int_eq(rec->mmap.data, (rec->misc & PEAT_MISC_MMAP_DATA) != 0);
}

static void check_mmap1(const struct peat_record *rec)
{
	check_mmap(rec);
	ck_assert_uint_eq(rec->mmap.maj, 0);
	ck_assert_uint_eq(rec->mmap.min, 0);
	ck_assert_uint_eq(rec->mmap.ino, 0);
	ck_assert_uint_eq(rec->mmap.prot, 0);
	ck_assert_ptr_null(rec->mmap.build_id);
}

static void put_mapped_file(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_u64(b, 0xffff800000001000);
	put_u64(b, 0x2000);
	put_u64(b, 0x3000);
	put_u32(b, 8);
	put_u32(b, 17);
	put_u64(b, 0x123456789);
	put_u64(b, 0x987654321);
}

static void build_mmap2(struct bytes *b)
{
	put_mapped_file(b);
	put_u32(b, 5);
	put_u32(b, 0x1002);
	put_string(b, "/usr/bin/cat");
}

static void check_mmap2(const struct peat_record *rec)
{
	check_mmap(rec);
	ck_assert_uint_eq(rec->mmap.maj, 8);
	ck_assert_uint_eq(rec->mmap.min, 17);
	ck_assert_uint_eq(rec->mmap.ino, 0x123456789);
	ck_assert_uint_eq(rec->mmap.ino_generation, 0x987654321);
	ck_assert_uint_eq(rec->mmap.prot, 5);
	ck_assert_uint_eq(rec->mmap.flags, 0x1002);
	ck_assert_ptr_null(rec->mmap.build_id);
	ck_assert_uint_eq(rec->mmap.build_id_bytes, 0);
}

/* Before Linux 3.16: without prot and flags. */
static void build_old_mmap2(struct bytes *b)
{
	put_mapped_file(b);
	put_string(b, "/usr/bin/cat");
}

static void check_old_mmap2(const struct peat_record *rec)
{
	check_mmap(rec);
	ck_assert_uint_eq(rec->mmap.maj, 8);
	ck_assert_uint_eq(rec->mmap.ino_generation, 0x987654321);
	ck_assert_uint_eq(rec->mmap.prot, 0);
	ck_assert_uint_eq(rec->mmap.flags, 0);
}

static const uint8_t build_id[20] = "0123456789abcdefghi";

static void put_build_id_mmap(struct bytes *b, uint8_t build_id_bytes)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_u64(b, 0xffff800000001000);
	put_u64(b, 0x2000);
	put_u64(b, 0x3000);
	put(b, build_id_bytes, 1);
	put(b, 0, 1);
	put_u16(b, 0);
	put_data(b, build_id, sizeof(build_id));
	put_u32(b, 5);
	put_u32(b, 0x1002);
	put_string(b, "/usr/bin/cat");
}

static void build_mmap2_build_id(struct bytes *b)
{
	put_build_id_mmap(b, 20);
}

static void check_mmap2_build_id(const struct peat_record *rec)
{
	check_mmap(rec);
	ck_assert_uint_eq(rec->mmap.build_id_bytes, 20);
	ck_assert_mem_eq(rec->mmap.build_id, build_id, 20);
	ck_assert_uint_eq(rec->mmap.maj, 0);
	ck_assert_uint_eq(rec->mmap.ino, 0);
	ck_assert_uint_eq(rec->mmap.ino_generation, 0);
	ck_assert_uint_eq(rec->mmap.prot, 5);
	ck_assert_uint_eq(rec->mmap.flags, 0x1002);
}

static void build_lost(struct bytes *b)
{
	put_u64(b, ID);
	put_u64(b, 12345);
}

static void check_lost(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->lost.id, ID);
	ck_assert_uint_eq(rec->lost.lost, 12345);
}

static void build_comm(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_string(b, "kworker/0:1");
}

static void check_comm(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->comm.pid, PID);
	ck_assert_uint_eq(rec->comm.tid, TID);
	ck_assert_str_eq(rec->comm.comm, "kworker/0:1");
	ck_assert_int_eq(rec->comm.exec, (rec->misc & PEAT_MISC_COMM_EXEC) != 0);
}

static void build_task(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, 1);
	put_u32(b, TID);
	put_u32(b, 2);
	put_u64(b, TIME);
}

static void check_task(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->task.pid, PID);
	ck_assert_uint_eq(rec->task.ppid, 1);
	ck_assert_uint_eq(rec->task.tid, TID);
	ck_assert_uint_eq(rec->task.ptid, 2);
	ck_assert_uint_eq(rec->task.time_ns, TIME);
}

static void build_throttle(struct bytes *b)
{
	put_u64(b, TIME);
	put_u64(b, ID);
	put_u64(b, 77);
}

static void check_throttle(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->throttle.time_ns, TIME);
	ck_assert_uint_eq(rec->throttle.id, ID);
	ck_assert_uint_eq(rec->throttle.stream_id, 77);
}

/* All tests but that of READ itself decode with read_format 0: one value. */
static void build_read(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_u64(b, 4711);
}

static void check_read(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->read.pid, PID);
	ck_assert_uint_eq(rec->read.tid, TID);
	ck_assert_uint_eq(rec->read.values.count, 1);
	ck_assert_uint_eq(peat_read__at(&rec->read.values, 0).value, 4711);
	ck_assert_uint_eq(peat_read__at(&rec->read.values, 0).lost, 0);
}

static void build_aux(struct bytes *b)
{
	put_u64(b, 0x10000);
	put_u64(b, 0x2000);
	put_u64(b, PEAT_AUX_TRUNCATED | PEAT_AUX_PARTIAL);
}

static void check_aux(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->aux.offset, 0x10000);
	ck_assert_uint_eq(rec->aux.bytes, 0x2000);
	ck_assert_uint_eq(rec->aux.flags, 5);
}

static void build_pid_tid(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, TID);
}

static void check_itrace_start(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->itrace_start.pid, PID);
	ck_assert_uint_eq(rec->itrace_start.tid, TID);
}

static void build_u64(struct bytes *b)
{
	put_u64(b, 0xfedcba9876543210);
}

static void check_lost_samples(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->lost_samples.lost, 0xfedcba9876543210);
}

static void check_hw_id(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->hw_id.hw_id, 0xfedcba9876543210);
}

static void build_nothing(struct bytes *b)
{
	(void)b;
}

static void check_switch_flags(const struct peat_record *rec)
{
	ck_assert_int_eq(rec->context_switch.out, (rec->misc & PEAT_MISC_SWITCH_OUT) != 0);
	ck_assert_int_eq(rec->context_switch.preempted,
			 (rec->misc & PEAT_MISC_SWITCH_OUT_PREEMPT) != 0);
}

static void check_switch(const struct peat_record *rec)
{
	check_switch_flags(rec);
	ck_assert_uint_eq(rec->context_switch.next_prev_pid, 0);
	ck_assert_uint_eq(rec->context_switch.next_prev_tid, 0);
}

static void check_switch_cpu_wide(const struct peat_record *rec)
{
	check_switch_flags(rec);
	ck_assert_uint_eq(rec->context_switch.next_prev_pid, PID);
	ck_assert_uint_eq(rec->context_switch.next_prev_tid, TID);
}

static void build_namespaces(struct bytes *b)
{
	put_u32(b, PID);
	put_u32(b, TID);
	put_u64(b, 7);
	put_words(b, 0xf000000000000000, 14);
}

static void check_namespaces(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->namespaces.pid, PID);
	ck_assert_uint_eq(rec->namespaces.tid, TID);
	ck_assert_uint_eq(rec->namespaces.nr, 7);
	ck_assert_uint_eq(rec->namespaces.links.count, 14);
	ck_assert_uint_eq(peat_words__at(&rec->namespaces.links, 2 * PEAT_NS_NET),
			  0xf000000000000000);
	ck_assert_uint_eq(peat_words__at(&rec->namespaces.links, 2 * PEAT_NS_CGROUP + 1),
			  0xf00000000000000d);
}

static void build_ksymbol(struct bytes *b)
{
	put_u64(b, 0xffffffffc0000000);
	put_u32(b, 0x456);
	put_u16(b, PEAT_KSYMBOL_TYPE_BPF);
	put_u16(b, 0x8001);
	put_string(b, "bpf_prog_6deef7357e7b4530_on_exec");
}

static void check_ksymbol(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->ksymbol.addr, 0xffffffffc0000000);
	ck_assert_uint_eq(rec->ksymbol.len, 0x456);
	ck_assert_uint_eq(rec->ksymbol.ksym_type, 1);
	ck_assert_uint_eq(rec->ksymbol.flags, 0x8001);
	ck_assert_str_eq(rec->ksymbol.name, "bpf_prog_6deef7357e7b4530_on_exec");
}

static void build_bpf(struct bytes *b)
{
	put_u16(b, PEAT_BPF_PROG_UNLOAD);
	put_u16(b, 0x0102);
	put_u32(b, 0x03040506);
	put_data(b, "\xde\xad\xbe\xef\x00\x11\x22\x33", 8);
}

static void check_bpf(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->bpf.event, 2);
	ck_assert_uint_eq(rec->bpf.flags, 0x0102);
	ck_assert_uint_eq(rec->bpf.id, 0x03040506);
	ck_assert_mem_eq(rec->bpf.tag, "\xde\xad\xbe\xef\x00\x11\x22\x33", 8);
}

static void build_cgroup(struct bytes *b)
{
	put_u64(b, ID);
	put_string(b, "/system.slice/ssh.service");
}

static void check_cgroup(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->cgroup.id, ID);
	ck_assert_str_eq(rec->cgroup.path, "/system.slice/ssh.service");
}

static void build_text_poke(struct bytes *b)
{
	put_u64(b, 0xffffffff81000000);
	put_u16(b, 5);
	put_u16(b, 2);
	put_data(b, "\x0f\x1f\x44\x00\x00\xeb\x03", 7);
	put_data(b, "\0\0\0\0\0", 5);
}

static void check_text_poke(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->text_poke.addr, 0xffffffff81000000);
	ck_assert_uint_eq(rec->text_poke.old_bytes, 5);
	ck_assert_uint_eq(rec->text_poke.new_bytes, 2);
	ck_assert_mem_eq(rec->text_poke.old_text, "\x0f\x1f\x44\x00\x00", 5);
	ck_assert_mem_eq(rec->text_poke.new_text, "\xeb\x03", 2);
}

static void build_callchain_deferred(struct bytes *b)
{
	put_u64(b, 0xc00c1e);
	put_u64(b, 4);
	put_words(b, 0x7f0000000000, 4);
}

static void check_callchain_deferred(const struct peat_record *rec)
{
	ck_assert_uint_eq(rec->callchain_deferred.cookie, 0xc00c1e);
	ck_assert_uint_eq(rec->callchain_deferred.callchain.count, 4);
	for (unsigned int i = 0; i < 4; i++)
		ck_assert_uint_eq(peat_words__at(&rec->callchain_deferred.callchain, i),
				  0x7f0000000000 + i);
}

static const struct kind kinds[] = {
	{ "MMAP", 1, 0, 33, build_mmap, check_mmap1 },
	{ "MMAP", 1, PEAT_MISC_MMAP_DATA | PEAT_MISC_USER, 33, build_mmap, check_mmap1 },
	{ "LOST", 2, 0, 16, build_lost, check_lost },
	{ "COMM", 3, 0, 9, build_comm, check_comm },
	{ "COMM", 3, PEAT_MISC_COMM_EXEC, 9, build_comm, check_comm },
	{ "EXIT", 4, 0, 24, build_task, check_task },
	{ "THROTTLE", 5, 0, 24, build_throttle, check_throttle },
	{ "UNTHROTTLE", 6, 0, 24, build_throttle, check_throttle },
	{ "FORK", 7, 0, 24, build_task, check_task },
	{ "READ", 8, 0, 16, build_read, check_read },
	{ "MMAP2", 10, 0, 65, build_mmap2, check_mmap2 },
	{ "MMAP2", 10, PEAT_MISC_MMAP_DATA, 65, build_mmap2, check_mmap2 },
	{ "MMAP2", 10, 0, 57, build_old_mmap2, check_old_mmap2 },
	{ "MMAP2", 10, PEAT_MISC_MMAP_BUILD_ID, 65, build_mmap2_build_id, check_mmap2_build_id },
	{ "AUX", 11, 0, 24, build_aux, check_aux },
	{ "ITRACE_START", 12, 0, 8, build_pid_tid, check_itrace_start },
	{ "LOST_SAMPLES", 13, 0, 8, build_u64, check_lost_samples },
	{ "SWITCH", 14, 0, 0, build_nothing, check_switch },
	{ "SWITCH", 14, PEAT_MISC_SWITCH_OUT, 0, build_nothing, check_switch },
	{ "SWITCH_CPU_WIDE", 15, 0, 8, build_pid_tid, check_switch_cpu_wide },
	{ "SWITCH_CPU_WIDE", 15, PEAT_MISC_SWITCH_OUT | PEAT_MISC_SWITCH_OUT_PREEMPT, 8,
	  build_pid_tid, check_switch_cpu_wide },
	{ "NAMESPACES", 16, 0, 16 + 7 * 16, build_namespaces, check_namespaces },
	{ "KSYMBOL", 17, 0, 17, build_ksymbol, check_ksymbol },
	{ "BPF_EVENT", 18, 0, 16, build_bpf, check_bpf },
	{ "CGROUP", 19, 0, 9, build_cgroup, check_cgroup },
	{ "TEXT_POKE", 20, 0, 19, build_text_poke, check_text_poke },
	{ "AUX_OUTPUT_HW_ID", 21, 0, 8, build_u64, check_hw_id },
	{ "CALLCHAIN_DEFERRED", 22, 0, 16 + 4 * 8, build_callchain_deferred,
	  check_callchain_deferred },
};

#define NR_KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

#endif /* TESTS_UNIT_RECORD_RECORD_KINDS_H */
