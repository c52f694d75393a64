/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * reg_names.h: what the registers are called that perf samples, by the numbers that each
 * architecture's asm/perf_regs.h gives them.  Pure.
 */
#ifndef REG_NAMES_H
#define REG_NAMES_H

#include <stdint.h>

/* The architecture that this is compiled for, as uname -m calls it; NULL: none of those below. */
extern const char *const reg_names__here;

struct reg_names;

/* By what uname -m says, of whatever byte order or width; NULL: unknown, as is NULL. */
const struct reg_names *reg_names__of(const char *arch);

/*
 * "ax", "x29"; "r5" for a number without a name.  The words of the registers of 128 bits are
 * "xmm0_low" and "xmm0_high".
 */
#define REG_NAME_BYTES 32
const char *reg_names__at(const struct reg_names *names, uint32_t reg, char room[REG_NAME_BYTES]);

#endif /* REG_NAMES_H */
