/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/read/directory.h: the files of a directory recording: data.0, data.1 ... */
#ifndef PEAT_PERF_DATA_READ_DIRECTORY_H
#define PEAT_PERF_DATA_READ_DIRECTORY_H

#include <stdint.h>

struct perf_directory {
	int fd;	      /* -1: closed */
	char **names; /* "data.0", ..., by number; "data" is not among them */
	uint32_t count;
};

/* Owns the directory's fd from now on, even after an error.  0 or a negative errno. */
int perf_directory__open(struct perf_directory *directory, int fd);
void perf_directory__close(struct perf_directory *directory);

#endif /* PEAT_PERF_DATA_READ_DIRECTORY_H */
