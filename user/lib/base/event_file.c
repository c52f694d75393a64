// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/event_file.c: opens the files that events are written to. */
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <peat/sink.h>

#include "base/errors.h"
#include "base/event_file.h"
#include "base/log.h"
#include "base/opts.h"

#define NEW_FILE_MODE 0600

#define LINKS_MOST   40	 /* symbolic links in a row, as the kernel follows */
#define ATTEMPTS     100 /* if the file appears and disappears */
#define FIFO_STEP_MS 10

#define OPEN_FLAGS (O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* The last part of a path, and its directory. */
struct entry {
	int directory; /* an O_PATH file descriptor */
	const char *name;
	struct stat status; /* of the directory */
};

/* How a path is followed.  A link that another user may have made can only lead to their files. */
struct route {
	const struct event_file *how;
	int links;    /* symbolic links that were followed */
	bool is_led;  /* by such a link */
	uid_t led_by; /* its owner */
};

/* ---- trust ----------------------------------------------------------------------------------- */

static bool is_shared(const struct stat *directory)
{
	return directory->st_mode & S_ISVTX && directory->st_mode & (S_IWGRP | S_IWOTH);
}

/* Whether users other than the caller and root can make links there. */
static bool is_of_others(const struct stat *directory)
{
	return (directory->st_uid && directory->st_uid != geteuid()) ||
	       directory->st_mode & (S_IWGRP | S_IWOTH);
}

/* As the kernel decides if fs.protected_symlinks, fs.protected_regular, fs.protected_fifos are on.
 */
static bool is_trusted(const struct entry *entry, const struct stat *file)
{
	return !is_shared(&entry->status) || file->st_uid == geteuid() ||
	       file->st_uid == entry->status.st_uid;
}

/* A user can give any file a second name in their directory, if fs.protected_hardlinks is off. */
static bool is_second_name(const struct entry *entry, const struct stat *file)
{
	return file->st_nlink > 1 && is_of_others(&entry->status);
}

/* Whether the path may lead to the file: its leader could write or replace it. */
static bool is_reached(const struct entry *entry, const struct stat *file,
		       const struct route *route)
{
	return !route->is_led || file->st_uid == route->led_by ||
	       (S_ISREG(file->st_mode) && file->st_nlink == 1 &&
		entry->status.st_uid == route->led_by);
}

static int check_existing(const struct entry *entry, int fd, const struct route *route)
{
	struct stat file;

	if (fstat(fd, &file))
		return -errno;
	if (!is_reached(entry, &file, route))
		return -EPERM;
	if (!S_ISREG(file.st_mode) && !S_ISFIFO(file.st_mode))
		return 0;
	if (!is_trusted(entry, &file))
		return -EPERM;
	return S_ISREG(file.st_mode) && is_second_name(entry, &file) ? -EPERM : 0;
}

/* Opening a device can change it already: one that a link of another user leads to is not opened.
 */
static bool may_open(const struct entry *entry, const struct route *route)
{
	struct stat file;

	return fstatat(entry->directory, entry->name, &file, AT_SYMLINK_NOFOLLOW) ||
	       is_reached(entry, &file, route);
}

static bool may_create(const struct entry *entry, const struct route *route)
{
	return !route->is_led || entry->status.st_uid == route->led_by ||
	       entry->status.st_mode & S_IWOTH;
}

