/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * breakpoints.h: whether hardware breakpoints count.  Some hypervisors give a guest debug registers
 * that never stop it: the event opens, and counts nothing.
 */
#ifndef TESTS_SUPPORT_MACHINE_BREAKPOINTS_H
#define TESTS_SUPPORT_MACHINE_BREAKPOINTS_H

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/harness.h"

static inline bool breakpoints_count(void)
{
	static volatile uint32_t watched;
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT,
					.size = sizeof(attr),
					.bp_type = HW_BREAKPOINT_W,
					.bp_addr = (uintptr_t)&watched,
					.bp_len = HW_BREAKPOINT_LEN_4 };
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t count = 0;

	if (fd < 0)
		return false;
	watched = 1;
	ck_assert_int_eq(read(fd, &count, sizeof(count)), sizeof(count));
	close(fd);
	return count == 1;
}

#define need_breakpoints()                                                                         \
	do {                                                                                       \
		if (!breakpoints_count())                                                          \
			skip("hardware breakpoints of this machine count nothing");                \
	} while (0)

#endif /* TESTS_SUPPORT_MACHINE_BREAKPOINTS_H */
