// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/skipped.c: asks the kernel for the runs of programs that it skipped. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/log.h"
#include "channel/channel.h"
#include "channel/skipped.h"
#include "sys/file_room.h"

/* False: the kernel does not say.  Before Linux 5.12, bpf_prog_info ends before the count. */
static bool read_misses(int fd, uint64_t *misses)
{
	struct bpf_prog_info info = { 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes) ||
	    bytes < offsetof(struct bpf_prog_info, recursion_misses) + sizeof(*misses))
		return false;
	*misses = info.recursion_misses;
	return true;
}

/* Owns the fd. */
static int add_program(struct skipped *skipped, int fd)
{
	struct skipped_program program = { .fd = fd };

	if (!ARRAY_RESERVE_NEXT(skipped->programs, skipped->count)) {
		close(fd);
		return -ENOMEM;
	}
	if (!read_misses(fd, &program.before))
		skipped->is_unknown = true;
	skipped->programs[skipped->count++] = program;
	return 0;
}

static int explain_skipped_error(int err)
{
	log__error("cannot count the runs of programs that the kernel skips: %s%s", strerror(-err),
		   file_room__remedy(err));
	return err;
}

int skipped__add_object(struct skipped *skipped, const struct bpf_object *object)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program(program, object)
	{
		int fd = bpf_program__fd(program);

		if (err || fd < 0)
			continue;
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		err = fd < 0 ? -errno : add_program(skipped, fd);
	}
	return err ? explain_skipped_error(err) : 0;
}

int skipped__add_id(struct skipped *skipped, uint32_t id)
{
	int fd = bpf_prog_get_fd_by_id(id), err;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 && errno == EPERM) {
		skipped->is_unknown = true;
		return 0;
	}
	err = fd < 0 ? -errno : add_program(skipped, fd);
	return err ? explain_skipped_error(err) : 0;
}

int skipped__add_channel(struct skipped *skipped, const struct peat_channel *channel)
{
	int err = 0;

	for (size_t i = 0; !err && i < channel->bound_count; i++)
		if (channel->bound[i].object)
			err = skipped__add_object(skipped, channel->bound[i].object);
	for (size_t i = 0; !err && i < channel->running_count; i++)
		err = skipped__add_id(skipped, channel->running[i]);
	return err;
}

bool skipped__read(const struct skipped *skipped, uint64_t *count)
{
	uint64_t misses;

	*count = 0;
	for (size_t i = 0; i < skipped->count; i++)
		if (read_misses(skipped->programs[i].fd, &misses))
			*count += misses - skipped->programs[i].before;
	return !skipped->is_unknown;
}

void skipped__free(struct skipped *skipped)
{
	for (size_t i = 0; i < skipped->count; i++)
		close(skipped->programs[i].fd);
	free(skipped->programs);
	*skipped = (struct skipped){ 0 };
}
