// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <stddef.h>

#include "sys/grace_period.h"
#include "unit/fake_grace_period.h"

static void (*end_programs)(void);
static int result_of_wait;
static unsigned waits; /* changed by the threads of grace_thread.h */

void fake_grace_period__set(void (*hook)(void), int result)
{
	end_programs = hook;
	result_of_wait = result;
	waits = 0;
}

unsigned fake_grace_period__waits(void)
{
	return __atomic_load_n(&waits, __ATOMIC_RELAXED);
}

/* In the place of that of the library, which the linker then does not add. */
int grace_period__wait(void)
{
	__atomic_add_fetch(&waits, 1, __ATOMIC_RELAXED);
	if (end_programs)
		end_programs();
	return result_of_wait;
}
