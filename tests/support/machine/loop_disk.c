// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* loop_disk.c: a loop device over a file in memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/loop.h>
#include <check.h>

#include "loop_disk.h"

/* Others may take the free device meanwhile.  It is detached when its last fd is closed. */
static int attach(struct loop_disk *disk)
{
	struct loop_config config = {
		.fd = (__u32)disk->backing,
		.info = { .lo_flags = LO_FLAGS_AUTOCLEAR },
	};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), number;
	char path[32];

	ck_assert_msg(control >= 0, "/dev/loop-control: %s", strerror(errno));
	number = ioctl(control, LOOP_CTL_GET_FREE);
	close(control);
	ck_assert_msg(number >= 0, "no free loop device: %s", strerror(errno));
	snprintf(disk->name, sizeof(disk->name), "loop%d", number);
	snprintf(path, sizeof(path), "/dev/%s", disk->name);
	disk->fd = open(path, O_RDWR | O_CLOEXEC | O_DIRECT);
	ck_assert_msg(disk->fd >= 0, "%s: %s", path, strerror(errno));
	if (!ioctl(disk->fd, LOOP_CONFIGURE, &config))
		return 0;
	close(disk->fd);
	return -errno;
}

void loop_disk__open(struct loop_disk *disk, size_t bytes)
{
	int err;

	disk->backing = memfd_create("loop_disk", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	ck_assert_int_ge(disk->backing, 0);
	ck_assert_int_eq(ftruncate(disk->backing, (off_t)bytes), 0);
	while ((err = attach(disk)) == -EBUSY)
		;
	ck_assert_msg(!err, "%s: %s", disk->name, strerror(-err));
}

void loop_disk__break(struct loop_disk *disk)
{
	ck_assert_int_eq(fcntl(disk->backing, F_ADD_SEALS, F_SEAL_WRITE), 0);
}

void loop_disk__close(struct loop_disk *disk)
{
	close(disk->fd);
	close(disk->backing);
}
