// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/debug/debug_places.c: opens the files that may be the debug file of a program. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/debug/debug_places.h"
#include "symbols/debug/debuginfod.h"
#include "symbols/debug/perf_copy.h"
#include "sys/foreign_file.h"

/* A root, a directory and a path. */
#define PATH_ROOM (3 * PATH_MAX)

struct candidates {
	const struct debug_search *search;
	const struct debug_wanted *wanted;
	int *fds;
	uint32_t count;
};

/* A file that the program's owner or root wrote; an unstripped program may link to itself. */
static bool is_believed(const struct stat *program, const struct stat *found, bool is_own_dir)
{
	if (program->st_dev == found->st_dev && program->st_ino == found->st_ino)
		return false;
	return is_own_dir || !found->st_uid || found->st_uid == program->st_uid;
}

/*
 * Without a root, directories of the user's options may be in that of a process:
 * /proc/PID/root/usr/lib/debug.
 */
static void add_candidate(struct candidates *to, const char *root, const char *path,
			  bool is_own_dir)
{
	struct stat found;
	int fd;

	if (to->count == DEBUG_FILES_MAX)
		return;
	fd = foreign_file__open(root, path, root ? FOREIGN_LINKS : FOREIGN_PROC_LINKS, &found);
	if (fd < 0)
		return;
	if (is_believed(&to->search->program, &found, is_own_dir))
		to->fds[to->count++] = fd;
	else
		close(fd);
}

static void add_by_id(struct candidates *to, const char *root, const char *dir)
{
	char id[BUILD_ID_TEXT], path[PATH_ROOM];

	if (to->wanted->build_id.bytes < 2)
		return;
	build_id__text(&to->wanted->build_id, id);
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", dir, id, id + 2);
	add_candidate(to, root, path, !root);
}

/* A file of the link's name in a directory, with the program's directory appended. */
static void add_link(struct candidates *to, const char *root, const char *dir, const char *subdir)
{
	const char *program = to->search->path, *slash = strrchr(program, '/');
	char path[PATH_ROOM];

	if (!slash || !*to->wanted->link)
		return;
	snprintf(path, sizeof(path), "%s%.*s%s%s", dir, (int)(slash + 1 - program), program, subdir,
		 to->wanted->link);
	add_candidate(to, root, path, !root && *dir);
}

static const char *const *dirs_of(const struct debug_search *search)
{
	static const char *const dirs[] = { "/usr/lib/debug", NULL };

	return search->places->dirs ? search->places->dirs : dirs;
}

static void add_in_root(struct candidates *to, const char *root)
{
	const char *const *dirs = dirs_of(to->search);

	for (int i = 0; dirs[i]; i++)
		add_by_id(to, root, dirs[i]);
	add_link(to, root, "", "");
	add_link(to, root, "", ".debug/");
	for (int i = 0; dirs[i]; i++)
		add_link(to, root, dirs[i], "");
}

static void add_perf_copy(struct candidates *to)
{
	char path[PERF_COPY_PATH];

	if (perf_copy__path(&to->wanted->build_id, path))
		add_candidate(to, NULL, path, true);
}

static uint32_t ask_servers(const struct debug_search *search, const struct debug_wanted *wanted,
			    int *fds)
{
	const uid_t owner = search->program.st_uid;
	int fd;

	if (!search->places->debuginfod || !wanted->build_id.bytes || (owner && owner != geteuid()))
		return 0;
	fd = debuginfod__find(&wanted->build_id, search->path);
	if (fd >= 0)
		fds[0] = fd;
	return fd >= 0;
}

/* A name without directories. */
static bool is_valid(const struct debug_wanted *wanted)
{
	return wanted->build_id.bytes <= BUILD_ID_BYTES &&
	       memchr(wanted->link, '\0', sizeof(wanted->link)) && !strchr(wanted->link, '/') &&
	       strcmp(wanted->link, "..") != 0 && strcmp(wanted->link, ".") != 0;
}

uint32_t debug_places__open(const struct debug_search *search, const struct debug_wanted *wanted,
			    int fds[DEBUG_FILES_MAX])
{
	struct candidates to = { search, wanted, fds, 0 };

	if (!is_valid(wanted))
		return 0;
	if (wanted->of_servers)
		return ask_servers(search, wanted, fds);
	if (search->root)
		add_in_root(&to, search->root);
	add_in_root(&to, NULL);
	add_perf_copy(&to);
	return to.count;
}
