/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* machine/own_event.h: a perf event of this thread, in user space alone. */
#ifndef PEAT_MACHINE_OWN_EVENT_H
#define PEAT_MACHINE_OWN_EVENT_H

#include <stdint.h>

/* The file descriptor, or a negative errno.  It needs the least privilege of all events. */
int own_event__open(uint32_t type, uint64_t config);

#endif /* PEAT_MACHINE_OWN_EVENT_H */
