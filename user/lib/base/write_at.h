/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_BASE_WRITE_AT_H
#define PEAT_BASE_WRITE_AT_H

#include <stddef.h>
#include <stdint.h>

/* Writes all bytes at this offset of a file.  0 or a negative errno; some may be written then. */
int write_at(int fd, const void *bytes, size_t count, uint64_t offset);

#endif /* PEAT_BASE_WRITE_AT_H */
