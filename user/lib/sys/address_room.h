/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/address_room.h: whether RLIMIT_AS has room. */
#ifndef PEAT_SYS_ADDRESS_ROOM_H
#define PEAT_SYS_ADDRESS_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the process may map so many bytes more.  False if the kernel does not say. */
bool address_room__has(uint64_t bytes);

#endif /* PEAT_SYS_ADDRESS_ROOM_H */
