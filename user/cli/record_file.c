// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record_file.c: names and opens recordings. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "messages.h"
#include "record_file.h"

static int keep_old(const char *path)
{
	struct stat status;
	char *old;
	int err = 0;

	if (stat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return 0;
	if (asprintf(&old, "%s.old", path) < 0)
		return -ENOMEM;
	if (rename(path, old)) {
		err = -errno;
		messages__print("cannot rename %s to %s: %m", path, old);
	}
	free(old);
	return err;
}

int record_file__open(const char *path, uint32_t number, char **name)
{
	int fd, err;

	if (!number)
		*name = strdup(path);
	else if (asprintf(name, "%s.%u", path, number) < 0)
		*name = NULL;
	if (!*name)
		return -ENOMEM;
	err = keep_old(*name);
	if (err)
		return err;
	fd = open(*name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	err = -errno;
	messages__print("cannot write to %s: %m", *name);
	return err;
}

void record_file__format_size(char *text, size_t room, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double size = (double)bytes;
	size_t unit = 0;

	for (; size >= 1024 && unit < 4; unit++)
		size /= 1024;
	snprintf(text, room, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}
