/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* block_device.h: a block device of one test.  A failure here fails the running test. */
#ifndef TESTS_SUPPORT_MACHINE_BLOCK_DEVICE_H
#define TESTS_SUPPORT_MACHINE_BLOCK_DEVICE_H

#include <stddef.h>

/*
 * Attaches a file of `bytes` bytes to a loop device, and opens that.  Returns a file descriptor for
 * reading and writing; `path` of `room` bytes gets the path of the device.  It is detached when the
 * last file descriptor of it is closed.  -1: the kernel has no loop devices.
 */
int block_device__open(size_t bytes, char *path, size_t room);

#endif /* TESTS_SUPPORT_MACHINE_BLOCK_DEVICE_H */
