/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include "rows.h"

/* lines.h: rows as lines of text. */

/* Lines in columns of the same width. */
struct lines {
	char **lines; /* the heading, then the rows */
	size_t count;
};

/* Makes the lines of the first `shown` rows.  0 or -ENOMEM. */
int lines__make(struct lines *lines, const struct rows *rows, size_t shown);
void lines__free(struct lines *lines);

#endif /* CLI_LINES_H */
