/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* record/sample_regs.h: the fields and registers that live samples can have. */
#ifndef PEAT_RECORD_SAMPLE_REGS_H
#define PEAT_RECORD_SAMPLE_REGS_H

#include <peat/record.h>

/* The bits that peat_reader_opts.sample accepts. */
#define SAMPLE_FIELDS                                                                              \
	(PEAT_SAMPLE_IP | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_CGROUP | PEAT_SAMPLE_REGS_USER |     \
	 PEAT_SAMPLE_STACK_USER)

/*
 * perf_event_attr.sample_regs_user: every register that asm/perf_regs.h of this architecture lists;
 * 0: unknown architecture.
 */
#if defined(__x86_64__)
#define SAMPLE_REGS_USER UINT64_C(0xff0fff)
#elif defined(__aarch64__)
#define SAMPLE_REGS_USER UINT64_C(0x1ffffffff)
#elif defined(__s390x__)
#define SAMPLE_REGS_USER UINT64_C(0x30000ffff)
#else
#define SAMPLE_REGS_USER UINT64_C(0)
#endif

#endif /* PEAT_RECORD_SAMPLE_REGS_H */
