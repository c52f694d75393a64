// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/elf_machine.c: the ELF files that a machine can run. */
#include <elf.h>
#include <stddef.h>

#include "base/text.h"
#include "symbols/elf/elf_machine.h"

#define MACHINES 3

static const struct {
	const char *arch; /* the start of the name */
	uint16_t machines[MACHINES];
} families[] = {
	{ "x86_64", { EM_X86_64, EM_386 } },
	{ "i386", { EM_X86_64, EM_386 } },
	{ "i486", { EM_X86_64, EM_386 } },
	{ "i586", { EM_X86_64, EM_386 } },
	{ "i686", { EM_X86_64, EM_386 } },
	{ "aarch64", { EM_AARCH64, EM_ARM } },
	{ "arm", { EM_AARCH64, EM_ARM } },
	{ "s390", { EM_S390 } },
	{ "ppc", { EM_PPC64, EM_PPC } },
	{ "riscv", { EM_RISCV } },
	{ "mips", { EM_MIPS } },
	{ "loongarch", { EM_LOONGARCH } },
	{ "sparc", { EM_SPARCV9, EM_SPARC, EM_SPARC32PLUS } },
	{ "parisc", { EM_PARISC } },
};

static bool has(const uint16_t machines[MACHINES], uint16_t machine)
{
	for (int i = 0; i < MACHINES; i++)
		if (machines[i] == machine)
			return machine != EM_NONE;
	return false;
}

bool elf_machine__runs(const char *arch, uint16_t machine)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (begins_with(arch, families[i].arch))
			return has(families[i].machines, machine);
	return true;
}
