/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* file/file.h: the output to files of JSON lines, and to standard output. */
#ifndef PEAT_FILE_FILE_H
#define PEAT_FILE_FILE_H

#include <peat/output.h>

extern const struct peat_output_ops file_output;

#endif /* PEAT_FILE_FILE_H */
