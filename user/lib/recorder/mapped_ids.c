// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/mapped_ids.c: reads the build ids of mapped files. */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/internal.h"
#include "recorder/mapped_ids.h"
#include "symbols/elf_file.h"

#define ROOM_MIN 64

struct mapped_id {
	uint64_t inode; /* 0: a free place */
	uint64_t generation;
	uint32_t major, minor;
	struct build_id id; /* 0 bytes: the file has none */
};

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_file(const char *path, struct stat *status)
{
	return !stat(path, status) && S_ISREG(status->st_mode);
}

/* False: another file has the name now. */
static bool is_mapped(const struct stat *status, const struct proc_map *map)
{
	return status->st_ino == map->inode && major(status->st_dev) == map->major &&
	       minor(status->st_dev) == map->minor;
}

/* For a process that has ended. */
static bool use_own_path(char path[PATH_MAX], const struct proc_map *map)
{
	struct stat status;

	snprintf(path, PATH_MAX, "%s", map->path);
	return is_file(path, &status) && is_mapped(&status, map);
}

/* The links of map_files need CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE. */
static int open_mapped(uint32_t pid, const struct proc_map *map)
{
	struct stat status;
	char path[PATH_MAX];
	int length;

	snprintf(path, sizeof(path), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, pid, map->start,
		 map->end);
	if (!is_file(path, &status)) {
		length = snprintf(path, sizeof(path), "/proc/%u/root%s", pid, map->path);
		if (length >= (int)sizeof(path) ||
		    ((!is_file(path, &status) || !is_mapped(&status, map)) &&
		     !use_own_path(path, map)))
			return -1;
	}
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static void read_id(struct build_id *id, uint32_t pid, const struct proc_map *map)
{
	int fd = open_mapped(pid, map);
	struct elf_file *file;

	if (fd < 0 || elf_file__open(&file, fd, map->path))
		return;
	*id = file->build_id;
	elf_file__free(file);
}

/* ---- the table ------------------------------------------------------------------------------- */

static struct mapped_id *find_place(const struct mapped_ids *ids, const struct mapped_id *key)
{
	size_t at = (size_t)((key->inode ^ key->minor) * 0x9e3779b97f4a7c15u >> 32);

	for (;; at++) {
		struct mapped_id *place = &ids->places[at & (ids->room - 1)];

		if (!place->inode ||
		    (place->inode == key->inode && place->major == key->major &&
		     place->minor == key->minor && place->generation == key->generation))
			return place;
	}
}

static bool grow(struct mapped_ids *ids)
{
	struct mapped_ids more = { .room = ids->room ? 2 * ids->room : ROOM_MIN,
				   .count = ids->count };

	if (2 * (ids->count + 1) <= ids->room)
		return true;
	more.places = calloc(more.room, sizeof(*more.places));
	if (!more.places)
		return false;
	for (size_t i = 0; i < ids->room; i++)
		if (ids->places[i].inode)
			*find_place(&more, &ids->places[i]) = ids->places[i];
	free(ids->places);
	*ids = more;
	return true;
}

const struct build_id *mapped_ids__find(struct mapped_ids *ids, uint32_t pid, uint64_t generation,
					const struct proc_map *map)
{
	struct mapped_id key = { .inode = map->inode,
				 .generation = generation,
				 .major = map->major,
				 .minor = map->minor };
	struct mapped_id *place;

	if (!map->inode || *map->path != '/' || !grow(ids))
		return NULL;
	place = find_place(ids, &key);
	if (!place->inode) {
		*place = key;
		read_id(&place->id, pid, map);
		ids->count++;
	}
	return place->id.bytes ? &place->id : NULL;
}

void mapped_ids__free(struct mapped_ids *ids)
{
	free(ids->places);
	*ids = (struct mapped_ids){ 0 };
}
