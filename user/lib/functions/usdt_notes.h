/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/usdt_notes.h: statically defined tracepoints (USDT) of a file, from its section
 * .note.stapsdt.
 *
 *	note: owner "stapsdt", type 3: pc, base, semaphore (words), provider\0 name\0 arguments\0
 */
#ifndef PEAT_FUNCTIONS_USDT_NOTES_H
#define PEAT_FUNCTIONS_USDT_NOTES_H

#include "functions/found_functions.h"

/*
 * Finds the probes that match two globs: `module` is the provider, `name` the name, `place` the
 * lowest address, as the notes have it, and `arguments` those of this place.  A probe in several
 * places is found once.  `found` is zeroes.  The file may be hostile.
 *
 *	0		found->count is not 0
 *	-ENOENT		there is no such file, or it has no such probe: found->alike
 *	-ENODATA	it has no USDT at all
 *	-ENOEXEC	no ELF file, or an invalid one
 *	-EOPNOTSUPP	a 32-bit file
 *	-E2BIG		more notes than any program has
 *	another negative errno
 */
int usdt_notes__find(struct found_functions *found, const char *path, const char *provider,
		     const char *name);

/* The same for the content of the section.  Pure.  Notes after an invalid one are not read. */
int usdt_notes__select(struct found_functions *found, const char *provider, const char *name,
		       const void *notes, size_t bytes, bool is_64, bool swapped);

/* The number of arguments in "8@%rbx -4@%eax"; NULL: none. */
uint32_t usdt_notes__count_arguments(const char *arguments);

#endif /* PEAT_FUNCTIONS_USDT_NOTES_H */
