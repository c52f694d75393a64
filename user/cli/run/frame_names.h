/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* frame_names.h: the names of addresses that a verb prints: functions, files and lines. */
#ifndef CLI_FRAME_NAMES_H
#define CLI_FRAME_NAMES_H

#include <peat/peat.h>

#include "cli/options/options.h"

/* The records of mapped files, and of BPF programs that are loaded meanwhile. */
#define FRAME_NAMES_SIDE_BAND                                                                      \
	(PEAT_SIDE_BAND_MMAP | PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM | PEAT_SIDE_BAND_KSYMBOL)

/* This program: see main(). */
#define FRAME_NAMES_NAMER "/proc/self/exe"

/* Whether samples have addresses to be named, even without peat_session__stacks(). */
bool frame_names__are_wanted(const struct options *options);

enum frame_names_of {
	FRAME_NAMES_RECORDED,
	FRAME_NAMES_LIVE,
	FRAME_NAMES_AT_ONCE /* likewise, of many events: rings must not wait for a file */
};

/* Makes the names, as the options want them.  NULL: an error, which has been printed. */
struct peat_symbols *frame_names__new(const struct options *options, enum frame_names_of of);

/* Prints how many tables were read, their memory, and how many frames have a name. */
void frame_names__print_stats(const struct peat_symbols *symbols);

#endif /* CLI_FRAME_NAMES_H */
