/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* collector.h: an OpenTelemetry collector on the loopback, which has troubles.  In threads. */
#ifndef TESTS_SOAK_COLLECTOR_H
#define TESTS_SOAK_COLLECTOR_H

#include <stdint.h>

#define COLLECTOR_PORT 4318

enum collector_mode {
	COLLECTOR_WORKS,
	COLLECTOR_IS_BUSY,	  /* 429 */
	COLLECTOR_IS_UNAVAILABLE, /* 503 */
	COLLECTOR_CLOSES,	  /* connections, in the place of an answer */
	COLLECTOR_HANGS,	  /* no answer until another mode */
	COLLECTOR_REFUSES	  /* connections */
};

void collector__start(void);
void collector__set(enum collector_mode mode);

/* The log records of all requests that were answered with 200. */
uint64_t collector__records(void);
uint64_t collector__requests(void);

#endif /* TESTS_SOAK_COLLECTOR_H */
