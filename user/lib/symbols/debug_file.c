// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/debug_file.c: finds separate debug files. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/internal.h"
#include "symbols/debug_file.h"
#include "symbols/debug_link.h"
#include "symbols/debuginfod.h"

/* A root, a directory and a path. */
#define PATH_ROOM (3 * PATH_MAX)

struct search {
	const struct elf_file *program;
	const char *path, *root;
	const struct debug_places *places;
	struct debug_link link; /* link.name NULL: the program has none */
};

static bool is_regular(int fd, const struct elf_file *program)
{
	struct stat found, own;

	if (fstat(fd, &found) || !S_ISREG(found.st_mode))
		return false;
	return program->fd < 0 || fstat(program->fd, &own) || own.st_dev != found.st_dev ||
	       own.st_ino != found.st_ino;
}

/* Other files than regular ones could block, and the program links to itself if it is unstripped.
 */
static int open_other(const struct search *search, const char *path, struct elf_file **debug)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -ENOENT;
	if (is_regular(fd, search->program))
		return elf_file__open(debug, fd, path);
	close(fd);
	return -ENOENT;
}

/* A file without a build-id has to have the checksum of the link. */
static bool is_of_program(const struct search *search, const struct elf_file *debug)
{
	const struct build_id *wanted = &search->program->build_id;

	if (debug->machine != search->program->machine)
		return false;
	if (wanted->bytes && debug->build_id.bytes)
		return build_id__equal(wanted, &debug->build_id);
	return search->link.name && debug->fd >= 0 && debug_link__is_of(&search->link, debug->fd);
}

static int open_checked(const struct search *search, const char *path, struct elf_file **debug)
{
	int err = open_other(search, path, debug);

	if (err)
		return err == -ENOMEM ? err : -ENOENT;
	if (is_of_program(search, *debug))
		return 0;
	log__debug("%s: debug information of another build of %s", path, search->path);
	elf_file__free(*debug);
	return -ENOENT;
}

static int try_build_id(const struct search *search, const char *root, const char *dir,
			struct elf_file **debug)
{
	char id[BUILD_ID_TEXT], path[PATH_ROOM];

	if (search->program->build_id.bytes < 2)
		return -ENOENT;
	build_id__text(&search->program->build_id, id);
	snprintf(path, sizeof(path), "%s%s/.build-id/%.2s/%s.debug", root, dir, id, id + 2);
	return open_checked(search, path, debug);
}

/* A file of the link's name in a directory, with the program's directory appended. */
static int try_link(const struct search *search, const char *root, const char *dir,
		    const char *subdir, struct elf_file **debug)
{
	const char *slash = strrchr(search->path, '/');
	char path[PATH_ROOM];

	if (!slash || !search->link.name)
		return -ENOENT;
	snprintf(path, sizeof(path), "%s%s%.*s%s%s", root, dir, (int)(slash + 1 - search->path),
		 search->path, subdir, search->link.name);
	return open_checked(search, path, debug);
}

static const char *const *dirs_of(const struct search *search)
{
	static const char *const dirs[] = { "/usr/lib/debug", NULL };

	return search->places->dirs ? search->places->dirs : dirs;
}

static int try_root(const struct search *search, const char *root, struct elf_file **debug)
{
	const char *const *dirs = dirs_of(search);
	int err = -ENOENT;

	for (int i = 0; err == -ENOENT && dirs[i]; i++)
		err = try_build_id(search, root, dirs[i], debug);
	if (err == -ENOENT)
		err = try_link(search, root, "", "", debug);
	if (err == -ENOENT)
		err = try_link(search, root, "", ".debug/", debug);
	for (int i = 0; err == -ENOENT && dirs[i]; i++)
		err = try_link(search, root, dirs[i], "", debug);
	return err;
}

static int try_servers(const struct search *search, struct elf_file **debug)
{
	int fd, err;

	if (!search->places->debuginfod || !search->program->build_id.bytes)
		return -ENOENT;
	fd = debuginfod__find(&search->program->build_id, search->path);
	if (fd < 0)
		return -ENOENT;
	err = elf_file__open(debug, fd, search->path);
	if (err)
		return err == -ENOMEM ? err : -ENOENT;
	if (build_id__equal(&search->program->build_id, &(*debug)->build_id))
		return 0;
	log__warn("%s: the debuginfod server sent debug information of another build: not used",
		  search->path);
	elf_file__free(*debug);
	return -ENOENT;
}

int debug_file__open(const struct elf_file *program, const char *path, const char *root,
		     const struct debug_places *places, struct elf_file **debug)
{
	struct search search = { program, path, root, places, { NULL, 0 } };
	const struct elf_content section =
		elf_file__content(elf_file__find_section(program, ".gnu_debuglink", NULL));
	int err = -ENOENT;

	if (section.at)
		debug_link__parse(section.at, section.bytes, program->swapped, &search.link);
	if (root)
		err = try_root(&search, root, debug);
	if (err == -ENOENT)
		err = try_root(&search, "", debug);
	if (err == -ENOENT)
		err = try_servers(&search, debug);
	return err;
}
