/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_directory.h: the files of a recording that is a directory: data, data.0, data.1 ... */
#ifndef PERF_DIRECTORY_H
#define PERF_DIRECTORY_H

#include <stdint.h>

struct perf_directory {
	int fd;	      /* -1: none */
	char **names; /* "data.0", ..., by number; "data" is not among them */
	uint32_t count;
};

/* Takes the directory's fd over, whatever comes of it.  0 or a negative errno. */
int perf_directory__open(struct perf_directory *directory, int fd);
void perf_directory__close(struct perf_directory *directory);

#endif /* PERF_DIRECTORY_H */
