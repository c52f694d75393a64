// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/pins.c: makes, finds and removes the directories of a pipeline's pins. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "pipeline/pins.h"

#define PROGRAMS "programs-"
#define CURRENT	 "current"

/* "PATH/NAME"; NULL: no memory. */
static char *join(const char *path, const char *name)
{
	char *joined;

	return asprintf(&joined, "%s/%s", path, name) < 0 ? NULL : joined;
}

static const char *name_of(const char *directory)
{
	return strrchr(directory, '/') + 1;
}

static bool begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool is_current(const char *path, const char *directory)
{
	char *link = join(path, CURRENT), name[64];
	ssize_t bytes = link ? readlink(link, name, sizeof(name) - 1) : -1;

	free(link);
	if (bytes < 0)
		return false;
	name[bytes] = '\0';
	return !strcmp(name, name_of(directory));
}

char *pins__ring(const char *directory)
{
	return join(directory, "map-peat_ring");
}

uint64_t pins__made_ns(const char *directory)
{
	char *ring = pins__ring(directory);
	bool is_there;
	struct stat file;

	is_there = ring && !stat(ring, &file);
	free(ring);
	return is_there
		       ? (uint64_t)file.st_mtim.tv_sec * 1000000000 + (uint64_t)file.st_mtim.tv_nsec
		       : 0;
}

/* ---- removing -------------------------------------------------------------------------------- */

/* Only files that peat_session__pin() makes: the path may be another directory by mistake. */
static bool is_pin(const char *name)
{
	return begins_with(name, "link-") || begins_with(name, "map-") ||
	       begins_with(name, "type-");
}

static void remove_directory(const char *directory)
{
	DIR *entries = opendir(directory);
	const struct dirent *entry;

	while (entries && (entry = readdir(entries)))
		if (is_pin(entry->d_name))
			unlinkat(dirfd(entries), entry->d_name, 0);
	if (entries)
		closedir(entries);
	if (rmdir(directory) && errno != ENOENT)
		log__warn("cannot remove the pinned programs at %s: %s", directory,
			  strerror(errno));
}

static void remove_current(const char *path)
{
	char *link = join(path, CURRENT);

	if (link)
		unlink(link);
	free(link);
}

void pins__remove(struct pins *pins)
{
	if (!pins->path)
		return;
	if (is_current(pins->path, pins->directory))
		remove_current(pins->path);
	remove_directory(pins->directory);
	rmdir(pins->path); /* unless other programs are there */
	pins->is_complete = false;
}

static int is_programs(const struct dirent *entry)
{
	return begins_with(entry->d_name, PROGRAMS);
}

void pins__remove_others(const char *path, const char *keep,
			 bool (*may)(void *arg, const char *directory), void *arg)
{
	struct dirent **entries = NULL;
	int count = scandir(path, &entries, is_programs, alphasort);

	for (int i = 0; i < count; i++) {
		char *directory = join(path, entries[i]->d_name);

		if (directory && (!keep || strcmp(directory, keep)) && may(arg, directory)) {
			if (is_current(path, directory))
				remove_current(path);
			remove_directory(directory);
		}
		free(directory);
		free(entries[i]);
	}
	free(entries);
	if (!keep)
		rmdir(path);
}

/* ---- making ---------------------------------------------------------------------------------- */

char *pins__directory(const char *path, uint64_t hash)
{
	char name[32];

	snprintf(name, sizeof(name), PROGRAMS "%016llx", (unsigned long long)hash);
	return join(path, name);
}

int pins__open(struct pins *pins, const char *path, uint64_t hash)
{
	*pins = (struct pins){ .path = strdup(path), .directory = pins__directory(path, hash) };
	if (!pins->path || !pins->directory)
		return fail(-ENOMEM);
	if (mkdir(path, 0700) && errno != EEXIST) {
		int err = -errno;

		log__error("cannot make the directory %s: %s: setting pin: is its parent on a BPF "
			   "file system (mount -t bpf none /sys/fs/bpf)?",
			   path, strerror(-err));
		return fail(err);
	}
	pins->is_complete = is_current(path, pins->directory) && pins__made_ns(pins->directory);
	if (!pins->is_complete)
		remove_directory(pins->directory);
	return 0;
}

/* The link takes the place of a former one. */
static int link_current(int directory, const char *name)
{
	unlinkat(directory, "next", 0); /* of an agent that was killed here */
	return symlinkat(name, directory, "next") || renameat(directory, "next", directory, CURRENT)
		       ? -errno
		       : 0;
}

int pins__complete(struct pins *pins)
{
	int directory = open(pins->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int err = directory < 0 ? -errno : link_current(directory, name_of(pins->directory));

	if (err)
		log__error("cannot make the link %s/" CURRENT ": %s", pins->path, strerror(-err));
	if (directory >= 0)
		close(directory);
	pins->is_complete = !err;
	return err ? fail(err) : 0;
}

void pins__free(struct pins *pins)
{
	free(pins->path);
	free(pins->directory);
	*pins = (struct pins){ 0 };
}
