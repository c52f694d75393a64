/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* recorder/host_info.h: the machine and the command line in the header of a recording. */
#ifndef PEAT_RECORDER_HOST_INFO_H
#define PEAT_RECORDER_HOST_INFO_H

#include "perf_data/write/writer.h"

/*
 * Adds the features HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, TOTAL_MEM, CMDLINE, and
 * CLOCKID and CLOCK_DATA of CLOCK_MONOTONIC, the clock of the events.  0 or a negative errno.
 */
int host_info__add(struct perf_writer *writer, const char *const *args);

#endif /* PEAT_RECORDER_HOST_INFO_H */
