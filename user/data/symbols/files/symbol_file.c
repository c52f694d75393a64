// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/files/symbol_file.c: finds the file of a mapping, and makes sure that it is that file. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "symbols/debug/perf_copy.h"
#include "symbols/elf/elf_machine.h"
#include "symbols/elf/head_id.h"
#include "symbols/files/symbol_file.h"
#include "sys/foreign_file.h"

#define DELETED " (deleted)"

/* ---- identity -------------------------------------------------------------------------------- */

/*
 * On btrfs and overlayfs, stat(2) returns another device than the mapping has: a device without a
 * disk, of major number 0.
 */
static bool is_same_device(const struct mapped_key *key, const struct stat *found)
{
	if (major(found->st_dev) == key->major && minor(found->st_dev) == key->minor)
		return true;
	return !key->major || !major(found->st_dev);
}

/* A new file may get the inode of a deleted one, with another generation, if it has any. */
static bool has_generation(const struct mapped_key *key, int fd)
{
	long found = 0;

	if (!key->generation || ioctl(fd, FS_IOC_GETVERSION, &found))
		return true;
	return (uint32_t)found == (uint32_t)key->generation;
}

/* A mapping without build-id and inode is all that old recordings have: the path has to do. */
static bool has_identity(const struct mapped_key *key, const struct stat *found, int fd)
{
	if (key->build_id.bytes || !key->inode)
		return true;
	return found->st_ino == key->inode && is_same_device(key, found) && has_generation(key, fd);
}

static int64_t to_ns(const struct timespec *time)
{
	return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

/*
 * If the inode is the mapped one, the file may only have been overwritten.  Its status changes also
 * by a hard link, such as those of perf's cache of build-ids.  If only the path is known, another
 * file may have come there, whose content is older: its status changed when it came.
 */
static int64_t changed_ns(const struct mapped_key *key, const struct stat *found)
{
	return to_ns(key->inode ? &found->st_mtim : &found->st_ctim);
}

/* Without a build-id, the file has to be of this machine and as old as the recording.  0 or errno.
 */
static int check_origin(const struct mapped_key *key, const struct file_origin *origin,
			const struct stat *found)
{
	if (!origin || key->build_id.bytes)
		return 0;
	if (origin->is_elsewhere)
		return -EXDEV;
	return origin->changed_ns && changed_ns(key, found) > origin->changed_ns ? -ESTALE : 0;
}

/* A file without an ELF header is refused when it is read. */
static bool is_of_machine(const struct file_origin *origin, int fd)
{
	struct utsname own;
	uint16_t machine;

	if (!head_id__machine(fd, &machine))
		return true;
	if (origin)
		return elf_machine__runs(origin->arch, machine);
	return uname(&own) || elf_machine__runs(own.machine, machine);
}

/* The file, or an error instead of a file that is another one. */
static int check_identity(const struct mapped_file *file, const struct file_place *place, int fd,
			  const struct stat *found)
{
	int err;

	if (fd < 0)
		return fd == -ENOTSUP ? -ENOEXEC : fd;
	err = has_identity(&file->key, found, fd) ? check_origin(&file->key, place->origin, found)
						  : -ESTALE;
	if (!err && !is_of_machine(place->origin, fd))
		err = -ESTALE;
	if (!err)
		return fd;
	close(fd);
	return err;
}

static int check_build_id(const struct file_reader *reader, const struct mapped_key *key,
			  struct opened_file *opened)
{
	int err;

	if (!key->build_id.bytes)
		return 0;
	err = file_reader__build_id(reader, opened);
	if (err)
		return err;
	return build_id__equal(&key->build_id, &opened->build_id) ? 0 : -ESTALE;
}

/* ---- places ---------------------------------------------------------------------------------- */

struct search {
	const struct file_reader *reader;
	const struct mapped_file *file;
	const struct file_place *place;
	struct opened_file *opened;
};

/* Whether only root can have written the file. */
static bool is_of_root(const struct opened_file *opened)
{
	return !opened->status.st_uid && !(opened->status.st_mode & (S_IWGRP | S_IWOTH)) &&
	       foreign_file__is_local(opened->fd);
}

/* `root` NULL: that of this process. */
static int open_checked(const struct search *search, const char *root, const char *path,
			enum foreign_links links)
{
	struct opened_file *opened = search->opened;
	int err;

	*opened = (struct opened_file){ .path = search->file->key.path,
					.pid = search->place->is_live ? search->place->pid : 0 };
	opened->fd = check_identity(search->file, search->place,
				    foreign_file__open(root, path, links, &opened->status),
				    &opened->status);
	if (opened->fd < 0)
		return opened->fd;
	opened->is_of_root = is_of_root(opened);
	err = check_build_id(search->reader, &search->file->key, opened);
	if (err)
		close(opened->fd);
	return err;
}

/*
 * The kernel follows this link by itself, so it works for deleted files and in other mount
 * namespaces.  It needs CAP_SYS_ADMIN, or CAP_CHECKPOINT_RESTORE since Linux 5.9.
 */
static int open_map_file(const struct search *search)
{
	const struct file_place *place = search->place;
	char path[96];

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64, place->pid,
		 place->begin, place->end);
	/* The pid may be another process by now, and the mapping another file. */
	return open_checked(search, NULL, path, FOREIGN_PROC_LINKS);
}

/* The path without " (deleted)": another file may have it now. */
static void put_path(char to[PATH_MAX], const char *path)
{
	size_t bytes = strlen(path), deleted = strlen(DELETED);

	if (bytes > deleted && !strcmp(path + bytes - deleted, DELETED))
		bytes -= deleted;
	snprintf(to, PATH_MAX, "%.*s", (int)bytes, path);
}

static int open_in_root(const struct search *search)
{
	char root[32], path[PATH_MAX];

	snprintf(root, sizeof(root), "/proc/%" PRIu32 "/root", search->place->pid);
	put_path(path, search->file->key.path);
	return open_checked(search, root, path, FOREIGN_LINKS);
}

static int open_path(const struct search *search)
{
	char path[PATH_MAX];

	put_path(path, search->file->key.path);
	return open_checked(search, NULL, path, FOREIGN_LINKS);
}

static int open_perf_copy(const struct search *search)
{
	char path[PERF_COPY_PATH];

	if (!perf_copy__path(&search->file->key.build_id, path))
		return -ENOENT;
	return open_checked(search, NULL, path, FOREIGN_LINKS);
}

/* The more telling error: a wrong file, then no ELF file, then any other. */
static int worse(int err, int other)
{
	if (err == -ESTALE || other == -ESTALE)
		return -ESTALE;
	if (err == -ENOEXEC || other == -ENOEXEC)
		return -ENOEXEC;
	return err == -ENOENT ? other : err;
}

int symbol_file__open(const struct file_reader *reader, const struct mapped_file *file,
		      const struct file_place *place, struct opened_file *opened)
{
	static int (*const places[])(const struct search *search) = { open_map_file, open_in_root,
								      open_path, open_perf_copy };
	const struct search search = { reader, file, place, opened };
	int err = -ENOENT, other;

	for (size_t i = place->is_live ? 0 : 2; i < sizeof(places) / sizeof(*places); i++) {
		other = places[i](&search);
		if (!other)
			return 0;
		err = worse(err, other);
	}
	return err;
}

bool symbol_file__is_lasting(const struct mapped_file *file)
{
	const struct file_place nowhere = { .is_live = false };
	char path[PATH_MAX];
	struct stat found;
	int fd;

	put_path(path, file->key.path);
	fd = check_identity(file, &nowhere, foreign_file__open(NULL, path, FOREIGN_LINKS, &found),
			    &found);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}
