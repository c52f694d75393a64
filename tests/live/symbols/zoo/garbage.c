// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* garbage.c: a caller that is no address, as frame pointers of code without them yield. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define NO_ADDRESS (-100) /* among the numbers that mark contexts in a callchain */

__attribute__((noinline)) static void spin(clock_t until)
{
	volatile uint64_t *frame = __builtin_frame_address(0);
	uint64_t caller = frame[1];

	frame[1] = (uint64_t)NO_ADDRESS;
	while (clock() < until)
		;
	frame[1] = caller;
}

/* garbage MILLISECONDS */
int main(int argc, char **argv)
{
	spin(clock() + (argc > 1 ? atol(argv[1]) : 100) * (CLOCKS_PER_SEC / 1000));
	return 0;
}
