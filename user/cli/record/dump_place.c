// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dump_place.c: the directory with the sockets of a user's flight recorders. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/record/dump_place.h"
#include "cli/base/messages.h"

#define MODE 0700

/* Whether only the user may enter: nobody else can replace a file of it. */
static bool is_private(const struct stat *status, uid_t uid)
{
	return S_ISDIR(status->st_mode) && status->st_uid == uid && !(status->st_mode & 077);
}

/* A symbolic link is no directory: lstat(2) does not follow it. */
static int check(const char *path, uid_t uid)
{
	struct stat status;

	if (lstat(path, &status))
		return -errno;
	if (is_private(&status, uid))
		return 0;
	messages__print("the directory %s of flight recorders is refused: it belongs to user %u, "
			"mode %o, not to user %u alone: remove it",
			path, (unsigned)status.st_uid, (unsigned)status.st_mode & 07777,
			(unsigned)uid);
	return -EPERM;
}

/* The directory of a user in /run, made at login, can be trusted if it is private. */
static void name_directory(char *path, size_t room, uid_t uid)
{
	struct stat status;

	if (!uid) {
		snprintf(path, room, "/run/peat");
		return;
	}
	snprintf(path, room, "/run/user/%u", (unsigned)uid);
	if (!lstat(path, &status) && is_private(&status, uid))
		snprintf(path, room, "/run/user/%u/peat", (unsigned)uid);
	else
		snprintf(path, room, "/tmp/peat-%u", (unsigned)uid);
}

int dump_place__find(uid_t uid, pid_t pid, bool make, struct sockaddr_un *address)
{
	char directory[64];

	name_directory(directory, sizeof(directory), uid);
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(address->sun_path, sizeof(address->sun_path), "%s/flight-%d", directory, (int)pid);
	if (make && mkdir(directory, MODE) && errno != EEXIST)
		return -errno;
	return check(directory, uid);
}

/* The owner of /proc/PID is root for programs with capabilities of their own. */
bool dump_place__user_of(pid_t pid, uid_t *uid)
{
	char path[32], line[256];
	unsigned effective;
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "Uid: %*u %u", &effective) == 1;
	if (file)
		fclose(file);
	if (found)
		*uid = effective;
	return found;
}
