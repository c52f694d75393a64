// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/file_room.c: whether RLIMIT_NOFILE has room. */
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sys/file_room.h"

/* Opens and closes by recursion: there may be no memory either. */
static bool has_more(int fd, unsigned files)
{
	int next;
	bool has;

	if (!files)
		return true;
	next = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (next < 0)
		return errno != EMFILE;
	has = has_more(fd, files - 1);
	close(next);
	return has;
}

bool file_room__has(unsigned files)
{
	int fd = eventfd(0, EFD_CLOEXEC);
	bool has;

	if (fd < 0)
		return errno != EMFILE;
	has = !files || has_more(fd, files - 1);
	close(fd);
	return has;
}

const char *file_room__remedy(int err)
{
	return err == -EMFILE ? ": " FILE_ROOM_REMEDY : "";
}
