/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/debug/debug_wanted.h: identifies the separate debug file of a program. */
#ifndef PEAT_SYMBOLS_DEBUG_DEBUG_WANTED_H
#define PEAT_SYMBOLS_DEBUG_DEBUG_WANTED_H

#include <stdint.h>

#include "elf/elf_note.h"

/* Places where the debug file of a program may be. */
#define DEBUG_FILES_MAX 8

/* First on this machine, then of servers. */
#define DEBUG_ROUNDS 2

#define DEBUG_LINK_ROOM 256 /* a file name of NAME_MAX bytes, and a NUL */

struct debug_wanted {
	struct build_id build_id;
	uint32_t checksum;	    /* of `link` */
	char link[DEBUG_LINK_ROOM]; /* the name in .gnu_debuglink; "": there is none */
	uint32_t of_servers;	    /* not 0: ask debuginfod, as no file on this machine is it */
};

#endif /* PEAT_SYMBOLS_DEBUG_DEBUG_WANTED_H */
