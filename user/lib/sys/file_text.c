// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/file_text.c: the text of a file of the kernel. */
#include <errno.h>
#include <unistd.h>

#include "sys/file_text.h"

#define READ_BYTES (1 << 16)

int file_text__read(int fd, size_t most, struct strbuf *text)
{
	size_t start = text->count;
	ssize_t got = 1;
	int err;

	if (fd < 0)
		return fd;
	while (got > 0 && text->count - start < most) {
		char *at = strbuf__room(text, READ_BYTES);

		errno = ENOMEM;
		got = at ? read(fd, at, READ_BYTES) : -1;
		text->count += got > 0 ? (size_t)got : 0;
	}
	err = got < 0 ? -errno : 0;
	close(fd);
	return err;
}
