/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* host_facts.h: what the header of a recording says of the machine and the command. */
#ifndef HOST_FACTS_H
#define HOST_FACTS_H

#include "perf_data/write/writer.h"

/*
 * Gives the writer HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, TOTAL_MEM, CMDLINE, and of
 * CLOCK_MONOTONIC, which events have, CLOCKID and CLOCK_DATA.  0 or -ENOMEM.
 */
int host_facts__add(struct perf_writer *writer, const char *const *args);

#endif /* HOST_FACTS_H */
