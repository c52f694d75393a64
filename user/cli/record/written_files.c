// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* written_files.c: files that a run wrote, to remove no others. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/record/written_files.h"

/* The inode's number may be used again after the file was removed, with another time of birth. */
struct written_file {
	uint64_t inode;
	int64_t born_s;
	uint32_t born_ns; /* 0 like born_s: the file system has no such times */
	uint32_t major, minor;
};

static int identify(int directory, const char *path, int flags, struct written_file *file)
{
	struct statx found;

	if (statx(directory, path, flags | AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &found))
		return -errno;
	*file = (struct written_file){ .inode = found.stx_ino,
				       .major = found.stx_dev_major,
				       .minor = found.stx_dev_minor };
	if (found.stx_mask & STATX_BTIME) {
		file->born_s = found.stx_btime.tv_sec;
		file->born_ns = found.stx_btime.tv_nsec;
	}
	return 0;
}

static bool is_same(const struct written_file *a, const struct written_file *b)
{
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor &&
	       a->born_s == b->born_s && a->born_ns == b->born_ns;
}

int written_files__add(struct written_files *files, int fd)
{
	struct written_file *grown = reallocarray(files->at, files->count + 1, sizeof(*files->at));
	int err;

	if (!grown)
		return -ENOMEM;
	files->at = grown;
	err = identify(fd, "", AT_EMPTY_PATH, &files->at[files->count]);
	files->count += !err;
	return err;
}

int written_files__remove_oldest(struct written_files *files, const char *path)
{
	struct written_file oldest, found;
	int err;

	if (!files->count)
		return -ENOENT;
	oldest = files->at[0];
	files->count--;
	memmove(files->at, files->at + 1, files->count * sizeof(*files->at));
	err = identify(AT_FDCWD, path, 0, &found);
	if (err)
		return err == -ENOENT ? 0 : err;
	if (!is_same(&oldest, &found))
		return -EBUSY;
	return unlink(path) && errno != ENOENT ? -errno : 0;
}

void written_files__free(struct written_files *files)
{
	free(files->at);
	*files = (struct written_files){ 0 };
}
