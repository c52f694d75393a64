// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/directory.c: files and names of sysfs and tracefs. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "pmu/directory.h"

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_name(struct pmu_entries *entries, const char *name)
{
	char *copy = strdup(name);

	if (!copy || !ARRAY_RESERVE_NEXT(entries->at, entries->count)) {
		free(copy);
		return -ENOMEM;
	}
	entries->at[entries->count++] = copy;
	return 0;
}

static int read_names(struct pmu_entries *entries, DIR *dir)
{
	struct dirent *entry;
	int err = 0;

	while (!err && (errno = 0, entry = readdir(dir)))
		if (*entry->d_name != '.')
			err = add_name(entries, entry->d_name);
	return err ? err : -errno;
}

int pmu_entries__read(struct pmu_entries *entries, int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;
	DIR *opened = fd < 0 ? NULL : fdopendir(fd);

	*entries = (struct pmu_entries){ 0 };
	if (!opened) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	err = read_names(entries, opened);
	closedir(opened);
	if (err)
		pmu_entries__free(entries);
	else if (entries->count)
		qsort(entries->at, entries->count, sizeof(*entries->at), compare_names);
	return err;
}

void pmu_entries__free(struct pmu_entries *entries)
{
	for (uint32_t i = 0; i < entries->count; i++)
		free(entries->at[i]);
	free(entries->at);
	*entries = (struct pmu_entries){ 0 };
}

static int read_all(int fd, char text[PMU_FILE_BYTES])
{
	size_t count = 0;
	ssize_t bytes;

	while ((bytes = read(fd, text + count, PMU_FILE_BYTES - count)) > 0)
		count += (size_t)bytes;
	if (bytes < 0)
		return -errno;
	if (count == PMU_FILE_BYTES)
		return -E2BIG;
	while (count && isspace((unsigned char)text[count - 1]))
		count--;
	text[count] = '\0';
	for (size_t i = 0; i < count; i++)
		if (iscntrl((unsigned char)text[i]))
			return -EBADMSG;
	return 0;
}

int pmu_file__read(int dir, const char *path, char text[PMU_FILE_BYTES])
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = read_all(fd, text);
	close(fd);
	return err;
}

int pmu_file__read_in(int dir, const char *directory, const char *name, char text[PMU_FILE_BYTES])
{
	char path[512];

	if (snprintf(path, sizeof(path), "%s/%s", directory, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return pmu_file__read(dir, path, text);
}
