// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/read/directory.c: finds the files of a directory recording. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "perf_data/read/directory.h"

#define PREFIX	  "data."
#define NAMES_MAX 65536 /* one per CPU */

static const char *number_of(const char *name)
{
	return name + strlen(PREFIX);
}

static bool is_data(const char *name)
{
	return !strncmp(name, PREFIX, strlen(PREFIX)) && *number_of(name) &&
	       strspn(number_of(name), "0123456789") == strlen(number_of(name));
}

/* By their numbers, which have no leading zeroes. */
static int compare_file_names(const void *a, const void *b)
{
	const char *x = number_of(*(char *const *)a), *y = number_of(*(char *const *)b);
	size_t x_bytes = strlen(x), y_bytes = strlen(y);

	if (x_bytes != y_bytes)
		return x_bytes < y_bytes ? -1 : 1;
	return strcmp(x, y);
}

static int add_file_name(struct perf_directory *directory, const char *name)
{
	uint32_t count = directory->count;

	if (count == NAMES_MAX)
		return -E2BIG;
	if (!ARRAY_RESERVE_NEXT(directory->names, count))
		return -ENOMEM;
	directory->names[count] = strdup(name);
	if (!directory->names[count])
		return -ENOMEM;
	directory->count++;
	return 0;
}

static int list(struct perf_directory *directory)
{
	int fd = fcntl(directory->fd, F_DUPFD_CLOEXEC, 0), err = 0;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!entries) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	while (!err && (entry = readdir(entries)))
		if (is_data(entry->d_name))
			err = add_file_name(directory, entry->d_name);
	closedir(entries);
	return err;
}

int perf_directory__open(struct perf_directory *directory, int fd)
{
	int err;

	*directory = (struct perf_directory){ .fd = fd };
	err = list(directory);
	if (err)
		perf_directory__close(directory);
	else if (directory->count)
		qsort(directory->names, directory->count, sizeof(*directory->names),
		      compare_file_names);
	return err;
}

void perf_directory__close(struct perf_directory *directory)
{
	for (uint32_t i = 0; i < directory->count; i++)
		free(directory->names[i]);
	free(directory->names);
	if (directory->fd >= 0)
		close(directory->fd);
	*directory = (struct perf_directory){ .fd = -1 };
}
