// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/grace_thread.c: a thread that waits for one grace period, and ends. */
#include <errno.h>
#include <stdint.h>
#include <time.h>

#include "base/monotonic.h"
#include "sys/grace_period.h"
#include "sys/grace_thread.h"
#include "sys/quiet_thread.h"

static void *run(void *unused)
{
	(void)unused;
	return (void *)(intptr_t)grace_period__wait();
}

void grace_thread__begin(struct grace_thread *grace)
{
	*grace = (struct grace_thread){ .is_begun = true };
	grace->has_thread = !quiet_thread__start(&grace->thread, run, NULL);
	if (!grace->has_thread)
		grace->result = grace_period__wait();
}

static void sleep_a_millisecond(void)
{
	struct timespec millisecond = { 0, 1000000 };

	nanosleep(&millisecond, NULL);
}

/* -EAGAIN: the thread has not ended. */
static int join(struct grace_thread *grace, int timeout_ms)
{
	uint64_t until_ns = monotonic_ns() + (uint64_t)timeout_ms * 1000000;
	void *result;

	if (timeout_ms < 0) {
		pthread_join(grace->thread, &result);
	} else {
		while (pthread_tryjoin_np(grace->thread, &result)) {
			if (monotonic_ns() >= until_ns)
				return -EAGAIN;
			sleep_a_millisecond();
		}
	}
	grace->result = (int)(intptr_t)result;
	return 0;
}

int grace_thread__poll(struct grace_thread *grace, int timeout_ms)
{
	if (grace->has_thread && join(grace, timeout_ms))
		return -EAGAIN;
	grace->is_begun = grace->has_thread = false;
	return grace->result;
}

void grace_thread__close(struct grace_thread *grace)
{
	grace_thread__poll(grace, -1);
	grace_thread__disown(grace);
}

void grace_thread__disown(struct grace_thread *grace)
{
	*grace = (struct grace_thread){ 0 };
}
