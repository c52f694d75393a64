// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record/regs.c: the names of registers, by architecture and number. */
#include <stdio.h>
#include <string.h>

#include "record/regs.h"

#if defined(__x86_64__)
const char *const reg_names__here = "x86_64";
#elif defined(__i386__)
const char *const reg_names__here = "i686";
#elif defined(__aarch64__)
const char *const reg_names__here = "aarch64";
#elif defined(__arm__)
const char *const reg_names__here = "armv7l";
#elif defined(__s390x__)
const char *const reg_names__here = "s390x";
#elif defined(__powerpc__)
const char *const reg_names__here = "ppc64";
#elif defined(__riscv)
const char *const reg_names__here = "riscv64";
#elif defined(__loongarch__)
const char *const reg_names__here = "loongarch64";
#elif defined(__mips__)
const char *const reg_names__here = "mips64";
#else
const char *const reg_names__here = NULL;
#endif

#define REGS 64 /* bits of a mask */

struct reg_names {
	uint32_t first;	      /* lower numbers have no names */
	const char *at[REGS]; /* from there on; no name: r and the number */
	uint32_t xmm;	      /* the first of pairs of words; 0: there are none */
};

static const struct reg_names x86 = {
	.at = { "ax", "bx", "cx", "dx", "si", "di", "bp",  "sp",  "ip",	 "flags", "cs",	 "ss",
		"ds", "es", "fs", "gs", "r8", "r9", "r10", "r11", "r12", "r13",	  "r14", "r15" },
	.xmm = 32,
};

static const struct reg_names arm = {
	.first = 11,
	.at = { "fp", "ip", "sp", "lr", "pc" },
};

static const struct reg_names arm64 = {
	.at = { "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	      "x7",  "x8",
		"x9",  "x10", "x11", "x12", "x13", "x14", "x15",      "x16", "x17",
		"x18", "x19", "x20", "x21", "x22", "x23", "x24",      "x25", "x26",
		"x27", "x28", "x29", "lr",  "sp",  "pc",  [46] = "vg" },
};

static const struct reg_names s390 = {
	.first = 16,
	.at = { "fp0", "fp1", "fp2", "fp3", "fp4", "fp5", "fp6", "fp7", "fp8", "fp9", "fp10",
		"fp11", "fp12", "fp13", "fp14", "fp15", "mask", "pc" },
};

static const struct reg_names powerpc = {
	.first = 32,
	.at = { "nip",	 "msr",	  "orig_r3", "ctr",   "link",  "xer",	"ccr",	 "softe", "trap",
		"dar",	 "dsisr", "sier",    "mmcra", "mmcr0", "mmcr1", "mmcr2", "mmcr3", "sier2",
		"sier3", "pmc1",  "pmc2",    "pmc3",  "pmc4",  "pmc5",	"pmc6",	 "sdar",  "siar" },
};

static const struct reg_names riscv = {
	.at = { "pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
		"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
		"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6" },
};

/* loongarch and mips: the program counter has the number of r0, which is always 0. */
static const struct reg_names counted = { .at = { "pc" } };

static const struct reg_names csky = {
	.at = { "tls",	   "lr",      "pc",	  "sr",	      "sp",	  "orig_a0",  "a0",
		"a1",	   "a2",      "a3",	  "regs0",    "regs1",	  "regs2",    "regs3",
		"regs4",   "regs5",   "regs6",	  "regs7",    "regs8",	  "regs9",    "exregs0",
		"exregs1", "exregs2", "exregs3",  "exregs4",  "exregs5",  "exregs6",  "exregs7",
		"exregs8", "exregs9", "exregs10", "exregs11", "exregs12", "exregs13", "exregs14",
		"hi",	   "lo",      "dcsr" },
};

/* The first prefix that matches the name of the machine. */
static const struct {
	const char *start;
	const struct reg_names *names;
} arches[] = {
	{ "x86", &x86 },      { "i386", &x86 },		 { "i486", &x86 },
	{ "i586", &x86 },     { "i686", &x86 },		 { "aarch64", &arm64 },
	{ "arm64", &arm64 },  { "arm", &arm },		 { "s390", &s390 },
	{ "ppc", &powerpc },  { "powerpc", &powerpc },	 { "riscv", &riscv },
	{ "mips", &counted }, { "loongarch", &counted }, { "csky", &csky },
};

const struct reg_names *reg_names__of(const char *arch)
{
	for (size_t i = 0; arch && i < sizeof(arches) / sizeof(*arches); i++)
		if (!strncmp(arch, arches[i].start, strlen(arches[i].start)))
			return arches[i].names;
	return NULL;
}

const char *reg_names__at(const struct reg_names *names, uint32_t reg, char room[REG_NAME_BYTES])
{
	if (names && reg >= names->first && reg - names->first < REGS &&
	    names->at[reg - names->first])
		return names->at[reg - names->first];
	if (names && names->xmm && reg >= names->xmm)
		snprintf(room, REG_NAME_BYTES, "xmm%u_%s", (reg - names->xmm) / 2,
			 reg % 2 ? "high" : "low");
	else
		snprintf(room, REG_NAME_BYTES, "r%u", reg);
	return room;
}
