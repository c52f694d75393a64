// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* new_file.c: names and creates the files that events are written to. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/base/new_file.h"

/* A FIFO may take so long to get a reader. */
#define FIFO_MS 5000

static int create(const char *path, const char *made_from, bool keep_old)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;

	opts.made_from = made_from;
	opts.fifo_ms = FIFO_MS;
	opts.keep_old = keep_old;
	return peat_file__create(path, &opts);
}

int new_file__create(const char *path, const char *made_from)
{
	return create(path, made_from, false);
}

int new_file__open(const char *path, uint32_t number, char **name)
{
	if (!number)
		*name = strdup(path);
	else if (asprintf(name, "%s.%u", path, number) < 0)
		*name = NULL;
	if (!*name)
		return -ENOMEM;
	return create(*name, NULL, true);
}

int new_file__open_dump(const char *path, uint64_t *number, char **name)
{
	struct peat_file_opts opts = PEAT_FILE_OPTS_INIT;
	int fd = -EEXIST;

	opts.exclusive = true;
	for (*name = NULL; fd == -EEXIST; *number += fd >= 0 || fd == -EEXIST) {
		free(*name);
		if (asprintf(name, "%s.%llu", path, (unsigned long long)*number) < 0)
			*name = NULL;
		fd = *name ? peat_file__create(*name, &opts) : -ENOMEM;
	}
	return fd;
}
