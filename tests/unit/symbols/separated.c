// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* separated.c: a stripped program and its separate debug file, made by objcopy. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "separated.h"

#include "support/machine/harness.h"
#include "support/machine/command.h"
#include "support/machine/process.h"

void separated__run(const char *const *argv)
{
	struct command command;

	command__run(&command, ALL_CAPS, argv);
	ck_assert_msg(command.status == 0, "%s: status %d: %s", argv[0], command.status,
		      command.err_text);
	command__free(&command);
}

void separated__make_dirs(const char *path)
{
	char part[SEPARATED_PATH];

	for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		mkdir(part, 0700);
	}
}

void separated__write(const char *path, const void *bytes, size_t count)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, count), (ssize_t)count);
	close(fd);
}

struct elf_file *separated__open(const char *path)
{
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open(&file, open(path, O_RDONLY | O_CLOEXEC), path), 0);
	return file;
}

static void set_by_id(struct separated *separated)
{
	struct elf_file *file = separated__open(separated->program);
	char id[BUILD_ID_TEXT];

	ck_assert_uint_eq(file->build_id.bytes, 20);
	build_id__text(&file->build_id, id);
	snprintf(separated->by_id, SEPARATED_PATH, "%s/.build-id/%.2s/%s.debug",
		 separated->debug_dir, id, id + 2);
	separated__make_dirs(separated->by_id);
	elf_file__free(file);
}

void separated__make(struct separated *separated)
{
	char self[SEPARATED_PATH] = { 0 }, link[SEPARATED_PATH + 32];

	ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
	snprintf(separated->dir, sizeof(separated->dir), "/tmp/peat-separated-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(separated->dir));
	snprintf(separated->program, SEPARATED_ROOM, "%s/program", separated->dir);
	snprintf(separated->debug, SEPARATED_ROOM, "%s/program.debug", separated->dir);
	snprintf(separated->debug_dir, SEPARATED_ROOM, "%s/debug", separated->dir);
	separated__run(ARGV("objcopy", "--only-keep-debug", self, separated->debug));
	snprintf(link, sizeof(link), "--add-gnu-debuglink=%s", separated->debug);
	separated__run(ARGV("objcopy", "--strip-all", link, self, separated->program));
	set_by_id(separated);
}

void separated__remove(struct separated *separated)
{
	separated__run(ARGV("rm", "-r", separated->dir));
}
