/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef OPTION_NOTES_H
#define OPTION_NOTES_H

#include <peat/reader.h>

#include "cli/options/options.h"

/*
 * option_notes.h: why a run may have had no event: options of its sources that reject events by
 * default.  Descriptions of options begin with "only" or "also", see PEAT_OPTION() of peat.bpf.h.
 */

/* Prints the options of sources that were given none, if `printed` and the counts are 0. */
void option_notes__print(const struct options *options, uint64_t printed,
			 const struct peat_reader_stats *stats);

#endif /* OPTION_NOTES_H */
