/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* convert/output_file.h: opens the output of a conversion, which is never the recording itself. */
#ifndef PEAT_CONVERT_OUTPUT_FILE_H
#define PEAT_CONVERT_OUTPUT_FILE_H

#include "perf_data/read/recording.h"

/*
 * Opens and empties `path` ("-": standard output) as base/event_file.h says; the recording must be
 * open, and the file is readable by no user who cannot read that.  Returns a file descriptor, which
 * the caller closes, or a negative errno, which is logged.  -EINVAL: the path is a file of the
 * recording; it is not changed.
 */
int output_file__open(const struct perf_recording *rec, const char *path);

#endif /* PEAT_CONVERT_OUTPUT_FILE_H */
