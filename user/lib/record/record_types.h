/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/record_types.h: the types of the kernel's records, with the fields of their bodies.
 *
 * There is no include guard: record/decode.c and record/encode.c include it where they need code
 * for each type.  They define TYPE(type, least bytes of a body, fields) and what to do for a field.
 * `to` is a member of struct peat_record:
 *
 *	CLEAR(to)		no bytes: `to` is 0 unless a field below sets it
 *	FLAG(to, bit)		no bytes: PEAT_MISC_<bit> of misc
 *	U16(to) U32(to) U64(to)	numbers
 *	STRING(to)		up to the end of the body; the kernel pads it to 8 bytes or more
 *	BYTES(to, count)	`count` bytes
 *	LINKS			of namespaces: two words for each
 *	FILE_ID			of a mapping: device and inode, or build id: 24 bytes
 *	PROT_FLAGS		of a mapping: two numbers, missing before Linux 3.16
 *	READ(to)		a struct read_format
 *	CHAIN(to)		the number of words, then the words
 *
 * SAMPLE has no fields: its body depends on the layout.
 */
TYPE(MMAP, 40, CLEAR(mmap); FLAG(mmap.data, MMAP_DATA); U32(mmap.pid); U32(mmap.tid);
     U64(mmap.addr); U64(mmap.len); U64(mmap.pgoff); STRING(mmap.filename))
TYPE(LOST, 16, U64(lost.id); U64(lost.lost))
TYPE(COMM, 16, FLAG(comm.exec, COMM_EXEC); U32(comm.pid); U32(comm.tid); STRING(comm.comm))
TYPE(EXIT, 24, U32(task.pid); U32(task.ppid); U32(task.tid); U32(task.ptid); U64(task.time_ns))
TYPE(THROTTLE, 24, U64(throttle.time_ns); U64(throttle.id); U64(throttle.stream_id))
TYPE(UNTHROTTLE, 24, U64(throttle.time_ns); U64(throttle.id); U64(throttle.stream_id))
TYPE(FORK, 24, U32(task.pid); U32(task.ppid); U32(task.tid); U32(task.ptid); U64(task.time_ns))
TYPE(READ, 16, U32(read.pid); U32(read.tid); READ(read.values))
TYPE(SAMPLE, 0, )
TYPE(MMAP2, 72, CLEAR(mmap); FLAG(mmap.data, MMAP_DATA); U32(mmap.pid); U32(mmap.tid);
     U64(mmap.addr); U64(mmap.len); U64(mmap.pgoff); FILE_ID; PROT_FLAGS; STRING(mmap.filename))
TYPE(AUX, 24, U64(aux.offset); U64(aux.bytes); U64(aux.flags))
TYPE(ITRACE_START, 8, U32(itrace_start.pid); U32(itrace_start.tid))
TYPE(LOST_SAMPLES, 8, U64(lost_samples.lost))
TYPE(SWITCH, 0, CLEAR(context_switch); FLAG(context_switch.out, SWITCH_OUT);
     FLAG(context_switch.preempted, SWITCH_OUT_PREEMPT))
TYPE(SWITCH_CPU_WIDE, 8, FLAG(context_switch.out, SWITCH_OUT);
     FLAG(context_switch.preempted, SWITCH_OUT_PREEMPT); U32(context_switch.next_prev_pid);
     U32(context_switch.next_prev_tid))
TYPE(NAMESPACES, 16, U32(namespaces.pid); U32(namespaces.tid); U64(namespaces.nr); LINKS)
TYPE(KSYMBOL, 24, U64(ksymbol.addr); U32(ksymbol.len); U16(ksymbol.ksym_type); U16(ksymbol.flags);
     STRING(ksymbol.name))
TYPE(BPF_EVENT, 16, U16(bpf.event); U16(bpf.flags); U32(bpf.id); BYTES(bpf.tag, 8))
TYPE(CGROUP, 16, U64(cgroup.id); STRING(cgroup.path))
TYPE(TEXT_POKE, 16, U64(text_poke.addr); U16(text_poke.old_bytes); U16(text_poke.new_bytes);
     BYTES(text_poke.old_text, rec->text_poke.old_bytes);
     BYTES(text_poke.new_text, rec->text_poke.new_bytes))
TYPE(AUX_OUTPUT_HW_ID, 8, U64(hw_id.hw_id))
TYPE(CALLCHAIN_DEFERRED, 16, U64(callchain_deferred.cookie); CHAIN(callchain_deferred.callchain))
