/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stacks/gzip.h: writes a gzip file, piece by piece.
 *
 *	struct gzip gzip;
 *	int err = gzip__begin(&gzip, fd);
 *
 *	if (!err)
 *		gzip__add(&gzip, bytes, count);
 *	err = gzip__end(&gzip);
 */
#ifndef PEAT_STACKS_GZIP_H
#define PEAT_STACKS_GZIP_H

#include <zlib.h>

#include "base/strbuf.h"

struct gzip {
	z_stream stream;
	struct strbuf out;
	int fd;
	int err; /* the first error */
};

/* 0 or -ENOMEM; call gzip__end() in any case.  The same bytes make the same file. */
int gzip__begin(struct gzip *gzip, int fd);

/* Compresses bytes; errors are returned by gzip__end(). */
void gzip__add(struct gzip *gzip, const void *bytes, size_t count);

/* Writes the rest, and frees everything.  0 or a negative errno. */
int gzip__end(struct gzip *gzip);

#endif /* PEAT_STACKS_GZIP_H */
