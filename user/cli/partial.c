// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* partial.c: files that are written in part under another name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "messages.h"
#include "partial.h"

/* In the same directory, so that it can replace the file atomically. */
int partial__open(char partial[static PATH_MAX], const char *path)
{
	size_t bytes = strlen(path);
	int fd = -1;

	if (bytes + sizeof(".XXXXXX") <= PATH_MAX) {
		memcpy(partial, path, bytes);
		strcpy(partial + bytes, ".XXXXXX");
		fd = mkostemp(partial, O_CLOEXEC);
	} else {
		errno = ENAMETOOLONG;
	}
	if (fd < 0) {
		messages__print("cannot write %s: %m", path);
		return EXIT_FAILED;
	}
	close(fd);
	return 0;
}

int partial__keep(const char *partial, const char *path)
{
	mode_t mask = umask(0);

	umask(mask);
	if (!chmod(partial, 0666 & ~mask) && !rename(partial, path))
		return 0;
	messages__print("cannot write %s: %m", path);
	return EXIT_FAILED;
}
