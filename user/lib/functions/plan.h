/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * functions/plan.h: shared by plan.bpf.c and user space: the parts of a function's event, and where
 * they come from.
 *
 * A program finds the plan of the function by the cookie of the attachment, reserves an event of
 * the plan's type, follows the reads and submits plan.bytes bytes.  Plan 0 is none, since a cookie
 * can be 0: nothing is emitted.
 *
 * Plain C types only, as in wire.h.
 */
#ifndef PEAT_FUNCTIONS_PLAN_H
#define PEAT_FUNCTIONS_PLAN_H

#define PLAN_READS	8
#define PLAN_STEPS	4
#define PLAN_TEXT_BYTES 256  /* of one text, at most */
#define PLAN_BYTES	1024 /* of an event without its stacks, at most: a power of two */

/* The values that a read may begin with. */
enum plan_source {
	PLAN_ARG0, /* arguments in registers, as many as the machine has */
	PLAN_ARG1,
	PLAN_ARG2,
	PLAN_ARG3,
	PLAN_ARG4,
	PLAN_ARG5,
	PLAN_ARG6,
	PLAN_ARG7,
	PLAN_RESULT,
	PLAN_LATENCY,
	PLAN_SP,       /* at the call; arguments on the stack are one step from it */
	PLAN_CTX,      /* the record of a tracepoint, whose fields are one step from it */
	PLAN_IP,       /* of the function */
	PLAN_CALLER,   /* the address that the function returns to */
	PLAN_CONSTANT, /* plan_read.offset[0] */
	PLAN_SCRATCH,  /* of the programs */
	PLAN_SOURCES,  /* a power of two */
};

/* The memory that the steps read: the kernel's without a flag. */
#define PLAN_USER      1 /* user memory, in all steps */
#define PLAN_BY_PLACE  2 /* user or kernel memory, by the address */
#define PLAN_LAST_USER 8 /* kernel memory, but for the last step */
#define PLAN_LOC       4 /* the last step leads to a __data_loc of a tracepoint: u32 size << 16 | */
			 /* distance of the text from the record's start */
#define PLAN_RAW 16	 /* width 0: `bytes` bytes as they are, instead of a text */

/* In peat_plan_flags alone: */
#define PLAN_TEXTS  32 /* there are reads of width 0 */
#define PLAN_ABSENT 64 /* there are reads with a bit `present` */

/*
 *	steps 0		the value itself, its low `width` bytes
 *	steps N		N times: add offset[i] and read a pointer there, but the last time read
 *			`width` bytes, or a text or other bytes (width 0)
 */
struct plan_read {
	unsigned char source, steps, width, flags; /* width: 1, 2, 4, 8; 0: a text */
	unsigned short to, bytes;		   /* place in the event; room of a text */
	/*
	 * A read with steps can fail: then its bytes in the event are 0, and so is the bit
	 * `present` of the byte at `present_at`, which is set otherwise.  0: no such bit.
	 */
	unsigned short present_at;
	unsigned char present, pad;
	int offset[PLAN_STEPS];
};

/* Flags of a plan. */
#define PLAN_STACKS 1 /* the event ends with struct peat_stacks */

struct function_plan {
	unsigned int type;	/* BTF id of the event's struct, in the object's BTF; 0: none */
	unsigned short bytes;	/* size of the struct */
	unsigned short cleared; /* bytes from its start that are set to 0 before: presence bits */
	unsigned char reads, flags, pad[2];
	struct plan_read read[PLAN_READS];
};

/* How a program finds its plan. */
#define PLAN_BY_COOKIE 1 /* of the attachment (Linux 5.15) */
#define PLAN_BY_INDEX  2 /* there is one plan */
#define PLAN_BY_IP     3 /* by the address of the function */

/*
 * Calls of the kernel's functions bpf_session_is_return() and bpf_session_cookie(), as numbers that
 * no helper has: the loader replaces them by the ids of the functions.  Linux 7.0 gave both the
 * parameter ctx; without it the kernel ignores the register.
 */
#define PLAN_SESSION_IS_RETURN 0x70656174
#define PLAN_SESSION_COOKIE    0x70656175

/* Of a CPU. */
struct plan_counts {
	unsigned long long calls_full;	 /* calls that found no place: their returns emit nothing */
	unsigned long long no_call;	 /* returns of calls that are not known */
	unsigned long long kept;	 /* calls that are kept until they return */
	unsigned long long returned;	 /* these that have returned */
	unsigned long long failed_reads; /* fields that are absent */
};

#endif /* PEAT_FUNCTIONS_PLAN_H */
