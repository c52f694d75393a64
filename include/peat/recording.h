/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recording.h: what is in a perf.data, whoever wrote it.
 *
 * Any is read: those of perf record and of other tools, files and pipes, compressed ones, the
 * directories of perf record --threads, of either byte order, of 32-bit machines, of writers that
 * crashed.  Nothing that it says of itself is believed, and the memory that it takes is bounded.
 *
 * `path` may be "-": standard input.  What is whole in a recording is told also when the rest is
 * not: then the calls return -EBADMSG, and the log says at which byte what is wrong.
 */
#ifndef PEAT_RECORDING_H
#define PEAT_RECORDING_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/*
 * Writes to `fd` how many records there are of each type, by the names that stand behind
 * PERF_RECORD_, how many samples of each event, what was lost, and when the first and the last
 * event was: as text or as one JSON object.
 *
 * Compressed records count, and so do those that come out of them.  `lost` is what the records LOST
 * tell, and `lost_samples` what LOST_SAMPLES do, of which some may be the same.
 *
 * A recording of peat's has a ledger, which is told as the writer left it.
 *
 * 0 or a negative errno, which the log explains.
 */
PEAT_API int peat_recording__write_stats(const char *path, int fd, bool json);

/*
 * Likewise what its header says of the machine, the command and the events: the lines that perf
 * report --header-only -I prints, or a JSON array of objects.
 */
PEAT_API int peat_recording__write_header(const char *path, int fd, bool json);

PEAT_END_DECLS

#endif /* PEAT_RECORDING_H */
