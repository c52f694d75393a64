/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * loop_disk.h: a disk of this process alone, in memory.  It ends with the process.  A failure here
 * fails the running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_LOOP_DISK_H
#define TESTS_SUPPORT_MACHINE_LOOP_DISK_H

#include <stddef.h>

struct loop_disk {
	char name[16]; /* loop3 */
	int fd;	       /* opened with O_DIRECT: buffers and offsets are multiples of 4096 */
	int backing;
};

void loop_disk__open(struct loop_disk *disk, size_t bytes);

/* From now on, each write to it fails with EIO. */
void loop_disk__break(struct loop_disk *disk);

void loop_disk__close(struct loop_disk *disk);

#endif /* TESTS_SUPPORT_MACHINE_LOOP_DISK_H */
