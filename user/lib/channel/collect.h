/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* collect.h: what collect.bpf.c answers. */
#ifndef COLLECT_H
#define COLLECT_H

enum collect_answer {
	COLLECT_BUSY,	  /* a program has the slot */
	COLLECT_EMPTY,	  /* nothing is staged */
	COLLECT_NOT_NEXT, /* it sent something that has not come */
	COLLECT_REFUSED,  /* the kernel lets nothing be copied: it is locked down */
	COLLECT_TAKEN
};

#endif /* COLLECT_H */
