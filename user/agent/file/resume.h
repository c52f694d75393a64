/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* file/resume.h: prepares a file that has content already for lines after it. */
#ifndef PEAT_FILE_RESUME_H
#define PEAT_FILE_RESUME_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "file/current_file.h"

/*
 * Appends to `before` the bytes that have to be written before the next line: a newline after a
 * line that was cut, or the end of a frame.  A block that was cut is removed from the file.
 *
 *	0
 *	-EBADMSG	a file of something else
 *	-EUCLEAN	a file of frames that is damaged: nothing can be appended
 *	another negative errno
 */
int resume__after(struct current_file *file, bool is_compressed, struct strbuf *before);

#endif /* PEAT_FILE_RESUME_H */
