/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/dwarf/call_frames.h: reads the call frame information of a file: .eh_frame and
 * .debug_frame, and the code that signal handlers return to.
 */
#ifndef PEAT_SYMBOLS_DWARF_CALL_FRAMES_H
#define PEAT_SYMBOLS_DWARF_CALL_FRAMES_H

#include "symbols/dwarf/cfi_section.h"
#include "symbols/elf/debug_finder.h"
#include "symbols/elf/namer_memory.h"
#include "symbols/dwarf/trampolines.h"

/* Not of the file, which may be closed. */
struct call_frames {
	struct cfi_section eh_frame, debug_frame;
	struct trampolines trampolines; /* that call frame information does not describe */
	uint16_t machine;		/* EM_* */
	struct namer_memory memory;	/* the sections borrow from it */
};

/* Reads those of a file.  0, -ENOMEM, -ENODATA: there are none. */
int call_frames__read(struct call_frames *frames, const struct elf_file *file);

/*
 * Reads .debug_frame of its separate debug file, alone.  0, -ENOMEM, -ENODATA: there is none,
 * -ENOENT: the file has no debug file.
 */
int call_frames__read_debug(struct call_frames *frames, const struct elf_file *file,
			    const struct debug_finder *finder);

size_t call_frames__bytes(const struct call_frames *frames);

void call_frames__free(struct call_frames *frames); /* its memory, not the struct */

#endif /* PEAT_SYMBOLS_DWARF_CALL_FRAMES_H */
