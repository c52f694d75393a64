// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* operations_files.c: files of a tmpfs, and of a disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "operations.h"

#define PAGE 4096

static void open_file(void)
{
	close(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

const struct gallery_operation gallery_open = { "open and close /dev/null", NULL, open_file, NULL };

/* ---- files that are made for it -------------------------------------------------------------- */

static char path[64], other_path[72];
static int file = -1;

static bool make_file(const char *folder, int flags)
{
	char page[PAGE] = { 0 };

	snprintf(path, sizeof(path), "%s/peat-gallery.XXXXXX", folder);
	file = mkstemp(path);
	if (file < 0 || write(file, page, sizeof(page)) != sizeof(page) || fsync(file)) {
		gallery__say("no file in %s: %s", folder, strerror(errno));
		return false;
	}
	snprintf(other_path, sizeof(other_path), "%s.other", path);
	if (!flags)
		return true;
	close(file);
	file = open(path, O_RDWR | O_CLOEXEC | flags);
	if (file < 0)
		gallery__say("%s: %s", path, strerror(errno));
	return file >= 0;
}

static void remove_file(void)
{
	if (file >= 0)
		close(file);
	file = -1;
	unlink(path);
	unlink(other_path);
}

static bool make_in_memory(void)
{
	return make_file("/dev/shm", 0);
}

static void read_byte(void)
{
	char byte;

	if (pread(file, &byte, 1, 0) != 1)
		abort();
}

const struct gallery_operation gallery_read = { "read a byte of a file", make_in_memory, read_byte,
						remove_file };

static void rename_twice(void)
{
	if (rename(path, other_path) || rename(other_path, path))
		abort();
}

const struct gallery_operation gallery_rename = { "rename a file, and back", make_in_memory,
						  rename_twice, remove_file };

static bool make_on_disk(void)
{
	return make_file("/var/tmp", O_DIRECT);
}

static void read_page(void)
{
	static _Alignas(PAGE) char page[PAGE];

	if (pread(file, page, sizeof(page), 0) != sizeof(page))
		abort();
}

const struct gallery_operation gallery_disk = { "read 4 KiB of a disk", make_on_disk, read_page,
						remove_file };
