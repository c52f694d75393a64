// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/own_event.c: opens a perf event of this thread. */
#include <linux/perf_event.h>

#include "machine/own_event.h"
#include "sys/event_fd.h"

int own_event__open(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const struct event_target own = { .cpu = -1, .group_fd = -1 };

	return event_fd__open_target(&attr, &own);
}
