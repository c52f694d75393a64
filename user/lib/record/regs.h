/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/regs.h: names of sampled registers, by the numbers of each architecture's
 * asm/perf_regs.h.  Pure.
 */
#ifndef PEAT_RECORD_REGS_H
#define PEAT_RECORD_REGS_H

#include <stdint.h>

/* The architecture of this build, as uname -m prints it; NULL: an architecture without names. */
extern const char *const reg_names__here;

struct reg_names;

/* By the output of uname -m, of any byte order or width.  NULL: unknown, or `arch` is NULL. */
const struct reg_names *reg_names__of(const char *arch);

/*
 * "ax", "x29"; "r5" for a number without a name.  The words of the registers of 128 bits are
 * "xmm0_low" and "xmm0_high".
 */
#define REG_NAME_BYTES 32
const char *reg_names__at(const struct reg_names *names, uint32_t reg, char room[REG_NAME_BYTES]);

#endif /* PEAT_RECORD_REGS_H */
