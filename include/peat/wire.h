/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * wire.h: the formats shared by the BPF side and user space: frames, and the slots that stage them.
 *
 * A frame is the raw payload of one PERF_RECORD_SAMPLE: a batch of events of one stream, in the
 * byte order of the machine.  A stream is one slot of one CPU.
 *
 *	offset  0  u8 version  u8 flags  u16 count	flags: the slot's number
 *		4  u64 time_ns				CLOCK_MONOTONIC of the first event
 *	       12  u64 seq				number of the first event in its stream
 *	       20  the events, each:
 *			u16 size  u16 type  u32 delta_ns  [u32 uid  u32 0  u64 cgroup]
 *			[u32 tgid  u32 tid]  payload, padded to 8
 *
 * The name of its task may follow an event: struct peat_task_name.  It is no event, and counted in
 * neither `count` nor `seq`.
 *
 * The kernel puts a raw payload at 4 mod 8, so everything after the first u32 is aligned, and
 * events are used in place.  `size` is the payload's exact size.  A loss shows as a gap in `seq`.
 *
 * Plain C types only: the BPF side has no libc, user space no vmlinux.h.
 */
#ifndef PEAT_WIRE_H
#define PEAT_WIRE_H

#define PEAT_WIRE_VERSION 1

/* peat_frame_head.flags */
#define PEAT_FRAME_SLOT 0x3

/*
 * peat_event_head.type: the type number; with IDS, tgid and tid precede the payload; with OWNER,
 * the task's user and cgroup precede these.
 */
#define PEAT_EVENT_TYPE	 0x3fff
#define PEAT_EVENT_OWNER 0x4000
#define PEAT_EVENT_IDS	 0x8000

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
	/* Time of the reservation since the frame's time_ns; of the submission if programs test or
	 * count events (terms.h). */
	unsigned int delta_ns;
};

/* In front of the payload of an event with PEAT_EVENT_IDS. */
struct peat_event_ids {
	unsigned int tgid;
	unsigned int tid;
};

/* Follows the head of an event with PEAT_EVENT_OWNER, which has PEAT_EVENT_IDS, too. */
struct peat_event_owner {
	unsigned int uid; /* real user id in the initial user namespace; PEAT_NO_UID: unknown */
	unsigned int reserved;	   /* 0 */
	unsigned long long cgroup; /* id of the cgroup (v2) that the task is in; 0: unknown */
};

#define PEAT_NO_UID 0xffffffffu /* no user has it */

/* Bytes before the payload: the head alone, with the ids, and with the owner, too. */
#define PEAT_HEAD_ALONE	     8
#define PEAT_HEAD_WITH_IDS   16
#define PEAT_HEAD_WITH_OWNER 32

/*
 * The name of an event's task, for a reader in a pid namespace: it has no names of the ids of other
 * namespaces.  No event has the type number PEAT_TASK_NAME.
 */
#define PEAT_TASK_NAME	0x7fff
#define PEAT_COMM_BYTES 16

struct peat_task_name {
	unsigned short size; /* PEAT_COMM_BYTES */
	unsigned short type; /* PEAT_TASK_NAME */
	unsigned int tid;
	char comm[PEAT_COMM_BYTES]; /* with a NUL */
};

/*
 * The stage is an mmap-able array with one element per slot, index cpu * PEAT_SLOTS + slot.  A slot
 * is owned by the program or reader that changed `lock` from 0: to index + 1 by a BPF program, to
 * PEAT_LOCK_READER | pid by a reader, with its pid in its own namespace: a reader that died is
 * recognised by it.  A CPU has four slots, because BPF programs nest, and
 * preemptible ones nest in any order.
 *
 * `lock` is changed by compare-and-swap, from any CPU.  Before Linux 5.12 programs change it by a
 * plain store (peat_plain_locks).  Then no other CPU may change the lock of an online CPU: the
 * reader runs a program of its own on that CPU.
 *
 * A reader that sleeps without a timeout has set `lock` of every slot, all empty, to
 * PEAT_LOCK_ARMED before.  The program that locks such a slot next, or that loses an event before
 * it locks one, wakes the reader by a bell: an empty frame (count 0, no events) through the element
 * peat_bells + cpu of peat_ring.  That is a second perf event of the CPU, which writes into the
 * same ring and wakes the reader at every record.  A bell is neither a frame nor an event of the
 * ledger. If the CPU has no bell, the program stages its event as usual.  A program that tests or
 * counts events (terms.h) wakes the reader when it stages one, and arms the slot again after an
 * event that it did not stage.
 *
 * A program knows PEAT_LOCK_ARMED if its object has the constant peat_bells, and it is not 0.  To
 * any other program an armed slot is locked.  So a reader arms slots only if it knows that all
 * objects of its channel have the constant; otherwise it keeps its tick.
 *
 * The first cache line is used by every event and polled by the reader, the second by losses only.
 * The third ends with the frame's head, followed by the events.
 */
