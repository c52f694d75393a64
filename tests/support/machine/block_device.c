// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* block_device.c: a loop device over a file without a name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/loop.h>

#include "support/machine/block_device.h"
#include "support/machine/harness.h"

/* Another process may take the free device first.  Returns its file descriptor, or -1. */
static int attach(int file, char *path, size_t room)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), number, fd, err = EBUSY;

	if (control < 0)
		return -1;
	for (int i = 0; i < 100 && err == EBUSY; i++) {
		number = ioctl(control, LOOP_CTL_GET_FREE);
		ck_assert_int_ge(number, 0);
		snprintf(path, room, "/dev/loop%d", number);
		fd = open(path, O_RDWR | O_CLOEXEC);
		ck_assert_msg(fd >= 0, "%s: %s", path, strerror(errno));
		if (!ioctl(fd, LOOP_SET_FD, file)) {
			close(control);
			return fd;
		}
		err = errno;
		close(fd);
	}
	ck_abort_msg("%s: %s", path, strerror(err));
}

int block_device__open(size_t bytes, char *path, size_t room)
{
	struct loop_info64 info = { .lo_flags = LO_FLAGS_AUTOCLEAR };
	int file = memfd_create("block_device", MFD_CLOEXEC), fd;

	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(ftruncate(file, (off_t)bytes), 0);
	fd = attach(file, path, room);
	close(file);
	if (fd >= 0)
		ck_assert_int_eq(ioctl(fd, LOOP_SET_STATUS64, &info), 0);
	return fd;
}
