// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/debug/debug_file.c: checks that a file is the debug file of a program. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "symbols/debug/debug_file.h"
#include "symbols/debug/debug_link.h"

bool debug_file__describe(const struct elf_file *program, struct debug_wanted *wanted)
{
	const struct elf_content section =
		elf_file__content(elf_file__find_section(program, ".gnu_debuglink", NULL));
	struct debug_link link;

	*wanted = (struct debug_wanted){ .build_id = program->build_id };
	if (section.at && debug_link__parse(section.at, section.bytes, program->swapped, &link) &&
	    strlen(link.name) < sizeof(wanted->link)) {
		strcpy(wanted->link, link.name);
		wanted->checksum = link.checksum;
	}
	return wanted->build_id.bytes || *wanted->link;
}

/* A file without a build-id has to have the checksum of the link. */
static bool is_of_program(const struct elf_file *program, const struct debug_wanted *wanted,
			  const struct elf_file *debug)
{
	if (debug->machine != program->machine)
		return false;
	if (wanted->build_id.bytes && debug->build_id.bytes)
		return build_id__equal(&wanted->build_id, &debug->build_id);
	return *wanted->link && debug_link__has_checksum(debug->fd, wanted->checksum);
}

static int open_checked(const struct elf_file *program, const struct debug_wanted *wanted, int fd,
			struct elf_file **debug)
{
	int err = elf_file__open(debug, fd, program->path);

	if (err)
		return err == -ENOMEM ? err : -ENOENT;
	if (is_of_program(program, wanted, *debug))
		return 0;
	log__debug("%s: debug information of another build", program->path);
	elf_file__free(*debug);
	return -ENOENT;
}

int debug_file__choose(const struct elf_file *program, const struct debug_wanted *wanted,
		       const int *fds, uint32_t count, struct elf_file **debug)
{
	int err = -ENOENT;
	uint32_t i;

	for (i = 0; err == -ENOENT && i < count; i++)
		err = open_checked(program, wanted, fds[i], debug);
	for (; i < count; i++)
		close(fds[i]);
	return err;
}
