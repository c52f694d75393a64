// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/libraries.c: finds the files of a shared library by its name. */
#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "sys/foreign_file.h"
#include "sys/libraries.h"
#include "sys/mapped_files.h"

#define PATH_BYTES 4096

/* Directories of Debian and its relatives, and of others. */
static const char *const directories[] = {
#if defined(__x86_64__)
	"/usr/lib/x86_64-linux-gnu",
	"/usr/lib/x86_64-linux-musl",
#elif defined(__aarch64__)
	"/usr/lib/aarch64-linux-gnu",
	"/usr/lib/aarch64-linux-musl",
#elif defined(__s390x__)
	"/usr/lib/s390x-linux-gnu",
#endif
	"/usr/lib64",
	"/usr/lib",
	"/lib64",
	"/lib",
	"/usr/local/lib64",
	"/usr/local/lib",
};
#define DIRECTORIES (sizeof(directories) / sizeof(*directories))

/* ---- names ----------------------------------------------------------------------------------- */

bool libraries__matches(const char *file, const char *name)
{
	size_t bytes = strlen(name), stem;
	const char *so = strstr(name, ".so");

	if (!bytes)
		return false;
	if (!strncmp(file, name, bytes) && (!file[bytes] || file[bytes] == '.'))
		return true;
	if (!so || so[3])
		return false;
	stem = (size_t)(so - name);
	if (!strncmp(file, name, stem) && file[stem] == '-' &&
	    isdigit((unsigned char)file[stem + 1]) && strstr(file, ".so"))
		return true;
	return !strcmp(name, "libc.so") && !strncmp(file, "ld-musl-", strlen("ld-musl-"));
}

bool libraries__is_library_name(const char *file)
{
	const char *dot = strrchr(file, '.');

	return strstr(file, ".so.") || (dot && !strcmp(dot, ".so"));
}

/* ---- files ----------------------------------------------------------------------------------- */

bool libraries__is_elf(int fd)
{
	const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	unsigned char ident[EI_NIDENT];

	return pread(fd, ident, sizeof(ident), 0) == sizeof(ident) &&
	       !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == class;
}

/* Development packages have a text file, libc.so. */
static bool is_library(const char *path, struct stat *stat)
{
	int fd = foreign_file__open(NULL, path, FOREIGN_PROC_LINKS, stat);
	bool is = fd >= 0 && libraries__is_elf(fd);

	if (fd >= 0)
		close(fd);
	return is;
}

static bool has(const struct libraries *found, const struct stat *stat)
{
	struct stat other;

	for (size_t i = 0; i < found->count; i++)
		if (!fstatat(AT_FDCWD, found->paths[i], &other, 0) &&
		    other.st_dev == stat->st_dev && other.st_ino == stat->st_ino)
			return true;
	return false;
}

static int keep(struct libraries *found, const char *path)
{
	if (!ARRAY_RESERVE_NEXT(found->paths, found->count))
		return -ENOMEM;
	found->paths[found->count] = strdup(path);
	if (!found->paths[found->count])
		return -ENOMEM;
	found->count++;
	return 0;
}

/* Links to a file, and directories that are links to others, lead to the same file. */
static int add_library(struct libraries *found, const char *path)
{
	struct stat stat;

	return is_library(path, &stat) && !has(found, &stat) ? keep(found, path) : 0;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static int add_of_directory(struct libraries *found, const char *directory, const char *name)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	char path[PATH_BYTES];
	int err = 0;

	while (!err && entries && (entry = readdir(entries))) {
		if (!libraries__matches(entry->d_name, name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		err = add_library(found, path);
	}
	if (entries)
		closedir(entries);
	return err;
}

static int find_of_machine(struct libraries *found, const char *name)
{
	int err = 0;

	for (size_t i = 0; !err && i < DIRECTORIES; i++)
		err = add_of_directory(found, directories[i], name);
	return err;
}

/* ---- a process ------------------------------------------------------------------------------- */

struct mapped {
	struct libraries *found;
	const char *name;
};

static int add_mapped(void *arg, uint32_t pid, const struct proc_map *map)
{
	const struct mapped *mapped = arg;
	struct mapped_file file;
	int err = 0;

	if (!mapped_files__is_of(map->path, mapped->name) || mapped_files__open(&file, pid, map))
		return 0;
	if (libraries__is_elf(file.fd) && !has(mapped->found, &file.stat))
		err = keep(mapped->found, file.path);
	close(file.fd);
	return err;
}

static int find_of_process(struct libraries *found, const char *name, uint32_t pid)
{
	struct mapped mapped = { found, name };
	const struct mapped_visitor visitor = { .use = add_mapped, .arg = &mapped };
	int err = mapped_files__visit_process(&visitor, pid);
	char path[64];

	if (err)
		return err == -ENOENT ? -ESRCH : err;
	if (found->count)
		return 0;
	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	return add_library(found, path);
}

/* ---------------------------------------------------------------------------------------------- */

int libraries__find(struct libraries *found, const char *name, uint32_t pid)
{
	int err;

	*found = (struct libraries){ 0 };
	if (strchr(name, '/'))
		err = keep(found, name);
	else
		err = pid ? find_of_process(found, name, pid) : find_of_machine(found, name);
	if (!err && !found->count)
		err = -ENOENT;
	if (err)
		libraries__free(found);
	return err;
}

void libraries__free(struct libraries *found)
{
	for (size_t i = 0; i < found->count; i++)
		free(found->paths[i]);
	free(found->paths);
	*found = (struct libraries){ 0 };
}
