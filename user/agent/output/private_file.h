/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* output/private_file.h: reads files with credentials, which other users must not read. */
#ifndef PEAT_OUTPUT_PRIVATE_FILE_H
#define PEAT_OUTPUT_PRIVATE_FILE_H

#include "base/strbuf.h"

#define PRIVATE_FILE_WHY 128

/*
 * Appends the text of a regular file of at most 64 KiB, and a NUL.  The file belongs to us or
 * to root, may be read by its owner and its group only, and written by its owner only.
 *
 * 0; or a negative errno: `why` has the reason.
 */
int private_file__read(const char *path, struct strbuf *text, char why[PRIVATE_FILE_WHY]);

#endif /* PEAT_OUTPUT_PRIVATE_FILE_H */
