/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* convert/recorded_command.h: the command line that a recording's header has. */
#ifndef PEAT_CONVERT_RECORDED_COMMAND_H
#define PEAT_CONVERT_RECORDED_COMMAND_H

#include "perf_data/read/file.h"

/*
 * Returns the words of the command, separated by blanks, which the caller frees.  NULL: the header
 * has none, as that of a pipe, or it is damaged, or no memory.
 */
char *recorded_command__text(struct perf_file *file);

/* Likewise of the bytes of the feature CMDLINE.  Pure. */
char *recorded_command__decode(const uint8_t *bytes, size_t count, bool swapped);

#endif /* PEAT_CONVERT_RECORDED_COMMAND_H */