#define PEAT_SLOTS	     4
#define PEAT_SLOT_HEAD_BYTES 192
#define PEAT_LOCK_READER     0x80000000u
#define PEAT_LOCK_ARMED	     0x40000000u /* free and empty; whoever locks it wakes the reader */

struct peat_slot {
	unsigned int lock;
	unsigned int len;	    /* bytes staged */
	unsigned int count;	    /* events staged */
	unsigned int delta_ns;	    /* delta of the event reserved at present */
	unsigned long long time_ns; /* time of the first event staged */
	unsigned long long seq;	    /* events submitted to this stream so far */
	unsigned long long discarded;
	unsigned long long ended; /* events that terms rejected, or a table counted (terms.h) */
	unsigned long long rate_start_ns; /* slot 0: start of the second of the rate limit */
	unsigned long long rate_count;

	unsigned long long lost_nested;	   /* slot 0: all four slots were in use */
	unsigned long long lost_throttled; /* slot 0 */
	unsigned long long lost_too_big;
	unsigned long long lost_ring_full;
	unsigned long long lost_no_ring;
	unsigned long long lost_other;
	unsigned long long misuse; /* submitted or discarded twice: not an event, not a loss */
	unsigned long long frames; /* written, including failed writes */

	unsigned long long frames_ring_full;
	/*
	 * Values of lost_ring_full, lost_no_ring and lost_other that the last reader reported, for
	 * programs that outlive it.  Written by readers only.
	 */
	unsigned long long reported_ring_full, reported_no_ring, reported_other;
	unsigned long long lost_abandoned; /* never submitted: counted by readers that reclaim */
	/*
	 * Events that a program reserved here, and that were lost as throttled or nested when it
	 * submitted them.  Slot 0 counts such losses of programs that never locked it, too: this
	 * number shows the reader that the slot is in use.
	 */
	unsigned int dropped;
	struct peat_frame_head frame;
	__extension__ unsigned char data[]; /* the events; not standard in C++ */
};

/*
 * The stacks of an event: the last member of its struct (PEAT_STACKS).  The words that follow:
 * kernel addresses and user addresses, innermost first; then, if regs_bytes is not 0, the user
 * registers as the machine's struct pt_regs, and the memory of the user stack from sp on.
 */
struct peat_stacks {
	unsigned short kernel_bytes; /* or-ed with PEAT_STACKS_INTERRUPTED */
	unsigned short user_bytes;
	unsigned short regs_bytes;
	unsigned short memory_bytes; /* padded to 8 */
	__extension__ unsigned long long words[];
};

/*
 * In kernel_bytes: the kernel addresses begin with the code that was interrupted.  Otherwise they
 * begin with frames of the program, and of the kernel's code that ran it.
 */
#define PEAT_STACKS_INTERRUPTED 1

/* Kernel addresses beyond peat_stack_depth, in the program and in the code that ran it. */
#define PEAT_STACK_MACHINERY 6

#define PEAT_STACK_MEMORY_MAX 16384 /* bytes of peat_stacks.memory_bytes */

/*
 * Bits of an object's peat_filters: the constants peat_filter_* that an event has to match, all of
 * them.  They apply to the event's task, whose cgroup may be below the given one.  CPU applies to
 * the CPU on which the program runs.
 */
enum peat_filter {
	PEAT_FILTER_PID = 1,
	PEAT_FILTER_TID = 2,
	PEAT_FILTER_UID = 4,
	PEAT_FILTER_COMM = 8,
	PEAT_FILTER_CGROUP = 16,
	PEAT_FILTER_CPU = 32,
	PEAT_FILTER_ANCESTOR = 64, /* the map peat_descendants has the event's process */
	PEAT_FILTER_IDENTITY = 128 /* the map peat_left_out has not the event's own cgroup */
};

#define PEAT_CGROUPS_LEFT_OUT 16384 /* elements of the map peat_left_out */

/* The map peat_descendants: a byte per process id, 1 if events of the process are wanted. */
#define PEAT_PIDS	      (4 << 20) /* the kernel's largest pid_max */
#define PEAT_PIDS_PER_ELEMENT 64

#endif /* PEAT_WIRE_H */
