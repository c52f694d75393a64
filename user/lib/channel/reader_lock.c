// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/reader_lock.c: a lock that all processes of the machine see. */
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "channel/reader_lock.h"

/* Ids of maps are never reused while the map exists, and are the same in all namespaces. */
static int read_map_id(int map_fd, uint32_t *id)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(map_fd, &info, &bytes))
		return -errno;
	*id = info.id;
	return 0;
}

/*
 * All event fds of the machine, and maps, share one inode (anon_inode_inode, Linux 5.10 to 7.2):
 * so a lock of a byte of it is seen everywhere.  The byte has the id of the map as its position.
 * No other program is known to lock bytes of that inode.
 */
static int lock_byte(int fd, uint32_t position)
{
	struct flock lock = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = position, .l_len = 1
	};

	return fcntl(fd, F_OFD_SETLK, &lock) ? -errno : 0;
}

int reader_lock__open(int stage_fd)
{
	uint32_t id = 0;
	int err = read_map_id(stage_fd, &id), fd;

	if (err)
		return err;
	fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = lock_byte(fd, id);
	if (!err)
		return fd;
	close(fd);
	return err == -EACCES ? -EAGAIN : err;
}
