/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/namer/namer_lines.h: finds source lines in a namer: the debug information of the last
 * files stays open, since a file is asked for again and again.
 */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_LINES_H
#define PEAT_SYMBOLS_NAMER_NAMER_LINES_H

#include "symbols/elf/debug_finder.h"
#include "symbols/namer/namer_message.h"

/*
 * Appends the lines of the addresses of a request.  `fd`: the file, which is closed.  0, -ENOEXEC:
 * no ELF file, -ENODATA: it has no lines, -EXDEV: see struct namer_message, -ENOMEM.
 */
int namer_lines__find(int fd, const struct namer_message *request,
		      const struct debug_finder *finder, struct strbuf *out);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_LINES_H */
