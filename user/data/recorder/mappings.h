/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* recorder/mappings.h: the code that was mapped before the first event: names of addresses. */
#ifndef PEAT_RECORDER_MAPPINGS_H
#define PEAT_RECORDER_MAPPINGS_H

#include "recorder/event_formats.h"
#include "recorder/mapped_ids.h"

/*
 * Appends the mappings of the kernel, and if there are samples with addresses, of its modules and
 * the functions of BPF programs.  0 or an error of encode__record().
 */
int mappings__add_kernel(struct strbuf *out, const struct event_formats *formats);

/*
 * Appends the mappings of code of all running tasks, with the build ids of their files, if tasks
 * that run already can have samples with addresses.  If samples have stack memory, appends those of
 * data as well: stock perf unwinds by the tables there.  Without memory, `out` stays failed.
 */
void mappings__add_running(struct strbuf *out, const struct event_formats *formats);

/* Whether samples have addresses of programs. */
bool mappings__are_named(const struct event_formats *formats);

/*
 * Gives an MMAP2 record of the kernel the build id of its file in the place of device and inode, if
 * the file can be read.  The id is in `ids`: valid until the next call with it.
 */
void mappings__identify(struct mapped_ids *ids, struct peat_record *record);

#endif /* PEAT_RECORDER_MAPPINGS_H */
