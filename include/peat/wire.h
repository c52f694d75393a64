/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * wire.h: what the BPF side and user space agree on: frames, and the slots they are staged in.
 *
 * A frame is the raw payload of one PERF_RECORD_SAMPLE: a batch of events of one stream, that is of
 * one slot of one CPU, in the byte order of the machine.
 *
 *	offset  0  u8 version  u8 flags  u16 count	flags: the slot's number
 *		4  u64 time_ns				CLOCK_MONOTONIC of the first event
 *	       12  u64 seq				number of the first event in its stream
 *	       20  the events, each:
 *			u16 size  u16 type  u32 delta_ns  [u32 tgid  u32 tid]  payload, padded to 8
 *
 * The kernel puts a raw payload at 4 mod 8, so everything behind the first u32 is aligned, and
 * events are used in place.  `size` is the payload's exact size.  A loss shows as a gap in `seq`.
 *
 * Plain C types only: the BPF side has no libc, user space no vmlinux.h.
 */
#ifndef PEAT_WIRE_H
#define PEAT_WIRE_H

#define PEAT_WIRE_VERSION 1

/* peat_frame_head.flags */
#define PEAT_FRAME_SLOT 0x3

/* peat_event_head.type: the object's type number and, with IDS, tgid and tid behind the head. */
#define PEAT_EVENT_TYPE 0x7fff
#define PEAT_EVENT_IDS	0x8000

#define PEAT_FRAME_HEAD_BYTES 20

struct peat_frame_head {
	unsigned char version;
	unsigned char flags;
	unsigned short count;
	unsigned long long time_ns;
	unsigned long long seq;
} __attribute__((packed, aligned(4)));

struct peat_event_head {
	unsigned short size;
	unsigned short type;
	unsigned int delta_ns; /* since the frame's time_ns, when it was reserved */
};

/* Behind the head of an event with PEAT_EVENT_IDS. */
struct peat_event_ids {
	unsigned int tgid;
	unsigned int tid;
};

/*
 * The stage is an mmap-able array with one element a slot, index cpu * PEAT_SLOTS + slot.  A slot
 * belongs to whoever changed `lock` from 0: its index + 1 is a BPF program, PEAT_LOCK_READER | pid
 * a reader.  BPF programs nest, and those that can be preempted do so in no particular order, so a
 * CPU has four.
 *
 * It is changed by compare-and-swap, from anywhere; or, by programs with local locks, by a plain
 * store where nothing preempts them.  As soon as there is one of these, nobody may change it from
 * another CPU while that is online: a reader has a program of its own run there.
 *
 * The first cache line is what every event touches and what a reader polls, the second what only
 * losses touch, the third ends in the frame's head, with the events right behind.
 */
#define PEAT_SLOTS	     4
#define PEAT_SLOT_HEAD_BYTES 192
#define PEAT_LOCK_READER     0x80000000u

struct peat_slot {
	unsigned int lock;
	unsigned int len;	    /* bytes staged */
	unsigned int count;	    /* events staged */
	unsigned int delta_ns;	    /* of the event that is lent just now */
	unsigned long long time_ns; /* of the first event staged */
	unsigned long long seq;	    /* events submitted to this stream, ever */
	unsigned long long discarded;
	unsigned long long lost_abandoned; /* events never submitted: counted when reclaimed */
	unsigned long long rate_start_ns;  /* of slot 0: the second that a rate limit counts in */
	unsigned long long rate_count;

	unsigned long long lost_nested;	   /* of slot 0: all four slots were taken */
	unsigned long long lost_throttled; /* of slot 0 */
	unsigned long long lost_too_big;
	unsigned long long lost_ring_full;
	unsigned long long lost_no_ring;
	unsigned long long lost_other;
	unsigned long long misuse; /* submitted or discarded twice: no event, no loss */
	unsigned long long frames; /* written, or tried to */

	unsigned long long frames_ring_full;
	/*
	 * Of lost_ring_full, lost_no_ring and lost_other: as the last reader told of them, if
	 * programs outlive it.  Programs do not touch them.
	 */
	unsigned long long told_ring_full, told_no_ring, told_other;
	unsigned long long reserved;
	unsigned int pad;
	struct peat_frame_head frame;
	__extension__ unsigned char data[]; /* the events; not standard in C++ */
};

/*
 * peat_filters of an object, or-ed: which of its constants peat_filter_* have to fit, all of them.
 * They ask for the event's task, whose cgroup may lie below the wanted one; CPU asks for where the
 * program runs.
 */
enum peat_filter {
	PEAT_FILTER_PID = 1,
	PEAT_FILTER_TID = 2,
	PEAT_FILTER_UID = 4,
	PEAT_FILTER_COMM = 8,
	PEAT_FILTER_CGROUP = 16,
	PEAT_FILTER_CPU = 32
};

#endif /* PEAT_WIRE_H */
