/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp/gzip.h: compresses the bodies of requests. */
#ifndef PEAT_OTLP_GZIP_H
#define PEAT_OTLP_GZIP_H

#include <zlib.h>

#include "base/strbuf.h"

/* Zeroes: none. */
struct otlp_gzip {
	z_stream stream;
	bool is_open;
	struct strbuf spare; /* for the caller */
};

/* Appends a gzip file of the bytes.  0 or -ENOMEM. */
int otlp_gzip__append(struct otlp_gzip *gzip, struct strbuf *out, const struct strbuf *bytes);
void otlp_gzip__free(struct otlp_gzip *gzip);

#endif /* PEAT_OTLP_GZIP_H */
