// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/map_file.c: BPF maps as files: their fds in /proc, and their pins in bpf file systems. */
#include <dirent.h>
#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "maps/map_file.h"

/* ---- /proc ----------------------------------------------------------------------------------- */

bool map_file__is_link(const char *target)
{
	return strstr(target, "bpf-map");
}

bool map_file__read(struct map_file *file, const char *pid, const char *fd)
{
	char path[80], line[128];
	bool is_map = false;
	unsigned number;
	FILE *info;

	*file = (struct map_file){ 0 };
	snprintf(path, sizeof(path), "/proc/%s/fdinfo/%s", pid, fd);
	info = fopen(path, "re");
	if (!info)
		return false;
	while (fgets(line, sizeof(line), info)) {
		if (sscanf(line, "map_id: %u", &number) == 1) {
			file->id = number;
			is_map = true;
		} else if (sscanf(line, "frozen: %u", &number) == 1) {
			file->is_frozen = number;
		}
	}
	fclose(info);
	return is_map;
}

/* ---- pins ------------------------------------------------------------------------------------ */

struct pin_search {
	int (*found)(void *context, const char *path, const struct map_file *file);
	void *context;
};

/* A pin may be read-only (EACCES). */
static int open_pin(const char *path)
{
	LIBBPF_OPTS(bpf_obj_get_opts, read_only, .file_flags = BPF_F_RDONLY);
	int fd = bpf_obj_get(path);

	return fd < 0 && errno == EACCES ? bpf_obj_get_opts(path, &read_only) : fd;
}

/* Programs, links and iterators are pinned as well: only an open fd shows its type. */
static int check_pin(const struct pin_search *search, const char *path)
{
	struct map_file file;
	char number[16];
	bool is_map;
	int fd = open_pin(path);

	if (fd < 0)
		return 0;
	snprintf(number, sizeof(number), "%d", fd);
	is_map = map_file__read(&file, "self", number);
	close(fd);
	return is_map ? search->found(search->context, path, &file) : 0;
}

static int search_pins(const struct pin_search *search, const char *directory, dev_t device);

static int search_entry(const struct pin_search *search, const char *path, dev_t device)
{
	struct stat status;

	if (lstat(path, &status) || status.st_dev != device)
		return 0;
	if (S_ISDIR(status.st_mode))
		return search_pins(search, path, device);
	return S_ISREG(status.st_mode) ? check_pin(search, path) : 0;
}

/* Stays on the device: mounts inside the directory have their own lines in /proc/self/mounts. */
static int search_pins(const struct pin_search *search, const char *directory, dev_t device)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	int err = 0;

	while (entries && !err && (entry = readdir(entries))) {
		char *path;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (asprintf(&path, "%s/%s", directory, entry->d_name) < 0) {
			err = -ENOMEM;
			break;
		}
		err = search_entry(search, path, device);
		free(path);
	}
	if (entries)
		closedir(entries);
	return err;
}

int map_file__each_pin(int (*found)(void *context, const char *path, const struct map_file *file),
		       void *context)
{
	struct pin_search search = { found, context };
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	struct stat status;
	int err = 0;

	if (!mounts)
		return -errno;
	while (!err && (mount = getmntent(mounts)))
		if (!strcmp(mount->mnt_type, "bpf") && !stat(mount->mnt_dir, &status))
			err = search_pins(&search, mount->mnt_dir, status.st_dev);
	endmntent(mounts);
	return err;
}
