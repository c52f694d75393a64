// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/rotated_files.c: names, lists and removes rotated files. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "file/rotated_files.h"

#define STAMP	    "20261129-161500"
#define STAMP_BYTES (sizeof(STAMP) - 1)
#define ZST	    ".zst"
#define ZST_BYTES   (sizeof(ZST) - 1)
#define ATTEMPTS    100 /* to find a name that no file has */

struct rotated_file {
	char *name;
	const char *stamp; /* in the name */
	unsigned number;   /* after it; 0: none */
	uint64_t bytes;
};

/* ---- names ----------------------------------------------------------------------------------- */

/* PATH in parts: DIRECTORY / BASE ENDING. */
struct parts {
	const char *base, *ending;
	size_t directory_bytes, base_bytes;
};

static struct parts parts_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct parts parts = { .base = slash ? slash + 1 : path };

	parts.directory_bytes = (size_t)(parts.base - path);
	parts.base_bytes = strlen(parts.base);
	if (parts.base_bytes > ZST_BYTES && !strcmp(parts.base + parts.base_bytes - ZST_BYTES, ZST))
		parts.base_bytes -= ZST_BYTES;
	parts.ending = parts.base + parts.base_bytes;
	return parts;
}

static bool is_stamp(const char *text)
{
	for (size_t i = 0; i < STAMP_BYTES; i++)
		if (STAMP[i] == '-' ? text[i] != '-' : !isdigit((unsigned char)text[i]))
			return false;
	return true;
}

/* Whether the first bytes of a name are the base, with any source in place of its "%s". */
static bool is_base(const struct parts *parts, const char *name, size_t bytes, bool any_source)
{
	const char *hole = any_source ? strstr(parts->base, "%s") : NULL;
	size_t before, after;

	if (!hole)
		return bytes == parts->base_bytes && !memcmp(name, parts->base, bytes);
	before = (size_t)(hole - parts->base);
	after = parts->base_bytes - before - 2;
	return bytes > before + after && !memcmp(name, parts->base, before) &&
	       !memcmp(name + bytes - after, hole + 2, after);
}

/* False: the name is not of a rotated file.  The name is not kept. */
static bool parse_name(const struct parts *parts, const char *name, bool any_source,
		       struct rotated_file *file)
{
	const char *at = strchr(name, '.');
	char *end;

	while (at && !(is_stamp(at + 1) && is_base(parts, name, (size_t)(at - name), any_source)))
		at = strchr(at + 1, '.');
	if (!at)
		return false;
	file->stamp = at + 1;
	file->number = 0;
	at = file->stamp + STAMP_BYTES;
	if (at[0] == '.' && isdigit((unsigned char)at[1])) {
		file->number = (unsigned)strtoul(at + 1, &end, 10);
		at = end;
	}
	return !strcmp(at, parts->ending);
}

/* Whether it is the current file of another source. */
static bool is_current_of_others(const struct rotated_files *files, const struct parts *parts,
				 const char *name)
{
	size_t bytes = strlen(name), ending = strlen(parts->ending);

	return files->own && bytes > ending && !strcmp(name + bytes - ending, parts->ending) &&
	       is_base(parts, name, bytes - ending, true) &&
	       strcmp(name, parts_of(files->own).base) != 0;
}

/* 0 or -ENOMEM. */
static int name_file(const struct parts *parts, const char *stamp, unsigned number, char **name)
{
	char more[16] = "";

	if (number > 1)
		snprintf(more, sizeof(more), ".%u", number);
	return asprintf(name, "%.*s.%s%s%s", (int)parts->base_bytes, parts->base, stamp, more,
			parts->ending) < 0
		       ? -ENOMEM
		       : 0;
}

