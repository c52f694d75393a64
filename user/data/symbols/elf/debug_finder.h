/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/elf/debug_finder.h: opens the separate debug file of a program. */
#ifndef PEAT_SYMBOLS_ELF_DEBUG_FINDER_H
#define PEAT_SYMBOLS_ELF_DEBUG_FINDER_H

#include "elf/elf_file.h"

struct debug_finder {
	/* 0, -ENOENT, -ENOMEM. */
	int (*open)(const struct debug_finder *finder, const struct elf_file *program,
		    struct elf_file **debug);
};

#endif /* PEAT_SYMBOLS_ELF_DEBUG_FINDER_H */