/* Sets how the path goes on after a link.  False: the link may not be followed. */
static bool may_follow(const struct entry *entry, const struct stat *link,
		       const struct route *route, struct route *next)
{
	*next = *route;
	next->links++;
	if (!is_trusted(entry, link) || is_second_name(entry, link))
		return false;
	if (route->is_led)
		return link->st_uid == route->led_by;
	next->is_led = is_of_others(&entry->status) && link->st_uid && link->st_uid != geteuid();
	next->led_by = link->st_uid;
	return true;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_path(int from, const char *path, const struct route *route);

/* Names the file of a process's descriptor: there is no path to follow. */
static bool is_magic_link(int link)
{
	struct statfs system;

	return !fstatfs(link, &system) && system.f_type == PROC_SUPER_MAGIC;
}

static int follow_link(const struct entry *entry, int link, const struct route *route)
{
	char target[PATH_MAX];
	struct stat status;
	struct route next;
	ssize_t bytes;
	int fd;

	if (fstat(link, &status))
		return -errno;
	if (!S_ISLNK(status.st_mode))
		return -EAGAIN; /* replaced meanwhile */
	if (!may_follow(entry, &status, route, &next))
		return -EPERM;
	if (is_magic_link(link)) {
		if (next.is_led)
			return -EPERM;
		fd = openat(entry->directory, entry->name, OPEN_FLAGS);
		return fd < 0 ? -errno : fd;
	}
	bytes = readlinkat(link, "", target, sizeof(target));
	if (bytes < 0)
		return -errno;
	if ((size_t)bytes == sizeof(target))
		return -ENAMETOOLONG;
	target[bytes] = '\0';
	return next.links <= LINKS_MOST ? open_path(entry->directory, target, &next) : -ELOOP;
}

static int open_link(const struct entry *entry, const struct route *route)
{
	int link = openat(entry->directory, entry->name, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd;

	if (link < 0)
		return errno == ENOENT ? -EAGAIN : -errno;
	fd = follow_link(entry, link, route);
	close(link);
	return fd;
}

/* Nobody waits for the reader of a stranger's FIFO.  -ENXIO or -EPERM. */
static int check_fifo(const struct entry *entry)
{
	struct stat file;

	return fstatat(entry->directory, entry->name, &file, AT_SYMLINK_NOFOLLOW) ||
			       is_trusted(entry, &file)
		       ? -ENXIO
		       : -EPERM;
}

/* -EAGAIN: the file was removed or replaced meanwhile. */
static int open_existing(const struct entry *entry, const struct route *route)
{
	int fd, err;

	if (!may_open(entry, route))
		return -EPERM;
	fd = openat(entry->directory, entry->name, OPEN_FLAGS | O_NOFOLLOW);
	if (fd < 0 && errno == ELOOP)
		return open_link(entry, route);
	if (fd < 0)
		return errno == ENOENT ? -EAGAIN : errno == ENXIO ? check_fifo(entry) : -errno;
	err = check_existing(entry, fd, route);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* -EEXIST: the file exists. */
static int create_new(const struct entry *entry, const struct route *route)
{
	struct stat file;
	int fd;

	if (!may_create(entry, route))
		return fstatat(entry->directory, entry->name, &file, AT_SYMLINK_NOFOLLOW) ? -EPERM
											  : -EEXIST;
	fd = openat(entry->directory, entry->name, OPEN_FLAGS | O_CREAT | O_EXCL, NEW_FILE_MODE);
	return fd < 0 ? -errno : fd;
}

static int open_entry(const struct entry *entry, const struct route *route)
{
	int fd = -EAGAIN;

	for (int i = 0; i < ATTEMPTS && fd == -EAGAIN; i++) {
		fd = create_new(entry, route);
		if (fd != -EEXIST || route->how->exclusive)
			return fd;
		fd = open_existing(entry, route);
	}
	return fd;
}

/* Opens the directory of a path, which may be relative to `from`: "." or what ends in '/'. */
static int find_entry(int from, const char *path, struct entry *entry)
{
	const char *slash = strrchr(path, '/');
	size_t bytes = slash ? (size_t)(slash + 1 - path) : 0;
	char *text = bytes ? strndup(path, bytes) : strdup(".");
	int err = 0;

	entry->name = path + bytes;
	entry->directory = -1;
	if (!text)
		return -ENOMEM;
	entry->directory = openat(from, text, O_PATH | O_CLOEXEC);
	if (entry->directory < 0 || fstat(entry->directory, &entry->status))
		err = -errno;
	free(text);
	return err;
}

static void close_entry(const struct entry *entry)
{
	if (entry->directory >= 0)
		close(entry->directory);
}

static int open_path(int from, const char *path, const struct route *route)
{
	struct entry entry;
	int fd = find_entry(from, path, &entry);

	if (!fd)
		fd = *entry.name ? open_entry(&entry, route) : *path ? -EISDIR : -ENOENT;
	close_entry(&entry);
	return fd;
}

/* ENXIO: no process has opened the FIFO for reading yet. */
static int open_waiting(const char *path, const struct event_file *how)
{
	const struct timespec step = { .tv_nsec = FIFO_STEP_MS * 1000000 };
	const struct route route = { .how = how };
	uint32_t ms = 0;
	int fd;

	while ((fd = open_path(AT_FDCWD, path, &route)) == -ENXIO && ms < how->fifo_ms) {
		nanosleep(&step, NULL);
		ms += FIFO_STEP_MS;
	}
	return fd;
}

static void log_open_error(const char *path, int err)
{
	if (err == -EPERM)
		log__error("cannot write to %s: it belongs to another user, or has another name, "
			   "in a directory where other users write: choose another path",
			   path);
	else if (err == -ENXIO)
		log__error("cannot write to %s: no process reads this FIFO: start its reader first",
			   path);
	else
		log__error("cannot write to %s: %s", path, strerror(-err));
}

/* O_NONBLOCK is for opening alone, and no other flag that F_SETFL changes is in OPEN_FLAGS. */
int event_file__open(const char *path, const struct event_file *how)
{
	int fd = open_waiting(path, how), err = fd;

	if (fd >= 0 && fcntl(fd, F_SETFL, 0)) {
		err = -errno;
		close(fd);
	}
	if (err < 0 && err != -EEXIST)
		log_open_error(path, err);
	return err == -EPERM ? -EACCES : err;
}

/* ---- existing files -------------------------------------------------------------------------- */

/* The permissions that a file may have which is made from a recording.  A pipe has no others. */
static mode_t access_of(const char *recording)
{
	struct stat file;

	if (strcmp(recording, "-") ? stat(recording, &file) : fstat(STDIN_FILENO, &file))
		return NEW_FILE_MODE;
	return S_ISREG(file.st_mode) ? (file.st_mode & 0777) | NEW_FILE_MODE : NEW_FILE_MODE;
}

static int remove_access(int fd, const struct stat *file, mode_t access)
{
	mode_t mode = file->st_mode & 0777;

	return !(mode & ~access) || !fchmod(fd, mode & access) ? 0 : -errno;
}

int event_file__empty(int fd, const char *path, const char *made_from)
{
	struct stat file;
	int err = fstat(fd, &file) ? -errno : 0;

	if (!err && S_ISREG(file.st_mode)) {
		err = made_from ? remove_access(fd, &file, access_of(made_from)) : 0;
		if (!err && ftruncate(fd, 0))
			err = -errno;
	}
	if (err)
		log__error("cannot write to %s: %s", path, strerror(-err));
	return err;
}

static int rename_old(const struct entry *entry)
{
	char *old;
	int err;

	if (asprintf(&old, "%s.old", entry->name) < 0)
		return -ENOMEM;
	err = renameat(entry->directory, entry->name, entry->directory, old) ? -errno : 0;
	free(old);
	return err;
}

/* A link to a regular file is renamed itself. */
static int keep_old(const char *path)
{
	struct entry entry;
	struct stat file;
	int err = 0;

	if (!find_entry(AT_FDCWD, path, &entry) &&
	    !fstatat(entry.directory, entry.name, &file, 0) && S_ISREG(file.st_mode) &&
	    file.st_size)
		err = rename_old(&entry);
	close_entry(&entry);
	if (err)
		log__error("cannot rename %s to %s.old: %s", path, path, strerror(-err));
	return err;
}

static int check_file_opts(const char *path, const struct peat_file_opts *opts)
{
	int err = OPTS_CHECK_RESERVED(opts, "peat_file_opts");

	return err || path ? err : -EINVAL;
}

int peat_file__create(const char *path, const struct peat_file_opts *callers_opts)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_file_opts"), fd;

	if (!err)
		err = check_file_opts(path, &opts);
	if (err)
		return fail(err);
	err = opts.keep_old ? keep_old(path) : 0;
	if (err)
		return fail(err);
	fd = event_file__open(
		path, &(struct event_file){ .exclusive = opts.exclusive, .fifo_ms = opts.fifo_ms });
	if (fd < 0)
		return fail(fd);
	err = event_file__empty(fd, path, opts.made_from);
	if (!err)
		return fd;
	close(fd);
	return fail(err);
}
