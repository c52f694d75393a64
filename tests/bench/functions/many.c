// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* many.c: measures how long many functions take to attach and detach. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <peat/peat.h>

#include "functions.h"

/* ---- a thousand functions -------------------------------------------------------------------- */

#define FUNCTION(number)                                                                           \
	void bench_many_##number(void);                                                            \
	__attribute__((noipa, used)) void bench_many_##number(void)                                \
	{                                                                                          \
		__asm__ volatile("" : : : "memory");                                               \
	}
#define TEN(tens)                                                                                  \
	FUNCTION(tens##0)                                                                          \
	FUNCTION(tens##1)                                                                          \
	FUNCTION(tens##2)                                                                          \
	FUNCTION(tens##3)                                                                          \
	FUNCTION(tens##4)                                                                          \
	FUNCTION(tens##5)                                                                          \
	FUNCTION(tens##6)                                                                          \
	FUNCTION(tens##7)                                                                          \
	FUNCTION(tens##8)                                                                          \
	FUNCTION(tens##9)
#define HUNDRED(hundreds)                                                                          \
	TEN(hundreds##0)                                                                           \
	TEN(hundreds##1)                                                                           \
	TEN(hundreds##2)                                                                           \
	TEN(hundreds##3)                                                                           \
	TEN(hundreds##4)                                                                           \
	TEN(hundreds##5)                                                                           \
	TEN(hundreds##6)                                                                           \
	TEN(hundreds##7)                                                                           \
	TEN(hundreds##8)                                                                           \
	TEN(hundreds##9)

HUNDRED(0)
HUNDRED(1)
HUNDRED(2)
HUNDRED(3)
HUNDRED(4)
HUNDRED(5)
HUNDRED(6)
HUNDRED(7)
HUNDRED(8)
HUNDRED(9)

/* ---- measuring ------------------------------------------------------------------------------- */

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1000 + (double)now.tv_nsec / 1000000;
}

static int count_one(void *ctx, const struct peat_function *function)
{
	(void)function;
	++*(unsigned *)ctx;
	return 0;
}

static void print_source(const char *source)
{
	unsigned functions = 0;
	double added_ms, started_ms, ended_ms, begin_ms = now_ms();
	struct peat_session *session = peat_session__new(NULL);
	int err = session ? peat_session__add_functions(session, source, NULL) : -1;

	added_ms = now_ms();
	if (!err)
		err = peat_session__start(session, NULL);
	started_ms = now_ms();
	peat_session__free(session);
	ended_ms = now_ms();
	if (err || peat_functions__each(source, count_one, &functions))
		return; /* the log has the reason */
	printf("%-10.*s %9u %12.0f %12.0f %12.0f\n", (int)strcspn(source, ":"), source, functions,
	       added_ms - begin_ms, started_ms - added_ms, ended_ms - started_ms);
	fflush(stdout);
}

static void print_of_program(const char *kind, const char *pattern)
{
	char source[320], path[256] = { 0 };

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		return;
	snprintf(source, sizeof(source), "%s:%s:%s", kind, path, pattern);
	print_source(source);
}

void many__print(void)
{
	static const char *const patterns[] = { "bench_many_000", "bench_many_0*", "bench_many_*" };

	printf("\nms to find functions, to load and attach, and to detach\n"
	       "%-10s %9s %12s %12s %12s\n",
	       "source", "functions", "find", "attach", "detach");
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		print_of_program("uprobe", patterns[i]);
		print_of_program("uretprobe", patterns[i]);
	}
	if (access("/sys/bus/event_source/devices/kprobe", F_OK))
		return;
	print_source("kprobe:vfs_read");
	print_source("kprobe:vfs_*");
	print_source("kprobe:t*");
	print_source("kretprobe:t*");
}