/* ---- the list -------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const struct rotated_file *one = a, *two = b;
	int order = strncmp(one->stamp, two->stamp, STAMP_BYTES);

	return order ?: (one->number > two->number) - (one->number < two->number);
}

static DIR *open_directory(const struct rotated_files *files)
{
	size_t bytes = parts_of(files->path).directory_bytes;
	char *path = bytes ? strndup(files->path, bytes) : strdup(".");
	DIR *directory = path ? opendir(path) : NULL;

	free(path);
	return directory;
}

static int add_name(struct rotated_files *files, const struct parts *parts, DIR *directory,
		    const char *name)
{
	struct rotated_file file;
	bool is_rotated = parse_name(parts, name, files->own, &file);
	struct stat status;

	if (!is_rotated && !is_current_of_others(files, parts, name))
		return 0;
	if (fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(status.st_mode) || status.st_uid != geteuid())
		return 0;
	files->bytes += (uint64_t)status.st_size;
	if (!is_rotated)
		return 0;
	if (!ARRAY_RESERVE_NEXT(files->at, files->count))
		return -ENOMEM;
	file.name = strdup(name);
	if (!file.name)
		return -ENOMEM;
	file.stamp = file.name + (file.stamp - name);
	file.bytes = (uint64_t)status.st_size;
	files->at[files->count++] = file;
	return 0;
}

static int read_directory(struct rotated_files *files, DIR *directory)
{
	const struct parts parts = parts_of(files->path);
	const struct dirent *entry;
	int err = 0;

	while (!err && (errno = 0, entry = readdir(directory)))
		err = add_name(files, &parts, directory, entry->d_name);
	return err ?: -errno;
}

int rotated_files__list(struct rotated_files *files)
{
	DIR *directory = open_directory(files);
	int err;

	if (!directory)
		return -errno;
	rotated_files__free(files);
	err = read_directory(files, directory);
	closedir(directory);
	if (files->count)
		qsort(files->at, files->count, sizeof(*files->at), compare);
	return err;
}

void rotated_files__free(struct rotated_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->at[i].name);
	free(files->at);
	*files = (struct rotated_files){ .path = files->path, .own = files->own };
}

/* ---- changes --------------------------------------------------------------------------------- */

/* File systems without RENAME_NOREPLACE, such as NFS: only this process gives such names. */
static int rename_new(int directory, const char *from, const char *to)
{
	struct stat status;

	if (!renameat2(directory, from, directory, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (!fstatat(directory, to, &status, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	return errno != ENOENT || renameat(directory, from, directory, to) ? -errno : 0;
}

/* The time, but not before that of the newest file: a clock may be set back. */
static int next_stamp(const struct rotated_files *files, char stamp[sizeof(STAMP)],
		      unsigned *number)
{
	const struct rotated_file *newest = files->count ? &files->at[files->count - 1] : NULL;
	time_t now = time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) || !strftime(stamp, sizeof(STAMP), "%Y%m%d-%H%M%S", &tm))
		return -EOVERFLOW;
	*number = 1;
	if (newest && strncmp(newest->stamp, stamp, STAMP_BYTES) >= 0) {
		memcpy(stamp, newest->stamp, STAMP_BYTES);
		*number = (newest->number ?: 1) + 1;
	}
	return 0;
}

static int rename_current(const struct rotated_files *files, int directory)
{
	const struct parts parts = parts_of(files->path);
	char stamp[sizeof(STAMP)];
	unsigned number;
	int err = next_stamp(files, stamp, &number);

	if (err)
		return err;
	for (unsigned i = 0; i < ATTEMPTS; i++) {
		char *name;

		err = name_file(&parts, stamp, number + i, &name);
		if (err)
			return err;
		err = rename_new(directory, parts.base, name);
		free(name);
		if (err != -EEXIST)
			break;
	}
	return err;
}

int rotated_files__add(struct rotated_files *files)
{
	DIR *directory = open_directory(files);
	int err;

	if (!directory)
		return -errno;
	err = rename_current(files, dirfd(directory));
	closedir(directory);
	return err ?: rotated_files__list(files);
}

int rotated_files__remove_oldest(struct rotated_files *files)
{
	struct rotated_file oldest;
	DIR *directory;
	int err;

	if (!files->count)
		return -ENOENT;
	directory = open_directory(files);
	if (!directory)
		return -errno;
	oldest = files->at[0];
	err = unlinkat(dirfd(directory), oldest.name, 0) && errno != ENOENT ? -errno : 0;
	closedir(directory);
	if (err)
		return err;
	files->count--;
	files->bytes -= oldest.bytes;
	memmove(files->at, files->at + 1, files->count * sizeof(*files->at));
	free(oldest.name);
	return 0;
}

int rotated_files__limit(struct rotated_files *files, uint64_t count, uint64_t bytes)
{
	int err = 0;

	while (!err && files->count && (files->count > count || files->bytes > bytes))
		err = rotated_files__remove_oldest(files);
	return err;
}
