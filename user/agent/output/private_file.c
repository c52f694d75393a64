// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* output/private_file.c: reads files with credentials. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.h"
#include "output/private_file.h"
#include "sys/file_text.h"

#define FILE_MAX (64u << 10) /* bytes */

static int refuse(char why[PRIVATE_FILE_WHY], const char *reason)
{
	snprintf(why, PRIVATE_FILE_WHY, "%s", reason);
	return -EINVAL;
}

/* Opening does not wait for a FIFO, and the file that is checked is the file that is read. */
static int open_private(const char *path, char why[PRIVATE_FILE_WHY])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), err = -errno;
	struct stat file;

	if (fd < 0 || fstat(fd, &file)) {
		err = fd < 0 ? err : -errno;
		snprintf(why, PRIVATE_FILE_WHY, "cannot be opened: %s", strerror(-err));
	} else if (!S_ISREG(file.st_mode)) {
		err = refuse(why, "it is not a regular file");
	} else if (file.st_mode & (S_IRWXO | S_IWGRP | S_IXGRP)) {
		err = refuse(why, "other users can read or change it: chmod 600");
	} else if (file.st_uid && file.st_uid != geteuid()) {
		err = refuse(why, "it belongs to another user: chown");
	} else if (file.st_size > FILE_MAX) {
		err = refuse(why, "it has more than 64 KiB");
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return err;
}

int private_file__read(const char *path, struct strbuf *text, char why[PRIVATE_FILE_WHY])
{
	const size_t before = text->count;
	int err = open_private(path, why);

	if (err < 0)
		return err;
	err = file_text__read(err, FILE_MAX, text);
	if (err)
		snprintf(why, PRIVATE_FILE_WHY, "cannot be read: %s", strerror(-err));
	else if (text->count > before && memchr(text->bytes + before, 0, text->count - before))
		err = refuse(why, "it has a NUL");
	strbuf__char(text, 0);
	return err ?: text->failed ? -ENOMEM : 0;
}
