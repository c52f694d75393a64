/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* counted.h: the counters of a test, their messages, and calls that are counted. */
#ifndef TESTS_LIVE_COUNTERS_COUNTED_H
#define TESTS_LIVE_COUNTERS_COUNTED_H

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/harness.h"

/* Each call of call_getpgid() is one of these. */
#define CALLS "syscalls:sys_enter_getpgid"

static struct peat_counters *counters;
static char logged[4096];

static void keep_message(enum peat_log_level level, const char *text)
{
	size_t used = strlen(logged);

	if (level <= PEAT_LOG_WARN)
		snprintf(logged + used, sizeof(logged) - used, "%s\n", text);
}

static void setup(void)
{
	peat_set_print(keep_message);
	logged[0] = '\0';
}

static void teardown(void)
{
	peat_counters__free(counters);
	counters = NULL;
}

static void open_with(const struct peat_counters_opts *opts)
{
	counters = peat_counters__new(opts);
	ck_assert_msg(counters, "%s", logged);
}

static void enable(void)
{
	ck_assert_int_eq(peat_counters__enable(counters), 0);
}

static void call_getpgid(unsigned calls)
{
	while (calls--)
		syscall(SYS_getpgid, 0);
}

/* The kernel has inherit_thread, remove_on_exec and sigtrap. */
static inline bool has_remove_on_exec(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.remove_on_exec = 1 };
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd >= 0 && !close(fd);
}

#define need_remove_on_exec()                                                                      \
	do {                                                                                       \
		if (!has_remove_on_exec())                                                         \
			skip("this kernel has no remove_on_exec (Linux 5.13)");                    \
	} while (0)

#endif /* TESTS_LIVE_COUNTERS_COUNTED_H */
