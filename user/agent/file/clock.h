/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* file/clock.h: a clock for waiting. */
#ifndef PEAT_FILE_CLOCK_H
#define PEAT_FILE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#endif /* PEAT_FILE_CLOCK_H */
