// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/files/late_files.c: files that a namer reads while events go on. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/files/late_files.h"

bool late_files__add(struct late_files *files, struct symbol_table *table,
		     const struct opened_file *file, enum late_part part)
{
	struct late_file late = { table, *file, part };

	if (files->count == LATE_FILES_MAX)
		return false;
	late.file.path = strdup(file->path);
	if (!late.file.path)
		return false;
	late.file.fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	if (late.file.fd < 0) {
		free((char *)late.file.path);
		return false;
	}
	files->list[files->count++] = late;
	return true;
}

bool late_files__have(const struct late_files *files, const struct symbol_table *table,
		      enum late_part part)
{
	for (uint32_t i = 0; i < files->count; i++)
		if (files->list[i].table == table && files->list[i].part == part)
			return true;
	return false;
}

void late_files__remove(struct late_files *files)
{
	close(files->list[0].file.fd);
	free((char *)files->list[0].file.path);
	memmove(files->list, files->list + 1, --files->count * sizeof(*files->list));
}
