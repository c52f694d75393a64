/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/dwarf/source_lines.h: source files and lines of addresses, and the functions that the
 * compiler inlined there: from the DWARF of a file, by libdw.
 *
 * DWARF may name other files, which libdw opens: .dwo, and those that dwz makes.  Only a file of
 * root or of this user may do so, and not in a namer: without them a split unit has lines but no
 * inlined functions, and a file that dwz has changed has no lines.
 */
#ifndef PEAT_SYMBOLS_DWARF_SOURCE_LINES_H
#define PEAT_SYMBOLS_DWARF_SOURCE_LINES_H

#include "elf/elf_file.h"

struct source_lines;

/* Functions inlined into each other at one address: more are of no compiler. */
#define SOURCE_FRAMES_MAX 64

struct source_frame {
	const char *name;     /* of an inlined function; NULL: the function that has a symbol */
	const char *raw_name; /* as in the debug information, likely mangled */
	const char *file;     /* NULL: unknown */
	uint32_t line;	      /* 0: unknown */
};

/* Whether this was built with libdw. */
bool source_lines__are_available(void);

/* Whether a file has DWARF with lines. */
bool source_lines__are_in(const struct elf_file *file);

/* Files that DWARF names. */
enum source_files {
	SOURCE_FILES_OF_TRUSTED, /* opened if the file is of root or of this user */
	SOURCE_FILES_REPORTED,	 /* not opened: -EXDEV if there are any */
	SOURCE_FILES_IGNORED	 /* not opened */
};

/*
 * Reads the DWARF of a file, which belongs to the lines, and is freed on failure, too.  0,
 * -ENODATA: there is no DWARF, or it is invalid; -EXDEV: see above; -ENOMEM; -ENOTSUP: built
 * without libdw.
 */
int source_lines__new(struct source_lines **lines, struct elf_file *file, bool no_demangle,
		      enum source_files files);
void source_lines__free(struct source_lines *lines); /* accepts NULL */

/* Memory: grows with the addresses that are looked up. */
size_t source_lines__bytes(const struct source_lines *lines);

/*
 * Finds the frames of an address, innermost first: inlined functions, then the function itself.
 * They are valid as long as the lines.  Returns their number; 0: the address has no lines;
 * or -ENOMEM.
 */
int source_lines__find(struct source_lines *lines, uint64_t vaddr,
		       const struct source_frame **frames);

#endif /* PEAT_SYMBOLS_DWARF_SOURCE_LINES_H */
