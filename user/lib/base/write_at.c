// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/write_at.c: writes bytes into the middle of a file. */
#include <errno.h>
#include <unistd.h>

#include "base/write_at.h"

int write_at(int fd, const void *bytes, size_t count, uint64_t offset)
{
	const char *at = bytes;

	while (count) {
		ssize_t written = pwrite(fd, at, count, (off_t)offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written ? -errno : -ENOSPC;
		at += written;
		offset += (uint64_t)written;
		count -= (size_t)written;
	}
	return 0;
}
