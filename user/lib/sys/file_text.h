/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/file_text.h: the text of a file of the kernel, whose size is unknown before. */
#ifndef PEAT_SYS_FILE_TEXT_H
#define PEAT_SYS_FILE_TEXT_H

#include "base/strbuf.h"

/*
 * Appends at least `most` bytes, or the whole file if it is shorter, and closes `fd`.  A negative
 * errno as `fd` is returned.  0 or a negative errno.
 */
int file_text__read(int fd, size_t most, struct strbuf *text);

#endif /* PEAT_SYS_FILE_TEXT_H */
