/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/boot_id.h: the id of the running kernel's boot: its addresses are the same until the next. */
#ifndef PEAT_SYS_BOOT_ID_H
#define PEAT_SYS_BOOT_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOT_ID_BYTES 16

/* Parses "3f5e0c26-...": 32 digits and any dashes.  Pure.  False: there are fewer digits. */
bool boot_id__parse(const char *text, size_t bytes, uint8_t id[BOOT_ID_BYTES]);

/* Reads it from /proc, once.  NULL: unknown.  Thread-safe. */
const uint8_t *boot_id__running(void);

#endif /* PEAT_SYS_BOOT_ID_H */
