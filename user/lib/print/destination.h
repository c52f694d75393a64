/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_PRINT_DESTINATION_H
#define PEAT_PRINT_DESTINATION_H

#include <peat/sink.h>

#include "base/strbuf.h"

/* The place that a sink's bytes go to: a file descriptor, or a function of the caller. */
struct destination {
	int fd;
	int (*write)(void *arg, const char *bytes, size_t count); /* NULL: fd */
	void *arg;
};

struct destination destination__of(int fd, const struct peat_sink_opts *opts);

/* Writes all bytes and empties the buffer: see strbuf__write(). */
int destination__write(const struct destination *to, struct strbuf *out);

#endif /* PEAT_PRINT_DESTINATION_H */
