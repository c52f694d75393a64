// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* config/config_files.c: finds and reads the files of a configuration. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "config/sections.h"

/* A configuration of thousands of pipelines is smaller. */
#define BYTES_MAX (1u << 20)

/* The number of bytes, or a negative errno; -EFBIG: more than fit. */
static ssize_t read_all(int fd, char *text, size_t room)
{
	size_t count = 0;
	ssize_t bytes = 1;

	while (bytes > 0 && count < room) {
		bytes = read(fd, text + count, room - count);
		if (bytes < 0 && errno == EINTR)
			bytes = 1;
		else if (bytes < 0)
			return -errno;
		else
			count += (size_t)bytes;
	}
	return count < room ? (ssize_t)count : -EFBIG;
}

int section_list__read_file(struct sections *sections, const char *path)
{
	char *text = malloc(BYTES_MAX + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? -errno : text ? read_all(fd, text, BYTES_MAX + 1) : -ENOMEM;
	int err = (int)bytes;

	if (fd >= 0)
		close(fd);
	if (bytes >= 0)
		err = section_list__read_text(sections, path, text, (size_t)bytes);
	else
		log__error("cannot read the configuration %s: %s", path, strerror(-err));
	free(text);
	return err ? fail(err) : 0;
}

static int is_configuration(const struct dirent *entry)
{
	size_t count = strlen(entry->d_name);

	return *entry->d_name != '.' && count > 5 && !strcmp(entry->d_name + count - 5, ".yaml");
}

static int read_directory(struct sections *sections, const char *path)
{
	struct dirent **entries = NULL;
	int count = scandir(path, &entries, is_configuration, alphasort), err = 0;

	if (count < 0) {
		err = -errno;
		log__error("cannot list the configurations in %s: %s", path, strerror(-err));
		return fail(err);
	}
	for (int i = 0; i < count; i++) {
		char *file = NULL;

		if (!err && asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0)
			err = -ENOMEM;
		else if (!err)
			err = section_list__read_file(sections, file);
		free(file);
		free(entries[i]);
	}
	free(entries);
	return err ? fail(err) : 0;
}

int section_list__read(struct sections *sections, const char *path)
{
	struct stat stat_;

	if (!stat(path, &stat_) && S_ISDIR(stat_.st_mode))
		return read_directory(sections, path);
	return section_list__read_file(sections, path);
}
