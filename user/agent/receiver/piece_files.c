// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* receiver/piece_files.c: writes pieces to files. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/sip_hash.h"
#include "receiver/piece_files.h"

/* Names of files of one host and one second. */
#define NAMES_MAX 100

struct piece_file {
	struct hash_link link;
	char *host, *name; /* for messages */
	int fd;
	bool is_regular, is_dirty;
	off_t end; /* of its last whole piece */
};

struct piece_files {
	int directory_fd; /* -1: one file */
	char *directory;
	struct hash hash; /* by host */
	size_t most;	  /* entries of `hash` */
	struct piece_file one;
};

/* The file of all hosts that are too many. */
#define OTHERS "others"

/* ---- files ----------------------------------------------------------------------------------- */

static int fail_at(const struct piece_files *files, const char *name, const char *what, int err)
{
	if (err != -EPIPE)
		log__error("cannot %s %s%s%s: %s", what, files->directory ?: "",
			   files->directory ? "/" : "", name, strerror(-err));
	return err;
}

static bool is_regular(int fd, off_t *end)
{
	struct stat status;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return false;
	*end = lseek(fd, 0, SEEK_CUR);
	return true;
}

/* Hosts choose their names: no slashes, and no hidden files. */
static void name_file(char *name, size_t room, const char *host, unsigned number)
{
	time_t now = time(NULL);
	char date[32] = "";
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "%Y%m%dT%H%M%SZ", &tm);
	if (number)
		snprintf(name, room, "%.200s-%s-%u.perf", host, date, number);
	else
		snprintf(name, room, "%.200s-%s.perf", host, date);
	for (char *at = name; *at; at++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
			    *at))
			*at = '_';
	if (*name == '.')
		*name = '_';
}

static int open_file(struct piece_files *files, struct piece_file *file)
{
	char name[256];

	for (unsigned i = 0; i < NAMES_MAX; i++) {
		name_file(name, sizeof(name), file->host, i);
		file->fd = openat(files->directory_fd, name,
				  O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
		if (file->fd >= 0 || errno != EEXIST)
			break;
	}
	if (file->fd < 0)
		return fail_at(files, name, "create", -errno);
	file->is_regular = true;
	file->name = strdup(name);
	return file->name ? 0 : -ENOMEM;
}

static void free_file(struct piece_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->host);
	free(file->name);
	free(file);
}

static int add_file(struct piece_files *files, const char *host, uint64_t code,
		    struct piece_file **added)
{
	struct piece_file *file = calloc(1, sizeof(*file));
	int err;

	if (!file)
		return -ENOMEM;
	file->fd = -1;
	file->host = strdup(host);
	err = file->host ? open_file(files, file) : -ENOMEM;
	err = err ?: hash__add(&files->hash, &file->link, code);
	if (err) {
		free_file(file);
		return err;
	}
	*added = file;
	return 0;
}

static struct piece_file *find_file(const struct piece_files *files, const char *host,
				    uint64_t code)
{
	for (struct hash_link *link = hash__first(&files->hash, code); link;
	     link = hash__next(link)) {
		struct piece_file *file = HASH_ENTRY(link, struct piece_file, link);

		if (!strcmp(file->host, host))
			return file;
	}
	return NULL;
}

static int get_file(struct piece_files *files, const char *host, struct piece_file **found)
{
	uint64_t code;

	if (files->directory_fd < 0) {
		*found = &files->one;
		return 0;
	}
	code = sip_hash__key(host, strlen(host));
	*found = find_file(files, host, code);
	if (!*found && files->hash.count >= files->most) {
		host = OTHERS;
		code = sip_hash__key(host, strlen(host));
		*found = find_file(files, host, code);
		if (!*found)
			log__warn("more than %zu hosts: the batches of further hosts are in a "
				  "file " OTHERS,
				  files->most);
	}
	return *found ? 0 : add_file(files, host, code, found);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static int write_all(int fd, const char *bytes, size_t count)
{
	while (count) {
		ssize_t written = write(fd, bytes, count);

		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			bytes += written;
			count -= (size_t)written;
		}
	}
	return 0;
}

/* A part of a piece is removed again. */
static int cut(const struct piece_files *files, const struct piece_file *file, int err)
{
	if (file->is_regular &&
	    (ftruncate(file->fd, file->end) || lseek(file->fd, file->end, SEEK_SET) < 0))
		log__warn("cannot cut %s: %m: its last piece is not whole", file->name);
	return fail_at(files, file->name, "write to", err);
}

int piece_files__write(struct piece_files *files, const char *host, const void *bytes, size_t count)
{
	struct piece_file *file = NULL;
	int err = get_file(files, host, &file);

	if (err)
		return err;
	err = write_all(file->fd, bytes, count);
	if (err)
		return cut(files, file, err);
	file->end += (off_t)count;
	file->is_dirty = file->is_regular;
	return 0;
}

static int sync_file(const struct piece_files *files, struct piece_file *file)
{
	if (!file->is_dirty)
		return 0;
	if (fdatasync(file->fd))
		return fail_at(files, file->name, "write to", -errno);
	file->is_dirty = false;
	return 0;
}

int piece_files__sync(struct piece_files *files)
{
	int err = sync_file(files, &files->one);

	for_each_entry (&files->hash, link) {
		int failed = sync_file(files, HASH_ENTRY(link, struct piece_file, link));

		err = err ?: failed;
	}
	return err;
}

/* ---- the object ------------------------------------------------------------------------------ */

/* Half of the files that the process may open: others are sockets. */
static size_t most_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 2 > PIECE_FILES_MAX)
		return PIECE_FILES_MAX;
	return (size_t)limit.rlim_cur / 2;
}

static int open_directory(struct piece_files *files, const char *directory)
{
	files->directory = strdup(directory);
	if (!files->directory)
		return -ENOMEM;
	files->directory_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (files->directory_fd >= 0)
		return 0;
	log__error("cannot write to %s: %m: name a directory that exists", directory);
	return -errno;
}

struct piece_files *piece_files__new(const char *directory, int fd)
{
	struct piece_files *files = calloc(1, sizeof(*files));
	int err;

	if (!files)
		return fail_null(-ENOMEM);
	files->directory_fd = -1;
	files->most = most_files();
	files->one.fd = fd;
	files->one.name = (char *)"the output";
	if (!directory) {
		files->one.is_regular = is_regular(fd, &files->one.end);
		return files;
	}
	err = open_directory(files, directory);
	if (!err)
		return files;
	piece_files__free(files);
	return fail_null(err);
}

void piece_files__free(struct piece_files *files)
{
	if (!files)
		return;
	for_each_entry (&files->hash, link)
		free_file(HASH_ENTRY(link, struct piece_file, link));
	hash__free(&files->hash);
	if (files->directory_fd >= 0)
		close(files->directory_fd);
	free(files->directory);
	free(files);
}
