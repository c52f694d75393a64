/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* result_file.h: where what is made of a recording goes, which is never the recording itself. */
#ifndef RESULT_FILE_H
#define RESULT_FILE_H

#include <sys/types.h>

#include "perf_data/read/recording.h"

/*
 * Opens and empties `path`, once the recording is open; "-" is standard output.  The fd is the
 * caller's to close.  Or a negative errno, which the log explains; -EINVAL: it is a part of the
 * recording, and stays as it is.
 */
int result_file__open(const struct perf_recording *rec, const char *path, mode_t mode);

#endif /* RESULT_FILE_H */
