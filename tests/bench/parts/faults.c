// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * faults.c: a load of page faults, each in a stack of its own.  It is compiled with frame pointers.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "faults.h"

#define AREA_BYTES ((size_t)64 << 20)
#define BURST	   16 /* faults between two looks at the clock */

typedef void (*call_fn)(uint32_t *path, volatile char *page, unsigned depth);

static call_fn next_call(uint32_t *path);

/* 64 functions that call each other.  The empty asm keeps the call from being a jump. */
#define CALL(name)                                                                                 \
	__attribute__((noinline)) static void call_##name(uint32_t *path, volatile char *page,     \
							  unsigned depth)                          \
	{                                                                                          \
		if (depth)                                                                         \
			next_call(path)(path, page, depth - 1);                                    \
		else                                                                               \
			*page = 1;                                                                 \
		__asm__ volatile("");                                                              \
	}
#define FOUR(name)    CALL(name##0) CALL(name##1) CALL(name##2) CALL(name##3)
#define SIXTEEN(name) FOUR(name##0) FOUR(name##1) FOUR(name##2) FOUR(name##3)
#define ALL_CALLS     SIXTEEN(0) SIXTEEN(1) SIXTEEN(2) SIXTEEN(3)

ALL_CALLS

#define NAMES4(name)  call_##name##0, call_##name##1, call_##name##2, call_##name##3
#define NAMES16(name) NAMES4(name##0), NAMES4(name##1), NAMES4(name##2), NAMES4(name##3)

static call_fn next_call(uint32_t *path)
{
	static const call_fn calls[] = { NAMES16(0), NAMES16(1), NAMES16(2), NAMES16(3) };

	*path = *path * 1664525 + 1013904223;
	return calls[*path >> 26];
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void sleep_until(uint64_t time_ns)
{
	struct timespec time = { (time_t)(time_ns / 1000000000), (long)(time_ns % 1000000000) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

int parts_faults__run(uint64_t count, uint64_t per_second)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const uint64_t start_ns = now_ns();
	uint32_t path = 1;
	char *area =
		mmap(NULL, AREA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* Huge pages would be one fault each. */
	if (area == MAP_FAILED || (madvise(area, AREA_BYTES, MADV_NOHUGEPAGE) && errno != EINVAL))
		return -errno;
	for (uint64_t i = 0; i < count; i++) {
		size_t at = i * page_bytes % AREA_BYTES;

		if (!at && madvise(area, AREA_BYTES, MADV_DONTNEED))
			return -errno;
		if (per_second && i % BURST == 0)
			sleep_until(start_ns + i * 1000000000 / per_second);
		next_call (&path)(&path, area + at, PARTS_FAULTS_FRAMES - 1);
	}
	munmap(area, AREA_BYTES);
	return 0;
}
