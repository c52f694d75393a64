// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer_lines.c: finds source lines in a namer. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/namer/namer_lines.h"
#include "symbols/dwarf/source_lines.h"

#define KEPT_MAX 16

/* A file with its lines; a file without lines is not kept. */
struct kept_lines {
	struct stat file;
	struct source_lines *lines;
};

/* The last one was used last. */
static struct kept_lines kept[KEPT_MAX];
static size_t kept_count;

static void drop(size_t at)
{
	source_lines__free(kept[at].lines);
	memmove(&kept[at], &kept[at + 1], (--kept_count - at) * sizeof(*kept));
}

static void drop_all(void)
{
	while (kept_count)
		drop(kept_count - 1);
}

static struct source_lines *keep(const struct kept_lines *file)
{
	if (kept_count == KEPT_MAX)
		drop(0);
	kept[kept_count++] = *file;
	return file->lines;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* NULL: it is not kept. */
static struct source_lines *find_kept(const struct stat *file)
{
	for (size_t i = 0; i < kept_count; i++) {
		struct kept_lines found = kept[i];

		if (!is_same(&found.file, file))
			continue;
		memmove(&kept[i], &kept[i + 1], (kept_count - i - 1) * sizeof(*kept));
		kept[kept_count - 1] = found;
		return found.lines;
	}
	return NULL;
}

/* The file itself, if it has DWARF, else its debug file.  The file descriptor is closed. */
static int open_debug(int fd, const struct debug_finder *finder, struct elf_file **elf)
{
	struct elf_file *program;
	int err = elf_file__open(&program, fd, "");

	if (err)
		return err;
	if (source_lines__are_in(program)) {
		*elf = program;
		return 0;
	}
	err = finder->open(finder, program, elf);
	elf_file__free(program);
	return err == -ENOENT ? -ENODATA : err;
}

static int read_lines(int fd, const struct namer_message *request,
		      const struct debug_finder *finder, struct source_lines **lines)
{
	struct elf_file *elf;
	int err = open_debug(fd, finder, &elf);

	return err
		       ?: source_lines__new(lines, elf, true,
					    request->may_name_files ? SOURCE_FILES_REPORTED
								    : SOURCE_FILES_IGNORED);
}

/* Without memory, other files are dropped, and it is tried again. */
static int open_lines(int fd, const struct namer_message *request,
		      const struct debug_finder *finder, struct source_lines **lines)
{
	struct kept_lines file;
	int again, err;

	if (fstat(fd, &file.file)) {
		err = -errno;
		close(fd);
		return err;
	}
	*lines = find_kept(&file.file);
	if (*lines) {
		close(fd);
		return 0;
	}
	again = kept_count ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
	err = read_lines(fd, request, finder, &file.lines);
	if (err == -ENOMEM && again >= 0) {
		drop_all();
		err = read_lines(again, request, finder, &file.lines);
	} else if (again >= 0) {
		close(again);
	}
	if (!err)
		*lines = keep(&file);
	return err;
}

int namer_lines__find(int fd, const struct namer_message *request,
		      const struct debug_finder *finder, struct strbuf *out)
{
	struct source_lines *lines = NULL;
	int err = open_lines(fd, request, finder, &lines);

	if (err)
		return err;
	flat_lines__begin(out, request->addresses_count);
	for (uint32_t i = 0; i < request->addresses_count; i++) {
		const struct source_frame *frames;
		int count = source_lines__find(lines, request->addresses[i], &frames);

		if (count < 0) {
			drop_all();
			return count;
		}
		flat_lines__append(out, request->addresses[i], frames, (uint32_t)count);
	}
	return 0;
}
