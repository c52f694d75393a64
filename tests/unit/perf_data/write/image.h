/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* image.h: the bytes of a written file. */
#ifndef TESTS_UNIT_PERF_DATA_WRITE_IMAGE_H
#define TESTS_UNIT_PERF_DATA_WRITE_IMAGE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/harness.h"

static inline int new_file(void)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* The file's bytes; the writer owns the fd that it was given. */
struct image {
	uint8_t *bytes;
	size_t count;
};

static inline struct image take_image(int fd)
{
	struct image image = { 0 };
	struct stat status;

	ck_assert_int_eq(fstat(fd, &status), 0);
	image.count = (size_t)status.st_size;
	image.bytes = malloc(image.count + !image.count);
	ck_assert_int_eq(pread(fd, image.bytes, image.count, 0), (ssize_t)image.count);
	return image;
}

#endif /* TESTS_UNIT_PERF_DATA_WRITE_IMAGE_H */
