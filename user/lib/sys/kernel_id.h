/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/kernel_id.h: the build id of the running kernel. */
#ifndef PEAT_SYS_KERNEL_ID_H
#define PEAT_SYS_KERNEL_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* perf stores build ids in so many bytes; shorter ones have zeroes at the end. */
#define KERNEL_ID_BYTES 20

/* Finds the build id in ELF notes of this machine's byte order.  Pure.  False: there is none. */
bool kernel_id__parse(const void *notes, size_t bytes, uint8_t id[KERNEL_ID_BYTES]);

/* Reads it from /sys/kernel/notes, once.  NULL: unknown.  Thread-safe. */
const uint8_t *kernel_id__running(void);

#endif /* PEAT_SYS_KERNEL_ID_H */
